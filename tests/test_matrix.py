"""The matrix solver beside scipy's linear programmes, exact rational arithmetic and games whose solution is known."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf, nan
from operator import mul
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from parallel_mcts import game
from parallel_mcts.errors import InputError
from parallel_mcts.matrix import expected, gap, saddle_point, simplex, solve, solve_matrix, two_by_two
from parallel_mcts.state import is_over

Matrix = list[list[float]]

thorough = settings(deadline=None, derandomize=True, max_examples=150)
quick = settings(deadline=None, derandomize=True, max_examples=60)

SMALLEST = Fraction(5e-324)


# ---------------------------------------------------------------------------------------------- matrices of every kind
def filled(entries: st.SearchStrategy[float], rows: int, cols: int) -> st.SearchStrategy[Matrix]:
    line = st.lists(entries, min_size=cols, max_size=cols)
    return st.lists(line, min_size=rows, max_size=rows)


def matrices_of(entries: st.SearchStrategy[float]) -> st.SearchStrategy[Matrix]:
    sizes = st.tuples(st.integers(1, 8), st.integers(1, 8))
    return sizes.flatmap(lambda size: filled(entries, *size))


@st.composite
def with_copies(draw: st.DrawFn) -> Matrix:
    """Rows and columns of a small matrix, some of them several times."""
    few = draw(matrices_of(st.floats(-1, 1)))
    rows = draw(st.lists(st.integers(0, len(few) - 1), min_size=1, max_size=8))
    cols = draw(st.lists(st.integers(0, len(few[0]) - 1), min_size=1, max_size=8))
    return [[few[i][j] for j in cols] for i in rows]


@st.composite
def with_rows_nearly_equal(draw: st.DrawFn) -> Matrix:
    """Rows that differ by a billionth, or by a little more or less, from others."""
    base = draw(with_copies())
    apart = draw(st.sampled_from((1e-9, 1e-9, 1e-6, 1e-12, 1e-15)))
    steps = draw(filled(st.integers(-1, 1), len(base), len(base[0])))
    return [[entry + step * apart for entry, step in zip(*lines, strict=True)] for lines in zip(base, steps, strict=True)]


@st.composite
def scaled(draw: st.DrawFn) -> Matrix:
    """Payoffs that are all huge or all tiny."""
    scale = 10.0 ** draw(st.integers(-320, 299))
    return [[scale * entry for entry in line] for line in draw(matrices_of(st.floats(-1, 1)))]


small_whole_numbers = st.integers(-2, 2).map(float)
of_all_magnitudes = st.builds(lambda digits, exponent: digits * 10.0**exponent, st.integers(-9, 9), st.integers(-300, 298))
constant = st.builds(
    lambda entry, rows, cols: [[entry] * cols for _ in range(rows)],
    st.floats(-1e300, 1e300),
    st.integers(1, 8),
    st.integers(1, 8),
)
any_matrix = st.one_of(
    matrices_of(st.floats(-100, 100)),
    matrices_of(small_whole_numbers),
    with_copies(),
    with_rows_nearly_equal(),
    scaled(),
    matrices_of(of_all_magnitudes),
    constant,
)

NEEDS_TWICE_THE_DIGITS = [[0.2 + 1e-9, 0.9, -0.5 - 1e-9], [0.2 + 1e-9, 0.9, -0.5], [0.8 - 1e-9, -0.6, 0.1 - 1e-9]]
"""In ordinary precision the players could gain 8e-8 by leaving the answer."""


# ---------------------------------------------------------------------------------------------- what is true of a solution
def width(matrix: Matrix) -> Fraction:
    return Fraction(max(map(max, matrix))) - Fraction(min(map(min, matrix)))


def largest(matrix: Matrix) -> Fraction:
    return max(abs(Fraction(entry)) for line in matrix for entry in line)


def tolerance(matrix: Matrix, share: float = 1e-10) -> Fraction:
    """A small share of how much the payoffs differ, and what rounding them may cost."""
    return Fraction(share) * width(matrix) + Fraction(1e-13) * largest(matrix) + 200 * SMALLEST


def sureties(matrix: Matrix, x: list[float], y: list[float]) -> tuple[Fraction, Fraction]:
    """What row is sure of with x, and what column is sure not to exceed with y; without rounding errors."""
    p, q = exact(x), exact(y)
    lowest = min(sum(map(mul, p, map(Fraction, column)), Fraction()) for column in zip(*matrix, strict=True))
    highest = max(sum(map(mul, map(Fraction, line), q), Fraction()) for line in matrix)
    return lowest, highest


def exact(strategy: list[float]) -> list[Fraction]:
    """The strategy as fractions that sum to exactly one."""
    shares = [Fraction(share) for share in strategy]
    return [share / sum(shares) for share in shares]


def is_distribution(strategy: list[float], count: int) -> bool:
    return len(strategy) == count and min(strategy) >= 0.0 and abs(sum(strategy) - 1.0) < 1e-12


def value_by_linprog(matrix: Matrix) -> Fraction:
    """The value as scipy finds it, of payoffs brought between 0 and 1 (it has absolute tolerances)."""
    low, wide = Fraction(min(map(min, matrix))), width(matrix)
    if wide == 0:
        return low
    payoffs = np.array([[float((Fraction(entry) - low) / wide) for entry in line] for line in matrix])
    rows, cols = payoffs.shape
    found = linprog(  # the variables are x and the value, which is to be as large as it can be
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack((-payoffs.T, np.ones((cols, 1)))),
        b_ub=np.zeros(cols),
        A_eq=np.append(np.ones(rows), 0.0).reshape(1, -1),
        b_eq=np.ones(1),
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert found.success
    assert found.x is not None
    return low + wide * Fraction(float(found.x[-1]))


def work_for(matrix: Matrix, filling: float = 0.0) -> Matrix:
    return [[filling] * (2 * len(matrix[0]) + 3) for _ in range(len(matrix) + 2)]


# ---------------------------------------------------------------------------------------------- against linear programmes
@thorough
@given(any_matrix)
@example(NEEDS_TWICE_THE_DIGITS)
def test_the_value_is_that_of_a_linear_programme(matrix: Matrix) -> None:
    assert abs(Fraction(solve_matrix(matrix).value) - value_by_linprog(matrix)) <= tolerance(matrix, 1e-6)


@thorough
@given(any_matrix)
@example(NEEDS_TWICE_THE_DIGITS)
def test_both_strategies_are_distributions_nobody_gains_by_leaving(matrix: Matrix) -> None:
    value, row, col = solve_matrix(matrix)
    assert is_distribution(row, len(matrix))
    assert is_distribution(col, len(matrix[0]))
    lowest, highest = sureties(matrix, row, col)
    assert 0 <= highest - lowest <= tolerance(matrix)
    assert abs(Fraction(value) - lowest) <= tolerance(matrix)


@thorough
@given(with_rows_nearly_equal())
@example(NEEDS_TWICE_THE_DIGITS)
def test_rows_that_differ_by_a_billionth_cost_no_accuracy(matrix: Matrix) -> None:
    _, row, col = solve_matrix(matrix)
    lowest, highest = sureties(matrix, row, col)
    assert highest - lowest <= tolerance(matrix)


@pytest.mark.parametrize("whole", [False, True], ids=["any numbers", "small whole numbers, with many ties"])
def test_a_large_matrix_is_solved_as_exactly_as_a_small_one(whole: bool) -> None:
    rng = Random(5)
    matrix = [[float(rng.randint(-2, 2)) if whole else rng.uniform(-3, 3) for _ in range(40)] for _ in range(30)]
    value, row, col = solve_matrix(matrix)
    assert is_distribution(row, 30)
    assert is_distribution(col, 40)
    lowest, highest = sureties(matrix, row, col)
    assert 0 <= highest - lowest <= tolerance(matrix)
    assert value == pytest.approx(float(value_by_linprog(matrix)), abs=1e-6)


# ---------------------------------------------------------------------------------------------- the gap
@quick
@given(any_matrix)
def test_the_gap_of_a_solution_is_zero_but_for_rounding(matrix: Matrix) -> None:
    _, row, col = solve_matrix(matrix)
    assert abs(Fraction(gap(matrix, row, col))) <= tolerance(matrix)


@quick
@given(any_matrix, st.data())
def test_the_gap_of_any_strategies_is_what_both_could_gain_and_never_negative(matrix: Matrix, data: st.DataObject) -> None:
    def strategy(count: int) -> list[float]:
        weights = data.draw(st.lists(st.integers(0, 9), min_size=count, max_size=count).filter(any))
        return [weight / sum(weights) for weight in weights]

    x, y = strategy(len(matrix)), strategy(len(matrix[0]))
    lowest, highest = sureties(matrix, x, y)
    rounding = Fraction(1e-13) * largest(matrix) + 200 * SMALLEST
    assert abs(Fraction(gap(matrix, x, y)) - (highest - lowest)) <= rounding
    assert Fraction(gap(matrix, x, y)) >= -rounding


def test_the_gap_of_pure_matching_pennies_is_what_both_players_regret() -> None:
    pennies = [[1.0, -1.0], [-1.0, 1.0]]
    assert gap(pennies, [1.0, 0.0], [1.0, 0.0]) == 2.0
    assert gap(pennies, [0.5, 0.5], [1.0, 0.0]) == 1.0
    assert gap(pennies, [0.5, 0.5], [0.5, 0.5]) == 0.0


# ---------------------------------------------------------------------------------------------- games with known solutions
@pytest.mark.parametrize(
    ("matrix", "value", "row", "col"),
    [
        ([[0, -25, 50], [25, 0, -5], [-50, 5, 0]], 0, (1 / 16, 10 / 16, 5 / 16), (1 / 16, 10 / 16, 5 / 16)),
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, (1 / 4, 1 / 2, 1 / 4), (1 / 4, 1 / 2, 1 / 4)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, (1 / 3, 1 / 3, 1 / 3), (1 / 3, 1 / 3, 1 / 3)),
        ([[3, -1], [-2, 1]], 1 / 7, (3 / 7, 4 / 7), (2 / 7, 5 / 7)),
        ([[2, -1, 0], [-1, 1, 3]], 1 / 5, (2 / 5, 3 / 5), (2 / 5, 3 / 5, 0)),
        ([[3, 1, 4], [2, 0, 9]], 1, (1, 0), (0, 1, 0)),
        ([[-7.5]], -7.5, (1,), (1,)),
        ([[4, 2, 8]], 2, (1,), (0, 1, 0)),
        ([[4], [2], [8]], 8, (0, 0, 1), (1,)),
    ],
    ids=[
        "biased rock-paper-scissors",
        "rock beats scissors twice",
        "rock-paper-scissors",
        "2 x 2",
        "2 x 3 with a column never to be played",
        "a saddle point",
        "no choice",
        "only column chooses",
        "only row chooses",
    ],
)
def test_a_known_game_has_its_known_solution(
    matrix: Matrix, value: float, row: tuple[float, ...], col: tuple[float, ...]
) -> None:
    solution = solve_matrix(matrix)
    assert solution.value == pytest.approx(value, abs=1e-12)
    assert solution.row == pytest.approx(row, abs=1e-12)
    assert solution.col == pytest.approx(col, abs=1e-12)


def value_by_induction(state: Any) -> float:
    if is_over(state):
        return float(state.payoff())
    rows, cols = state.shape()
    return solve_matrix([[value_by_induction(state.play(i, j)) for j in range(cols)] for i in range(rows)]).value


@pytest.mark.parametrize(
    ("hands", "score", "value"),
    [
        ({"row_hand": "2-3-4", "col_hand": "1-3-4", "prizes": "3-2-1"}, "points", Fraction(31, 36)),
        ({"row_hand": "2-3-4", "col_hand": "1-3-4", "prizes": "3-2-1"}, "win", Fraction(5, 8)),
        ({"row_hand": "1-2-4", "col_hand": "1-2-3", "prizes": "1-2-3"}, "points", Fraction(31, 20)),
        ({"row_hand": "1-2-4", "col_hand": "1-2-3", "prizes": "1-2-3"}, "win", Fraction(2, 3)),
        ({"cards": 3}, "win", Fraction(0)),
        ({"cards": 4, "prizes": "2-4-1-3"}, "points", Fraction(0)),
    ],
)
def test_goofspiel_solved_backwards_has_its_known_value(hands: dict[str, Any], score: str, value: Fraction) -> None:
    start = game("goofspiel", score=score, ties="discard", **hands)
    assert value_by_induction(start) == pytest.approx(float(value), abs=1e-12)


# ---------------------------------------------------------------------------------------------- three ways, one value
def by_simplex(matrix: Matrix) -> Fraction:
    x, y = [0.0] * len(matrix), [0.0] * len(matrix[0])
    simplex(matrix, x, y, work_for(matrix))
    return Fraction(expected(matrix, x, y))


@thorough
@given(st.one_of(matrices_of(small_whole_numbers), matrices_of(st.floats(-1, 1))), st.data())
def test_a_saddle_point_has_the_value_the_simplex_method_finds(matrix: Matrix, data: st.DataObject) -> None:
    i = data.draw(st.integers(0, len(matrix) - 1))
    j = data.draw(st.integers(0, len(matrix[0]) - 1))
    corner = matrix[i][j]
    matrix[i] = [max(entry, corner) for entry in matrix[i]]
    for line in matrix[:i] + matrix[i + 1 :]:
        line[j] = min(line[j], corner)
    assume(width(matrix) > 0)
    x, y = [nan] * len(matrix), [nan] * len(matrix[0])
    assert saddle_point(matrix, x, y)
    assert sorted(x) == [0.0] * (len(x) - 1) + [1.0]
    assert sorted(y) == [0.0] * (len(y) - 1) + [1.0]
    assert expected(matrix, x, y) == corner
    assert abs(by_simplex(matrix) - Fraction(corner)) <= tolerance(matrix)


@thorough
@given(matrices_of(small_whole_numbers))
def test_a_saddle_point_is_found_exactly_where_there_is_one(matrix: Matrix) -> None:
    cells = product(range(len(matrix)), range(len(matrix[0])))
    exists = any(matrix[i][j] == min(matrix[i]) == max(line[j] for line in matrix) for i, j in cells)
    x, y = [0.0] * len(matrix), [0.0] * len(matrix[0])
    assert saddle_point(matrix, x, y) == exists


@st.composite
def without_saddle_point(draw: st.DrawFn) -> Matrix:
    """Two rows and two columns; both payoffs of one diagonal are above both of the other."""
    scale = draw(st.sampled_from((1e-320, 1e-12, 1.0, 1e297)))
    entries = st.one_of(small_whole_numbers, st.floats(-1e3, 1e3))
    lowest, low, high, highest = sorted(scale * draw(entries) for _ in range(4))
    assume(low < high)
    return draw(st.permutations([[highest, low], [lowest, high]]))


@thorough
@given(without_saddle_point())
def test_the_closed_form_of_two_by_two_has_the_value_the_simplex_method_finds(matrix: Matrix) -> None:
    x, y = [0.0, 0.0], [0.0, 0.0]
    assert not saddle_point(matrix, x, y)
    two_by_two(matrix, x, y)
    assert is_distribution(x, 2)
    assert is_distribution(y, 2)
    assert abs(Fraction(expected(matrix, x, y)) - by_simplex(matrix)) <= tolerance(matrix)


# ---------------------------------------------------------------------------------------------- what leaves a game the same
@quick
@given(any_matrix, st.randoms(use_true_random=False))
def test_the_order_of_the_actions_does_not_change_the_game(matrix: Matrix, rng: Random) -> None:
    rows, cols = list(range(len(matrix))), list(range(len(matrix[0])))
    rng.shuffle(rows)
    rng.shuffle(cols)
    shuffled = solve_matrix([[matrix[i][j] for j in cols] for i in rows])
    assert abs(Fraction(shuffled.value) - Fraction(solve_matrix(matrix).value)) <= 2 * tolerance(matrix)
    x, y = [0.0] * len(rows), [0.0] * len(cols)
    for k, i in enumerate(rows):
        x[i] = shuffled.row[k]
    for k, j in enumerate(cols):
        y[j] = shuffled.col[k]
    lowest, highest = sureties(matrix, x, y)
    assert highest - lowest <= tolerance(matrix)


@quick
@given(
    st.one_of(matrices_of(st.floats(-100, 100)), matrices_of(small_whole_numbers), with_rows_nearly_equal()),
    st.floats(1e-3, 1e3),
    st.floats(-1e3, 1e3),
)
def test_other_units_change_the_value_and_nothing_else(matrix: Matrix, factor: float, shift: float) -> None:
    moved = [[factor * entry + shift for entry in line] for line in matrix]
    value, row, col = solve_matrix(moved)
    close_enough = tolerance(moved) + Fraction(factor) * tolerance(matrix)
    wanted = Fraction(factor) * Fraction(solve_matrix(matrix).value) + Fraction(shift)
    assert abs(Fraction(value) - wanted) <= close_enough
    lowest, highest = sureties(matrix, row, col)
    assert Fraction(factor) * (highest - lowest) <= close_enough


@quick
@given(any_matrix)
def test_when_the_players_change_sides_the_value_changes_its_sign(matrix: Matrix) -> None:
    turned = [[-entry for entry in column] for column in zip(*matrix, strict=True)]
    assert abs(Fraction(solve_matrix(turned).value) + Fraction(solve_matrix(matrix).value)) <= 2 * tolerance(matrix)


# ---------------------------------------------------------------------------------------------- solving in place
@quick
@given(any_matrix)
def test_solving_leaves_the_matrix_as_it_was_and_returns_what_the_strategies_earn(matrix: Matrix) -> None:
    before = [list(line) for line in matrix]
    x, y = [0.0] * len(matrix), [0.0] * len(matrix[0])
    value = solve(matrix, x, y, work_for(matrix))
    assert matrix == before
    assert (value, x, y) == tuple(solve_matrix(matrix))
    assert value == expected(matrix, x, y)


@quick
@given(any_matrix, st.sampled_from((nan, -inf, 1e308, -3.0)))
@example(NEEDS_TWICE_THE_DIGITS, nan)
def test_what_was_in_the_space_to_work_in_does_not_matter(matrix: Matrix, rubbish: float) -> None:
    x, y = [rubbish] * len(matrix), [rubbish] * len(matrix[0])
    value = solve(matrix, x, y, work_for(matrix, rubbish))
    assert (value, x, y) == tuple(solve_matrix(matrix))


@quick
@given(st.one_of(matrices_of(st.floats(-100, 100)), matrices_of(small_whole_numbers), with_rows_nearly_equal()))
def test_arrays_are_solved_as_lists_are(matrix: Matrix) -> None:
    array = np.array(matrix)
    x, y = np.zeros(len(matrix)), np.zeros(len(matrix[0]))
    value = solve(array, x, y, np.zeros((len(x) + 2, 2 * len(y) + 3)))
    assert (value, x.tolist(), y.tolist()) == tuple(solve_matrix(matrix)) == tuple(solve_matrix(array))
    assert array.tolist() == matrix


# ---------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([], "a matrix game needs at least one action for each player; got 0 rows, 0 columns"),
        ([[]], "a matrix game needs at least one action for each player; got 1 rows, 0 columns"),
        ([[], []], "a matrix game needs at least one action for each player; got 2 rows, 0 columns"),
        ([[1, 2], [3]], "row 1 of the matrix has 1 columns, row 0 has 2"),
        ([[1], [2], [3, 4]], "row 2 of the matrix has 2 columns, row 0 has 1"),
        ([[1, 2], [3, nan]], "the matrix holds nan at row 1, column 1; allowed: -1e+300 to 1e+300"),
        ([[1, inf], [3, 4]], "the matrix holds inf at row 0, column 1; allowed: -1e+300 to 1e+300"),
        ([[1, 2], [-inf, 4]], "the matrix holds -inf at row 1, column 0; allowed: -1e+300 to 1e+300"),
        ([[1.1e300]], "the matrix holds 1.1e+300 at row 0, column 0; allowed: -1e+300 to 1e+300"),
        (np.array([[0.0, 1.0], [nan, 0.0]]), "the matrix holds nan at row 1, column 0; allowed: -1e+300 to 1e+300"),
    ],
)
def test_a_bad_matrix_is_refused_with_the_place_of_the_fault(matrix: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        solve_matrix(matrix)
    assert str(caught.value) == message


def test_payoffs_as_large_as_is_allowed_are_solved() -> None:
    value, row, col = solve_matrix([[1e300, -1e300, 0.0], [-1e300, 1e300, 0.0], [0.0, 0.0, -1e300]])
    assert abs(value) <= 1e287
    assert row == pytest.approx([0.5, 0.5, 0.0])
    assert is_distribution(col, 3)


def test_a_whole_number_beyond_all_doubles_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match="at row 0, column 1"):
        solve_matrix([[1, 10**400]])
