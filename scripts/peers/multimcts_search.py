"""multimcts (Cython) on the rules of this project's games, in the form it asks for: bit boards, as fast as they go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.connect_four import BOTTOM, LINES, RACK, STRIDE, has_four
from games.tictactoe import BOARD, HAS_LINE

SQUARES = [tuple(1 << s for s in range(9) if free >> s & 1) for free in range(512)]


class TicTacToe:
    """Its GameState, with stones as bits."""

    __slots__ = ("mine", "player", "theirs")

    def __init__(self, mine: int = 0, theirs: int = 0, player: int = 0) -> None:
        self.mine, self.theirs, self.player = mine, theirs, player

    def get_current_team(self) -> int:
        return self.player

    def get_legal_moves(self) -> list[int]:
        return list(SQUARES[BOARD ^ (self.mine | self.theirs)])

    def make_move(self, square: int) -> TicTacToe:
        return TicTacToe(self.theirs, self.mine | square, 1 - self.player)

    def is_terminal(self) -> bool:
        return HAS_LINE[self.theirs] == 1 or self.mine | self.theirs == BOARD

    def get_reward(self) -> int:
        return HAS_LINE[self.theirs]


class ConnectFour:
    """The same."""

    __slots__ = ("mine", "player", "theirs")

    def __init__(self, mine: int = 0, theirs: int = 0, player: int = 0) -> None:
        self.mine, self.theirs, self.player = mine, theirs, player

    def get_current_team(self) -> int:
        return self.player

    def get_legal_moves(self) -> list[int]:
        places = (self.mine | self.theirs) + BOTTOM & RACK
        return [place for place in (places & 63 << STRIDE * column for column in range(LINES + 1)) if place]

    def make_move(self, place: int) -> ConnectFour:
        return ConnectFour(self.theirs, self.mine | place, 1 - self.player)

    def is_terminal(self) -> bool:
        return has_four(self.theirs) or self.mine | self.theirs == RACK

    def get_reward(self) -> int:
        return 1 if has_four(self.theirs) else 0


GAMES: dict[str, type[Any]] = {"tictactoe": TicTacToe, "connect_four": ConnectFour}


def search(game: str) -> Callable[[int], object]:
    import multimcts

    engine = multimcts.MCTS()
    return lambda iterations: engine.search(GAMES[game](), max_iterations=iterations)
