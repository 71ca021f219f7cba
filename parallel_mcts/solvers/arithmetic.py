"""The two kinds of numbers a solver can work in: doubles, and fractions where the answer is to be exact.

A solver is written once and given one of them. Immutable; any thread may use them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..errors import GameError
from ..matrix import expected, solve
from ..state import Transition, is_constant_sum, name_of, payoff_range, show, transitions
from .bimatrix import find_equilibrium
from .rational import fraction, solve_rational


class Node(NamedTuple):
    """What a solver knows of a position: values in payoff units, and a strategy for each player."""

    value: Any
    col_value: Any  # None where it is what row leaves of the range
    row: Sequence[Any]
    col: Sequence[Any]


class Floats:
    """Doubles: matrices by `matrix.solve`."""

    exact = False

    def number(self, given: Any) -> Any:
        return float(given)

    def zero_sum(self, matrix: list[list[Any]]) -> tuple[Any, Sequence[Any], Sequence[Any]]:
        """Value and strategies of a matrix of row's payoffs."""
        cols = len(matrix[0])
        x, y = [0.0] * len(matrix), [0.0] * cols
        value = solve(matrix, x, y, [[0.0] * (2 * cols + 3) for _ in range(len(matrix) + 2)])
        return value, tuple(x), tuple(y)

    def general_sum(self, row: list[list[Any]], col: list[list[Any]]) -> Node:
        """One equilibrium of a pair of matrices."""
        found = find_equilibrium(row, col)
        x, y = tuple(map(float, found.row)), tuple(map(float, found.col))
        return Node(expected(row, x, y), expected(col, x, y), x, y)

    def pure(self, count: int, k: int) -> tuple[Any, ...]:
        """The strategy that always plays action k."""
        return _pure(count, k, 0.0, 1.0)


class Fractions(Floats):
    """Fractions: nothing is rounded; payoffs and probabilities that are doubles are taken at their exact value."""

    exact = True

    def number(self, given: Any) -> Any:
        return fraction(given)

    def zero_sum(self, matrix: list[list[Any]]) -> tuple[Any, Sequence[Any], Sequence[Any]]:
        found = solve_rational(matrix)
        return found.value, tuple(found.row), tuple(found.col)

    def general_sum(self, row: list[list[Any]], col: list[list[Any]]) -> Node:
        found = find_equilibrium(row, col)
        return Node(found.row_value, found.col_value, tuple(found.row), tuple(found.col))

    def pure(self, count: int, k: int) -> tuple[Any, ...]:
        return _pure(count, k, fraction(0), fraction(1))


FLOATS = Floats()
FRACTIONS = Fractions()


@lru_cache(maxsize=4096, typed=True)  # 0.0 and Fraction(0) are equal, but not the same
def _pure(count: int, k: int, nothing: Any, all_of_it: Any) -> tuple[Any, ...]:
    return tuple(all_of_it if action == k else nothing for action in range(count))


# ---------------------------------------------------------------------------------------------- games in such numbers
def final_payoffs(state: Any, numbers: Floats) -> tuple[Any, Any]:
    """Both players' payoff at the end; None for column where it is what row leaves."""
    given = state.payoff()
    if isinstance(given, tuple):
        row, col = numbers.number(given[0]), numbers.number(given[1])
        return row, None if is_constant_sum(state) else col
    return numbers.number(given), None


def rest_for_column(state: Any, value: Any, numbers: Floats) -> Any:
    """Column's share of a constant sum."""
    low, high = payoff_range(state)
    return numbers.number(low) + numbers.number(high) - value


def outcomes(state: Any, i: int, j: int, numbers: Floats) -> list[tuple[Any, Any]]:
    """All (probability, next state) of a joint action that can happen; the probabilities sum to one."""
    listed = transitions(state, i, j)
    if len(listed) == 1:
        return [(numbers.number(1), listed[0].state)]
    likely = [(_probability(outcome, state, numbers), outcome.state) for outcome in listed]
    total = sum(probability for probability, _ in likely)
    if not abs(total - 1) < 1e-6:
        raise GameError(
            f"{name_of(state)}: the outcomes of ({i}, {j}) in {show(state)} have probabilities that sum to {total}"
        )
    if numbers.exact and total != 1:  # doubles such as 1 / 3 do not sum to one exactly
        likely = [(probability / total, after) for probability, after in likely]
    return [(probability, after) for probability, after in likely if probability > 0]


def _probability(outcome: Transition, state: Any, numbers: Floats) -> Any:
    if outcome.probability is None:
        raise GameError(f"{name_of(state)} lists outcomes without their probability; a solver needs it")
    return numbers.number(outcome.probability)
