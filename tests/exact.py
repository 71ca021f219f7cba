"""Exact values for tests, by solving every position below: slow, simple, and independent of the search."""

from __future__ import annotations

from functools import cache
from typing import Any

from parallel_mcts.matrix import gap, solve_matrix
from parallel_mcts.state import payoff_range, payoffs, transitions


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
