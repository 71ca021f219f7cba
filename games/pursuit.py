"""Pursuit and evasion: row hunts column on a board of squares. Both move at once, one square up, right, down or left, or stay
where they are; walls are in the way of both. Row has caught column when they are on one square, or when they have changed
places (they met on the way), and its payoff is then 1. If it has not after a number of moves, column has escaped, and row's
payoff is 0; so the value is the probability with which column is caught.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.state import Label, State

from .grid import DX, DY, count, drawing, names_of, nth_way, open_ways, read_setting
from .parameters import whole_number

USUAL_SIZE = 4
MOST_STEPS = 10_000


def moved(board: tuple[int, ...], width: int, x: int, y: int, action: int) -> tuple[int, int]:
    """Where a player comes to be: action 0 is to stay, the others are the open ways."""
    if action == 0:
        return x, y
    way = nth_way(open_ways(board, width, x, y), action - 1)
    return x + DX[way], y + DY[way]


class Pursuit(State):
    """A position, with the number of moves still to come."""

    board: tuple[int, ...]
    width: int
    row_x: int
    row_y: int
    col_x: int
    col_y: int
    left: int
    caught: bool = False

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        if self.caught or self.left == 0:
            return 0, 0
        row_ways = open_ways(self.board, self.width, self.row_x, self.row_y)
        col_ways = open_ways(self.board, self.width, self.col_x, self.col_y)
        return 1 + count(row_ways), 1 + count(col_ways)

    def play(self, i: int, j: int) -> Pursuit:
        row_x, row_y = moved(self.board, self.width, self.row_x, self.row_y, i)
        col_x, col_y = moved(self.board, self.width, self.col_x, self.col_y, j)
        met = row_x == col_x and row_y == col_y
        row_took_place = row_x == self.col_x and row_y == self.col_y
        col_took_place = col_x == self.row_x and col_y == self.row_y
        caught = met or (row_took_place and col_took_place)
        return Pursuit(self.board, self.width, row_x, row_y, col_x, col_y, self.left - 1, caught)

    def payoff(self) -> float:
        return 1.0 if self.caught else 0.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.shape() == (0, 0):
            return (), ()
        row_ways = open_ways(self.board, self.width, self.row_x, self.row_y)
        col_ways = open_ways(self.board, self.width, self.col_x, self.col_y)
        return ["stay", *names_of(row_ways)], ["stay", *names_of(col_ways)]

    def __str__(self) -> str:
        board = drawing(self.board, self.width, (self.row_x, self.row_y), (self.col_x, self.col_y))
        state = "caught" if self.caught else f"moves to come: {self.left}" if self.left else "escaped"
        return f"{board}\n{state}"


def pursuit(
    width: int | None = None, height: int | None = None, steps: int = 10, walls: str | Sequence[str] | None = None
) -> Pursuit:
    """The start on a board of some size (4 x 4 unless given), row at the top left and column at the bottom right.

    `walls` draws the board instead, a slash between lines (from Python also a list of lines): `R..#/.##./...C`. There `#`
    is a wall, `.` is free, and `R` and `C` are where row and column start, if not in their corners.
    """
    board, wide, row, col = read_setting(width, height, walls, USUAL_SIZE)
    return Pursuit(board, wide, *row, *col, whole_number("steps", steps, 1, MOST_STEPS))
