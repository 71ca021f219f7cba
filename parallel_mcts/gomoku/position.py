"""A position of five in a row as the engine sees it: stones line by line, the rule, and whose turn it is. Plain data.

Squares are (column, row), both from 0, row 0 at the bottom, as in `games.mnk`, whose states it is made from; it may hold
any number of stones of either colour, since other programs ask about boards that no game leads to.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ..errors import InputError

BLACK, WHITE = 0, 1
FREE, EXACT, RENJU_FREE = range(3)
RULES = ("free", "exact", "renju_free")
LETTERS = "abcdefghijklmnopqrst"
SMALLEST, LARGEST = 5, 20

Square: TypeAlias = tuple[int, int]


class Position(NamedTuple):
    """Black's and white's stones, bit c of a line for column c; `to_move` is `BLACK` or `WHITE`."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    width: int
    rule: int = FREE
    to_move: int = BLACK

    @classmethod
    def of(cls, state: Any) -> Position:
        """The position of a state of the game `gomoku` (or `mnk` with five in a row)."""
        missing = [name for name in ("black", "white", "width", "length", "rule", "ply") if not hasattr(state, name)]
        if missing or state.length != 5:
            raise InputError(f"the Gomoku engine plays five in a row; {type(state).__name__} is another game")
        return cls(state.black, state.white, state.width, state.rule, state.ply & 1)

    @classmethod
    def empty(cls, width: int, height: int, rule: int = FREE) -> Position:
        return cls((0,) * height, (0,) * height, width, rule)

    @property
    def height(self) -> int:
        return len(self.black)

    def is_free(self, square: Square) -> bool:
        """Whether a square is on the board and nobody's."""
        column, row = square
        inside = 0 <= column < self.width and 0 <= row < self.height
        return inside and not (self.black[row] | self.white[row]) >> column & 1

    def played(self, square: Square) -> Position:
        """The position after the player to move has put a stone on a free square."""
        if not self.is_free(square):
            raise InputError(f"{name_of(square)} is not a free square of the board")
        column, row = square
        stones = list(self.white if self.to_move else self.black)
        stones[row] |= 1 << column
        if self.to_move:
            return self._replace(white=tuple(stones), to_move=BLACK)
        return self._replace(black=tuple(stones), to_move=WHITE)


def name_of(square: Square) -> str:
    """What people call a square: h8 for (7, 7)."""
    column, row = square
    letter = LETTERS[column] if 0 <= column < len(LETTERS) else f"column {column} "
    return f"{letter}{row + 1}"
