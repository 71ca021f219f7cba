"""The exact solver beside values that are known, a solver of the tests' own, and itself with pruning and in fractions."""

from __future__ import annotations

import pickle
from fractions import Fraction
from random import Random
from typing import Any

import exact as reference
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from small_games import AT_ONCE, TURNS, ChanceLayers, GeneralLayers, Layers

from parallel_mcts import (
    GameError,
    InputError,
    ModelError,
    ParameterError,
    PayoffError,
    State,
    TooManyPositions,
    TurnState,
    UnknownPosition,
    game,
    nash_conv,
    search,
    solve,
)
from parallel_mcts.models.solved import solution_of
from parallel_mcts.solvers.bimatrix import find_equilibrium
from parallel_mcts.solvers.rational import solve_rational
from parallel_mcts.state import SolvedState, labels, payoffs, transitions
from parallel_mcts.testing import check_state

seeds = st.integers(0, 10_000)
some = settings(max_examples=25)


# ---------------------------------------------------------------------------------------------- values that are known
def test_the_solver_finds_the_values_of_the_matrix_games() -> None:
    biased = solve(game("biased_rps"), exact=True)
    assert biased.value == 0
    assert biased.row.probabilities == biased.col.probabilities == (Fraction(1, 16), Fraction(10, 16), Fraction(5, 16))
    doubled = solve(game("matrix", payoffs=((0, -1, 2), (1, 0, -1), (-2, 1, 0))), exact=True)
    assert doubled.row.probabilities == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert biased.row.of("paper") == Fraction(5, 8)


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize(
    ("row_hand", "col_hand", "prizes", "score", "value"),
    [
        ("2-3-4", "1-3-4", "3-2-1", "points", Fraction(31, 36)),
        ("2-3-4", "1-3-4", "3-2-1", "win", Fraction(5, 8)),
        ("1-2-4", "1-2-3", "1-2-3", "points", Fraction(31, 20)),
        ("1-2-4", "1-2-3", "1-2-3", "win", Fraction(2, 3)),
    ],
)
def test_unequal_hands_of_goofspiel_are_worth_exactly_what_is_published(
    row_hand: str, col_hand: str, prizes: str, score: str, value: Fraction, pruning: bool
) -> None:
    start = game("goofspiel", row_hand=row_hand, col_hand=col_hand, prizes=prizes, score=score)
    solved = solve(start, exact=True, pruning=pruning)
    assert (solved.value, solved.col_value) == (value, -value)


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_goofspiel_with_equal_hands_is_worth_nothing(cards: int) -> None:
    assert solve(game("goofspiel", cards=cards)).value == pytest.approx(0, abs=1e-12)


def test_tic_tac_toe_has_its_positions_and_is_a_draw() -> None:
    solved = solve(game("tictactoe"))
    assert (solved.value, solved.positions, len(solved), solved.complete) == (0.5, 5478, 5478, True)
    assert sum(1 for _ in solved) == 5478


def test_every_position_of_tic_tac_toe_can_be_looked_up() -> None:
    start = game("tictactoe")
    solved = solve(start)
    after = start.play(0, 0)  # a corner: only the centre draws
    assert solved[after].col.best == 4
    assert (solved[after].value, solved[after].col_value) == (0.5, 0.5)
    assert solved[after.play(0, 0)].value == 1.0
    with pytest.raises(UnknownPosition, match="cannot be reached"):
        solved[start._replace(moves=8)]
    assert start._replace(moves=8) not in solved


def test_nim_of_a_newcomer_is_solved_with_transpositions_though_its_positions_cannot_be_compared() -> None:
    class Sticks(TurnState):
        def __init__(self, sticks: int = 21, player: int = 0) -> None:
            self.sticks, self.player = sticks, player

        def moves(self) -> list[int]:
            return [n for n in (1, 2, 3) if n <= self.sticks]

        def move(self, n: int) -> Sticks:
            return Sticks(self.sticks - n, 1 - self.player)

        def payoff(self) -> float:
            return 1.0 if self.player == 1 else 0.0

    solved = solve(Sticks())
    assert (solved.value, solved.row.best, solved.positions) == (1.0, 1, 42)
    assert solved[Sticks(8, 1)].value == 1.0


