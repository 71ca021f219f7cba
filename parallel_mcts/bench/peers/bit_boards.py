"""Tic-tac-toe and connect four as multimcts asks for games, with stones as bits, as fast as they go in Python.

The rules are written once more, since this package knows no games; the tests play them against the others move by move.
"""

from __future__ import annotations

BOARD = 0o777
WINS = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
HAS_LINE = bytes(any(stones & line == line for line in WINS) for stones in range(512))
SQUARES = [tuple(square for square in range(9) if free >> square & 1) for free in range(512)]

COLUMNS = [63 << 7 * column for column in range(7)]
"""Six places each; the bit above them stays empty, so that no line runs over an edge."""
RACK = sum(COLUMNS)
BOTTOM = sum(1 << 7 * column for column in range(7))


class Stones:
    """The stones of both players, as bits, and who is to move."""

    __slots__ = ("mine", "player", "theirs")

    def __init__(self, mine: int = 0, theirs: int = 0, player: int = 0) -> None:
        self.mine, self.theirs, self.player = mine, theirs, player

    def get_current_team(self) -> int:
        return self.player


class TicTacToe(Stones):
    """A position, seen from the player to move; a move is the number of a square."""

    __slots__ = ()

    def get_legal_moves(self) -> list[int]:
        return list(SQUARES[BOARD ^ (self.mine | self.theirs)])

    def make_move(self, square: int) -> TicTacToe:
        return TicTacToe(self.theirs, self.mine | 1 << square, 1 - self.player)

    def is_terminal(self) -> bool:
        return HAS_LINE[self.theirs] == 1 or self.mine | self.theirs == BOARD

    def get_reward(self) -> int:
        """Of the player who moved last."""
        return HAS_LINE[self.theirs]


class ConnectFour(Stones):
    """The same; a move is the place, as a bit, where the stone comes to rest."""

    __slots__ = ()

    def get_legal_moves(self) -> list[int]:
        places = (self.mine | self.theirs) + BOTTOM & RACK
        return [place for place in (places & column for column in COLUMNS) if place]

    def make_move(self, place: int) -> ConnectFour:
        return ConnectFour(self.theirs, self.mine | place, 1 - self.player)

    def is_terminal(self) -> bool:
        return four_in_a_row(self.theirs) or self.mine | self.theirs == RACK

    def get_reward(self) -> int:
        """Of the player who moved last."""
        return 1 if four_in_a_row(self.theirs) else 0


def four_in_a_row(stones: int) -> bool:
    for step in (7, 6, 8, 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False
