"""Dice: in each round both players decide at once whether to roll a die and add it to their total, or to stop (for this
round). After the last round the higher total wins, but a total above the target counts as nothing; row's payoff is 1
for a win, 0 for a loss and 0.5 when both have the same. What the dice show is the observation, so a joint action has
1, 6 or 36 outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from parallel_mcts.state import Label, State

from .chance import Rng
from .parameters import whole_number

SIDES = 6
ROLL = 1
NAMES = ("stop", "roll")


class Dice(State):
    """The totals, and how many rounds are still to come."""

    row: int = 0
    col: int = 0
    rounds: int = 3
    target: int = 9

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.rounds > 0 else (0, 0)

    def play(self, i: int, j: int, rng: Rng) -> Dice:
        # One number decides both dice, in the order in which outcomes() lists them.
        row, col = self.row, self.col
        if i == ROLL and j == ROLL:
            thrown = int(rng.random() * SIDES * SIDES)
            row += 1 + thrown // SIDES
            col += 1 + thrown % SIDES
        elif i == ROLL:
            row += 1 + int(rng.random() * SIDES)
        elif j == ROLL:
            col += 1 + int(rng.random() * SIDES)
        return Dice(row, col, self.rounds - 1, self.target)

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Dice]]:
        row_adds = range(1, SIDES + 1) if i == ROLL else range(1)
        col_adds = range(1, SIDES + 1) if j == ROLL else range(1)
        chance = Fraction(1, len(row_adds) * len(col_adds))
        return [
            (chance, Dice(self.row + row_add, self.col + col_add, self.rounds - 1, self.target))
            for row_add in row_adds
            for col_add in col_adds
        ]

    def payoff(self) -> float:
        row = self.row if self.row <= self.target else 0
        col = self.col if self.col <= self.target else 0
        return 0.5 if row == col else 1.0 if row > col else 0.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        return (NAMES, NAMES) if self.rounds > 0 else ((), ())

    def __str__(self) -> str:
        return f"row {self.row}, column {self.col}, target {self.target}, rounds to come: {self.rounds}"


def dice(target: int = 9, rounds: int = 3) -> Dice:
    """The start: nothing rolled yet."""
    return Dice(0, 0, whole_number("rounds", rounds, 1, 1000), whole_number("target", target, 1, 6000))
