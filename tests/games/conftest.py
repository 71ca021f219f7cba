"""What the tests of several games share. As fixtures of the whole session, so that Hypothesis may use them too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from parallel_mcts.state import play, transitions


def walk_at_random(state: Any, rng: Random) -> Iterator[Any]:
    """Every position of a random game, the start and the end included; no number is drawn where there is no choice."""
    yield state
    rows, cols = state.shape()
    while rows:
        i = int(rng.random() * rows) if rows > 1 else 0
        j = int(rng.random() * cols) if cols > 1 else 0
        state = play(state, i, j, rng)
        yield state
        rows, cols = state.shape()


def value_of_matrix(payoff_matrix: Sequence[Sequence[float]]) -> float:
    """What row can be sure of, by linear programming unless there is a saddle point."""
    table = np.array(payoff_matrix, dtype=float)
    low, high = table.min(axis=1).max(), table.max(axis=0).min()
    if low == high:
        return float(low)
    linprog = pytest.importorskip("scipy.optimize").linprog
    rows, cols = table.shape
    # maximise v where every column concedes at least v: v - x·column <= 0, x a distribution
    answer = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-table.T, np.ones((cols, 1))]),
        b_ub=np.zeros(cols),
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(-answer.fun)


def value_of_game(start: Any) -> float:
    """Row's exact value, by solving every position below with nothing of the package but the game's own rules."""

    @cache
    def solve(state: Any) -> float:
        rows, cols = state.shape()
        if rows == 0:
            return float(state.payoff())
        return value_of_matrix([[expected(state, i, j) for j in range(cols)] for i in range(rows)])

    def expected(state: Any, i: int, j: int) -> float:
        return sum(float(outcome.probability or 0) * solve(outcome.state) for outcome in transitions(state, i, j))

    return solve(start)


class Numbers:
    """A random generator that gives the numbers it was made of, and fails when asked for one more."""

    def __init__(self, *numbers: float) -> None:
        self.left = list(numbers)

    def random(self) -> float:
        assert self.left, "more random numbers were drawn than expected"
        return self.left.pop(0)


@pytest.fixture(scope="session")
def random_walk() -> Callable[[Any, Random], Iterator[Any]]:
    return walk_at_random


@pytest.fixture(scope="session")
def exact_value() -> Callable[[Any], float]:
    return value_of_game


@pytest.fixture(scope="session")
def numbers() -> type[Numbers]:
    return Numbers
