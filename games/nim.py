"""Nim with one heap: the players take one, two or three sticks in turn, row first; who takes the last stick wins
(row's payoff is then 1, else 0). An ordinary Python class, as a newcomer would write it: it needs nothing but
`TurnState`.
"""

from __future__ import annotations

from parallel_mcts.state import TurnState

from .parameters import whole_number


class Nim(TurnState):
    """How many sticks are left, and whose turn it is (0 is row)."""

    def __init__(self, sticks: int = 10, player: int = 0) -> None:
        self.sticks = sticks
        self.player = player

    def moves(self) -> list[int]:
        return [count for count in (1, 2, 3) if count <= self.sticks]

    def move(self, count: int) -> Nim:
        return Nim(self.sticks - count, 1 - self.player)

    def payoff(self) -> float:
        return 1.0 if self.player == 1 else 0.0  # the player to move found no sticks

    def __eq__(self, other: object) -> bool:
        """Equal positions are one to whatever remembers positions it has seen."""
        return isinstance(other, Nim) and (self.sticks, self.player) == (other.sticks, other.player)

    def __hash__(self) -> int:
        return hash((self.sticks, self.player))

    def __str__(self) -> str:
        return f"{'|' * self.sticks} ({self.sticks} left, {('row', 'column')[self.player]} to move)"


def nim(sticks: int = 10) -> Nim:
    """The full heap, row to move."""
    return Nim(whole_number("sticks", sticks, 1, 1000))
