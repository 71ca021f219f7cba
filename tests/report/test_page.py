"""What a page says: the search's own numbers, in their sections, for every kind of game and backend."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from parallel_mcts import ParameterError, Search, Strategy, TurnState, game, search, solve
from parallel_mcts.report import Recorder, most_visited, write_html
from parallel_mcts.report.page import html_page
from parallel_mcts.report.yardstick import by_means, by_solution, yardstick


def searched(start: Any, iterations: int = 400, **options: Any) -> tuple[Search, Recorder]:
    recorder = Recorder()
    session = Search(start, seed=1, engine=options.pop("engine", "python"), **options)
    session.run(iterations=iterations, on_progress=recorder, progress_seconds=0.0)
    return session, recorder


def sections(page: str) -> list[str]:
    return re.findall(r'<h2 id="\w+">(\w+)</h2>', page)


def words(page: str) -> str:
    """The page's text, without style, script and markup."""
    body = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def test_a_page_has_every_section_and_the_numbers_of_the_search(tmp_path: Path) -> None:
    session, recorder = searched(game("biased_rps"), 500, algorithm="matrix_ucb")
    with session:
        write_html(tmp_path / "page.html", session, recorder=recorder)
        result = session.result()
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>\n<html")
    assert sections(page) == ["Strategies", "Payoffs", "Convergence", "Tree", "Parameters"]
    text = words(page)
    assert "paper 62.5%" in text
    assert f"{result.row_actions[1].visits:,}" in text
    assert "MatrixUCB(c=0.5, slack=0.01) · single × 1 · python · seed 1" in text
    assert "exact: the game was solved, 10 positions" in text
    assert "Exploitability 0.000 exact" in text
    assert "iterations 500 time" in text


def test_nothing_on_a_page_comes_from_elsewhere() -> None:
    session, recorder = searched(game("tictactoe"))
    with session:
        page = html_page(session, recorder=recorder)
    assert "default-src 'none'" in page.replace("&#x27;", "'")
    assert re.findall(r"""(?:https?:)?//[a-z]|url\(|@import|<link|<img|<iframe|\ssrc=|\shref=""", page) == []


@pytest.mark.parametrize(
    "name", ["tictactoe", "pig:target=20", "goofspiel:cards=3,prizes=random", "gomoku:size=7", "chicken"]
)
def test_every_kind_of_game_has_a_page(name: str) -> None:
    session, recorder = searched(game(name), 150)
    with session:
        page = html_page(session, recorder=recorder, nodes=30)
    assert {"Strategies", "Tree", "Parameters"} <= set(sections(page))
    assert page.count('<details class="node">') + page.count('<details open="" class="node">') == 30 or name == "chicken"


def test_games_of_turns_have_no_payoff_matrix_and_one_line_of_entropy() -> None:
    session, recorder = searched(game("tictactoe"))
    with session:
        page = html_page(session, recorder=recorder, solve_limit=0)
    assert "Payoffs" not in sections(page)
    assert "Waits: no choice in this position." in page
    assert len(re.findall(r'<polyline class="line col"', page)) == 0


def test_a_matrix_that_is_too_large_is_not_drawn() -> None:
    session, _ = searched(game("goofspiel:cards=20"), 50)
    with session:
        page = html_page(session, nodes=5, solve_limit=0)
    assert "20 × 20 joint actions are too many to draw." in page
    assert "<th" in page
    assert 'class="heat"' not in page


def test_general_sum_games_show_both_values_and_do_not_call_rows_loss_columns_gain() -> None:
    session, recorder = searched(game("chicken"))
    with session:
        page = html_page(session, recorder=recorder)
    assert len(re.findall(r'<polyline class="line col"', page)) == 4  # value and entropy, by seconds and by iterations
    assert "better for column" not in page
    assert "worse for row" in page


def test_a_result_alone_has_a_page_without_tree_and_position() -> None:
    recorder = Recorder()
    start = game("rps")
    result = search(start, iterations=200, seed=1, on_progress=recorder, progress_seconds=0.0)
    page = html_page(result, recorder=recorder)
    assert sections(page) == ["Strategies", "Payoffs", "Convergence", "Parameters"]
    assert "Exploitability" not in page
    assert "Exploitability" in html_page(result, recorder=recorder, solved=solve(start))


def test_a_search_too_short_to_draw_says_so() -> None:
    recorder = Recorder()
    with Search(game("rps"), seed=1, engine="python") as session:
        session.run(iterations=5, on_progress=recorder)
        assert "fewer than two moments" in html_page(session, recorder=recorder)


@pytest.mark.parametrize("name", ["rps", "tictactoe", "pig"])
def test_a_session_that_has_not_run_has_a_page_without_values(name: str) -> None:
    with Search(game(name), seed=1, engine="python") as session:
        text = words(html_page(session, recorder=Recorder(), solve_limit=0))
    assert "Row's value – column's –" in text
    assert "Only the start. Numbers" in text


