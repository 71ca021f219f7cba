"""The players of the engine, by name. Called by the commands and the agents; a player belongs to one thread at a time.

Stand-in: one player that makes five, blocks five, and else plays near the stones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..errors import InputError, unknown_name
from .position import EXACT, Position, Square
from .thinking import Thinker, Thought, never

NAMES = ("alphabeta", "threats", "mcts", "combined")
DEFAULT = "combined"


def player(name: str = DEFAULT, *, memory: int | None = None, seed: int | None = None) -> Thinker:
    """The player of that name, with at most so many bytes for its tables."""
    if name not in NAMES:
        raise unknown_name("player", name, NAMES)
    return Nearest()


class Nearest:
    """Makes five, blocks five, else plays the free square that is nearest to all stones."""

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        free = [square for square in _squares(position) if position.is_free(square)]
        if not free:
            raise InputError("the board is full")
        lines = (position.black, position.white)
        for player in (position.to_move, 1 - position.to_move):
            for square in free:
                if _makes_five(lines[player], square, position.rule == EXACT):
                    return _thought(square, "five")
        return _thought(min(free, key=lambda square: _distance(position, square)), "near")

    def close(self) -> None:
        pass


def _thought(square: Square, reason: str) -> Thought:
    return Thought(square, 0.0, (square,), 1, 1, 0.0, reason)


def _squares(position: Position) -> Iterator[Square]:
    for row in range(position.height):
        for column in range(position.width):
            yield column, row


def _distance(position: Position, square: Square) -> tuple[int, int]:
    taken = [other for other in _squares(position) if not position.is_free(other)]
    centre = abs(2 * square[0] - position.width + 1) + abs(2 * square[1] - position.height + 1)
    return min((max(abs(square[0] - c), abs(square[1] - r)) for c, r in taken), default=0), centre


def _makes_five(lines: tuple[int, ...], square: Square, exact: bool) -> bool:
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        run = 1 + _arm(lines, square, dx, dy) + _arm(lines, square, -dx, -dy)
        if run == 5 or (run > 5 and not exact):
            return True
    return False


def _arm(lines: tuple[int, ...], square: Square, dx: int, dy: int) -> int:
    count, (column, row) = 0, square
    while True:
        column, row = column + dx, row + dy
        if not 0 <= row < len(lines) or column < 0 or not lines[row] >> column & 1:
            return count
        count += 1
