"""mctspy, on this package's positions. It takes a number of simulations, and more of them on the same tree: so it is asked
for a few at a time until its time is up. Called by one thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ..measuring import Run
from .base import Following, Mind, Position, needed, until

AT_ONCE = 8


class Wrapped(Position):
    """A position of ours as its game state."""

    __slots__ = ("next_to_move",)

    def __init__(self, state: Any, last: int = -1) -> None:
        super().__init__(state, last)
        self.next_to_move = 1 if self.player == 0 else -1

    @property
    def game_result(self) -> int:
        return self.result()

    def is_game_over(self) -> bool:
        return self.moves == 0

    def move(self, number: int) -> Any:
        return self.after(number)

    def get_legal_actions(self) -> list[int]:
        return list(range(self.moves))


def search_from(position: Any) -> Any:
    tree = needed("mctspy.tree.search")
    return tree.MonteCarloTreeSearch(needed(Mctspy.module).TwoPlayersGameMonteCarloTreeSearchNode(state=position))


class MctspyMind(Following):
    """A new tree for each move, as its examples do it."""

    def __init__(self, game: str, seconds: float) -> None:
        super().__init__(Wrapped(start_of(game)))
        self.seconds = seconds

    def think(self) -> int:
        search = search_from(self.position)
        until(self.seconds, lambda: search.best_action(AT_ONCE))
        last: int = search.root.best_child(c_param=0.0).state.last
        return last


@dataclass(frozen=True)
class Mctspy:
    """As it is made without arguments."""

    name: str = "mctspy"
    title: str = "mctspy"
    module: str = "mctspy.tree.nodes"
    in_python: bool = True

    def run(self, game: str) -> Run:
        return lambda count: search_from(Wrapped(start_of(game))).best_action(count)

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        return MctspyMind(game, seconds)
