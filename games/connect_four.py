"""Connect four: row (X) and column (O) drop stones, in turn, into a rack of seven columns and six lines; row begins. A
stone falls to the lowest free place of its column. Who first has four in a line, in any direction, wins (row's payoff
is 1 for a win, 0 for a loss); a full rack without a line is a draw and pays 0.5. Columns are numbered 0 to 6 from the
left; a move is the number of a column that is not full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.state import IDLE, Label, State

from .chance import Rng

COLUMNS, LINES = 7, 6
STRIDE = LINES + 1  # the bit above each column stays empty, so that no line of four runs over an edge
BOTTOM = sum(1 << STRIDE * column for column in range(COLUMNS))
TOP = BOTTOM << LINES - 1
RACK = BOTTOM * ((1 << LINES) - 1)
FIRST_PLY_THAT_CAN_WIN = 6  # row's fourth stone


def has_four(stones: int) -> bool:
    """Whether four stones are in a line."""
    # Pairs of neighbours first; two pairs two steps apart are four. Often there are no pairs, which saves a shift.
    # The distances are written out (a line up is 1, a column right is 7): the interpreter would look names up each time.
    pairs = stones & stones >> 7
    if pairs and pairs & pairs >> 14:
        return True
    pairs = stones & stones >> 6
    if pairs and pairs & pairs >> 12:
        return True
    pairs = stones & stones >> 8
    if pairs and pairs & pairs >> 16:
        return True
    pairs = stones & stones >> 1
    return pairs & pairs >> 2 != 0


def landing(filled: int, open_columns: int, k: int) -> int:
    """The place, as a bit, where a stone dropped into the k-th open column comes to rest."""
    if open_columns == 7:
        k *= 7
        return filled + (1 << k) & 63 << k  # adding at the bottom carries up to the first free place
    places = filled + BOTTOM & RACK
    while k > 0:
        places &= places - 1
        k -= 1
    return places & -places


class ConnectFour(State):
    """A position, seen from the player to move; `open_columns` is 0 once the game is over."""

    mine: int = 0
    theirs: int = 0
    ply: int = 0
    open_columns: int = COLUMNS

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        moves = self.open_columns
        if moves == 0:
            return 0, 0
        return (1, moves) if self.ply & 1 else (moves, 1)

    def play(self, i: int, j: int) -> ConnectFour:
        mine, theirs, ply, open_columns = self.mine, self.theirs, self.ply, self.open_columns
        stone = landing(mine | theirs, open_columns, i + j)
        mine |= stone
        if ply >= FIRST_PLY_THAT_CAN_WIN and has_four(mine):
            open_columns = 0
        elif stone & TOP:
            open_columns -= 1
        return ConnectFour(theirs, mine, ply + 1, open_columns)

    def payoff(self) -> float:
        if not has_four(self.theirs):
            return 0.5
        return 1.0 if self.ply & 1 else 0.0

    def rollout(self, rng: Rng) -> float:
        """The random game that `play` would give with the same random numbers, without a state for every move."""
        mine, theirs, ply, open_columns = self.mine, self.theirs, self.ply, self.open_columns
        if open_columns == 0:
            return self.payoff()
        filled = mine | theirs
        while open_columns > 0:
            stone = landing(filled, open_columns, int(rng.random() * open_columns) if open_columns > 1 else 0)
            filled |= stone
            mine |= stone
            if ply >= FIRST_PLY_THAT_CAN_WIN and has_four(mine):
                return 0.0 if ply & 1 else 1.0
            if stone & TOP:
                open_columns -= 1
            mine, theirs = theirs, mine
            ply += 1
        return 0.5

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.open_columns == 0:
            return (), ()
        filled = self.mine | self.theirs
        columns = [column for column in range(COLUMNS) if not filled >> STRIDE * column + LINES - 1 & 1]
        return ((IDLE,), columns) if self.ply & 1 else (columns, (IDLE,))

    def parse(self, text: str) -> int:
        """A column by its number."""
        if len(text) != 1 or text not in "0123456":
            raise ValueError(f"columns are numbered from 0 to {COLUMNS - 1}")
        if (self.mine | self.theirs) >> STRIDE * int(text) + LINES - 1 & 1:
            raise ValueError(f"column {text} is full")
        return int(text)

    def __str__(self) -> str:
        """The rack above the numbers of its columns, and whose turn it is."""
        crosses, noughts = (self.theirs, self.mine) if self.ply & 1 else (self.mine, self.theirs)
        lines = []
        for height in reversed(range(LINES)):
            places = [STRIDE * column + height for column in range(COLUMNS)]
            lines.append(" ".join("X" if crosses >> p & 1 else "O" if noughts >> p & 1 else "." for p in places))
        if self.open_columns:
            said = f"{'O' if self.ply & 1 else 'X'} to move"
        else:
            said = {1.0: "X has won", 0.5: "a draw", 0.0: "O has won"}[self.payoff()]
        return "\n".join([*lines, " ".join(str(column) for column in range(COLUMNS)), said])


def connect_four() -> ConnectFour:
    """The empty rack."""
    return ConnectFour()
