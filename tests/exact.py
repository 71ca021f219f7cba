"""Exact values for tests, by solving every position below: slow, simple, and independent of the search."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from parallel_mcts.matrix import gap, solve_matrix
from parallel_mcts.state import payoff_range, payoffs, transitions

OSHI_ZUMO = [
    (1, 3, 4, 3, Fraction(1, 2)),
    (1, 3, 5, 3, Fraction(-1, 3)),
    (1, 5, 7, 3, Fraction(1, 9)),
    (1, 6, 8, 3, Fraction(7, 23)),
    (1, 7, 8, 2, Fraction(-25, 37)),
    (2, 6, 7, 4, Fraction(3, 19)),
]
"""Size, row's coins, column's coins, where the wrestler stands, and the value, where no bid is less than 1."""


@cache
def value(state: Any) -> float:
    """Row's payoff under best play."""
    if state.shape() == (0, 0):
        return payoffs(state)[0]
    return solve_matrix(root_matrix(state)).value


def root_matrix(state: Any) -> list[list[float]]:
    """Row's expected payoff of each joint action, under best play after it."""
    rows, cols = state.shape()
    return [
        [sum(float(t.probability or 0) * value(t.state) for t in transitions(state, i, j)) for j in range(cols)]
        for i in range(rows)
    ]


def exploitability(state: Any, row: Any, col: Any) -> float:
    """What a player could gain on average by leaving these strategies at the root, where payoffs range over 1."""
    low, high = payoff_range(state)
    return gap(root_matrix(state), list(row), list(col)) / (2 * (high - low))
