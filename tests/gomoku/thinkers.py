"""Players for tests of the contest and the protocol: they do as they are told, and remember what they were asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parallel_mcts.gomoku.position import Position, Square
from parallel_mcts.gomoku.thinking import Thought, never


def free_squares(position: Position) -> list[Square]:
    """From the bottom left corner, line by line."""
    squares = [(column, row) for row in range(position.height) for column in range(position.width)]
    return [square for square in squares if position.is_free(square)]


class Recorder:
    """Plays the first free square, or what `chooses` says; remembers positions, seconds and the memory it was made with."""

    def __init__(self, chooses: Callable[[Position], Square] | None = None, value: float = 0.0) -> None:
        self.chooses, self.value = chooses, value
        self.asked: list[Position] = []
        self.seconds: list[float] = []
        self.memories: list[int | None] = []
        self.closed = 0
        self.meanwhile: Callable[[Callable[[], bool]], Any] = lambda stopping: None
        """Called during each thought."""

    def make(self, memory: int | None = None) -> Recorder:
        self.memories.append(memory)
        return self

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        self.asked.append(position)
        self.seconds.append(seconds)
        self.meanwhile(stopping)
        square = self.chooses(position) if self.chooses else free_squares(position)[0]
        return Thought(square, self.value, (square,), 1, 1, 0.0, "told")

    def close(self) -> None:
        self.closed += 1


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
