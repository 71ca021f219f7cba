"""Exact values for tests of games, in fractions: every position below is solved, and nothing is rounded.

Independent of the package but for the rules of the game it is given: `value_of` asks a state for `shape`, `payoff` and its
transitions. Payoffs must be exact floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from parallel_mcts.state import transitions


def solved(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    """The value of a matrix game: a saddle point, or the simplex method with Bland's rule, which cannot cycle."""
    low = max(min(line) for line in matrix)
    if low == min(max(column) for column in zip(*matrix, strict=True)):
        return low
    shift = 1 - min(min(line) for line in matrix)  # payoffs of 1 and more: the programme is bounded
    rows, cols = len(matrix), len(matrix[0])
    # maximise the sum of y where (matrix + shift) · y <= 1: the value is 1 over it. Column `cols` holds the bounds.
    table = [
        [entry + shift for entry in line] + [Fraction(k == i) for k in range(rows)] + [Fraction(1)]
        for i, line in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * cols + [Fraction(0)] * (rows + 1)
    basis = list(range(cols, cols + rows))
    while any(cost < 0 for cost in costs[:-1]):
        q = next(k for k, cost in enumerate(costs) if cost < 0)
        _, _, p = min((table[i][-1] / table[i][q], basis[i], i) for i in range(rows) if table[i][q] > 0)
        basis[p] = q
        pivot = table[p][q]
        table[p] = chosen = [entry / pivot for entry in table[p]]
        for i in range(rows):
            if i != p and table[i][q]:
                table[i] = less(table[i], chosen, table[i][q])
        costs = less(costs, chosen, costs[q])
    return 1 / costs[-1] - shift


def less(line: list[Fraction], other: list[Fraction], factor: Fraction) -> list[Fraction]:
    """A line of the table less a multiple of another."""
    return [a - factor * b if b else a for a, b in zip(line, other, strict=True)]


def value_of(start: Any, known: dict[Any, Fraction] | None = None) -> Fraction:
    """Row's value under best play, in the payoffs of the game."""
    values: dict[Any, Fraction] = {} if known is None else known

    def value(state: Any) -> Fraction:
        if state not in values:
            rows, cols = state.shape()
            matrix = [[expected(state, i, j) for j in range(cols)] for i in range(rows)]
            values[state] = solved(matrix) if rows else Fraction(state.payoff())
        return values[state]

    def expected(state: Any, i: int, j: int) -> Fraction:
        return sum((Fraction(t.probability) * value(t.state) for t in transitions(state, i, j)), Fraction(0))

    return value(start)


def positions_by_ply(start: Any) -> list[int]:
    """How many distinct positions there are after each number of joint actions."""
    counts, reached = [], {start}
    while reached:
        counts.append(len(reached))
        reached = {
            outcome.state
            for state in reached
            for i in range(state.shape()[0])
            for j in range(state.shape()[1])
            for outcome in transitions(state, i, j)
        }
    return counts
