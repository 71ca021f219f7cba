"""The live panel, drawn on a screen of any size."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from parallel_mcts import game, search
from parallel_mcts.cli.drawing import bar, board, position
from parallel_mcts.cli.panel import Panel
from parallel_mcts.results import Move, Progress, Strategy
from parallel_mcts.state import labels


def screen(width: int = 80, height: int = 24) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, color_system=None, width=width, height=height)


def drawn(panel: Panel, progress: Progress) -> list[str]:
    with panel.console.capture() as captured:
        panel.console.print(panel._drawn(progress))
    return captured.get().splitlines()


def progress(spec: str, **changes: object) -> Progress:
    """Half-way through a search in which every action is as likely as any other."""
    row, col = (Strategy(names, [1 / len(names)] * len(names)) for names in labels(game(spec)))
    known = {"iterations": 500, "seconds": 2.0, "rate": 250.0, "row": row, "col": col, "row_value": 0.5, "col_value": 0.5}
    return Progress(**{**known, "nodes": 1234, "memory": 2_500_000, "workers": 4, **changes})  # type: ignore[arg-type]


def test_it_shows_how_far_how_fast_and_what_is_known() -> None:
    lines = drawn(Panel(1000, None, screen()), progress("rps", principal_line=(Move("rock", "paper"),)))
    text = "\n".join(lines)
    assert " 50% " in lines[1]
    assert "500 iterations · 250/s · 2.0 s" in text
    assert text.count("33.3%") == 6
    assert "value  row 0.500  column 0.500" in text
    assert "line   rock/paper" in text
    assert "nodes  1,234 · 2.5 MB · workers 4" in text


def test_time_counts_where_it_is_the_nearer_limit() -> None:
    assert " 80% " in drawn(Panel(1000, 2.5, screen()), progress("rps"))[1]


def test_while_workers_are_busy_the_line_is_the_likeliest_move() -> None:
    assert "line   a1 …" in "\n".join(drawn(Panel(1000, None, screen()), progress("mnk")))


@pytest.mark.parametrize(("width", "height"), [(44, 10), (80, 24), (200, 60)])
def test_a_board_of_many_moves_fits_any_screen(width: int, height: int) -> None:
    lines = drawn(Panel(1000, None, screen(width, height)), progress("gomoku"))
    assert max(map(len, lines)) <= width
    assert len(lines) <= max(height, 20)
    assert "more" in "\n".join(lines)


def test_the_answer_on_a_large_board_is_cut_to_what_was_tried_most() -> None:
    panel, start = Panel(100, None, screen()), game("gomoku")
    result = search(start, iterations=300, seed=1, engine="python")
    panel.result(start, result)
    text = panel.console.file.getvalue()  # type: ignore[attr-defined]
    best = max(result.row_actions, key=lambda report: report.visits)
    assert f"\n{best.action} " in text
    assert "… 201 more; --plain shows all" in text
    assert "column  - (no choice)" in text
    assert "300 iterations in" in text


def test_compiling_is_told_at_once() -> None:
    panel = Panel(1000, None, screen())
    with panel:
        panel.progress(progress("rps", stage="compiling", iterations=0, seconds=0.0))
        assert panel.live is not None
    assert "compiling the game and the algorithm" in panel.console.file.getvalue()  # type: ignore[attr-defined]


def test_what_is_over_at_once_does_not_flash() -> None:
    panel = Panel(500, None, screen())
    panel.progress(progress("rps"))
    panel.progress(progress("rps", iterations=10, seconds=0.1))
    assert panel.live is None


def test_bars_are_as_long_as_what_they_show() -> None:
    assert [bar(share, 4) for share in (0.0, 0.25, 1.0, 2.0)] == ["    ", "█   ", "████", "████"]
    assert bar(1 / 32, 4) == "▏   "


def test_pieces_are_coloured_and_words_are_not() -> None:
    frame = board("X O 2\n3 4 5\n6 7 8\nX to move")
    styles = {(span.start, span.end): str(span.style) for span in frame.renderable.spans}
    assert set(styles) == {(0, 1), (2, 3), (18, 19)}
    assert styles[0, 1] == styles[18, 19] != styles[2, 3]
    assert board("north 0 | 4 4\nSouth to move").renderable.spans == []
    assert len(board("TT_FF\n01234").renderable.spans) == 4


def test_a_class_that_cannot_be_printed_is_shown_by_its_attributes() -> None:
    class Bare:
        def __init__(self) -> None:
            self.sticks = 3

    assert position(Bare()) == "Bare(sticks=3)"
    assert position(game("nim:sticks=2")) == "|| (2 left, row to move)"