def test_a_deep_game_does_not_meet_the_limit_of_recursion() -> None:
    assert solve(game("nim", sticks=1000)).value == 0.0
    assert solve(game("nim", sticks=999), pruning=True).row.best == 3


# ---------------------------------------------------------------------------------------------- any small game
@some
@given(seeds, st.sampled_from([TURNS, AT_ONCE]), st.booleans())
def test_value_and_policy_are_an_equilibrium_of_any_game(seed: int, kind: int, chance: bool) -> None:
    layers = Layers(seed, kind)
    start: Any = ChanceLayers(layers) if chance else layers
    solved = solve(start)
    assert solved.value == pytest.approx(reference.value(start), abs=1e-9)
    assert nash_conv(start, solved) == pytest.approx(0, abs=1e-9)
    for state in solved:
        assert solved[state].value == pytest.approx(reference.value(state), abs=1e-9)


@some
@given(seeds, st.sampled_from([TURNS, AT_ONCE]), st.booleans())
def test_fractions_agree_with_doubles_and_are_an_equilibrium_exactly(seed: int, kind: int, chance: bool) -> None:
    layers = Layers(seed, kind, left=4)
    start: Any = ChanceLayers(layers) if chance else layers
    solved = solve(start, exact=True)
    assert isinstance(solved.value, Fraction)
    assert float(solved.value) == pytest.approx(solve(start).value, abs=1e-12)
    assert nash_conv(start, solved, exact=True) == 0


@some
@given(seeds, st.sampled_from([TURNS, AT_ONCE]), st.booleans(), st.booleans())
def test_pruning_changes_no_value_and_adds_no_position(seed: int, kind: int, chance: bool, exact: bool) -> None:
    layers = Layers(seed, kind, left=5)
    start: Any = ChanceLayers(layers) if chance else layers
    whole, pruned = solve(start, exact=exact), solve(start, exact=exact, pruning=True)
    assert pruned.value == (whole.value if exact else pytest.approx(whole.value, abs=1e-9))
    assert pruned.positions <= whole.positions
    if start.shape()[0]:
        cells = whole.matrices()[0]
        for j in range(len(pruned.col)):
            assert sum(p * line[j] for p, line in zip(pruned.row, cells, strict=True)) >= whole.value - 1e-9
        for line in cells:
            assert sum(q * cell for q, cell in zip(pruned.col, line, strict=True)) <= whole.value + 1e-9
    for state in pruned:
        if state in pruned:
            assert pruned[state].value == pytest.approx(whole[state].value, abs=1e-9)


def test_pruning_saves_positions() -> None:
    """Measured; scripts/bench_solvers.py prints these and larger ones with their times."""
    saved = {}
    for name, parameters in (("tictactoe", {}), ("goofspiel", {"cards": 4}), ("goofspiel", {"cards": 5})):
        start = game(name, **parameters)
        saved[name, *parameters.values()] = solve(start).positions, solve(start, pruning=True).positions
    assert saved["tictactoe",][1] < 0.5 * saved["tictactoe",][0]
    assert saved["goofspiel", 4][1] < 0.65 * saved["goofspiel", 4][0]
    assert saved["goofspiel", 5][1] < 0.6 * saved["goofspiel", 5][0]


# ---------------------------------------------------------------------------------------------- general-sum games
@some
@given(seeds, st.sampled_from([TURNS, AT_ONCE]))
def test_general_sum_games_are_given_an_equilibrium_and_told_it_may_not_be_the_only_one(seed: int, kind: int) -> None:
    start = GeneralLayers(Layers(seed, kind))
    solved = solve(start)
    assert not solved.unique_value
    assert nash_conv(start, solved) == pytest.approx(0, abs=1e-9)
    exact = solve(start, exact=True)
    assert nash_conv(start, exact, exact=True) == 0


