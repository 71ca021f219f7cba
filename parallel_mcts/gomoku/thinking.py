"""What a player of the engine is: it thinks about a position for some time, and says what it found.

Called by the agents, the contest mode and the protocol, in one thread at a time; `stopping` may be asked from another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from .position import Position, Square


def never() -> bool:
    return False


@dataclass(frozen=True)
class Thought:
    """The move found, and how: what it is worth to who moves (in [-1, 1], 1 a forced win), and what is expected next."""

    square: Square
    value: float
    line: tuple[Square, ...]
    depth: int
    nodes: int
    seconds: float
    reason: str
    """In a word or two: what kind of move it is, such as `five`, `winning threats`, `search`."""


class Thinker(Protocol):
    """A player."""

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        """The move to play; answers within `seconds`, and soon once `stopping()` is true."""
        ...

    def close(self) -> None:
        """Frees what it holds."""
        ...
