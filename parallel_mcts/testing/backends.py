"""`check_backend`: does a backend run, read, advance, fail and close as a search session expects?"""

from __future__ import annotations

from typing import Any

from ..algorithms.uniform import Uniform
from ..backends.base import Job, Watch
from ..budget import Budget
from ..engines.base import Step
from ..errors import CheckFailed, GameError
from ..models.rollout import Rollout
from ..registry import BACKENDS
from ..state import State
from .common import Table, require


class _Broken(Table):
    """Raises in the middle of a search."""

    def play(self, i: int, j: int) -> Table:
        if self.round == 1 and i == 1:
            raise ZeroDivisionError("on purpose")
        return _Broken(self.rows, self.cols, self.round + 1, self.score)


def check_backend(backend: Any, *, workers: int = 2, iterations: int = 501, seed: int = 0) -> None:
    """Opens a backend (or the name of one), and runs, reads, advances, breaks and closes searches on it."""
    backend = BACKENDS.make(backend)
    for attribute in ("name", "threads_share_interpreter", "default_workers", "open"):
        require(hasattr(backend, attribute), f"{backend!r} has no {attribute!r}")
    counts = sorted({1, workers if backend.default_workers() > 1 or workers == 1 else 1})
    for count in counts:
        _check_searcher(backend, count, iterations, seed)
        _check_failure(backend, count, seed)
    _check_same_as_single(backend, iterations, seed)


def _job(state: State, workers: int, seed: int) -> Job:
    return Job(state, Uniform(), Rollout(), seed, workers, max_depth=1000)


def _check_searcher(backend: Any, workers: int, iterations: int, seed: int) -> None:
    what = f"{backend.name!r} with {workers} workers"
    start = Table(2, 3)
    searcher = backend.open(_job(start, workers, seed))
    try:
        for run in (1, 2):
            searcher.run(Budget(iterations), Watch())
            done, root = searcher.counters().iterations, searcher.snapshot()
            expected = run * iterations
            require(done == expected, f"{what} made {done} iterations in {run} runs of {iterations}")
            require(root.visits == expected, f"{what} lost visits: {root.visits} at the root after {expected} iterations")
            below = sum(map(sum, root.cell_visits))
            require(below == expected, f"{what} lost visits: {below:.0f} below the root after {expected} iterations")
        require(searcher.line((1, 2), 5)[0][:2] == (1, 2), f"{what}: line((1, 2), 5) does not start with (1, 2)")
        report = searcher.report([Step(1, 2)])
        require(report is not None, f"{what} has no node after (1, 2)")
        searcher.advance(Step(1, 2), start.play(1, 2))
        moved = searcher.snapshot()
        require(
            moved.visits == report.snapshot.visits == root.cell_visits[1][2],
            f"{what}: advancing kept {moved.visits} visits of {root.cell_visits[1][2]:.0f}",
        )
        searcher.run(Budget(iterations), Watch())
        require(searcher.snapshot().visits == moved.visits + iterations, f"{what} lost visits after advancing")
        searcher.run(Budget(iterations), Watch(stopping=lambda: True))  # must come back
    finally:
        searcher.close()


def _check_failure(backend: Any, workers: int, seed: int) -> None:
    searcher = backend.open(_job(_Broken(2, 2), workers, seed))
    try:
        searcher.run(Budget(200), Watch())
    except GameError as error:
        require("on purpose" in str(error), f"{backend.name!r}: the failure of a game came back as {error}")
        require(
            error.seed == seed and error.worker is not None, f"{backend.name!r}: the failure does not name worker and seed"
        )
    else:
        raise CheckFailed(f"{backend.name!r} with {workers} workers: a game that raised was passed over in silence")
    finally:
        searcher.close()


def _check_same_as_single(backend: Any, iterations: int, seed: int) -> None:
    answers = []
    for one in (BACKENDS.make("single"), backend):
        searcher = one.open(_job(Table(3, 3), 1, seed))
        try:
            searcher.run(Budget(iterations), Watch())
            answers.append(searcher.snapshot())
        finally:
            searcher.close()
    require(answers[0] == answers[1], f"{backend.name!r} with one worker gives another answer than 'single'")
