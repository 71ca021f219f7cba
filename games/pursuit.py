"""Pursuit and evasion: row hunts column on a board of squares. Both move at once, as a king does in chess: one square in
any of the eight directions, or not at all; walls are in the way of both. Row has caught column when they are on one square,
or when they have changed places (they met on the way), and its payoff is then 1. If it has not after a number of moves,
column has escaped and row's payoff is 0; so the value is the probability with which column is caught.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.state import Label, State

from .grid import drawing, is_free, read_setting
from .parameters import whole_number
from .words import name_meant

USUAL_SIZE = 4
MOST_STEPS = 10_000
NEIGHBOURS = 9  # line by line, the square itself in the middle
NAMES = ("up-left", "up", "up-right", "left", "stay", "right", "down-left", "down", "down-right")


def can_go(board: tuple[int, ...], width: int, x: int, y: int, k: int) -> bool:
    """Whether the k-th neighbour of a square is free."""
    return is_free(board, width, x + k % 3 - 1, y + k // 3 - 1)


def count_ways(board: tuple[int, ...], width: int, x: int, y: int) -> int:
    """How many actions there are on a square."""
    ways = 0
    for k in range(NEIGHBOURS):
        if can_go(board, width, x, y, k):
            ways += 1
    return ways


def nth_neighbour(board: tuple[int, ...], width: int, x: int, y: int, action: int) -> int:
    """The number of the neighbour to which an action leads."""
    k = 0
    while action > 0 or not can_go(board, width, x, y, k):
        if can_go(board, width, x, y, k):
            action -= 1
        k += 1
    return k


class Pursuit(State):
    """A position: where hunter and prey are, and the number of moves still to come."""

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
        rows = count_ways(self.board, self.width, self.row_x, self.row_y)
        return rows, count_ways(self.board, self.width, self.col_x, self.col_y)

    def play(self, i: int, j: int) -> Pursuit:
        row_way = nth_neighbour(self.board, self.width, self.row_x, self.row_y, i)
        col_way = nth_neighbour(self.board, self.width, self.col_x, self.col_y, j)
        row_x, row_y = self.row_x + row_way % 3 - 1, self.row_y + row_way // 3 - 1
        col_x, col_y = self.col_x + col_way % 3 - 1, self.col_y + col_way // 3 - 1
        caught = row_x == col_x and row_y == col_y
        if row_x == self.col_x and row_y == self.col_y and col_x == self.row_x and col_y == self.row_y:
            caught = True  # they met on the way
        return Pursuit(self.board, self.width, row_x, row_y, col_x, col_y, self.left - 1, caught)

    def payoff(self) -> float:
        return 1.0 if self.caught else 0.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.shape() == (0, 0):
            return (), ()
        return self._names(self.row_x, self.row_y), self._names(self.col_x, self.col_y)

    def _names(self, x: int, y: int) -> list[str]:
        return [name for k, name in enumerate(NAMES) if can_go(self.board, self.width, x, y, k)]

    def parse(self, text: str) -> str:
        """A way, or how it begins."""
        return name_meant(text, NAMES)

    def __str__(self) -> str:
        board = drawing(self.board, self.width, (self.row_x, self.row_y), (self.col_x, self.col_y))
        state = "caught" if self.caught else f"moves to come: {self.left}" if self.left else "escaped"
        return f"{board}\n{state}"


def pursuit(
    width: int | None = None, height: int | None = None, steps: int = 10, walls: str | Sequence[str] | None = None
) -> Pursuit:
    """The start on a board of some size (4 x 4 unless given), row at the top left and column at the bottom right.

    `steps` is the number of moves in which row must catch column. `walls` draws the board instead of its size, a slash
    between lines (from Python also a list of lines): `R..#/.##./...C`. There `#` is a wall, `.` is free, and `R` and `C`
    are where row and column start, if not in their corners.
    """
    board, wide, row, col = read_setting(width, height, walls, USUAL_SIZE)
    return Pursuit(board, wide, *row, *col, whole_number("steps", steps, 1, MOST_STEPS))
