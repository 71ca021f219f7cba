"""Small games for the tests of solvers: random ones full of transpositions, with every kind of move."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from parallel_mcts import State

TURNS, AT_ONCE = range(2)


def scatter(number: int) -> int:
    number = (number ^ number >> 16) * 0x045D9F3B & 0x7FFFFFFF
    number = (number ^ number >> 15) * 0x045D9F3B & 0x7FFFFFFF
    return number ^ number >> 16


class Layers(State):
    """Few positions in each layer, so that many ways lead to each; who moves, and how often, is random."""

    seed: int
    kind: int = TURNS
    left: int = 6
    node: int = 0

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def drawn(self, salt: int) -> int:
        return scatter(scatter(scatter(self.seed + 1) ^ (self.left * 64 + self.node)) + salt)

    def shape(self) -> tuple[int, int]:
        if self.left == 0 or (self.node > 0 and self.drawn(1) % 9 == 0):
            return 0, 0
        rows, cols = (1, 2, 2, 3, 3)[self.drawn(2) % 5], (1, 2, 2, 3, 3)[self.drawn(3) % 5]
        if self.kind == TURNS:
            return (rows, 1) if self.drawn(4) & 1 else (1, cols)
        return rows, cols

    def play(self, i: int, j: int) -> Layers:
        return Layers(self.seed, self.kind, self.left - 1, self.drawn(10 + 3 * i + j) % 8)

    def payoff(self) -> float:
        return self.drawn(5) % 33 / 16.0 - 1.0


class ChanceLayers(State):
    """The same with dice: a joint action has one to three outcomes."""

    layers: Layers

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        return self.layers.shape()

    def payoff(self) -> float:
        return self.layers.payoff()

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, ChanceLayers]]:
        weights = [1 + self.layers.drawn(50 + k) % 4 for k in range(1 + self.layers.drawn(40 + 3 * i + j) % 3)]
        return [
            (
                Fraction(weight, sum(weights)),
                ChanceLayers(self.layers.play(i, j)._replace(node=(self.layers.drawn(60 + i) + j + k) % 8)),
            )
            for k, weight in enumerate(weights)
        ]


class GeneralLayers(State):
    """The same with a payoff for each player."""

    layers: Layers

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    constant_sum: ClassVar[bool] = False

    def shape(self) -> tuple[int, int]:
        return self.layers.shape()

    def payoff(self) -> tuple[float, float]:
        return self.layers.payoff(), self.layers.drawn(6) % 33 / 16.0 - 1.0

    def play(self, i: int, j: int) -> GeneralLayers:
        return GeneralLayers(self.layers.play(i, j))


def guess(state: Any) -> float:
    """A heuristic that is not quite wrong, and compiles."""
    return 0.5 * (scatter(state.node + 7 * state.left + state.seed) % 33 / 16.0 - 1.0)
