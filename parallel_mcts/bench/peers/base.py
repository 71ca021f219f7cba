"""What a peer is: another package's tree search, in the form that all comparisons ask for. Called by one thread.

A peer follows a match by the numbers of the moves, counted as this package's games list them, so that one that has
positions of its own needs no translation of ours. A peer without a clock is given a number of simulations by a `Pace`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import ceil
from typing import Any, ClassVar, Protocol, TypeVar

from ...agents.base import PLAYERS, Agent, Player, Seat
from ...errors import MissingDependency
from ...results import Move
from ...state import IDLE, action_index, labels
from ..measuring import Run

Answer = TypeVar("Answer")
Clock = Callable[[], float]

OURS = "parallel_mcts"
GAMES = ("tictactoe", "connect_four", "kalah", "gomoku")
"""What is played with peers; gomoku on 15 by 15 squares."""
IN_FAVOUR = 1.1
"""A peer without a clock is given so much more than it should need."""
LEAST = 2
"""Simulations of a move: from fewer, some searches have no answer."""
WARM_UP = 0.2
"""The share of a move's time that its first estimate must rest on."""


class Mind(Protocol):
    """A peer's search at one match, from the start of the game on."""

    def follow(self, number: int) -> None:
        """Somebody, it may be itself, has made the move of that number."""

    def think(self) -> int:
        """The number of the move it would make; takes about as long as it was told to when it was made."""


class Peer(Protocol):
    """An adapter."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""

    @property
    def title(self) -> str:
        """What it is called in a table."""

    @property
    def module(self) -> str:
        """What has to be there to be imported."""

    @property
    def in_python(self) -> bool:
        """Whether its search, or the rules it plays by, run in the interpreter."""

    def run(self, game: str) -> Run:
        """Makes so many simulations from the start of a game."""

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        """A search that takes so many seconds for each move."""


def needed(module: str) -> Any:
    """A module of a package that need not be installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingDependency(f"{module} is not installed: pip install 'parallel-mcts[bench]'") from error


def trouble(module: str) -> str:
    """Why a module cannot be had; nothing if it can."""
    try:
        needed(module)
    except MissingDependency as error:
        return str(error)
    return ""


# ---------------------------------------------------------------------------------------------- at a match
@dataclass(frozen=True)
class PeerAgent(Agent):
    """A peer as a player of matches that begin at the start of a game."""

    peer: Peer
    game: str
    seconds: float
    name: ClassVar[str] = "peer"

    def seat(self, seed: int) -> PeerSeat:
        return PeerSeat(self, seed)

    def __str__(self) -> str:
        return self.peer.title


class PeerSeat(Seat):
    """Tells the peer what was played, and asks it."""

    mind: Mind

    def __init__(self, agent: PeerAgent, seed: int) -> None:
        super().__init__(seed)
        self.agent, self.seed = agent, seed

    def begin(self, state: Any, player: Player) -> None:
        super().begin(state, player)
        self.mind = self.agent.peer.mind(self.agent.game, self.agent.seconds, self.seed)

    def choose(self, state: Any) -> Any:
        return self.actions(state)[self.mind.think()]

    def told(self, state: Any, moves: Move, after: Any) -> None:
        super().told(state, moves, after)
        self.mind.follow(number_of(state, moves))


def number_of(state: Any, moves: Move) -> int:
    """The number of the move that was made in a game of turns."""
    played = zip(labels(state), (moves.row, moves.col), PLAYERS, strict=True)
    return sum(action_index(names, action, player, state) for names, action, player in played if names != [IDLE])


# ---------------------------------------------------------------------------------------------- time and positions
class Pace:
    """How many simulations take a given time, for a search that has no clock: as many as its last one would have made.

    Where games get shorter the next simulations are quicker than the last, so that a move would take less than its time;
    `IN_FAVOUR` makes up for that.
    """

    def __init__(self, seconds: float, clock: Clock = time.perf_counter) -> None:
        self.seconds, self.clock = seconds, clock
        self.rate = 0.0

    def search(self, run: Callable[[int], Answer]) -> Answer:
        """Runs as many simulations as fit into the time."""
        if not self.rate:
            self.warm_up(run)
        return self._timed(run, max(LEAST, ceil(self.rate * self.seconds * IN_FAVOUR)))[0]

    def warm_up(self, run: Callable[[int], Answer]) -> None:
        """Makes the first estimate; before a match begins, so that it costs no time there."""
        count = 4
        while self._timed(run, count)[1] < self.seconds * WARM_UP:
            count *= 2

    def _timed(self, run: Callable[[int], Answer], count: int) -> tuple[Answer, float]:
        started = self.clock()
        answer = run(count)
        took = self.clock() - started
        if took > 0:
            self.rate = count / took
        return answer, took


def until(seconds: float, step: Callable[[], object], clock: Clock = time.perf_counter) -> int:
    """Takes steps until the time is up, one at least; returns how many. For a search that can be continued."""
    steps, end = 0, clock() + seconds
    while True:
        step()
        steps += 1
        if clock() >= end:
            return steps


class Position:
    """A position of ours in a game of turns, with moves numbered from 0: what adapters build foreign positions on."""

    __slots__ = ("last", "moves", "player", "state")

    def __init__(self, state: Any, last: int = -1) -> None:
        rows, cols = state.shape()
        self.state, self.last = state, last
        self.moves: int = rows * cols
        self.player = 0 if cols == 1 else 1  # where there is a single move, it does not matter whose it is

    def after(self, number: int) -> Any:
        """The position after a move."""
        play = self.state.play
        return type(self)(play(number, 0) if self.player == 0 else play(0, number), number)

    def result(self) -> int:
        """At the end: 1 if row has won, -1 if column has, 0 for a draw."""
        payoff = self.state.payoff()
        return 0 if payoff == 0.5 else 1 if payoff > 0.5 else -1


class Following:
    """The part of a mind that keeps the position; subclasses think."""

    def __init__(self, position: Any) -> None:
        self.position = position

    def follow(self, number: int) -> None:
        self.position = self.position.after(number)
