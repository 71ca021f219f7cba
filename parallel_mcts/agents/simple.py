"""The simplest players, to compare others with: `random`, and `first`, which plays whatever legal action comes first."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from ..rng import checked_seed
from ..state import Label
from .base import Agent, Seat


@dataclass(frozen=True)
class RandomMoves(Agent):
    """Any legal action, each as likely; repeatable by its own seed, else by that of the match."""

    seed: int | None = None
    name: ClassVar[str] = "random"

    def validate(self) -> None:
        checked_seed(self.seed)

    def seat(self, seed: int) -> Seat:
        return _RandomSeat(seed if self.seed is None else self.seed)


class _RandomSeat(Seat):
    rng: Random

    def choose(self, state: Any) -> Label:
        names = self.actions(state)
        return names[int(self.rng.random() * len(names))]


@dataclass(frozen=True)
class First(Agent):
    """The first legal action: a bad player, and always the same."""

    name: ClassVar[str] = "first"

    def seat(self, seed: int) -> Seat:
        return _FirstSeat(seed)


class _FirstSeat(Seat):
    def choose(self, state: Any) -> Label:
        return self.actions(state)[0]
