"""What the checks share: how a failure is raised, what a distribution is, and a small game of any shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import CheckFailed
from ..state import State

TOLERANCE = 1e-6


def require(condition: object, message: str) -> None:
    if not condition:
        raise CheckFailed(message)


def check_distribution(strategy: Sequence[float], count: int, what: str) -> None:
    require(len(strategy) == count, f"{what}; there are {count} actions")
    if count:
        fits = all(-TOLERANCE <= p <= 1 + TOLERANCE for p in strategy) and abs(math.fsum(strategy) - 1) <= TOLERANCE
        require(fits, f"{what}; it must be probabilities that sum to 1")


class Table(State):
    """A matrix game of two rounds with arbitrary payoffs, of any shape."""

    rows: int
    cols: int
    round: int = 0
    score: int = 0

    def shape(self) -> tuple[int, int]:
        return (self.rows, self.cols) if self.round < 2 else (0, 0)

    def play(self, i: int, j: int) -> Table:
        return Table(self.rows, self.cols, self.round + 1, self.score + (3 * i + 5 * j + i * j) % 7)

    def payoff(self) -> float:
        return self.score / 12.0
