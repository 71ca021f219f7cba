"""How the benchmarks measure: candidates take turns in one run, and are compared as ratios of medians.

Machines are noisy, so nothing here is a time on its own: what counts is how candidates do beside each other, round by
round. The share of the processors that other programs took meanwhile is recorded with every figure.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import psutil

Run = Callable[[int], object]
"""Makes so many iterations."""

NOISY_LOAD = 0.05


@dataclass(frozen=True)
class Rates:
    """Iterations per second of each candidate in each round, and the share of the machine that others used."""

    rounds: dict[str, list[float]]
    foreign_load: float

    def median(self, name: str) -> float:
        return statistics.median(self.rounds[name])

    def ratio(self, name: str, other: str) -> float:
        """The median, over the rounds, of how a candidate did beside another in the same round."""
        return statistics.median(a / b for a, b in zip(self.rounds[name], self.rounds[other], strict=True))

    def spread(self, name: str) -> float:
        """Highest less lowest rate, beside the median."""
        return (max(self.rounds[name]) - min(self.rounds[name])) / self.median(name)


def measure(candidates: Mapping[str, Run], *, seconds: float = 1.0, rounds: int = 5) -> Rates:
    """Runs every candidate for about `seconds` in each round, in turn."""
    counts = {name: calibrate(run, seconds) for name, run in candidates.items()}
    rates: dict[str, list[float]] = {name: [] for name in candidates}
    load = ForeignLoad()
    for _ in range(rounds):
        for name, run in candidates.items():
            started = time.perf_counter()
            run(counts[name])
            rates[name].append(counts[name] / (time.perf_counter() - started))
    return Rates(rates, load.share())


def calibrate(run: Run, seconds: float) -> int:
    """How many iterations take about so long; warms the candidate up on the way."""
    count = 100
    run(count)  # the first time, things are compiled and processes started
    while True:
        started = time.perf_counter()
        run(count)
        took = time.perf_counter() - started
        if took >= seconds / 5:
            return max(int(count * seconds / took), 1)
        count *= 4


class ForeignLoad:
    """The share of the processors taken by other programs since it was made."""

    def __init__(self) -> None:
        self.process = psutil.Process()
        self.started, self.own, self.all = time.perf_counter(), self._own(), self._all()

    def _own(self) -> float:
        family = [self.process, *self.process.children(recursive=True)]
        times = [p.cpu_times() for p in family if p.is_running()]
        living = sum(t.user + t.system for t in times)
        return float(living + sum(t.children_user + t.children_system for t in times))  # and those that have ended

    def _all(self) -> float:
        times = psutil.cpu_times()
        return float(times.user + times.system + times.nice + getattr(times, "steal", 0.0))

    def share(self) -> float:
        passed = (time.perf_counter() - self.started) * (os.cpu_count() or 1)
        return max(0.0, (self._all() - self.all) - (self._own() - self.own)) / passed


def machine() -> str:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
        model = names[0] if names else model
    return f"{os.cpu_count()} × {model}, {platform.python_implementation()} {platform.python_version()}"


def header(load: float) -> str:
    warning = "  (NOISY: compare ratios only)" if load > NOISY_LOAD else ""
    return f"{machine()}; {time.strftime('%Y-%m-%d')}; other programs used {load:.0%} of the processors{warning}"
