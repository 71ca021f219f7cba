"""Agents that look ahead or know the game: alpha-beta, kalah's smart player, and the exact solver."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import ParameterError, TurnState, game, minimax, run_match, solve
from parallel_mcts.agents import AlphaBeta, First, Minimax, Smart, Solver
from parallel_mcts.errors import BudgetError
from parallel_mcts.registry import AGENTS, GAMES
from parallel_mcts.state import labels
from parallel_mcts.testing import check_agent

KALAH = GAMES.factory("kalah")


# ---------------------------------------------------------------------------------------------- alpha-beta
@pytest.mark.parametrize(
    "agent", ["minimax:engine=python", "alphabeta:seconds=30,engine=python", "solver", "smart:depth=9,engine=python"]
)
def test_an_agent_that_sees_to_the_end_never_loses_at_tictactoe_and_wins_at_nim(agent: str) -> None:
    for seed in range(3):
        assert run_match("tictactoe", agent, "random", seed=seed).results.winner != "col"
        assert run_match("tictactoe", "random", agent, seed=seed).results.winner != "row"
        assert run_match("nim:sticks=9", agent, "random", seed=seed).results.winner == "row"
        assert run_match("nim:sticks=8", "random", agent, seed=seed).results.winner == "col"


@pytest.mark.parametrize("agent", ["minimax:depth=3,engine=python", "solver", "smart:depth=2,engine=python"])
def test_they_pass_the_kit(agent: str) -> None:
    check_agent(agent, "tictactoe", "nim:sticks=5", matches=1)


def pair_of_stones(state: Any) -> float:
    return 0.5 + 0.01 * (state.crosses & 1) - 0.01 * (state.noughts & 1)


def test_a_heuristic_is_given_as_a_function_or_by_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import games.tictactoe

    monkeypatch.setattr(games.tictactoe, "corner", pair_of_stones, raising=False)
    by_name = run_match("tictactoe", AGENTS.make("alphabeta:depth=1,heuristic=games.tictactoe:corner"), "first").results
    by_function = run_match("tictactoe", AlphaBeta(depth=1, heuristic=pair_of_stones), "first").results
    assert by_name.moves == by_function.moves
    assert by_name.moves[0].row == 0


class Climb(TurnState):
    """Row climbs from 0 or from 3 up, or stays; only the heuristic knows where the top is."""

    def __init__(self, at: int = 0) -> None:
        self.at, self.player = at, 0

    def moves(self) -> list[str]:
        return ["stay", "up"] if self.at < 50 else []

    def move(self, move: str) -> Climb:
        return Climb(self.at + 1 + (move == "up"))

    def payoff(self) -> float:
        return 0.5

    def heuristic(self) -> float:
        return float(self.at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Climb) and self.at == other.at

    def __hash__(self) -> int:
        return hash(self.at)


def test_a_game_that_brings_a_heuristic_is_judged_by_it() -> None:
    seat = AlphaBeta(depth=2).seat(0)
    seat.begin(Climb(), "row")
    assert seat.choose(Climb()) == "up"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("alphabeta:depth=0", ParameterError, "alphabeta: depth is 0"),
        ("minimax:seconds=0", BudgetError, "seconds is 0"),
        ("alphabeta:heuristic=nowhere:at_all", ParameterError, "no heuristic 'nowhere:at_all'"),
        ("alphabeta:heuristic=math:pi", ParameterError, "heuristic is 'math:pi'; it must be a function"),
        ("alphabeta:heuristic=math", ParameterError, "write it as module:function"),
        ("solver:depth=0", ParameterError, "solver: depth is 0"),
    ],
)
def test_bad_parameters_are_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        AGENTS.make(text)
    assert message in str(caught.value)


def test_alpha_beta_says_that_simultaneous_moves_are_not_for_it() -> None:
    results = run_match("rps", "alphabeta:depth=2", "first").results
    assert results.forfeit == ("row",)
    assert "games of turns" in results.reason


# ---------------------------------------------------------------------------------------------- whole turns
def value_by_turns(state: Any, turns: int) -> float:
    """What a position is worth after so many whole turns, by trying everything; a forced move costs no turn."""
    rows, cols = state.shape()
    if rows == 0 or (turns == 0 and rows * cols > 1):
        return float(state.heuristic())
    values = []
    for k in range(rows * cols):
        after = state.play(k, 0) if state.player == 0 else state.play(0, k)
        own = after.player == state.player and max(after.shape()) > 1
        values.append(value_by_turns(after, turns if own or rows * cols == 1 else turns - 1))
    return max(values) if state.player == 0 else min(values)


@settings(max_examples=30)
@given(st.integers(2, 4), st.integers(1, 3), st.integers(1, 3), st.lists(st.integers(0, 3), max_size=8))
def test_looking_ahead_by_whole_turns_judges_no_position_within_a_turn(
    holes: int, beans: int, turns: int, choices: list[int]
) -> None:
    state = KALAH(holes=holes, beans=beans)
    for choice in choices:
        rows, cols = state.shape()
        k = choice % max(1, rows * cols)
        after = state.play(k, 0) if state.player == 0 else state.play(0, k)
        if max(after.shape()) < 2:
            break
        state = after
    found = minimax(state, type(state).heuristic, judge_ends=True, whole_turns=True, depth=turns, engine="python")
    assert found.value == value_by_turns(state, turns)


# ---------------------------------------------------------------------------------------------- kalah
NOBODY_WINS = {(2, 5, "col"), (3, 1, "row")}
"""Boards of two holes or more on which no line of play beats the bad player; scripts/kalah_sweep.py tries all."""
SAMPLE = [(2, beans) for beans in range(1, 7)] + [(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (5, 1), (6, 1), (6, 2)]


def test_the_heuristic_of_kalah_is_twice_the_pots_and_the_beans_in_play() -> None:
    kalah = type(KALAH())
    position = kalah.position(north=(0, 1, 2), south=(2, 0, 0), north_pot=4, south_pot=7)
    assert position.heuristic() == 2 * (7 - 4) + (2 - 3)
    over = [kalah.position(north=(0, 0), south=(0, 0), north_pot=n, south_pot=s) for n, s in ((3, 5), (5, 3), (4, 4))]
    assert [state.heuristic() for state in over] == [float("inf"), float("-inf"), 0.0]


@pytest.mark.parametrize(("end", "boards"), [("mover", SAMPLE), ("either", SAMPLE[:8])])
def test_the_smart_player_of_kalah_beats_the_bad_one_on_small_boards_from_both_sides(end: str, boards: Any) -> None:
    # with a time limit it deepens step by step; this one is never reached, so that the match can be repeated
    smart, bad = Smart(depth=8, seconds=10_000, engine="python"), First()
    for holes, beans in boards:
        for side in ("row", "col"):
            start = KALAH(holes=holes, beans=beans, end=end)
            winner = run_match(start, {"row": bad, "col": bad, side: smart}).results.winner
            assert (winner == side) is ((holes, beans, side) not in NOBODY_WINS), (holes, beans, side)


@pytest.mark.parametrize(("holes", "beans"), [(4, 4), (6, 4)])
def test_the_smart_player_beats_the_bad_one_on_larger_boards_at_a_small_depth(holes: int, beans: int) -> None:
    assert run_match(KALAH(holes=holes, beans=beans), "smart:depth=4", "first").results.winner == "row"
    assert run_match(KALAH(holes=holes, beans=beans), "first", "smart:depth=2").results.winner == "col"


def test_the_smart_player_keeps_fighting_where_best_play_loses() -> None:
    start = KALAH(holes=2, beans=2)
    assert solve(start).value == 0.0  # column wins, if it knows how
    assert run_match(start, "smart:depth=8", "first").results.winner == "row"


# ---------------------------------------------------------------------------------------------- the solver
def test_the_solver_draws_from_the_equilibrium() -> None:
    start = game("biased_rps")
    seat = Solver().seat(3)
    seat.begin(start, "col")
    names = labels(start)[1]
    counts = [0, 0, 0]
    for _ in range(1600):
        counts[names.index(seat.choose(start))] += 1
    expected = [1600 * p for p in solve(start).col]
    assert all(abs(count - wanted) < 5 * wanted**0.5 for count, wanted in zip(counts, expected, strict=True))


def test_the_solver_solves_once_for_many_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    import parallel_mcts.solvers.exact

    plain, calls = parallel_mcts.solvers.exact.solve, []

    def counting(state: Any, **options: Any) -> Any:
        calls.append(state)
        return plain(state, **options)

    monkeypatch.setattr(parallel_mcts.solvers.exact, "solve", counting)
    for seed in range(3):
        assert run_match("goofspiel:cards=3", Solver(limit=10_000), "random", seed=seed).results.forfeit == ()
    assert calls == [game("goofspiel:cards=3")]


def test_a_solver_with_a_depth_looks_again_at_each_move() -> None:
    check_agent(Solver(depth=1), "goofspiel:cards=3", matches=1)


def test_names_and_texts_agree() -> None:
    assert AGENTS.make("alphabeta:depth=3") == AlphaBeta(depth=3)
    assert AGENTS.make("minimax:depth=3") == Minimax(depth=3) != AlphaBeta(depth=3)
    assert str(Smart(depth=2)) == "smart:depth=2"
