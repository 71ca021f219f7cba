"""What a scaling benchmark measures: which backends, workers, algorithms and modes, and in which order.

Pure functions and frozen values; nothing is run here.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...backends.base import check_workers, cores
from ...engines.choice import check_engine
from ...errors import MissingDependency, ParameterError, unknown_name
from ...registry import ALGORITHMS, BACKENDS, Registry
from ...search import default_algorithm
from .figures import BASE, MODES

BEYOND = 2
"""So many times the processors is the most workers that are tried."""
ONE_AFTER_THE_OTHER = "inline"
"""The backend that has workers but does not run them at once: not measured unless it is asked for."""


@dataclass(frozen=True)
class Setting:
    """What a search runs on."""

    backend: str
    workers: int
    algorithm: str

    def __str__(self) -> str:
        return f"{self.backend} × {self.workers}, {self.algorithm}"


@dataclass(frozen=True)
class Plan:
    """All settings, `single` first for each algorithm; the things that the names in them stand for; and how to run them."""

    settings: tuple[Setting, ...]
    backends: dict[str, Any]
    algorithms: dict[str, Any]
    modes: tuple[str, ...]
    engine: str
    optional: bool
    """Whether backends that cannot run this game are left out, since nobody asked for them."""

    def budget(self, setting: Setting, mode: str, iterations: int) -> int:
        """Iterations of a whole search: in all, or for each worker."""
        return iterations if mode == "strong" else iterations * setting.workers


def plan_for(
    start: Any,
    *,
    backends: Sequence[Any] | None = None,
    workers: Sequence[int] | None = None,
    algorithms: Sequence[Any] | None = None,
    engine: str = "auto",
    mode: str = "both",
) -> Plan:
    """The plan for a game; what is left out is everything there is, up to twice the processors."""
    chosen = default_backends() if backends is None else named(BACKENDS, backends)
    with_base = {BASE: BACKENDS.make(BASE), **chosen}
    bandits = named(ALGORITHMS, [default_algorithm(start)] if algorithms is None else algorithms)
    counts = default_workers(cores()) if workers is None else checked_counts(workers)
    settings = [
        Setting(backend, count, algorithm)
        for algorithm in bandits
        for backend, thing in with_base.items()
        for count in ([1] if not takes_workers(thing) else counts)
    ]
    return Plan(tuple(settings), with_base, bandits, modes_of(mode), check_engine(engine), backends is None)


def default_backends() -> dict[str, Any]:
    """Every registered backend whose workers run at once, and which is installed."""
    found = {}
    for name in BACKENDS.names():
        try:
            backend = BACKENDS.make(name)
        except MissingDependency:
            continue
        if takes_workers(backend) and name != ONE_AFTER_THE_OTHER:
            found[name] = backend
    return found


def default_workers(processors: int) -> list[int]:
    """1, 2, 4, … up to the processors, all of them, and as many again."""
    powers = [2**k for k in range(processors.bit_length())]
    return sorted({*powers, processors, BEYOND * processors})


def takes_workers(backend: Any) -> bool:
    """Whether a backend can have more than one worker."""
    try:
        check_workers(2, backend)
    except ParameterError:
        return False
    return True


def named(registry: Registry, given: Sequence[Any]) -> dict[str, Any]:
    """Things by what they are called: as they were asked for, else as they describe themselves."""
    if isinstance(given, str) or not given:
        raise ParameterError(f"{registry.kind}s is {given!r}; give a list of at least one {registry.kind}")
    return {spec if isinstance(spec, str) else repr(spec): registry.make(spec) for spec in given}


def checked_counts(workers: Iterable[Any]) -> list[int]:
    counts = list(workers)
    for count in counts:
        if not isinstance(count, numbers.Integral) or isinstance(count, bool) or count < 1:
            raise ParameterError(f"workers are {counts!r}; each must be a whole number of at least 1")
    if not counts:
        raise ParameterError("workers is empty; give at least one number, such as 1")
    return sorted({int(count) for count in counts})


def modes_of(mode: str) -> tuple[str, ...]:
    if mode not in (*MODES, "both"):
        raise unknown_name("mode", str(mode), (*MODES, "both"))
    return MODES if mode == "both" else (mode,)


def checked_seconds(name: str, seconds: float) -> float:
    if not (isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 < seconds < math.inf):
        raise ParameterError(f"{name} is {seconds!r}; it must be above 0 and finite")
    return float(seconds)


def checked_count(name: str, count: int) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise ParameterError(f"{name} is {count!r}; it must be a whole number of at least 1")
    return count


def in_turn(things: Sequence[Any], turn: int, turns: int) -> list[Any]:
    """All things in the order of a round: each begins elsewhere, so that none always comes after the same pause."""
    first = turn * len(things) // turns
    return [*things[first:], *things[:first]]
