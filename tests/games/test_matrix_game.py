"""Matrix games: payoffs of both players, inputs of every kind, and known equilibria."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.matrix_game import (
    BimatrixGame,
    MatrixGame,
    biased_rps,
    chicken,
    matching_pennies,
    matrix,
    prisoners_dilemma,
    rps,
)
from parallel_mcts import search
from parallel_mcts.errors import NotCompilable, ParameterError
from parallel_mcts.state import is_constant_sum, payoffs

entries = st.floats(-100, 100)


def matrices_of(rows: int, cols: int) -> st.SearchStrategy[list[list[float]]]:
    line = st.lists(entries, min_size=cols, max_size=cols)
    return st.lists(line, min_size=rows, max_size=rows)


matrices = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda size: matrices_of(*size))


def cells(state: Any) -> list[tuple[int, int]]:
    rows, cols = state.shape()
    return [(i, j) for i in range(rows) for j in range(cols)]


@given(matrices)
def test_of_one_matrix_column_gets_the_opposite_of_row(payoff_matrix: list[list[float]]) -> None:
    start = matrix(payoff_matrix)
    assert is_constant_sum(start)
    for i, j in cells(start):
        end = start.play(i, j)
        assert end.shape() == (0, 0)
        assert payoffs(end) == (payoff_matrix[i][j], -payoff_matrix[i][j])


@given(matrices)
def test_of_two_matrices_each_player_gets_its_own(payoff_matrix: list[list[float]]) -> None:
    others = [[2 * entry + 1 for entry in line] for line in payoff_matrix]
    start = matrix((payoff_matrix, others))
    assert not is_constant_sum(start)
    for i, j in cells(start):
        assert payoffs(start.play(i, j)) == (payoff_matrix[i][j], others[i][j])


@pytest.mark.parametrize(
    "given_matrix",
    [
        ((1, 2), (3, 4)),
        [[1.0, 2.0], [3.0, 4.0]],
        np.array([[1, 2], [3, 4]]),
        [np.array([1, 2]), (3, Fraction(4))],
    ],
    ids=["tuples", "lists", "array", "mixture"],
)
def test_any_nested_sequence_or_array_will_do(given_matrix: Any) -> None:
    assert matrix(given_matrix) == MatrixGame(((1.0, 2.0), (3.0, 4.0)))
    assert matrix((given_matrix, given_matrix)) == BimatrixGame(((1.0, 2.0), (3.0, 4.0)), ((1.0, 2.0), (3.0, 4.0)))


def test_a_three_dimensional_array_is_a_pair_of_matrices() -> None:
    assert matrix(np.arange(8).reshape(2, 2, 2)) == matrix(([[0, 1], [2, 3]], [[4, 5], [6, 7]]))


def test_two_rows_are_a_matrix_and_not_a_pair() -> None:
    assert isinstance(matrix([[1, 2], [3, 4]]), MatrixGame)


@pytest.mark.parametrize(
    ("start", "strategy"),
    [
        (rps(), (1 / 3, 1 / 3, 1 / 3)),
        (biased_rps(), (1 / 16, 10 / 16, 5 / 16)),
        (matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), (1 / 4, 1 / 2, 1 / 4)),
        (matching_pennies(), (1 / 2, 1 / 2)),
    ],
    ids=["rps", "biased rps", "rps with double rock", "matching pennies"],
)
def test_known_equilibria_are_found(start: MatrixGame, strategy: tuple[float, ...]) -> None:
    solution = start.solution()
    assert solution.row == pytest.approx(strategy)
    assert solution.col == pytest.approx(strategy)
    assert (solution.row_value, solution.col_value) == pytest.approx((0, 0))


def test_the_published_mixture_of_the_biased_game_gains_nothing_and_loses_nothing() -> None:
    strategy = [Fraction(1, 16), Fraction(10, 16), Fraction(5, 16)]
    for column in zip(*biased_rps().payoffs, strict=True):
        assert sum(p * Fraction(entry) for p, entry in zip(strategy, column, strict=True)) == 0


@given(matrices)
def test_a_solution_leaves_neither_player_a_better_answer(payoff_matrix: list[list[float]]) -> None:
    solution = matrix(payoff_matrix).solution()
    table = np.array(payoff_matrix)
    assert max(table @ solution.col) <= solution.row_value + 1e-6
    assert min(solution.row @ table) >= solution.row_value - 1e-6


def test_the_solution_of_a_finished_game_is_what_it_paid() -> None:
    assert biased_rps().play(0, 1).solution() == ((), (), -25.0, 25.0)


def test_defecting_is_always_the_better_answer_though_both_lose_by_it() -> None:
    start = prisoners_dilemma()
    for other in (0, 1):
        assert payoffs(start.play(1, other))[0] > payoffs(start.play(0, other))[0]
        assert payoffs(start.play(other, 1))[1] > payoffs(start.play(other, 0))[1]
    assert payoffs(start.play(1, 1)) < payoffs(start.play(0, 0))


def test_in_chicken_it_pays_to_do_what_the_other_does_not() -> None:
    start = chicken()
    for other in (0, 1):
        assert payoffs(start.play(1 - other, other))[0] > payoffs(start.play(other, other))[0]
        assert payoffs(start.play(other, 1 - other))[1] > payoffs(start.play(other, other))[1]


def test_games_speak_of_their_actions_by_name() -> None:
    assert rps().labels() == (("rock", "paper", "scissors"),) * 2
    assert str(rps().play(0, 2)) == "rock against scissors: 1"
    assert str(chicken().play(0, 1)) == "swerve against straight: 2, 7"
    assert str(matrix([[1, 2]]).play(0, 1)) == "0 against 1: 2"
    assert str(matching_pennies()) == "      heads tails\nheads     1    -1\ntails    -1     1"


# ---------------------------------------------------------------------------------------------- large games
def test_a_large_game_is_left_to_the_interpreter_and_a_small_one_is_not() -> None:
    assert matrix(np.zeros((10, 10))).compiles
    assert not matrix(np.zeros((10, 11))).compiles
    assert matrix(np.zeros((2, 7, 7))).compiles
    assert not matrix(np.zeros((2, 7, 8))).compiles


def test_a_large_game_is_searched_and_solved_all_the_same() -> None:
    table = np.random.default_rng(1).random((40, 30))
    table[7], table[:, 3] = 2.0, -1.0  # row 7 is better than all others whatever column does, and column 3 likewise
    table[7, 3] = 0.0
    start = matrix(table)
    assert start.solution().row_value == 0.0
    result = search(start, iterations=3000, algorithm="regret_matching", seed=1)
    assert result.engine != "compiled"
    assert (result.row.best, result.col.best) == (7, 3)


def test_who_insists_on_compiling_a_large_game_is_told_why_not() -> None:
    with pytest.raises(NotCompilable, match="MatrixGame cannot be compiled: it says so itself"):
        search(matrix(np.zeros((50, 50))), iterations=10, engine="compiled")


def test_what_is_wrong_with_a_large_table_is_quoted_in_short() -> None:
    with pytest.raises(ParameterError) as caught:
        matrix([[1] * 100, [2] * 99])
    assert str(caught.value).startswith("payoffs has [[1, 1, ")
    assert len(str(caught.value)) < 200


# ---------------------------------------------------------------------------------------------- OpenSpiel
# The same games pay the same. The prisoner's dilemma and chicken are told with other numbers there (5, 0, 10, 1 and
# 3, 1, 4, 0, chicken's actions in the opposite order), so those are compared as tables that were given.
@pytest.mark.parametrize(
    ("theirs", "ours"), [("matrix_rps", rps), ("matrix_brps", biased_rps), ("matrix_mp", matching_pennies)]
)
def test_named_games_pay_what_they_pay_in_open_spiel(theirs: str, ours: Any) -> None:
    game, start = pytest.importorskip("pyspiel").load_matrix_game(theirs), ours()
    row_names = [game.row_action_name(i).lower() for i in range(game.num_rows())]
    col_names = [game.col_action_name(j).lower() for j in range(game.num_cols())]
    assert tuple(map(list, start.labels())) == (row_names, col_names)
    for i, j in cells(start):
        assert payoffs(start.play(i, j)) == (game.row_utility(i, j), game.col_utility(i, j))


@pytest.mark.parametrize(
    "name", ["matrix_pd", "matrix_cd", "matrix_bos", "matrix_sh", "matrix_shapleys_game", "matrix_rpsw"]
)
def test_any_matrix_game_of_open_spiel_can_be_given_as_a_pair_of_tables(name: str) -> None:
    game = pytest.importorskip("pyspiel").load_matrix_game(name)
    start = matrix((game.row_utilities(), game.col_utilities()))
    for i, j in cells(start):
        theirs = game.new_initial_state()
        assert theirs.legal_actions(0) == list(start.labels()[0])
        assert theirs.legal_actions(1) == list(start.labels()[1])
        theirs.apply_actions([i, j])
        assert payoffs(start.play(i, j)) == tuple(theirs.returns())
        assert theirs.is_terminal()
