"""Monte-Carlo rollout: a game of random moves. The model that works for every game, and the default."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import EndlessGame, ParameterError
from ..rng import Rng
from ..state import has_chance, is_constant_sum


class Rollout(NamedTuple):
    """The payoff of a uniformly random game, or the mean of `times` of them.

    A game that has its own `rollout(rng)` is asked for it. One that has not ended after `max_plies` moves is an error.
    """

    times: int = 1
    max_plies: int = 100_000

    def suited(self, state: Any) -> Any:
        """The same rollout, for games with chance or without, or the game's own."""
        if self.times < 1 or self.max_plies < 1:
            raise ParameterError(f"{self!r}: times and max_plies must be at least 1")
        once: Any
        if hasattr(state, "rollout"):
            once = OwnRollout(self.max_plies)
        elif has_chance(state):
            once = ChanceRollout(self.max_plies)
        else:
            once = PlainRollout(self.max_plies)
        if self.times == 1:
            return once
        return (MeanValue if is_constant_sum(state) else MeanPair)(once, self.times)

    def evaluate(self, state: Any, rng: Rng) -> Any:
        return self.suited(state).evaluate(state, rng)


def random_game(state: Any, chance: Any, rng: Rng, max_plies: int) -> Any:
    """The payoff of a random game; `chance` is `rng` again where `play` takes one, else None."""
    rows, cols = state.shape()
    plies = 0
    while rows:
        i = int(rng.random() * rows) if rows > 1 else 0
        j = int(rng.random() * cols) if cols > 1 else 0
        state = state.play(i, j) if chance is None else state.play(i, j, chance)
        rows, cols = state.shape()
        plies += 1
        if plies > max_plies:
            raise EndlessGame(max_plies)
    return state.payoff()


class PlainRollout(NamedTuple):
    """For games without chance."""

    max_plies: int

    def evaluate(self, state: Any, rng: Rng) -> Any:
        return random_game(state, None, rng, self.max_plies)


class ChanceRollout(NamedTuple):
    """For games with chance."""

    max_plies: int

    def evaluate(self, state: Any, rng: Rng) -> Any:
        return random_game(state, rng, rng, self.max_plies)


class OwnRollout(NamedTuple):
    """For games that play themselves at random."""

    max_plies: int

    def evaluate(self, state: Any, rng: Rng) -> Any:
        return state.rollout(rng)


class MeanValue(NamedTuple):
    """The mean of several judgements of a constant-sum game."""

    model: Any
    times: int

    def evaluate(self, state: Any, rng: Rng) -> float:
        total = 0.0
        for _ in range(self.times):
            total += self.model.evaluate(state, rng)
        return total / self.times


class MeanPair(NamedTuple):
    """The mean of several judgements, for both players."""

    model: Any
    times: int

    def evaluate(self, state: Any, rng: Rng) -> tuple[float, float]:
        row = col = 0.0
        for _ in range(self.times):
            value = self.model.evaluate(state, rng)
            row += value[0]
            col += value[1]
        return row / self.times, col / self.times
