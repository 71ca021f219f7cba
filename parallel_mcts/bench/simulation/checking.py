"""Holds the model against what workers of this machine really do: the same search, foretold and then run.

Real searches on real backends, in rounds in which all of them take turns. One thread.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...backends.base import cores
from ...backends.process import warm_up
from ...budget import Budget
from ...search import Search
from ..measuring import ForeignLoad
from ..ping_pong import hand_over
from ..subject import Subject
from .costs import Costs
from .judging import Judge
from .quality import Quality
from .report import Check
from .root_parallel import root_parallel
from .shared_tree import shared_tree

ALONE, ROOT_PARALLEL, SHARED_TREE = "single", "process", "threaded"
SIMULATED = 9
"""Searches that the model makes for a prediction; the median counts, as it does for what is measured."""


@dataclass
class Cell:
    """What was measured of one backend with so many workers."""

    backend: str
    workers: int
    rates: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)
    ping_pongs: list[float] = field(default_factory=list)


def plan(workers: Sequence[int]) -> list[Cell]:
    """What is to be measured."""
    return [Cell(ALONE, 1), *(Cell(backend, n) for backend in (ROOT_PARALLEL, SHARED_TREE) for n in workers)]


def measure(
    cells: Sequence[Cell],
    subject: Subject,
    engine: str,
    judge: Judge,
    *,
    iterations: int,
    rounds: int,
    seed: int,
    told: Callable[[str], None],
) -> None:
    """Fills the cells; where Ctrl-C ends it, what was measured before stays in them."""
    warm_up(max(cell.workers for cell in cells))
    for at in range(rounds):
        for k in range(len(cells)):
            cell = cells[(k + at) % len(cells)]
            told(f"checking {cell.backend} × {cell.workers}, round {at + 1} of {rounds}")
            _measure(cell, subject, engine, judge, iterations, seed + at)


def _measure(cell: Cell, subject: Subject, engine: str, judge: Judge, iterations: int, seed: int) -> None:
    ping_pong = hand_over()
    options = {**subject.options(), "backend": cell.backend, "workers": cell.workers}
    with Search(subject.state, **options, engine=engine, seed=seed) as session:
        session.result()  # opens it: workers are planted before the clock starts
        load, began = ForeignLoad(), time.perf_counter()
        result = session.run(iterations=iterations * cell.workers)
        took = time.perf_counter() - began
    if result.interrupted:
        raise KeyboardInterrupt
    cell.rates.append(result.iterations / took)
    cell.errors.append(judge.error(result.row, result.col, result.row_value))
    cell.loads.append(load.share())
    cell.ping_pongs.append(ping_pong)


def compared(cells: Sequence[Cell], costs: Costs, quality: Quality, iterations: int, seed: int) -> tuple[Check, ...]:
    """What was measured beside what the model says, which is told how fast one worker alone was in the same rounds."""
    alone = [cell for cell in cells if cell.backend == ALONE and cell.rates]
    if alone:
        costs = replace(costs, playout=1.0 / statistics.median(alone[0].rates))
    measured = [cell for cell in cells if cell.backend != ALONE and cell.rates]
    return tuple(_compared(cell, costs, quality, iterations, seed) for cell in measured)


def _compared(cell: Cell, costs: Costs, quality: Quality, iterations: int, seed: int) -> Check:
    ping_pong = statistics.median(cell.ping_pongs)
    rate = statistics.median(cell.rates)
    of_tree = (iterations, cell.workers) if cell.backend == ROOT_PARALLEL else (iterations * cell.workers, 1)
    return Check(
        backend=cell.backend,
        workers=cell.workers,
        iterations=iterations * cell.workers,
        predicted_rate=foretold(cell.backend, cell.workers, replace(costs, hand_over=ping_pong), iterations, seed),
        measured_rate=rate,
        spread=(max(cell.rates) - min(cell.rates)) / rate,
        predicted_error=quality.error(*of_tree),
        measured_error=statistics.fmean(error**2 for error in cell.errors) ** 0.5,
        foreign_load=statistics.fmean(cell.loads),
        ping_pong=ping_pong,
        oversubscribed=cell.workers > cores(),
    )


def foretold(backend: str, workers: int, costs: Costs, iterations: int, seed: int) -> float:
    """The rate at which the model makes so many iterations with each worker, on the processors of this machine."""
    if backend == SHARED_TREE:
        return shared_tree(costs, workers=workers, seconds=1.0, cores=costs.cores, seed=seed).rate
    budget = Budget(iterations=iterations * workers)
    made = (
        root_parallel(costs, workers=workers, budget=budget, cores=costs.cores, seed=seed + k) for k in range(SIMULATED)
    )
    return statistics.median(outcome.rate for outcome in made)
