"""Mold: both players have the same number of actions in every position, the game ends after a fixed number of joint
actions, and a coin then decides: row's payoff is 0 or 1. No strategy is better than another (the value is one half),
which makes it the plainest game to measure the speed of a search with.
"""

from __future__ import annotations

from fractions import Fraction

from parallel_mcts.state import State

from .chance import Rng
from .parameters import whole_number


class Mold(State):
    """A position; `result` is what the coin said, and means nothing before the end."""

    actions: int = 2
    left: int = 10
    result: float = 0.5

    def shape(self) -> tuple[int, int]:
        return (self.actions, self.actions) if self.left > 0 else (0, 0)

    def play(self, i: int, j: int, rng: Rng) -> Mold:
        if self.left > 1:
            return Mold(self.actions, self.left - 1, 0.5)
        return Mold(self.actions, 0, 1.0 if rng.random() < 0.5 else 0.0)

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Mold]]:
        if self.left > 1:
            return [(Fraction(1), Mold(self.actions, self.left - 1, 0.5))]
        return [(Fraction(1, 2), Mold(self.actions, 0, result)) for result in (1.0, 0.0)]

    def payoff(self) -> float:
        return self.result

    def __str__(self) -> str:
        return f"joint actions to come: {self.left}" if self.left > 0 else f"the coin says {self.result:g}"


def mold(actions: int = 2, depth: int = 10) -> Mold:
    """The root of a tree of some width and depth."""
    return Mold(whole_number("actions", actions, 1, 1000), whole_number("depth", depth, 1, 1000))
