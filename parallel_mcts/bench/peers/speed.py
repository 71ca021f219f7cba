"""Simulations per second of ours, on each engine, and of each peer, on the same rules in one run. One thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ...search import search
from ..measuring import Run, measure
from .base import OURS, Peer

COMPILED, MIXED, INTERPRETED = f"{OURS} compiled", f"{OURS} mixed", f"{OURS} interpreted"
OUR_ENGINES = {COMPILED: "compiled", MIXED: "mixed", INTERPRETED: "python"}
"""Compiled; the search compiled and the game in Python; both in Python."""


@dataclass(frozen=True)
class Speed:
    """One candidate on one game. `ratios` say how many times as fast ours is, by engine."""

    game: str
    candidate: str
    rate: float
    spread: float
    ratios: dict[str, float]
    in_python: bool
    foreign_load: float


def ours(game: str, engine: str) -> Run:
    """UCB from the start of the game, on one thread."""
    start: Any = start_of(game)

    def run(count: int) -> object:
        result = search(start, iterations=count, algorithm="ucb", seed=1, engine=engine)
        if result.interrupted:
            raise KeyboardInterrupt
        return result

    return run


def speeds(game: str, peers: Sequence[Peer], *, seconds: float, rounds: int) -> list[Speed]:
    """All candidates in turn, round by round."""
    candidates = {name: ours(game, engine) for name, engine in OUR_ENGINES.items()}
    candidates |= {peer.title: peer.run(game) for peer in peers}
    rates = measure(candidates, seconds=seconds, rounds=rounds)
    in_python = {MIXED, INTERPRETED, *(peer.title for peer in peers if peer.in_python)}
    return [
        Speed(
            game,
            name,
            rates.median(name),
            rates.spread(name),
            {ours: rates.ratio(ours, name) for ours in OUR_ENGINES},
            name in in_python,
            rates.foreign_load,
        )
        for name in candidates
    ]