def test_an_interrupted_search_and_lost_workers_are_told() -> None:
    from dataclasses import replace

    result = replace(search(game("rps"), iterations=50, seed=1), interrupted=True, lost_workers=2)
    text = words(html_page(result))
    assert "The search was interrupted: this is the answer so far." in text
    assert "2 workers died and were replaced" in text


def test_players_with_many_actions_see_the_likeliest_first_and_the_rest_on_request() -> None:
    session, _ = searched(game("gomoku:size=7"), 300)
    with session:
        page = html_page(session, nodes=1, solve_limit=0)
    assert "<summary>35 more actions</summary>" in page


def test_a_plain_object_is_drawn_by_its_attributes() -> None:
    class Sticks(TurnState):
        def __init__(self, left: int = 3, player: int = 0) -> None:
            self.left, self.player = left, player

        def moves(self) -> list[int]:
            return [n for n in (1, 2) if n <= self.left]

        def move(self, n: int) -> Sticks:
            return Sticks(self.left - n, 1 - self.player)

        def payoff(self) -> float:
            return float(self.player)

    session, _ = searched(Sticks(), 100)
    with session:
        assert "Sticks(left=3, player=0)" in html_page(session)


# ---------------------------------------------------------------------------------------------- the part of the tree
@pytest.mark.parametrize("options", [{}, {"backend": "inline", "workers": 2}, {"backend": "process", "workers": 2}])
def test_the_excerpt_is_the_most_visited_part_of_the_tree(options: dict[str, Any]) -> None:
    session, _ = searched(game("goofspiel:cards=3"), 2_000, **options)
    with session:
        root = most_visited(session, 25)
        branches = list(root.walk())
        assert len(branches) == 25
        assert root.view.visits == 2_000
        least = min(branch.view.visits for branch in branches)
        for branch in branches:
            shown = {child.move for child in branch.children}
            left_out = [child.visits for child in branch.view.children if child.move not in shown]
            assert all(visits <= least for visits in left_out)
            assert branch.hidden == len(left_out)
            assert branch.hidden_visits == sum(left_out)
            visits = [child.view.visits for child in branch.children]
            assert visits == sorted(visits, reverse=True)


def test_the_excerpt_of_a_compiled_search_is_that_of_an_interpreted_one() -> None:
    trees = []
    for engine in ("python", "compiled"):
        session, _ = searched(game("tictactoe"), 500, engine=engine)
        with session:
            trees.append(most_visited(session, 40))
    assert trees[0] == trees[1]


def test_an_excerpt_of_no_nodes_is_refused() -> None:
    session, _ = searched(game("rps"), 10)
    with session, pytest.raises(ParameterError, match="nodes is 0; it must be at least 1"):
        most_visited(session, 0)


# ---------------------------------------------------------------------------------------------- exploitability
def test_a_solved_game_measures_as_the_result_does() -> None:
    start = game("goofspiel:row_hand=2-3-4,col_hand=1-3-4,prizes=3-2-1")
    solved = solve(start)
    result = search(start, iterations=500, seed=1)
    measure = by_solution(solved)
    assert measure.exploitability(result.row, result.col) == pytest.approx(result.exploitability(solved))
    assert measure.exploitability(solved.row, solved.col) == pytest.approx(0.0, abs=1e-9)
    assert measure.value == pytest.approx(5 / 8)


def test_the_means_of_a_search_measure_as_the_result_does() -> None:
    result = search(game("goofspiel:cards=3"), iterations=500, seed=1)
    measure = by_means(result)
    assert measure is not None
    assert measure.exploitability(result.row, result.col) == pytest.approx(result.exploitability())


def test_pure_strategies_of_matching_pennies_can_be_exploited_by_half_of_what_is_at_stake() -> None:
    measure = by_solution(solve(game("matching_pennies")))
    sides = solve(game("matching_pennies")).row.actions
    pure = Strategy(sides, (1.0, 0.0))
    low, high = game("matching_pennies").payoff_range
    assert measure.exploitability(pure, pure) == pytest.approx((high - low) / 2)


def test_small_games_are_solved_and_large_or_unlistable_ones_are_measured_by_their_means() -> None:
    for name, limit, source in [("goofspiel:cards=3", 2_000, "exact"), ("goofspiel:cards=3", 20, "estimated")]:
        result = search(game(name), iterations=500, seed=1)
        measure = yardstick(game(name), result, None, limit)
        assert measure is not None
        assert measure.source.startswith(source)
    general = game("chicken")
    assert yardstick(general, search(general, iterations=50, seed=1), None, 0) is None
