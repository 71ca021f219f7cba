"""A player that knows the game: solves it once, exactly, and draws from its equilibrium strategies. For small games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from ..errors import ParameterError
from ..registry import MODELS
from ..state import Label, is_over
from .base import Agent, Player, Seat

KEPT = 4


@dataclass(frozen=True)
class Solver(Agent):
    """Plays an equilibrium. `limit` is how many positions to keep in memory.

    With `depth` it looks only so many joint actions ahead, anew before each move, and a model judges what comes then.
    """

    depth: int | None = None
    model: Any = "rollout"
    limit: int | None = None
    name: ClassVar[str] = "solver"

    def validate(self) -> None:
        for what, number in (("depth", self.depth), ("limit", self.limit)):
            if number is not None and number < 1:
                raise ParameterError(f"solver: {what} is {number!r}; it must be at least 1")
        MODELS.make(self.model)

    def seat(self, seed: int) -> SolverSeat:
        return SolverSeat(self, seed)


class SolverSeat(Seat):
    """Solves when the match begins, and again where what it solved does not reach."""

    def __init__(self, agent: Solver, seed: int) -> None:
        super().__init__(seed)
        self.agent = agent
        self.solved: Any = None

    def begin(self, state: Any, player: Player) -> None:
        super().begin(state, player)
        self._solve(state)

    def choose(self, state: Any) -> Label:
        if self.solved is None or self.agent.depth is not None or state not in self.solved:
            self._solve(state)
        position = self.solved[state]
        label: Label = (position.row if self.player == "row" else position.col).sample(self.rng)
        return label

    def _solve(self, state: Any) -> None:
        if is_over(state):
            return
        try:
            self.solved = _solved_before(self.agent, state)
        except TypeError:  # a position that cannot be looked up
            self.solved = _solved(self.agent, state)


def _solved(agent: Solver, state: Any) -> Any:
    from ..solvers.exact import solve

    model = None if agent.depth is None else MODELS.make(agent.model)
    return solve(state, depth=agent.depth, model=model, limit=agent.limit)


_solved_before = lru_cache(maxsize=KEPT)(_solved)
"""The same, kept for the next match. What is solved is only read, so seats may share it."""
