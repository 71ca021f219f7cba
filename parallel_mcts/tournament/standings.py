"""Where a tournament stands: points, win rates, ratings and tests, worked out from the games that count. Plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from ..ratings import Rating, Sprt, bradley_terry, wilson
from .schedule import Record

SCORES = [1.0, 0.5, 0.0]


@dataclass(frozen=True)
class Standing:
    """One agent: `rate` is its points per game, `rate_low` to `rate_high` Wilson's interval; Elo by Bradley and Terry."""

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    rate: float
    rate_low: float
    rate_high: float
    elo: float
    elo_low: float
    elo_high: float
    seconds_per_move: float


@dataclass(frozen=True)
class Verdict:
    """What the sequential test says of one agent against another; `accepted` is "elo0", "elo1" or None."""

    one: str
    other: str
    games: int
    llr: float
    bounds: tuple[float, float]
    accepted: str | None


@dataclass(frozen=True)
class Standings:
    """The result of a tournament, best agent first. `print` it for a table.

    `left_out` counts games that were played but do not count, because a test had been decided before their turn.
    """

    names: tuple[str, ...]
    records: tuple[Record, ...]
    total: int
    confidence: float = 0.95
    verdicts: tuple[Verdict, ...] = ()
    left_out: int = 0
    interrupted: bool = False

    @cached_property
    def rows(self) -> tuple[Standing, ...]:
        games = [(record.row, record.col, record.score_of(record.row)) for record in self.records]
        ratings = bradley_terry(self.names, games, confidence=self.confidence)
        rows = [self._row(name, ratings[name]) for name in self.names]
        return tuple(sorted(rows, key=lambda row: (-row.elo, row.name)))

    def __getitem__(self, name: str) -> Standing:
        return next(row for row in self.rows if row.name == name)

    def score(self, one: str, other: str) -> tuple[int, int, int]:
        """Wins, draws and losses of one agent against another."""
        return tally((r for r in self.records if {r.row, r.col} == {one, other}), one)

    def _row(self, name: str, rating: Rating) -> Standing:
        own = [record for record in self.records if name in (record.row, record.col)]
        wins, draws, losses = tally(own, name)
        points = wins + draws / 2
        low, high = wilson(points, len(own), self.confidence)
        sides = [("row" if record.row == name else "col", record) for record in own]
        forfeits = sum(side in record.forfeit for side, record in sides)
        thought = sum(record.seconds[side == "col"] for side, record in sides)
        moves = sum(record.moves for record in own)
        rate = points / len(own) if own else 0.5
        elo = rating.elo, rating.low, rating.high
        per_move = thought / moves if moves else 0.0
        return Standing(name, len(own), wins, draws, losses, forfeits, rate, low, high, *elo, per_move)

    def to_dict(self) -> dict[str, Any]:
        """As numbers, texts, lists and dictionaries, ready for JSON."""
        return {
            "standings": [asdict(row) for row in self.rows],
            "verdicts": [asdict(verdict) for verdict in self.verdicts],
            "games": len(self.records),
            "total": self.total,
            "left_out": self.left_out,
            "interrupted": self.interrupted,
        }

    def __str__(self) -> str:
        head = ("", "agent", "games", "wins", "draws", "losses", "rate", f"{self.confidence:.0%}", "Elo", "±")
        lines = [head, *(_cells(k, row) for k, row in enumerate(self.rows, start=1))]
        widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
        text = [
            "  ".join(
                cell.ljust(width) if k == 1 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        text += [_said(verdict) for verdict in self.verdicts]
        text.append(f"{len(self.records)} of {self.total} games" + (", interrupted" if self.interrupted else ""))
        return "\n".join(text)


def tally(records: Iterable[Record], name: str) -> tuple[int, int, int]:
    """Wins, draws and losses of an agent."""
    scores = [record.score_of(name) for record in records]
    wins, draws, losses = (scores.count(score) for score in SCORES)
    return wins, draws, losses


class PairTest:
    """The sequential test of one agent against another, fed with their games in the order of the schedule."""

    def __init__(self, sprt: Sprt, one: str, other: str) -> None:
        self.sprt, self.one, self.other = sprt, one, other
        self.counts = [0, 0, 0]
        self.accepted: str | None = None

    def feed(self, record: Record) -> None:
        self.counts[SCORES.index(record.score_of(self.one))] += 1
        self.accepted = self.sprt.decision(*self.counts)

    @property
    def games(self) -> int:
        return sum(self.counts)

    def verdict(self) -> Verdict:
        llr = self.sprt.llr(*self.counts) if self.games else 0.0
        return Verdict(self.one, self.other, self.games, llr, self.sprt.bounds, self.accepted)


def _cells(place: int, row: Standing) -> tuple[str, ...]:
    return (
        str(place),
        row.name,
        str(row.games),
        str(row.wins),
        str(row.draws),
        str(row.losses),
        f"{row.rate:.1%}",
        f"{row.rate_low:.1%}–{row.rate_high:.1%}",
        f"{row.elo:+.0f}",
        f"{(row.elo_high - row.elo_low) / 2:.0f}",
    )


def _said(verdict: Verdict) -> str:
    words = f"{verdict.accepted} accepted" if verdict.accepted else "not decided"
    low, high = verdict.bounds
    ratio = f"LLR {verdict.llr:.2f} ({low:.2f}, {high:.2f})"
    return f"{verdict.one} against {verdict.other}: {words} after {verdict.games} games, {ratio}"