def test_the_prisoners_defect_and_one_driver_swerves() -> None:
    prisoners = solve(game("prisoners_dilemma"))
    assert (prisoners.value, prisoners.col_value, prisoners.row.best) == (1.0, 1.0, "defect")
    drivers = solve(game("chicken"))
    assert {drivers.value, drivers.col_value} == {2.0, 7.0}
    assert solve(game("rps")).unique_value


def test_pruning_is_refused_for_general_sum_games() -> None:
    with pytest.raises(ParameterError, match="constant-sum"):
        solve(game("chicken"), pruning=True)


matrices = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda size: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(-3, 3) | st.fractions(-2, 2, max_denominator=9), min_size=size[1], max_size=size[1]),
                min_size=size[0],
                max_size=size[0],
            )
            for _ in range(2)
        ]
    )
)


@given(matrices)
def test_one_equilibrium_is_found_exactly_however_degenerate_the_game(pair: Any) -> None:
    a, b = pair
    found = find_equilibrium(a, b)
    assert sum(found.row) == sum(found.col) == 1
    assert min(*found.row, *found.col, 1) >= 0
    for i in range(len(a)):
        assert sum(q * a[i][j] for j, q in enumerate(found.col)) <= found.row_value
    for j in range(len(a[0])):
        assert sum(p * b[i][j] for i, p in enumerate(found.row)) <= found.col_value
    assert found.row_value == sum(p * q * a[i][j] for i, p in enumerate(found.row) for j, q in enumerate(found.col))


@given(matrices)
def test_matrix_games_in_fractions_have_the_value_of_a_linear_programme(pair: Any) -> None:
    matrix = pair[0]
    rows, cols = len(matrix), len(matrix[0])
    found = solve_rational(matrix)
    assert sum(found.row) == sum(found.col) == 1
    assert min(*found.row, *found.col, 1) >= 0
    assert all(sum(p * matrix[i][j] for i, p in enumerate(found.row)) >= found.value for j in range(cols))
    assert all(sum(q * x for q, x in zip(found.col, line, strict=True)) <= found.value for line in matrix)
    answer = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=[[-float(matrix[i][j]) for i in range(rows)] + [1.0] for j in range(cols)],
        b_ub=[0.0] * cols,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert float(found.value) == pytest.approx(-answer.fun, abs=1e-7)


def test_doubles_are_taken_at_their_exact_value() -> None:
    assert solve_rational([[0.1]]).value == Fraction(0.1)
    with pytest.raises(InputError, match="nan"):
        solve_rational([[float("nan")]])
    with pytest.raises(InputError, match="one size"):
        solve_rational([[1, 2], [3]])


# ---------------------------------------------------------------------------------------------- depth and limits
def test_a_limited_depth_asks_the_model_and_says_that_the_answer_is_not_complete() -> None:
    solved = solve(game("tictactoe"), depth=2, model=lambda state: 0.25)
    assert (solved.value, solved.complete) == (0.25, False)
    assert solved.positions == 1 + 9 + 72


@some
@given(seeds, st.sampled_from([TURNS, AT_ONCE]), st.booleans())
def test_depth_with_a_perfect_model_gives_the_value_of_the_game(seed: int, kind: int, pruning: bool) -> None:
    start = Layers(seed, kind)
    whole = solve(start)
    for depth in (0, 1, 3):
        found = solve(start, depth=depth, model=whole.as_model(), pruning=pruning)
        assert found.value == pytest.approx(whole.value, abs=1e-9)
    assert solve(start, depth=6).complete


def test_a_limited_depth_without_a_model_says_where_the_game_goes_on() -> None:
    with pytest.raises(InputError, match=r"goes on after depth=2 in .*; give model=…"):
        solve(game("tictactoe"), depth=2)
    with pytest.raises(ParameterError, match="depth is -1"):
        solve(game("tictactoe"), depth=-1)


def test_a_model_that_gives_the_wrong_kind_of_value_is_named() -> None:
    with pytest.raises(ModelError, match=r"\(1, 2\)"):
        solve(game("tictactoe"), depth=1, model=lambda state: (1, 2))
    with pytest.raises(PayoffError, match="worth 7"):
        solve(game("tictactoe"), depth=1, model=lambda state: 7.0, pruning=True)


