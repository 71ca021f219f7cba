"""Simulations per second of ours, compiled and interpreted, and of each peer, on the same rules in one run. One thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...registry import game as start_of
from ...search import search
from ..measuring import Run, measure
from .base import OURS, Peer

COMPILED, INTERPRETED = f"{OURS} compiled", f"{OURS} interpreted"


@dataclass(frozen=True)
class Speed:
    """One candidate on one game. `ratio` is how many times as fast ours is, in the engine that is compared with it."""

    game: str
    candidate: str
    rate: float
    spread: float
    compiled_ratio: float
    interpreted_ratio: float
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
    candidates = {COMPILED: ours(game, "compiled"), INTERPRETED: ours(game, "python")}
    candidates |= {peer.title: peer.run(game) for peer in peers}
    rates = measure(candidates, seconds=seconds, rounds=rounds)
    in_python = {INTERPRETED, *(peer.title for peer in peers if peer.in_python)}
    return [
        Speed(
            game,
            name,
            rates.median(name),
            rates.spread(name),
            rates.ratio(COMPILED, name),
            rates.ratio(INTERPRETED, name),
            name in in_python,
            rates.foreign_load,
        )
        for name in candidates
    ]
