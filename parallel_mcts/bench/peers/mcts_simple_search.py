"""mcts-simple, on this package's positions: its UCT, step by step until the time is up. Called by one thread.

Its games change in place, and it copies one wherever it needs another; positions of ours cannot change, so that a copy is
only a new holder of the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ..measuring import Run
from .base import Following, Mind, Position, needed, until


class Holder:
    """A position of ours as its `Game`."""

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        self.position = position

    def __deepcopy__(self, memo: Any) -> Holder:
        return Holder(self.position)

    def get_state(self) -> Any:
        """What tells positions apart; it is turned into a text at every step, so it is not the board drawn for people."""
        return tuple(self.position.state)

    def number_of_players(self) -> int:
        return 2

    def current_player(self) -> int:
        return self.position.player

    def possible_actions(self) -> list[int]:
        return list(range(self.position.moves))

    def take_action(self, number: int) -> None:
        self.position = self.position.after(number)

    def has_outcome(self) -> bool:
        return self.position.moves == 0

    def winner(self) -> list[int]:
        result = self.position.result()
        return [0, 1] if result == 0 else [0] if result > 0 else [1]


class MctsSimpleMind(Following):
    """A new tree for each move: it has no way to move on."""

    def __init__(self, game: str, seconds: float, seed: int) -> None:
        super().__init__(Position(start_of(game)))
        self.seconds, self.seed = seconds, seed

    def think(self) -> int:
        search = needed(MctsSimple.module).UCT(Holder(self.position), seed=self.seed)
        until(self.seconds, search.step)
        number: int = search.root.choose_best_action(False)
        return number


@dataclass(frozen=True)
class MctsSimple:
    """As it is made without arguments."""

    name: str = "mcts_simple"
    title: str = "mcts-simple"
    module: str = "mcts_simple"
    in_python: bool = True

    def run(self, game: str) -> Run:
        def steps(count: int) -> None:
            search = needed(self.module).UCT(Holder(Position(start_of(game))), seed=1)
            for _ in range(count):
                search.step()

        return steps

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        return MctsSimpleMind(game, seconds, seed)
