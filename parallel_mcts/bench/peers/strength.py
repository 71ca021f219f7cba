"""Who wins at equal time: matches of an agent of this package against each peer, sides swapped. Called by one thread.

Every pair of games begins with the same few random moves, so that games differ. Ours is `mcts`, on one core, and begins
anew for each move as its peers do: to move a large tree on can take as long as the next search, and would have to count.
Where a game has an engine of its own here, that plays too. Machine code is there before the first clock starts. A player
that fails ends its matches: its games would say nothing of its strength.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...agents.base import Agent, Player, described
from ...agents.calling import seated
from ...agents.mcts import Mcts
from ...budget import Budget
from ...errors import ParameterError
from ...match import run_match
from ...ratings import wilson
from ...registry import game as start_of
from ...results import Move
from ...rng import stream
from ...search import search
from ...state import is_over, labels
from ..measuring import ForeignLoad
from .base import Clock, Peer, PeerAgent

OPENING_PLIES = 2
OWN_SHARE = 0.95
"""Of the time of a move, which ours searches; the rest is for opening the search and for reading its answer."""


@dataclass(frozen=True)
class Strength:
    """How ours did against one peer: games won, drawn and lost, and the seconds that each side took for a move."""

    game: str
    peer: str
    engine: str
    algorithm: str
    backend: str
    workers: int
    seconds: float
    wins: int = 0
    draws: int = 0
    losses: int = 0
    own_seconds: float = 0.0
    peer_seconds: float = 0.0
    seeds: tuple[int, ...] = ()
    """One for each opening, which is played from both sides."""
    foreign_load: float = 0.0
    trouble: str = ""
    """Why the games were broken off."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points of ours for each game, a draw being half of one."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, of 95%."""
        return wilson(self.wins + self.draws / 2, self.games)


# ---------------------------------------------------------------------------------------------- openings and clocks
@dataclass
class Clocked(Agent):
    """A player that makes the opening moves it is given, then its own.

    What it takes over moves where it has a choice counts, and so does what it takes to hear of any move after the opening.
    """

    agent: Any
    opening: Sequence[Move] = ()
    clock: Clock = time.perf_counter
    spent: float = 0.0
    choices: int = 0

    def seat(self, seed: int) -> ClockedSeat:
        return ClockedSeat(self, seated(self.agent, seed))

    def __str__(self) -> str:
        return described(self.agent)


class ClockedSeat:
    """Passes on every call but those for the opening."""

    def __init__(self, player: Clocked, seat: Any) -> None:
        self.player, self.seat = player, seat
        self.ply = 0

    def begin(self, state: Any, player: Player) -> None:
        self.own, self.ply = ("row", "col").index(player), 0
        self.seat.begin(state, player)

    def choose(self, state: Any) -> Any:
        if self.ply < len(self.player.opening):
            move = self.player.opening[self.ply]
            return (move.row, move.col)[self.own]
        names = labels(state)[self.own]
        if len(names) == 1:
            return names[0]
        self.player.choices += 1
        return self._timed(self.seat.choose, state)

    def told(self, state: Any, moves: Move, after: Any) -> None:
        self.ply += 1
        if self.ply > len(self.player.opening):
            self._timed(self.seat.told, state, moves, after)
        else:
            self.seat.told(state, moves, after)

    def _timed(self, method: Callable[..., Any], *args: Any) -> Any:
        started = self.player.clock()
        answer = method(*args)
        self.player.spent += self.player.clock() - started
        return answer

    def end(self, results: Any, state: Any) -> None:
        self.seat.end(results, state)


def random_opening(start: Any, seed: int, plies: int = OPENING_PLIES) -> tuple[Move, ...]:
    """The first moves of a random game of turns, fewer if they would end it."""
    rng, state, moves = stream(seed, 0), start, list[Move]()
    for _ in range(plies):
        rows, cols = state.shape()
        i, j = int(rng.random() * rows), int(rng.random() * cols)
        after = state.play(i, j)
        if is_over(after):
            break
        names = labels(state)
        moves.append(Move(names[0][i], names[1][j]))
        state = after
    return tuple(moves)


# ---------------------------------------------------------------------------------------------- matches
@dataclass(frozen=True)
class Plan:
    """What is played: so many games of each, an even number of them, and how ours searches."""

    games: int = 20
    seconds: float = 0.2
    seed: int = 1
    ours: Any = field(default_factory=lambda: Mcts(engine="compiled", reuse=False))
    """An agent with `seconds`."""

    def validate(self) -> None:
        if self.games < 2 or self.games % 2:
            raise ParameterError(f"games is {self.games!r}; it must be an even number, 2 or more: sides are swapped")
        Budget(seconds=self.seconds)
        self.agent().validate()

    def agent(self) -> Any:
        """Ours, with the time that it searches."""
        return replace(self.ours, seconds=OWN_SHARE * self.seconds)


def matches(game: str, peer: Peer, plan: Plan) -> Iterator[Strength]:
    """How it stands after every game."""
    start, ours = start_of(game), plan.agent()
    told = described_search(start, plan)
    standing = Strength(game, peer.title, *told, seconds=plan.seconds)
    load, own, theirs = ForeignLoad(), Clocked(ours), Clocked(PeerAgent(peer, game, plan.seconds))
    for number in range(plan.games):
        seed = stream(plan.seed, number // 2).getrandbits(31)
        own.opening = theirs.opening = random_opening(start, seed)
        side = number % 2
        players = (theirs, own) if side else (own, theirs)
        results = run_match(start, *players, seed=seed + side, undo=False).results
        if results.forfeit:
            yield replace(standing, trouble=results.reason)
            return
        standing = counted(standing, results[side] - results[1 - side])
        seeds = (*standing.seeds, seed) if side == 0 else standing.seeds
        standing = replace(
            standing,
            seeds=seeds,
            own_seconds=own.spent / max(1, own.choices),
            peer_seconds=theirs.spent / max(1, theirs.choices),
            foreign_load=load.share(),
        )
        yield standing


def described_search(start: Any, plan: Plan) -> tuple[str, str, str, int]:
    """Searches once, so that machine code is there when it counts; says with which engine and how ours will search."""
    ours = plan.ours
    if not isinstance(ours, Mcts):  # which has its machine code when a match begins, before it is asked
        return "compiled", described(ours), "single", 1
    options: dict[str, Any] = {"algorithm": ours.algorithm, "backend": ours.backend, "workers": ours.workers}
    result = search(start, iterations=max(100, ours.workers or 1), engine=ours.engine, seed=plan.seed, **options)
    if result.interrupted:
        raise KeyboardInterrupt
    return result.engine, repr(result.algorithm), result.backend, result.workers


def counted(standing: Strength, lead: float) -> Strength:
    """With one more game; `lead` is what ours got more than the peer."""
    if lead > 0:
        return replace(standing, wins=standing.wins + 1)
    if lead < 0:
        return replace(standing, losses=standing.losses + 1)
    return replace(standing, draws=standing.draws + 1)
