"""Players of the engine that search by MCTS: with the engine's knowledge alone, or with a look at threats before it.

Loaded by `players.py` when they are asked for. Each belongs to one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ..registry import GAMES
from ..results import Progress
from ..search import Search
from .engine import AlphaBeta, Threats
from .model import GomokuThreats
from .position import LETTERS, Position, Square
from .thinking import Thought, never

MCTS_SHARE, THREATS_SHARE = 0.92, 0.4
"""How much of its time MCTS takes, and of that the look at threats before it."""

LOOK_SECONDS, LEAST_SECONDS = 0.02, 0.002
"""How often a search by MCTS is asked whether it is to stop, and the shortest."""


class Stopped(Exception):
    """Raised out of a search that is to stop."""


class Mcts:
    """PUCT with the engine's model. Boards that no game leads to are left to alpha-beta."""

    def __init__(self, *, memory: int | None = None, seed: int | None = None) -> None:
        self.seed, self.model = seed, GomokuThreats()
        self.substitute = AlphaBeta(memory=memory)

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        state = state_of(position)
        if state is None:
            return self.substitute.think(position, seconds=seconds, stopping=stopping)
        return self.searched(state, seconds, stopping, None)

    def searched(
        self, state: Any, seconds: float, stopping: Callable[[], bool], among: Collection[Square] | None
    ) -> Thought:
        """The most visited move, of those that may be played."""
        told = self.last_progress(state, MCTS_SHARE * seconds, stopping)
        strategy, value = ((told.row, told.row_value), (told.col, told.col_value))[state.ply & 1]
        ranked = [square_named(str(label)) for label, _ in sorted(strategy.items(), key=lambda pair: -pair[1])]
        square = next((square for square in ranked if among is None or square in among), ranked[0])
        worth = 0.0 if value is None else 2.0 * value - 1.0
        return Thought(square, worth, (square,), 0, told.iterations, told.seconds, "mcts")

    def last_progress(self, state: Any, seconds: float, stopping: Callable[[], bool]) -> Progress:
        """Searches, and tells how far it came."""
        latest: list[Progress] = []

        def look(progress: Progress) -> None:
            latest[:] = [progress]
            if stopping():
                raise Stopped

        options: dict[str, Any] = {"algorithm": "puct", "model": self.model, "seed": self.seed, "engine": "compiled"}
        with Search(state, **options) as session:
            try:
                session.run(seconds=max(seconds, LEAST_SECONDS), on_progress=look, progress_seconds=LOOK_SECONDS)
            except Stopped:
                pass
        return latest[0]

    def close(self) -> None:
        self.substitute.close()


class Combined(Mcts):
    """Threats first; where they decide nothing, MCTS among the moves that do not lose to them."""

    def __init__(self, *, memory: int | None = None, seed: int | None = None) -> None:
        super().__init__(memory=memory, seed=seed)
        self.threats = Threats(memory=memory)

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        state = state_of(position)
        if state is None:
            return self.substitute.think(position, seconds=seconds, stopping=stopping)
        clock = self.threats.clock
        started = clock()
        decided, moves = self.threats.look(position, seconds=THREATS_SHARE * seconds, stopping=stopping)
        if decided is not None or len(moves) == 1:
            return decided or Thought(moves[0], 0.0, (moves[0],), 0, 0, clock() - started, "only move")
        return self.searched(state, seconds - (clock() - started), stopping, set(moves))

    def close(self) -> None:
        super().close()
        self.threats.close()


def state_of(position: Position) -> Any:
    """The position as a state of the game `mnk`; None where no game leads to it."""
    black, white = (sum(row.bit_count() for row in rows) for rows in (position.black, position.white))
    if black - white != position.to_move:
        return None
    start = GAMES.make("mnk", m=position.width, n=position.height, k=5)
    return start._replace(black=position.black, white=position.white, rule=position.rule, ply=black + white)


def square_named(label: str) -> Square:
    """The square that people call so: (7, 7) for h8."""
    return LETTERS.index(label[0]), int(label[1:]) - 1
