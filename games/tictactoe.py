"""Tic-tac-toe: row sets crosses and column noughts, in turn, on a board of three by three; row begins. Who first has
three in a line wins (row's payoff is 1 for a win, 0 for a loss); a full board without a line is a draw and pays 0.5.
Squares are numbered 0 to 8, line by line from the top; a move is the number of a free square. Other boards are in `mnk`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.state import IDLE, Label, State

from .chance import Rng

BOARD = 0o777  # bit s is square s
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def _squares(stones: int) -> list[int]:
    return [square for square in range(9) if stones >> square & 1]


def _nth_squares() -> bytes:
    table = bytearray(512 * 9)
    for free in range(512):
        squares = _squares(free)
        table[9 * free : 9 * free + len(squares)] = squares
    return bytes(table)


# Tables, because a look-up is the fastest thing the interpreter does; bytes, because numba knows them as constants.
HAS_LINE = bytes(any(stones & line == line for line in LINES) for stones in range(512))
RESULTS = {1.0: "X has won", 0.5: "a draw", 0.0: "O has won"}
NTH_SQUARE = _nth_squares()
"""NTH_SQUARE[9 * squares + k] is the k-th of a set of squares."""


class TicTacToe(State):
    """A position; `moves` is how many squares may be chosen, and 0 once the game is over.

    While it goes on, `moves` is odd when it is row's turn: there are nine squares, and row begins.
    """

    crosses: int = 0
    noughts: int = 0
    moves: int = 9

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        moves = self.moves
        if moves & 1:
            return moves, 1
        if moves:
            return 1, moves
        return 0, 0

    def play(self, i: int, j: int) -> TicTacToe:
        crosses, noughts, moves = self.crosses, self.noughts, self.moves
        stone = 1 << NTH_SQUARE[9 * (BOARD ^ (crosses | noughts)) + i + j]
        if moves & 1:
            crosses |= stone
            return TicTacToe(crosses, noughts, 0 if HAS_LINE[crosses] else moves - 1)
        noughts |= stone
        return TicTacToe(crosses, noughts, 0 if HAS_LINE[noughts] else moves - 1)

    def payoff(self) -> float:
        if HAS_LINE[self.crosses]:
            return 1.0
        return 0.0 if HAS_LINE[self.noughts] else 0.5

    def rollout(self, rng: Rng) -> float:
        """The random game that `play` would give with the same random numbers, without a state for every move."""
        crosses, noughts, moves = self.crosses, self.noughts, self.moves
        if moves == 0:
            return self.payoff()
        mine, theirs = (crosses, noughts) if moves & 1 else (noughts, crosses)
        free = BOARD ^ (crosses | noughts)
        while moves > 1:
            stone = 1 << NTH_SQUARE[9 * free + int(rng.random() * moves)]
            free ^= stone
            mine |= stone
            if HAS_LINE[mine]:
                return 1.0 if moves & 1 else 0.0
            mine, theirs = theirs, mine
            moves -= 1
        return 1.0 if HAS_LINE[mine | free] else 0.5  # the ninth stone is a cross, and there is no choice

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.moves == 0:
            return (), ()
        squares = _squares(BOARD ^ (self.crosses | self.noughts))
        return (squares, (IDLE,)) if self.moves & 1 else ((IDLE,), squares)

    def parse(self, text: str) -> int:
        """A square by its number."""
        if len(text) != 1 or text not in "012345678":
            raise ValueError("squares are numbered from 0 to 8")
        if (self.crosses | self.noughts) >> int(text) & 1:
            raise ValueError(f"square {text} is taken")
        return int(text)

    def __str__(self) -> str:
        """The board, on which a free square shows its number, and whose turn it is."""
        signs = ["X" if self.crosses >> s & 1 else "O" if self.noughts >> s & 1 else str(s) for s in range(9)]
        board = "\n".join(" ".join(signs[line : line + 3]) for line in (0, 3, 6))
        if self.moves:
            return f"{board}\n{'X' if self.moves & 1 else 'O'} to move"
        return f"{board}\n{ {1.0: 'X has won', 0.0: 'O has won', 0.5: 'a draw'}[self.payoff()] }"


def tictactoe() -> TicTacToe:
    """The empty board."""
    return TicTacToe()
