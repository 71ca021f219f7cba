"""Pig: the players take turns with one die, row first. In a turn a player rolls as often as it likes, and what the die
shows is added up; but a one ends the turn and the sum is lost. Who holds adds the sum to its score and passes the die on.
Who first has the target wins: row's payoff is then 1, else 0. A turn begins with a roll (to hold nothing would only pass
the die on, and the game might never end), and who has thrown enough to win can only hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from parallel_mcts.state import IDLE, Label, State

from .chance import Rng
from .parameters import whole_number
from .words import name_meant

SIDES = 6
HIGHEST_TARGET = 10_000


class Pig(State):
    """A position: both scores, what has been thrown in this turn, and whose turn it is (0 is row)."""

    row: int = 0
    col: int = 0
    thrown: int = 0
    player: int = 0
    target: int = 100

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        if self.row >= self.target or self.col >= self.target:
            return 0, 0
        choices = 2 if self.may_roll() and self.thrown > 0 else 1
        return (choices, 1) if self.player == 0 else (1, choices)

    def may_roll(self) -> bool:
        """Whether the player has not thrown enough yet."""
        own = self.row if self.player == 0 else self.col
        return own + self.thrown < self.target

    def play(self, i: int, j: int, rng: Rng) -> Pig:
        if i + j == 0 and self.may_roll():
            return self.rolled(1 + int(rng.random() * SIDES))
        return self.held()

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Pig]]:
        if i + j == 0 and self.may_roll():
            return [(Fraction(1, SIDES), self.rolled(face)) for face in range(1, SIDES + 1)]
        return [(Fraction(1), self.held())]

    def rolled(self, face: int) -> Pig:
        """The position after the die has shown a face."""
        if face == 1:
            return Pig(self.row, self.col, 0, 1 - self.player, self.target)
        return Pig(self.row, self.col, self.thrown + face, self.player, self.target)

    def held(self) -> Pig:
        """The position after the player has taken what was thrown."""
        if self.player == 0:
            return Pig(self.row + self.thrown, self.col, 0, 1, self.target)
        return Pig(self.row, self.col + self.thrown, 0, 0, self.target)

    def payoff(self) -> float:
        return 1.0 if self.row >= self.target else 0.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.shape() == (0, 0):
            return (), ()
        own = ["roll"] * self.may_roll() + ["hold"] * (self.thrown > 0)
        return (own, (IDLE,)) if self.player == 0 else ((IDLE,), own)

    def parse(self, text: str) -> str:
        """Roll or hold, or how it begins."""
        return name_meant(text, ("roll", "hold"))

    def __str__(self) -> str:
        scores = f"row {self.row}, column {self.col}, target {self.target}"
        if self.shape() == (0, 0):
            return scores
        return f"{scores}; {('row', 'column')[self.player]} to move has thrown {self.thrown}"


def pig(target: int = 100) -> Pig:
    """The start: nothing thrown yet, row to roll."""
    return Pig(target=whole_number("target", target, 1, HIGHEST_TARGET))
