"""The players of the engine, by name; contest mode, the protocol and the agent `gomoku` take them from here.

    alphabeta   the whole engine: threats, then alpha-beta
    threats     threats alone: makes those that win, stops those of the other, else takes the square worth most
    mcts        PUCT over the engine's knowledge of a position
    combined    threats first; where they decide nothing, mcts among the moves that do not lose to them

The engine itself is loaded when a player is made. A player belongs to one thread at a time.
"""

from __future__ import annotations

from importlib import import_module

from ..errors import unknown_name
from .position import Position
from .thinking import Thinker

PLACES = {
    "alphabeta": "engine:AlphaBeta",
    "threats": "engine:Threats",
    "mcts": "searching:Mcts",
    "combined": "searching:Combined",
}
NAMES = tuple(PLACES)
DEFAULT = "alphabeta"
WARM_UP = Position((1, 0, 0, 0, 0, 0, 65), (0, 0, 0, 28, 0, 0, 0), 7)
"""A threat to be stopped, so that every part of the engine has something to do."""


def player(
    name: str = DEFAULT, *, memory: int | None = None, seed: int | None = None, board: Position | None = None
) -> Thinker:
    """The player of a name, with at most about so many bytes for its tables.

    It is compiled, or loaded from the cache, before it is returned, so that no move has to wait for that; a search by MCTS
    is compiled for one size of the board, that of `board`.
    """
    if name not in PLACES:
        raise unknown_name("player", name, PLACES)
    module, _, cls = PLACES[name].partition(":")
    made: Thinker = getattr(import_module(f".{module}", __package__), cls)(memory=memory, seed=seed)
    for position in (WARM_UP, WARM_UP, board or WARM_UP):  # the first time, all the time goes into compiling
        made.think(position, seconds=0.02)
    return made