class Circle(State):
    """Round and round, unless column stops."""

    place: int = 0

    def shape(self) -> tuple[int, int]:
        return (0, 0) if self.place < 0 else (1, 2)

    def play(self, i: int, j: int) -> Circle:
        return Circle((self.place + 1) % 3 if j == 0 else -1)

    def payoff(self) -> float:
        return 1.0


def test_a_game_that_can_return_to_a_position_needs_a_depth() -> None:
    with pytest.raises(GameError, match="can come again"):
        solve(Circle())
    solved = solve(Circle(), depth=7, model=lambda state: 0.0)
    assert (solved.value, solved.positions) == (0.0, 4)


def test_more_positions_than_allowed_are_an_error() -> None:
    with pytest.raises(TooManyPositions, match="limit=1000"):
        solve(game("tictactoe"), limit=1000)


def test_chance_that_is_only_drawn_cannot_be_solved() -> None:
    class Drawn(Circle.__base__):  # type: ignore[misc]
        done: int = 0

        def shape(self) -> tuple[int, int]:
            return (0, 0) if self.done else (1, 1)

        def play(self, i: int, j: int, rng: Any) -> Any:
            return Drawn(1 + int(rng.random() * 2))

        def payoff(self) -> float:
            return self.done / 2

    with pytest.raises(GameError, match="give outcomes"):
        solve(Drawn())


# ---------------------------------------------------------------------------------------------- uses of a solved game
@pytest.mark.parametrize(("name", "parameters"), [("goofspiel", {"cards": 3}), ("dice", {"rounds": 2}), ("chicken", {})])
def test_a_solved_game_is_a_solved_state(name: str, parameters: dict[str, Any]) -> None:
    start = game(name, **parameters)
    solved = solve(start)
    state = solved.as_state()
    assert isinstance(state, SolvedState)
    known = solution_of(state)
    assert (known.row_value, known.col_value) == (solved.value, solved.col_value)
    assert (list(known.row), list(known.col)) == (list(solved.row), list(solved.col))
    assert labels(state) == labels(start)
    after = transitions(state, 0, 0)[0].state
    assert solution_of(after).row_value == solved[transitions(start, 0, 0)[0].state].value
    check_state(state)
    assert pickle.loads(pickle.dumps(after)) == after


def test_searching_a_solved_state_is_searching_the_game() -> None:
    start = game("goofspiel", cards=3)
    plain = search(start, iterations=300, seed=5, engine="python")
    wrapped = search(solve(start).as_state(), iterations=300, seed=5)
    assert plain.row == wrapped.row
    assert plain.row_value == wrapped.row_value


def test_a_solved_game_is_a_model_that_makes_a_search_exact() -> None:
    start = game("goofspiel", row_hand="2-3-4", col_hand="1-3-4", prizes="3-2-1")
    solved = solve(start)
    result = search(start, iterations=2_000, algorithm="matrix_ucb", model=solved.as_model(), seed=1)
    assert result.row_value == pytest.approx(5 / 8, abs=0.05)
    prior, row, col = solved.as_model().evaluate_with_policy(start, Random(1))
    assert prior == pytest.approx(5 / 8)
    assert (tuple(row), tuple(col)) == (solved.row.probabilities, solved.col.probabilities)


def test_values_of_finished_positions_are_their_payoffs() -> None:
    solved = solve(game("goofspiel", cards=2))
    for state in solved:
        if state.shape() == (0, 0):
            assert (solved[state].value, solved[state].col_value) == payoffs(state)
            assert len(solved[state].row) == 0


def test_a_solved_game_prints_itself() -> None:
    assert repr(solve(game("rps"), exact=True)) == (
        "SolvedGame(value=0, row={rock: 0.333, paper: 0.333, scissors: 0.333}, "
        "col={rock: 0.333, paper: 0.333, scissors: 0.333}, positions=10)"
    )
