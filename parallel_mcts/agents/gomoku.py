"""The Gomoku engine as a player of matches and tournaments: `gomoku:player=alphabeta,seconds=1`.

The engine is loaded, and compiled if need be, when a match begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..budget import Budget
from ..errors import ParameterError, unknown_name
from ..gomoku.players import DEFAULT, NAMES, player
from ..gomoku.position import Position, name_of
from ..gomoku.thinking import Thinker, Thought
from ..rng import checked_seed
from ..state import Label, is_over
from .base import Agent, Player, Seat


@dataclass(frozen=True)
class Gomoku(Agent):
    """A player of the engine, and how long it thinks about a move; `megabytes` is for its tables."""

    player: str = DEFAULT
    seconds: float = 1.0
    megabytes: int = 64
    seed: int | None = None
    name: ClassVar[str] = "gomoku"

    def validate(self) -> None:
        Budget(seconds=self.seconds)
        checked_seed(self.seed)
        if self.player not in NAMES:
            raise unknown_name("player", self.player, NAMES)
        if self.megabytes < 1:
            raise ParameterError(f"gomoku: megabytes is {self.megabytes!r}; it must be at least 1")

    def seat(self, seed: int) -> Seat:
        return GomokuSeat(self, seed if self.seed is None else self.seed)


class GomokuSeat(Seat):
    """Keeps the engine's tables from move to move."""

    def __init__(self, agent: Gomoku, seed: int) -> None:
        super().__init__(seed)
        self.agent, self.seed = agent, seed
        self.thinker: Thinker | None = None
        self.thought: Thought | None = None
        """What the engine last thought."""

    def begin(self, state: Any, side: Player) -> None:
        super().begin(state, side)
        position = Position.of(state)  # says if it is another game
        self.end(None, state)
        if not is_over(state):
            self.thinker = player(self.agent.player, memory=self.agent.megabytes << 20, seed=self.seed, board=position)

    def choose(self, state: Any) -> Label:
        assert self.thinker is not None
        self.thought = self.thinker.think(Position.of(state), seconds=self.agent.seconds)
        return name_of(self.thought.square)

    def end(self, results: Any, state: Any) -> None:
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None
