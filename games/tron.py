"""Tron: row and column ride on a board of squares, and both move at once, one square up, right, down or left; every square
that a rider leaves behind, and every wall, is blocked for good. A rider that has no free square to go to crashes: it loses,
and if the other crashes in the same move, it is a draw. A head-on collision, both riders moving to one square, is a draw
too. Payoffs are 1, 0 and -1. Riding into what is blocked while there is a free square is never better than going there, so
it is no action of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import Label, State, replaced

from .grid import DX, DY, WAYS, count, drawing, names_of, nth_way, open_ways, read_setting
from .words import name_meant

USUAL_SIZE = 6


class Tron(State):
    """A position: what is blocked, where the riders are, and the ways open to each (both none after a collision)."""

    board: tuple[int, ...]
    width: int
    row_x: int
    row_y: int
    col_x: int
    col_y: int
    row_ways: int
    col_ways: int

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        if self.row_ways == 0 or self.col_ways == 0:
            return 0, 0
        return count(self.row_ways), count(self.col_ways)

    def play(self, i: int, j: int) -> Tron:
        row_way, col_way = nth_way(self.row_ways, i), nth_way(self.col_ways, j)
        row_x, row_y = self.row_x + DX[row_way], self.row_y + DY[row_way]
        col_x, col_y = self.col_x + DX[col_way], self.col_y + DY[col_way]
        board = replaced(self.board, row_y, self.board[row_y] | 1 << row_x)
        board = replaced(board, col_y, board[col_y] | 1 << col_x)
        if row_x == col_x and row_y == col_y:
            return Tron(board, self.width, row_x, row_y, col_x, col_y, 0, 0)
        row_ways = open_ways(board, self.width, row_x, row_y)
        col_ways = open_ways(board, self.width, col_x, col_y)
        return Tron(board, self.width, row_x, row_y, col_x, col_y, row_ways, col_ways)

    def payoff(self) -> float:
        if self.row_ways:
            return 1.0
        return -1.0 if self.col_ways else 0.0

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.shape() == (0, 0):
            return (), ()
        return names_of(self.row_ways), names_of(self.col_ways)

    def parse(self, text: str) -> str:
        """A way, or how it begins: u, r, d, l."""
        return name_meant(text, WAYS)

    def __str__(self) -> str:
        return drawing(self.board, self.width, (self.row_x, self.row_y), (self.col_x, self.col_y))


def tron(width: int | None = None, height: int | None = None, walls: str | Sequence[str] | None = None) -> Tron:
    """The start on a board of some size (6 x 6 unless given), row at the top left and column at the bottom right.

    `walls` draws the board instead, a slash between lines (from Python also a list of lines): `R..#/.##./...C`. There `#`
    is a wall, `.` is free, and `R` and `C` are where row and column start, if not in their corners.
    """
    open_board, wide, row, col = read_setting(width, height, walls, USUAL_SIZE)
    board = open_board
    for x, y in (row, col):
        board = replaced(board, y, board[y] | 1 << x)
    row_ways, col_ways = open_ways(board, wide, *row), open_ways(board, wide, *col)
    for player, place, ways in (("row", row, row_ways), ("column", col, col_ways)):
        if ways == 0:
            board_drawn = drawing(open_board, wide, row, col).replace("\n", "/")
            raise ParameterError(
                f"{player} cannot move from its start {place} in {board_drawn}; leave a free square beside it"
            )
    return Tron(board, wide, *row, *col, row_ways, col_ways)
