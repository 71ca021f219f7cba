"""The program as a person sees it: in a pseudo-terminal, with a live panel, Ctrl-C and typed moves."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses pseudo-terminals")
Start = Callable[..., Any]


def test_a_search_shows_a_live_panel_and_ctrl_c_gives_the_answer_so_far(terminal: Start) -> None:
    screen = terminal("search", "goofspiel:cards=5", "--seconds", "60", "--engine", "python")
    shown = screen.read_until("workers 1")
    for piece in ("iterations ·", "/s ·", "row", "column", "value  row", "line ", "nodes ", " MB", "█", "Ctrl-C"):
        assert piece in shown, piece
    screen.interrupt()
    assert screen.code() == 130
    assert screen.text.rstrip().endswith("interrupted")
    assert "prizes: 5 4 3 2 1" in screen.text
    assert "probability" in screen.text
    assert "\x1b[?25h" in screen.seen  # the cursor is back


def test_a_quick_search_has_no_panel_and_plain_text_can_be_had(terminal: Start) -> None:
    quick = terminal("search", "rps", "--iterations", "50", "--seed", "1", columns=200)
    assert quick.code() == 0
    assert "Ctrl-C" not in quick.text
    assert "─ MatrixGame ─" in quick.text
    assert "50 iterations in" in quick.text
    plain = terminal("search", "rps", "--iterations", "50", "--plain")
    assert plain.code() == 0
    assert "╭" not in plain.text


def test_a_person_plays_with_wrong_input_a_hint_undo_and_quit(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    hint = "human:hint=mcts:iterations=50"
    screen = terminal("play", "tictactoe", "--row", hint, "--col", "first", "--transcript", str(file), "--seed", "1")
    assert "╭" in screen.read_until("row> ")
    screen.type("nine")
    assert "nine" in screen.read_until("row> ")
    screen.type("hint")
    assert "Hint: " in screen.read_until("row> ")
    screen.type("4")
    shown = screen.read_until("row> ")
    assert "first is thinking …" in shown
    assert "Column played 0." in shown
    screen.type("undo")
    assert "Taken back: 4, 0." in screen.read_until("row> ")
    screen.type("8")
    screen.read_until("row> ")
    screen.type("quit")
    assert screen.code() == 0
    assert "You lost" in screen.text
    assert [line for line in file.read_text().splitlines() if line[0] != "#"] == ["row: 8", "col: 0"]


def test_what_was_played_last_is_marked_on_the_board(terminal: Start) -> None:
    screen = terminal("play", "gomoku:size=5", "--col", "first")
    screen.read_until("row> ")
    assert "7;" not in screen.seen
    screen.type("c3")
    screen.read_until("row> ")
    assert screen.seen.count("\x1b[1;7;35mO") == 1
    assert "\x1b[1;36mX" in screen.seen
    screen.type("c4")
    screen.read_until("row> ")
    assert "\x1b[1;7;35mO" in screen.seen
    assert "\x1b[1;35mO" in screen.seen  # the one before
    screen.type("undo")
    screen.read_until("row> ")
    assert screen.seen.count("\x1b[1;7;35mO") == 1
    screen.type("quit")
    assert screen.code() == 0


def test_ctrl_c_breaks_a_game_off_and_its_moves_are_kept(terminal: Start, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    screen = terminal("play", "nim", "--col", "first", "--transcript", str(file))
    screen.read_until("row> ")
    screen.type("2")
    screen.read_until("row> ")
    screen.interrupt()
    assert screen.code() == 130
    assert "Traceback" not in screen.text
    lines = file.read_text().splitlines()
    assert lines[-3:-1] == ["row: 2", "col: 1"]
    assert lines[-1].startswith("# broken off")


def test_a_tournament_shows_a_live_table_and_ctrl_c_gives_the_table_so_far(terminal: Start, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    agents = ["slow=mcts:iterations=300", "random"]
    command = ["tournament", "tictactoe", *agents, "--results", str(results), "--workers", "1"]
    screen = terminal(*command, "--rounds", "1000")
    screen.read_until("3 of 2000 games")
    assert "s/move" in screen.text
    screen.interrupt()
    assert screen.code() == 130
    assert screen.text.rstrip().endswith("of 2000 games, interrupted")
    assert len(results.read_text().splitlines()) >= 4


def test_solving_says_on_a_terminal_that_it_is_at_work(terminal: Start) -> None:
    screen = terminal("solve", "goofspiel:cards=4")
    assert screen.code() == 0
    assert "solving … (Ctrl-C stops)" in screen.text
    assert "value: row" in screen.text
