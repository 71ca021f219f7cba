"""A comparison with peers: what is to be measured, what has been, and which targets that reaches. Called by one thread.

Every figure carries the share of the processors that other programs took meanwhile. `compare` fills a `Comparison` row by
row, so that one that is cut short still holds what was measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from ...agents.gomoku import Gomoku
from ...errors import ParameterError, unknown_name
from ..measuring import machine
from . import exploitability, strength
from .base import GAMES, OURS, Peer, trouble
from .exploitability import OUR_SEARCHES, Candidate, Exploitability
from .known import PEERS
from .open_spiel_cfr import FORMS, SOLVERS, Cfr
from .speed import COMPILED, INTERPRETED, MIXED, OUR_ENGINES, Speed, speeds
from .strength import Plan, Strength

PARTS = ("speed", "strength", "exploitability")
GAMES_OF = {"speed": GAMES, "strength": GAMES, "exploitability": tuple(FORMS)}
WANTED = {("connect_four", "OpenSpiel C++"): 0.75, ("kalah", "OpenSpiel C++"): 0.6, ("gomoku", "OpenSpiel C++"): 0.6}
"""What ours is to score at least; against others more than half, and half where perfect play draws."""
ENGINES = {"gomoku": Gomoku()}
"""Games that have an engine of their own, which plays beside the search; it is to score `WANTED_OF_ENGINES` at least."""
WANTED_OF_ENGINES = 0.95
DRAWN = ("tictactoe",)
YARDSTICK = SOLVERS["mccfr_outcome"]


@dataclass(frozen=True)
class Request:
    """What to measure. No names stand for all of them."""

    parts: Sequence[str] = PARTS
    games: Sequence[str] = ()
    against: Sequence[str] = ()
    rounds: int = 5
    round_seconds: float = 1.0
    plan: Plan = field(default_factory=Plan)
    workers: int | None = None
    """Beside one core, ours also plays with so many processes."""
    times: Sequence[float] = (1.0, 10.0)
    seeds: int = 5

    def validate(self) -> None:
        known_parts(self.parts)
        known_games = {game for part in self.parts for game in GAMES_OF[part]}
        _check("game to compare on", self.games, known_games)
        _check("peer", self.against, {*PEERS, *SOLVERS})
        for name in ("rounds", "seeds"):
            if getattr(self, name) < 1:
                raise ParameterError(f"{name} is {getattr(self, name)!r}; it must be 1 or more")
        if not self.round_seconds > 0:
            raise ParameterError(f"round_seconds is {self.round_seconds!r}; it must be above 0")
        if not self.times or min(self.times) <= 0:
            raise ParameterError(f"times is {list(self.times)!r}; give one time or more, in seconds, above 0")
        if self.workers is not None and self.workers < 1:
            raise ParameterError(f"workers is {self.workers!r}; it must be 1 or more")
        self.plan.validate()

    def games_of(self, part: str) -> list[str]:
        return [game for game in GAMES_OF[part] if game in (self.games or GAMES_OF[part])]

    def named(self, known: dict[str, Any]) -> list[Any]:
        """Those of some peers that are asked for."""
        return [peer for name, peer in known.items() if name in (self.against or known)]


def known_parts(parts: Sequence[str]) -> None:
    _check("part", parts, PARTS)


def _check(kind: str, names: Sequence[str], known: Any) -> None:
    for name in names:
        if name not in known:
            raise unknown_name(kind, name, known)


# ---------------------------------------------------------------------------------------------- what was found
class Target(NamedTuple):
    """Something that was to be reached, and what was found."""

    words: str
    found: str
    reached: bool


@dataclass
class Comparison:
    """All figures so far, and how they came about."""

    command: str = ""
    date: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M"))
    machine: str = field(default_factory=machine)
    speed: list[Speed] = field(default_factory=list)
    strength: list[Strength] = field(default_factory=list)
    exploitability: list[Exploitability] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    """Why a peer is not there."""
    interrupted: bool = False

    def targets(self) -> list[Target]:
        """Those that the figures say something of."""
        return [*self._speed_targets(), *self._strength_targets(), *self._exploitability_targets()]

    def _speed_targets(self) -> Iterator[Target]:
        for game in dict.fromkeys(row.game for row in self.speed):
            peers = [row for row in self.speed if row.game == game and row.candidate not in OUR_ENGINES]
            in_python = [row for row in peers if row.in_python]
            for ours, rivals in ((COMPILED, peers), (MIXED, in_python), (INTERPRETED, in_python)):
                if rivals:
                    nearest = min(rivals, key=lambda row: row.ratios[ours])
                    times = nearest.ratios[ours]
                    among = "peer" if ours == COMPILED else "peer with its games in Python"
                    found = f"{times:.2f} × {nearest.candidate}, the nearest"
                    yield Target(f"{game}: {ours} is faster than every {among}", found, times > 1)

    def _strength_targets(self) -> Iterator[Target]:
        for row in self.strength:
            if row.trouble or not row.games:
                continue
            low, high = row.interval
            found = f"{row.score:.1%} ({low:.0%} to {high:.0%}) of {row.games} games"
            engine = row.game in ENGINES and row.algorithm == str(ENGINES[row.game])
            least = WANTED_OF_ENGINES if engine else WANTED.get((row.game, row.peer), 0.5)
            enough = row.score > least or (row.score == least and (least > 0.5 or row.game in DRAWN))
            words = f"{least:.0%} or more" if least > 0.5 or row.game in DRAWN else "more than half"
            ours = f"the engine {row.algorithm}" if engine else OURS
            yield Target(f"{row.game}: {ours} scores {words} against {row.peer}", found, enough)

    def _exploitability_targets(self) -> Iterator[Target]:
        at = {(row.game, row.seconds, row.candidate): row for row in self.exploitability}
        for (game, seconds, candidate), theirs in at.items():
            for ours in (search.title for search in OUR_SEARCHES[:2]):
                own = at.get((game, seconds, ours))
                if candidate == YARDSTICK.title and own is not None:
                    words = f"{game}: {ours} is less exploitable than MCCFR after {seconds:g} s"
                    yield Target(words, f"{own.mean:.4f} to {theirs.mean:.4f}", own.mean < theirs.mean)

    def to_dict(self) -> dict[str, Any]:
        """As numbers, texts, lists and dictionaries, ready for JSON."""
        return {
            **{name: getattr(self, name) for name in ("command", "date", "machine", "missing", "interrupted")},
            "speed": [asdict(row) for row in self.speed],
            "strength": [{**asdict(row), "score": row.score, "interval": row.interval} for row in self.strength],
            "exploitability": [{**asdict(row), "mean": row.mean, "reach": row.reach} for row in self.exploitability],
            "targets": [target._asdict() for target in self.targets()],
        }

    def csv_rows(self) -> Iterator[tuple[Any, ...]]:
        """A line for each figure: part, game, who, and the figures by name."""
        yield "part", "game", "candidate", "figure", "value", "date", "machine"
        for part in PARTS:
            for row in self.to_dict()[part]:
                who = row.get("candidate") or row["peer"]
                ratios = {f"{ours} is so many times as fast": ratio for ours, ratio in row.pop("ratios", {}).items()}
                for name, value in {**row, **ratios}.items():
                    if name not in ("game", "candidate", "peer"):
                        text = " ".join(map(str, value)) if isinstance(value, tuple | list) else value
                        yield part, row["game"], who, name, text, self.date, self.machine


# ---------------------------------------------------------------------------------------------- measuring
Tell = Callable[[str], None]


def compare(request: Request, comparison: Comparison, tell: Tell = lambda words: None) -> None:
    """Measures what is asked for; `tell` hears what is being done, after every change of the comparison."""
    request.validate()
    measures: dict[str, Callable[..., None]] = {
        "speed": _measure_speed,
        "strength": _measure_strength,
        "exploitability": _measure_exploitability,
    }
    for part in PARTS:
        rivals = request.named(SOLVERS if part == "exploitability" else PEERS)
        if part in request.parts and rivals:
            measures[part](request, comparison, _present(rivals, comparison), tell)
            tell(f"{part} is done")


def _present(peers: Sequence[Any], comparison: Comparison) -> list[Any]:
    """Those that are installed; the others are noted."""
    comparison.missing |= {peer.title: why for peer in peers if (why := trouble(peer.module))}
    return [peer for peer in peers if peer.title not in comparison.missing]


def _measure_speed(request: Request, comparison: Comparison, peers: Sequence[Peer], tell: Tell) -> None:
    for game in request.games_of("speed"):
        candidates = len(OUR_ENGINES) + len(peers)
        tell(f"speed on {game}: {request.rounds} rounds of {request.round_seconds:g} s for each of {candidates}")
        comparison.speed += speeds(game, peers, seconds=request.round_seconds, rounds=request.rounds)


def _measure_strength(request: Request, comparison: Comparison, peers: Sequence[Peer], tell: Tell) -> None:
    plans = [request.plan]
    if request.workers is not None:
        plans.append(replace(request.plan, ours=replace(request.plan.ours, backend="process", workers=request.workers)))
    for game in request.games_of("strength"):
        engine = [replace(request.plan, ours=ENGINES[game])] if game in ENGINES else []
        for peer in peers:
            for plan in plans + engine:
                tell(f"{game} against {peer.title}: {plan.games} games of {plan.seconds:g} s a move")
                place = len(comparison.strength)
                for standing in strength.matches(game, peer, plan):
                    comparison.strength[place:] = [standing]
                    tell(f"{game} against {peer.title}: {standing.games} of {plan.games} games")


def _measure_exploitability(request: Request, comparison: Comparison, solvers: Sequence[Cfr], tell: Tell) -> None:
    seeds = [request.plan.seed + k for k in range(request.seeds)]
    for game in request.games_of("exploitability"):
        candidates: list[Candidate] = [*OUR_SEARCHES, *solvers]
        for candidate in candidates:
            comparison.exploitability += exploitability.measured(
                game, candidate, seconds=request.times, seeds=seeds, on_run=tell
            )
