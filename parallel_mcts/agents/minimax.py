"""Players that look ahead by minimax with alpha-beta, for games of turns: to a depth, or ever deeper under a time limit.

Where looking ahead ends, a heuristic judges: the one given, else the game's own (`heuristic()` of its states), else none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from typing import Any, ClassVar, TypeAlias

from ..budget import Budget
from ..errors import ParameterError
from ..state import Label, payoff_range
from .base import Agent, Seat

DEFAULT_SECONDS = 1.0
AGES = 1e6
DEEPEST = 1000
FEW_NODES = 20_000

Judge: TypeAlias = Callable[[Any], float]


@dataclass(frozen=True)
class AlphaBeta(Agent):
    """Minimax with alpha-beta; one second a move unless `depth` or `seconds` says otherwise.

    `heuristic(state)` is what a position is worth to row, in payoff units; if it judges finished games too, in any units,
    say `judge_ends`. In a text it is written `module:function`. A game's own heuristic always judges finished games. With
    `whole_turns`, moves that a player makes one after the other count as one.
    """

    depth: int | None = None
    seconds: float | None = None
    heuristic: Any = None
    judge_ends: bool = False
    whole_turns: bool = False
    engine: str = "auto"
    name: ClassVar[str] = "alphabeta"

    def validate(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ParameterError(f"{self.name}: depth is {self.depth!r}; it must be at least 1")
        if self.seconds is not None:
            Budget(seconds=self.seconds)
        self.given_heuristic()

    def limits(self) -> dict[str, Any]:
        """How far to look ahead."""
        seconds = DEFAULT_SECONDS if self.depth is None and self.seconds is None else self.seconds
        return {"depth": self.depth, "seconds": seconds}

    def given_heuristic(self) -> Judge | None:
        """The heuristic that was given; a text says where it is."""
        found = self.heuristic
        if isinstance(found, str):
            module, _, function = found.partition(":")
            try:
                found = getattr(import_module(module), function)
            except (ImportError, AttributeError, ValueError) as error:
                words = f"{self.name}: no heuristic {self.heuristic!r} ({error}); write it as module:function"
                raise ParameterError(words) from error
        if found is not None and not callable(found):
            raise ParameterError(f"{self.name}: heuristic is {self.heuristic!r}; it must be a function of a state")
        return found  # type: ignore[no-any-return]

    def judge(self, state: Any) -> tuple[Judge | None, bool]:
        """What judges the positions of a game, and whether it judges finished ones."""
        given = self.given_heuristic()
        if given is not None:
            return given, self.judge_ends
        own = getattr(type(state), "heuristic", None)  # of the class: a plain function, which can be compiled
        return own, own is not None

    def seat(self, seed: int) -> Seat:
        return AlphaBetaSeat(self, seed)


@dataclass(frozen=True)
class Minimax(AlphaBeta):
    """The same search under its plain name: to the end of the game, unless told how far."""

    name: ClassVar[str] = "minimax"

    def limits(self) -> dict[str, Any]:
        return {"depth": self.depth, "seconds": self.seconds}


@dataclass(frozen=True)
class Smart(AlphaBeta):
    """For games that bring a heuristic and in which a player may move several times running, such as kalah."""

    whole_turns: bool = True
    name: ClassVar[str] = "smart"


class AlphaBetaSeat(Seat):
    """Searches before each move, and does not give up where best play would lose.

    There it plays the move of the deepest search in which the loss was not yet in sight, so that the other player has the
    longest way to find it.
    """

    def __init__(self, agent: AlphaBeta, seed: int) -> None:
        super().__init__(seed)
        self.agent = agent

    def choose(self, state: Any) -> Label:
        names = self.actions(state)
        if len(names) == 1:
            return names[0]
        judge, judges_ends = self.agent.judge(state)
        search = partial(_search, state, judge, judges_ends, self.agent)
        found = search(**self.agent.limits())
        worst = (-inf, inf) if judges_ends else payoff_range(state)
        lost = worst[self.player == "col"]
        return found.best if found.value != lost else self._longest_way(search, found, lost)

    def _longest_way(self, search: Callable[..., Any], found: Any, lost: float) -> Label:
        best, nodes = found.best, 0
        for depth in range(1, found.depth or DEEPEST):
            shallow = search(depth=depth, seconds=AGES, engine="python")  # with a time limit it deepens step by step
            nodes += shallow.nodes
            if shallow.value == lost or nodes > max(found.nodes, FEW_NODES):
                break
            best = shallow.best
        return best  # type: ignore[no-any-return]


def _search(state: Any, judge: Judge | None, judges_ends: bool, agent: AlphaBeta, **limits: Any) -> Any:
    from ..solvers.minimax import minimax

    options = {"judge_ends": judges_ends, "whole_turns": agent.whole_turns, "engine": agent.engine, **limits}
    return minimax(state, judge, **options)
