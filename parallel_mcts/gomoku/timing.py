"""How long to think about a move, from what a manager of games allows. Pure functions of plain values, for the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

QUICKEST = 0.01
"""Seconds for a move where none are to be spent."""
EXPECTED_MOVES, LEAST_MOVES = 30, 10
"""Of one player: in a whole game, and still to come however long a game has been."""
LATENCY, UNEVENNESS, MOST_UNEVENNESS = 0.03, 0.05, 0.5
"""What pipes and a busy machine cost: seconds for each move, a share of its time, and the most of that share in seconds."""


@dataclass(frozen=True)
class Limits:
    """In seconds: for a move (0: as quick as possible), for a whole match, and what the manager said is left of it.

    `used` is the time spent since it said so, or since the match began.
    """

    turn: float = 5.0
    match: float = inf
    left: float | None = None
    used: float = 0.0

    @property
    def remaining(self) -> float:
        """What is left of the match; below nothing if it was exceeded."""
        return (self.match if self.left is None else self.left) - self.used


def seconds_for_move(limits: Limits, *, own_stones: int, free_squares: int) -> float:
    """Seconds to think: an even share of what is left of the match, within the limit of a move, less a margin.

    Before it is shared out, the least that a game needs which fills the board is laid by.
    """
    spare = limits.remaining - QUICKEST * (free_squares // 2)
    allowed = min(limits.turn, spare / moves_to_come(own_stones, free_squares))
    return max(QUICKEST, allowed - margin(allowed))


def moves_to_come(own_stones: int, free_squares: int) -> int:
    """How many more moves of its own a player should be ready for, this one included."""
    expected = max(LEAST_MOVES, EXPECTED_MOVES - own_stones)
    return max(1, min(expected, (free_squares + 1) // 2))


def margin(allowed: float) -> float:
    """The part of a time limit that is not thought through, so that the answer is there before it is over."""
    return min(allowed / 2, LATENCY + min(UNEVENNESS * allowed, MOST_UNEVENNESS))
