"""A machine whose searches take as long as a test says, on a clock that only they move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from parallel_mcts.bench.conditions import Conditions, Instruments
from parallel_mcts.bench.scaling import Cell, Quality, Round, ScalingReport, Trial

QUIET = Conditions(0.01, 45e-9, 46e-9)


@dataclass
class FakeMachine:
    """`rate` says how many iterations per second a backend makes with so many workers."""

    rate: Callable[[str, int], float] = lambda backend, workers: 1000.0 * workers
    load: float = 0.01
    hand_over: float | None = 45e-9
    open_seconds: float = 0.25
    interrupted_after: int | None = None
    exploitability: Callable[[str, int], float] = lambda backend, workers: 0.1 / workers
    now: float = 0.0
    runs: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)
    opened: list[dict[str, Any]] = field(default_factory=list)
    open_sessions: int = 0

    @property
    def instruments(self) -> Instruments:
        return Instruments(lambda: self.now, lambda: self, lambda: self.hand_over)

    def share(self) -> float:
        return self.load

    def open_search(self, start: Any, **options: Any) -> FakeSession:
        self.now += self.open_seconds
        self.opened.append(options)
        self.open_sessions += 1
        return FakeSession(self, options)


@dataclass
class FakeResult:
    iterations: int
    seconds: float
    nodes: int
    memory: int
    interrupted: bool
    worth: float

    def exploitability(self, solved: Any) -> float:
        return self.worth


class FakeSession:
    """A search that only says it ran."""

    def __init__(self, machine: FakeMachine, options: dict[str, Any]) -> None:
        self.machine, self.options = machine, options
        self.name, self.workers = options["backend"].name, options["workers"]

    def run(self, *, iterations: int | None = None, seconds: float | None = None) -> FakeResult:
        machine, rate = self.machine, self.machine.rate(self.name, self.workers)
        took = seconds if iterations is None else iterations / rate
        assert took is not None
        machine.now += took
        made = round(took * rate)
        machine.runs.append((self.name, self.workers, {"iterations": iterations, "seconds": seconds}))
        stopped = machine.interrupted_after is not None and len(machine.runs) > machine.interrupted_after
        worth = machine.exploitability(self.name, self.workers)
        return FakeResult(made, took, 2 * made, 200 * made, stopped, worth)

    def close(self) -> None:
        self.machine.open_sessions -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


# ---------------------------------------------------------------------------------------------- reports made up
def a_round(rate: float, conditions: Conditions = QUIET, iterations: int = 1000) -> Round:
    return Round(iterations, iterations / rate, 0.01, 500, 50_000, conditions)


def a_cell(
    backend: str,
    workers: int,
    rates: tuple[float, ...],
    *,
    mode: str = "strong",
    quality: Quality | None = None,
    conditions: Conditions = QUIET,
    algorithm: str = "ucb",
) -> Cell:
    rounds = tuple(a_round(rate, conditions) for rate in rates)
    return Cell(backend, workers, algorithm, "compiled", mode, rounds, 0.5, quality)


def exploitabilities(*values: float, wall: float = 0.1, conditions: Conditions = QUIET) -> Quality:
    return Quality("exploitability", wall, tuple(Trial(value, 0, 900, wall, conditions) for value in values))


def scores(*values: float) -> Quality:
    return Quality("score", 0.1, tuple(Trial(value, 2, None, 0.1, QUIET) for value in values))


def a_report(*cells: Cell, **changes: Any) -> ScalingReport:
    facts: dict[str, Any] = {
        "game": "goofspiel:cards=3",
        "model": "Rollout()",
        "seed": 1,
        "seconds": 1.0,
        "quality_seconds": 0.1,
        "date": "2026-01-02",
        "version": "parallel_mcts 0",
        "machine": "a machine",
        "cores": 2,
        "physical_cores": 2,
    }
    return ScalingReport(**{**facts, "cells": cells, **changes})


def whole_report(**changes: Any) -> ScalingReport:
    """Three backends, two modes, one, two and four workers on two processors."""
    cells = []
    for mode in ("strong", "weak"):
        cells.append(a_cell("single", 1, (900.0, 1000.0, 1100.0), mode=mode, quality=exploitabilities(0.2, 0.3, 0.4)))
        for backend, gain in (("forest", 0.9), ("process", 0.8)):
            for n in (1, 2, 4):
                rate = 1000.0 * (1 + gain * (min(n, 2) - 1))
                quality = exploitabilities(0.1 / n, 0.2 / n, 0.3 / n)
                cells.append(a_cell(backend, n, (0.9 * rate, rate, 1.1 * rate), mode=mode, quality=quality))
    return a_report(*cells, **{"solved": 44, **changes})
