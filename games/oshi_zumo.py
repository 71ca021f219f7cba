"""Oshi-Zumo: both players have coins, and a wrestler stands between them on a line of 2 · size + 1 squares. In each round
both bid coins at once, all bids are paid, and the higher bidder pushes the wrestler one square: row to the right (up in
numbers), column to the left. Who bids must bid the minimum at least; who has less bids all of it. Row wins when the
wrestler is pushed off the right end, column when off the left. When nobody has coins left, or after the last round (which
only matters where zero may be bid), the wrestler on the right of the centre is a win for row, on the left for column, and
in the centre a draw. Payoffs are 1, 0 and -1. Squares are numbered from 1; the centre is size + 1. The rules are those of
OpenSpiel, and of Buro, "Solving the Oshi-Zumo game" (2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import Label, State

from .parameters import whole_number

MOST_COINS = 1000
MOST_ROUNDS = 100_000
LARGEST = 1000


class OshiZumo(State):
    """A position; `rounds` are still to come at most, and stay as they are where the coins are sure to run out before."""

    size: int = 3
    row_coins: int = 10
    col_coins: int = 10
    position: int = 4
    min_bid: int = 1
    rounds: int = 1000

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        spent = self.row_coins == 0 and self.col_coins == 0
        if spent or self.rounds == 0 or not 1 <= self.position <= 2 * self.size + 1:
            return 0, 0
        return self.row_coins - self.least(self.row_coins) + 1, self.col_coins - self.least(self.col_coins) + 1

    def least(self, coins: int) -> int:
        """The lowest bid of a player with so many coins."""
        return min(self.min_bid, coins)

    def play(self, i: int, j: int) -> OshiZumo:
        row_bid = self.least(self.row_coins) + i
        col_bid = self.least(self.col_coins) + j
        position = self.position
        if row_bid > col_bid:
            position += 1
        elif row_bid < col_bid:
            position -= 1
        # Positions that differ in nothing but their history are one: rounds count only where they can run out.
        rounds = self.rounds - 1 if self.min_bid == 0 else self.rounds
        return OshiZumo(self.size, self.row_coins - row_bid, self.col_coins - col_bid, position, self.min_bid, rounds)

    def payoff(self) -> float:
        centre = self.size + 1
        if self.position == centre:
            return 0.0
        return 1.0 if self.position > centre else -1.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.shape() == (0, 0):
            return (), ()
        row, col = self.row_coins, self.col_coins
        return range(self.least(row), row + 1), range(self.least(col), col + 1)

    def __str__(self) -> str:
        line = ["#", *"." * (2 * self.size + 1), "#"]
        line[self.position] = "W"
        rounds = f", rounds to come: {self.rounds}" if self.min_bid == 0 else ""
        return f"{''.join(line)}  coins: row {self.row_coins}, column {self.col_coins}{rounds}"


def oshi_zumo(
    size: int = 3,
    coins: int = 10,
    row_coins: int | None = None,
    col_coins: int | None = None,
    position: int | None = None,
    min_bid: int = 1,
    horizon: int = 1000,
) -> OshiZumo:
    """The start of a game: both have `coins` unless said otherwise, and the wrestler is in the centre.

    `horizon` is the number of rounds after which the game ends if the minimum bid is 0.
    """
    size = whole_number("size", size, 1, LARGEST)
    coins = whole_number("coins", coins, 1, MOST_COINS)
    row = coins if row_coins is None else whole_number("row_coins", row_coins, 0, MOST_COINS)
    col = coins if col_coins is None else whole_number("col_coins", col_coins, 0, MOST_COINS)
    if row == col == 0:
        raise ParameterError("row_coins is 0 and col_coins is 0; one of the players must have a coin to bid")
    place = size + 1 if position is None else whole_number("position", position, 1, 2 * size + 1)
    least = whole_number("min_bid", min_bid, 0, MOST_COINS)
    return OshiZumo(size, row, col, place, least, whole_number("horizon", horizon, 1, MOST_ROUNDS))
