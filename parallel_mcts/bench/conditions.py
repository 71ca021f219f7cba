"""What went on around a figure: how much of the machine others took, and how fast cores hand a cache line over.

Benchmarks run each of their measurements through `Instruments.observing`, and say with every figure what it saw; tests
give them instruments of their own. Only the thread that measures comes here.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self, TypeVar

from ..backends.base import cores
from .measuring import NOISY_LOAD, ForeignLoad

HAND_OVERS, PATIENCE = 10_000, 0.2
"""Of a cache line for one reading, and the seconds that it may take."""

T = TypeVar("T")


@dataclass(frozen=True)
class Conditions:
    """The share of the processors that others took during a measurement, and seconds of a hand-over before and after it.

    There is no telling (None) where there is one processor only, or none to spare for that long.
    """

    foreign_load: float
    ping_pong_before: float | None
    ping_pong_after: float | None

    @classmethod
    def from_dict(cls, numbers: dict[str, Any]) -> Self:
        return cls(numbers["foreign_load"], numbers["ping_pong_before"], numbers["ping_pong_after"])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Meter(Protocol):
    """Something that tells what share of the processors others have taken since it was made."""

    def share(self) -> float: ...


def ping_pong() -> float | None:
    """Seconds of a hand-over now; None where the two threads that it takes do not get to run at once."""
    if cores() < 2:
        return None
    from .ping_pong import round_trip

    seconds = round_trip(HAND_OVERS, PATIENCE)
    return seconds if math.isfinite(seconds) else None


@dataclass(frozen=True)
class Instruments:
    """What a benchmark measures with."""

    clock: Callable[[], float] = time.perf_counter
    meter: Callable[[], Meter] = ForeignLoad
    ping_pong: Callable[[], float | None] = ping_pong

    def observing(self, task: Callable[[], T]) -> tuple[T, Conditions]:
        """Does something, and tells under what conditions."""
        before, meter = self.ping_pong(), self.meter()
        done = task()
        share = meter.share()
        return done, Conditions(share, before, self.ping_pong())


# ---------------------------------------------------------------------------------------------- of several measurements
def mean_load(conditions: Iterable[Conditions]) -> float:
    """The foreign load during all of them."""
    return statistics.fmean(each.foreign_load for each in conditions)


def readings(conditions: Iterable[Conditions]) -> list[float]:
    """All hand-overs, before and after."""
    both = [(each.ping_pong_before, each.ping_pong_after) for each in conditions]
    return [seconds for pair in both for seconds in pair if seconds is not None]


def spoiled(conditions: Iterable[Conditions]) -> list[str]:
    """What is wrong with a figure that was measured under such conditions, in words; nothing if all was well."""
    from .ping_pong import state_of

    seen = list(conditions)
    words = []
    if mean_load(seen) > NOISY_LOAD:
        words.append(f"other programs used {mean_load(seen):.0%} of the processors")
    hand_overs = readings(seen)
    if {state_of(seconds) for seconds in hand_overs} >= {"fast", "slow"}:
        low, high = min(hand_overs) * 1e9, max(hand_overs) * 1e9
        words.append(f"the cache line ping-pong changed between fast and slow ({low:.0f} to {high:.0f} ns)")
    return words
