"""multimcts (Cython): bit boards where there are some, elsewhere this package's positions. Called by one thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ..measuring import Run
from . import bit_boards
from .base import Following, Mind, Position, needed

BIT_BOARDS: dict[str, Any] = {"tictactoe": bit_boards.TicTacToe, "connect_four": bit_boards.ConnectFour}


class Wrapped(Position):
    """A position of ours as its `GameState`."""

    __slots__ = ()

    def get_current_team(self) -> int:
        return self.player

    def get_legal_moves(self) -> list[int]:
        return list(range(self.moves))

    def make_move(self, number: int) -> Any:
        return self.after(number)

    def is_terminal(self) -> bool:
        return self.moves == 0

    def get_reward(self) -> dict[int, int]:
        """By team, since the last to move need not be the winner."""
        result = self.result()
        return {} if result == 0 else {0 if result > 0 else 1: 1}


def start(game: str) -> Any:
    return BIT_BOARDS[game]() if game in BIT_BOARDS else Wrapped(start_of(game))


class MultimctsMind(Following):
    """It has a clock of its own."""

    def __init__(self, game: str, seconds: float) -> None:
        super().__init__(start(game))
        self.seconds = seconds
        self.engine = needed("multimcts").MCTS()

    def follow(self, number: int) -> None:
        self.position = self.position.make_move(self.position.get_legal_moves()[number])

    def think(self) -> int:
        move = self.engine.search(self.position, max_time=self.seconds, return_type="move")
        moves: list[int] = self.position.get_legal_moves()
        return moves.index(move)


@dataclass(frozen=True)
class Multimcts:
    """As it is made without arguments."""

    name: str = "multimcts"
    title: str = "multimcts"
    module: str = "multimcts"
    in_python: bool = True

    def run(self, game: str) -> Run:
        engine = needed(self.module).MCTS()
        return lambda count: engine.search(start(game), max_iterations=count)

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        return MultimctsMind(game, seconds)
