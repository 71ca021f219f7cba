"""Backends in which all workers grow one tree: `single`, `threaded` and `pool` differ in their locks alone.

With one worker the playouts run in the caller's thread; with more, in threads of their own while the caller's thread
watches over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar

from ..budget import Budget
from ..engines.base import NodeReport, Step
from ..engines.engine import engine_named
from ..errors import ParameterError
from ..locks import ALONE, Sharing
from ..rng import stream
from ..snapshot import Snapshot
from .base import TICK_SECONDS, Counters, Job, Watch, blaming, cores, spend


@dataclass(frozen=True)
class Single:
    """One worker, no locks."""

    name: ClassVar[str] = "single"
    threads_share_interpreter: ClassVar[bool] = False
    sharing: ClassVar[Sharing] = ALONE

    def default_workers(self) -> int:
        return 1

    def open(self, job: Job) -> SharedTree:
        return SharedTree(job, self.sharing)


@dataclass(frozen=True)
class Threaded:
    """Threads on one tree, with a lock in each node: less contention, more memory."""

    name: ClassVar[str] = "threaded"
    threads_share_interpreter: ClassVar[bool] = True
    sharing: ClassVar[Sharing] = Sharing(threads=True)

    def default_workers(self) -> int:
        return cores()

    def open(self, job: Job) -> SharedTree:
        return SharedTree(job, self.sharing)


@dataclass(frozen=True)
class Pool:
    """Threads on one tree, with so many locks for all its nodes: less memory, more contention."""

    name: ClassVar[str] = "pool"
    threads_share_interpreter: ClassVar[bool] = True
    locks: int = 256

    def validate(self) -> None:
        if self.locks < 1:
            raise ParameterError(f"pool: locks is {self.locks!r}; it must be at least 1")

    @property
    def sharing(self) -> Sharing:
        return Sharing(threads=True, pool=self.locks)

    def default_workers(self) -> int:
        return cores()

    def open(self, job: Job) -> SharedTree:
        return SharedTree(job, self.sharing)


class SharedTree:
    """One tree and the workers that grow it; a `Searcher`."""

    lost_workers = 0

    def __init__(self, job: Job, sharing: Sharing) -> None:
        self.job = job
        engine = engine_named(job.engine)
        self.rngs = [engine.make_stream(stream(job.seed, k)) for k in range(job.workers)]
        self.tree = engine.make_tree(
            job.state, job.algorithm, job.model, sharing, max_depth=job.max_depth, rng=self.rngs[0]
        )
        self.iterations = 0
        self.running = [0] * job.workers
        self.threads = ThreadPoolExecutor(job.workers, "parallel_mcts") if job.workers > 1 else None
        self.failed = False

    def run(self, budget: Budget, watch: Watch) -> None:
        self.running = [0] * self.job.workers
        deadline = None if budget.seconds is None else watch.clock() + budget.seconds
        try:
            if self.threads is None:
                self._work(0, budget.shares(1)[0], deadline, watch)
            else:
                self._run_threads(self.threads, budget, deadline, watch)
        finally:
            self.iterations += sum(self.running)
            self.running = [0] * self.job.workers

    def _work(self, k: int, share: int | None, deadline: float | None, watch: Watch) -> None:
        def publish(done: int) -> None:
            self.running[k] = done

        with blaming(k, self.job.seed):
            spend(self.tree, self.rngs[k], share, deadline, watch, publish)

    def _run_threads(self, threads: ThreadPoolExecutor, budget: Budget, deadline: float | None, watch: Watch) -> None:
        failed = False
        theirs = Watch(stopping=lambda: failed or watch.stopping(), clock=watch.clock)
        shares = budget.shares(self.job.workers)
        futures = [threads.submit(self._work, k, share, deadline, theirs) for k, share in enumerate(shares)]
        try:
            while wait(futures, timeout=TICK_SECONDS).not_done:
                failed = any(f.done() and f.exception() for f in futures)
                watch.tick()
        finally:  # also when the tick raised: no thread goes on behind the caller's back
            failed = failed or any(not f.done() for f in futures)
            wait(futures)
        raise_first(futures)

    def snapshot(self) -> Snapshot:
        return self.tree.snapshot()

    def counters(self) -> Counters:
        return Counters(self.iterations + sum(self.running), self.tree.nodes, self.tree.memory())

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        return self.tree.report(path)

    def line(self, first: tuple[int, int], limit: int) -> list[Step]:
        return self.tree.line(first, limit)

    def advance(self, step: Step, state: Any) -> None:
        self.tree.advance(step, state, self.rngs[0])

    def close(self) -> None:
        if self.threads is not None:
            self.threads.shutdown()


def raise_first(futures: Sequence[Future[Any]]) -> None:
    """Raises what a worker raised, of the first worker that did."""
    for future in futures:
        error = future.exception()
        if error is not None:
            raise error
