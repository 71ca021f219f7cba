"""monte-carlo-tree-search, the package that is imported as `mcts`, on this package's positions. Called by one thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ..measuring import Run
from .base import LEAST, Following, Mind, Position, needed


class Wrapped(Position):
    """A position of ours as its `BaseState`."""

    __slots__ = ()

    def get_current_player(self) -> int:
        return 1 if self.player == 0 else -1

    def get_possible_actions(self) -> range:
        return range(self.moves)

    def take_action(self, number: int) -> Any:
        return self.after(number)

    def is_terminal(self) -> bool:
        return self.moves == 0

    def get_reward(self) -> int:
        return self.result()


class MonteCarloTreeSearchMind(Following):
    """It has a clock of its own."""

    def __init__(self, game: str, seconds: float) -> None:
        super().__init__(Wrapped(start_of(game)))
        mcts = needed(MonteCarloTreeSearch.module).MCTS
        self.in_time, self.hurried = mcts(time_limit=1000 * seconds), mcts(iteration_limit=LEAST)

    def think(self) -> int:
        try:
            number: int = self.in_time.search(self.position)
        except IndexError:  # the time was up at once
            number = self.hurried.search(self.position)
        return number


@dataclass(frozen=True)
class MonteCarloTreeSearch:
    """As it is made without arguments."""

    name: str = "monte_carlo_tree_search"
    title: str = "monte-carlo-tree-search"
    module: str = "mcts.searcher.mcts"
    in_python: bool = True

    def run(self, game: str) -> Run:
        return lambda count: needed(self.module).MCTS(iteration_limit=count).search(Wrapped(start_of(game)))

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        return MonteCarloTreeSearchMind(game, seconds)
