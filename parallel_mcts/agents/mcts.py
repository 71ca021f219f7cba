"""A player that searches: any algorithm, model, backend and budget; what it learned is kept from move to move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..budget import Budget
from ..errors import ParameterError
from ..registry import ALGORITHMS, BACKENDS, MODELS
from ..results import Move, SearchResult, Strategy
from ..rng import checked_seed
from ..search import Search
from ..state import ChanceControlled, Label, has_chance, is_over
from .base import Agent, Player, Seat, simultaneous

DEFAULT_SECONDS = 1.0
PICKS = ("auto", "sample", "best")


@dataclass(frozen=True)
class Mcts(Agent):
    """Searches before each move, for a number of iterations or of seconds (one second unless told).

    `pick` says what becomes of the strategy found: `sample` draws from it, `best` takes its likeliest action, `auto`
    draws where both players choose at once and takes the likeliest elsewhere. In a text, parameters of an algorithm
    are parted by semicolons: `mcts:iterations=500,algorithm=exp3:gamma=0.2;averages=yes`.
    """

    iterations: int | None = None
    seconds: float | None = None
    algorithm: Any = None
    model: Any = "rollout"
    backend: Any = "single"
    workers: int | None = None
    engine: str = "auto"
    pick: str = "auto"
    reuse: bool = True
    seed: int | None = None
    name: ClassVar[str] = "mcts"

    def validate(self) -> None:
        self.budget()
        checked_seed(self.seed)
        if self.pick not in PICKS:
            raise ParameterError(f"mcts: pick is {self.pick!r}; choose from: {', '.join(PICKS)}")
        if self.algorithm is not None:
            ALGORITHMS.make(_nested(self.algorithm))
        MODELS.make(_nested(self.model))
        BACKENDS.make(_nested(self.backend))

    def budget(self) -> Budget:
        if self.iterations is None and self.seconds is None:
            return Budget(seconds=DEFAULT_SECONDS)
        return Budget(self.iterations, self.seconds)

    def seat(self, seed: int) -> MctsSeat:
        return MctsSeat(self, seed if self.seed is None else self.seed)


def _nested(spec: Any) -> Any:
    """A text inside a text: its parameters are parted by semicolons."""
    return spec.replace(";", ",") if isinstance(spec, str) else spec


class MctsSeat(Seat):
    """A search session that follows the match; opened when a move is first asked for."""

    def __init__(self, agent: Mcts, seed: int) -> None:
        super().__init__(seed)
        self.agent, self.seed = agent, seed
        self.budget = agent.budget()
        self.session: Search | None = None
        self.result: SearchResult | None = None
        """What the last search found."""

    def begin(self, state: Any, player: Player) -> None:
        super().begin(state, player)
        self._close()

    def choose(self, state: Any) -> Label:
        names = self.actions(state)
        if len(names) == 1:
            return names[0]
        if self.session is None:
            self.session = self._opened(state)
        self.result = self.session.run(iterations=self.budget.iterations, seconds=self.budget.seconds)
        if self.result.interrupted:
            raise KeyboardInterrupt
        return self._picked(state, self.result.row if self.player == "row" else self.result.col)

    def _opened(self, state: Any) -> Search:
        agent = self.agent
        return Search(
            state,
            algorithm=_nested(agent.algorithm),
            model=_nested(agent.model),
            backend=_nested(agent.backend),
            workers=agent.workers,
            engine=agent.engine,
            seed=self.seed,
        )

    def _picked(self, state: Any, strategy: Strategy) -> Label:
        pick = self.agent.pick
        if pick == "sample" or (pick == "auto" and simultaneous(state)):
            return strategy.sample(self.rng)
        return strategy.best

    def told(self, state: Any, moves: Move, after: Any) -> None:
        super().told(state, moves, after)
        if self.session is None:
            return
        if is_over(after) or not self.agent.reuse or not _can_follow(state):
            self._close()
        else:
            self.session.advance(moves.row, moves.col, observation=moves.observation if has_chance(state) else None)

    def taken_back(self, state: Any, moves: Sequence[Move]) -> None:
        super().taken_back(state, moves)
        self._close()  # the tree was freed up to where the match had got

    def end(self, results: Any, state: Any) -> None:
        self._close()

    def _close(self) -> None:
        if self.session is not None:
            self.session.close()
            self.session = None


def _can_follow(state: Any) -> bool:
    """Whether an observation is enough for the session to know the next position."""
    return not has_chance(state) or isinstance(state, ChanceControlled) or not hasattr(state, "observation")
