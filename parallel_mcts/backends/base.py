"""What a backend is: it opens a `Job` and gives back a `Searcher`, which keeps the tree until it is closed.

`search.py` calls it; algorithms and games know nothing of it. A searcher is used by one thread at a time.
"""

from __future__ import annotations

import numbers
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..budget import Budget
from ..engines.base import NodeReport, SearchTree, Step
from ..errors import ParameterError, SearchFailed
from ..snapshot import Snapshot

CHUNK_SECONDS = 0.02
"""How long a worker plays on before it looks up: at stop requests, the clock, and who wants to know how it is doing."""

FIRST_CHUNK = 8
TICK_SECONDS = 0.02
"""How often the caller's thread looks at its workers."""


@dataclass(frozen=True)
class Job:
    """Everything that decides a search, but for its budget. It travels to other processes."""

    state: Any
    algorithm: Any
    model: Any
    seed: int
    workers: int
    max_depth: int
    engine: str = "python"


@dataclass(frozen=True)
class Counters:
    """How far a searcher is: iterations since it was opened, and the size of what it keeps."""

    iterations: int
    nodes: int
    memory: int


@dataclass
class Watch:
    """The caller's side of a running search: whether to stop, and a callback at every tick."""

    stopping: Callable[[], bool] = lambda: False
    tick: Callable[[], None] = lambda: None
    clock: Callable[[], float] = field(default=time.perf_counter)


class Searcher(Protocol):
    """A search that is open: it can be run again, read, and moved along a line of play."""

    lost_workers: int

    def run(self, budget: Budget, watch: Watch) -> None:
        """Plays until the budget is spent or the watch says stop; raises what a worker raised."""
        ...

    def snapshot(self) -> Snapshot:
        """The root, merged over all workers."""
        ...

    def counters(self) -> Counters: ...

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        """A node, merged over all workers that have it."""
        ...

    def line(self, first: tuple[int, int], limit: int) -> list[Step]: ...

    def advance(self, step: Step, state: Any) -> None:
        """Makes the child of a step the root of every tree; `state` is its position."""
        ...

    def close(self) -> None: ...


class Backend(Protocol):
    """A frozen value that says where to search."""

    name: str
    threads_share_interpreter: bool
    """Whether its workers are threads, which a GIL keeps from running at once."""

    def default_workers(self) -> int: ...

    def open(self, job: Job) -> Searcher: ...


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_workers(workers: Any, backend: Any) -> int:
    """The number of workers asked for, or the backend's own."""
    if workers is None:
        return int(backend.default_workers())
    if not isinstance(workers, numbers.Integral) or isinstance(workers, bool) or int(workers) < 1:
        raise ParameterError(f"workers is {workers!r}; it must be a whole number of at least 1")
    if int(workers) > 1 and backend.name == "single":
        raise ParameterError(
            f"workers is {workers}, but 'single' is one worker; choose from: forest, pool, process, threaded"
        )
    return int(workers)


@contextmanager
def blaming(worker: int, seed: int) -> Iterator[None]:
    """Says of a failure in which worker it happened, and of which search."""
    try:
        yield
    except SearchFailed as error:
        error.worker, error.seed = worker, seed
        raise


def spend(
    tree: SearchTree, rng: Any, share: int | None, deadline: float | None, watch: Watch, publish: Callable[[int], None]
) -> int:
    """One worker's part of a search: playouts in chunks, until its share, its time or a stop request ends it.

    `publish` is told after each chunk how many playouts were made. Returns that number at the end.
    """
    done, chunk = 0, FIRST_CHUNK
    while (share is None or done < share) and not watch.stopping():
        now = watch.clock()
        if deadline is not None and now >= deadline:
            break
        made = tree.grow(rng, chunk if share is None else min(chunk, share - done))
        took = watch.clock() - now
        done += made
        publish(done)
        watch.tick()
        chunk = next_chunk(chunk, took, None if deadline is None else deadline - watch.clock())
    return done


def next_chunk(chunk: int, took: float, left: float | None) -> int:
    """The size of a chunk that takes about `CHUNK_SECONDS`, and no more than the time that is left."""
    aim = CHUNK_SECONDS if left is None else min(CHUNK_SECONDS, max(left, 0.0))
    wanted = chunk * aim / took if took > 0 else 4.0 * chunk
    return max(1, int(min(wanted, 4.0 * chunk)))
