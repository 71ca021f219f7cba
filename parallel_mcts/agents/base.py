"""What an agent is: parameters that are frozen, and a seat at one match that remembers.

A match calls the seat, never the parameters, so one agent may sit on both sides and in many matches at once. Anything with
`choose(state)` is a seat as well, and so an agent of a user's own; the other methods are optional there. All calls to a
seat come one after the other, but not always from the same thread.

    begin(state, player)            a match begins; `player` is "row" or "col"
    choose(state)                   -> the label of an action of its player
    told(state, moves, after)       both have moved: where, what, and what came of it
    taken_back(state, moves)        the match went back to an earlier position, and these moves were not played
    end(results, state)             the match is over, whoever won
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any, ClassVar, Literal, TypeAlias

from ..errors import InputError, ParallelMCTSError
from ..results import Move
from ..rng import stream
from ..state import IDLE, Label, labels

Player: TypeAlias = Literal["row", "col"]
PLAYERS: tuple[Player, Player] = ("row", "col")


class TakeBack(ParallelMCTSError):
    """Raised in `choose`: the player wants its last move back."""


class Resigned(ParallelMCTSError):
    """Raised in `choose`: the player gives up; the message says why."""


class Seat:
    """An agent at one match."""

    state: Any
    player: Player
    rng: Random

    def __init__(self, seed: int) -> None:
        self.rng = stream(seed, 0)

    def begin(self, state: Any, player: Player) -> None:
        self.state, self.player = state, player

    def choose(self, state: Any) -> Label:
        raise NotImplementedError(f"{type(self).__name__} needs choose()")

    def told(self, state: Any, moves: Move, after: Any) -> None:
        self.state = after

    def taken_back(self, state: Any, moves: Sequence[Move]) -> None:
        self.state = state

    def end(self, results: Any, state: Any) -> None:
        """Frees what the seat holds; may come at any time, and more than once."""

    def actions(self, state: Any) -> list[Label]:
        """What its player may do."""
        return labels(state)[PLAYERS.index(self.player)]


class Agent:
    """The parameters of an agent; a frozen dataclass whose `seat` makes what plays one match."""

    name: ClassVar[str] = "agent"

    def seat(self, seed: int) -> Any:
        """A seat for one match; the seed decides everything about it that is left to chance."""
        raise NotImplementedError(f"{type(self).__name__} needs seat()")

    def __str__(self) -> str:
        """As it would be written on the command line, without what is left as it was."""
        if not is_dataclass(self):
            return self.name
        told = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        return self.name + (":" + ",".join(told) if told else "")


def described(agent: Any) -> str:
    """What to call an agent: as it is written, or by its class where it does not say."""
    cls: Any = type(agent)
    silent = cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__
    return agent.__name__ if isinstance(agent, type) else cls.__name__ if silent else str(agent)


def player_named(player: object) -> Player:
    """ "row" or "col", however it is called: also "column", 0 and 1."""
    known: dict[object, Player] = {"row": "row", "col": "col", "column": "col", 0: "row", 1: "col"}
    if isinstance(player, bool) or player not in known:
        raise InputError(f"no player {player!r}; the players are 'row' and 'col', or 0 and 1")
    return known[player]


def has_a_say(names: Sequence[Label]) -> bool:
    """Whether a player with these actions is asked; one who only waits is not."""
    return list(names) != [IDLE]


def simultaneous(state: Any) -> bool:
    """Whether both players have a choice."""
    rows, cols = state.shape()
    return bool(rows > 1 and cols > 1)
