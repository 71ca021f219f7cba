"""A root-parallel worker: one tree of its own, one random stream, one notice board. The same object in every placement.

Its owner calls it through a `Seat` (in this thread, another thread, another process); one call at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ..engines.base import NodeReport, SearchTree, Step
from ..engines.engine import engine_named
from ..locks import ALONE
from ..rng import stream
from ..snapshot import Snapshot, flatten
from .base import Job, Watch, blaming, spend
from .board import BoardAddress

PAUSE_BETWEEN_PUBLICATIONS = 20
"""How many times as long a worker searches as it takes to publish."""


def _nothing() -> None:
    pass


class TreeWorker:
    """Grows its own tree, and tells of it."""

    def __init__(self, job: Job, index: int, restart: int, board: BoardAddress) -> None:
        self.job, self.index = job, index
        self._next_publication = 0.0
        engine = engine_named(job.engine)
        self.rng = engine.make_stream(stream(job.seed, index, restart))
        self.board = board.open()
        with blaming(index, job.seed):
            self.tree: SearchTree = engine.make_tree(
                job.state, job.algorithm, job.model, ALONE, max_depth=job.max_depth, rng=self.rng
            )

    def run(self, share: int | None, seconds: float | None, tick: Callable[[], None] = _nothing) -> int:
        """Its part of a run; returns how many playouts it made."""
        watch = Watch(stopping=self.board.stopping, tick=tick, clock=time.perf_counter)
        deadline = None if seconds is None else watch.clock() + seconds
        with blaming(self.index, self.job.seed):
            done = spend(self.tree, self.rng, share, deadline, watch, self._publish_now_and_then)
        self._publish(done)
        return done

    def _publish_now_and_then(self, done: int) -> None:
        """A root with thousands of joint actions takes long to write down: that must not be most of the work."""
        if time.perf_counter() >= self._next_publication:
            self._publish(done)

    def _publish(self, done: int) -> None:
        began = time.perf_counter()
        numbers = flatten(self.tree.snapshot(), self.job.algorithm)
        self.board.publish(done, self.tree.nodes, self.tree.memory(), numbers)
        ended = time.perf_counter()
        self._next_publication = ended + PAUSE_BETWEEN_PUBLICATIONS * (ended - began)

    def snapshot(self) -> Snapshot:
        return self.tree.snapshot()

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        return self.tree.report(path)

    def line(self, first: tuple[int, int], limit: int) -> list[Step]:
        return self.tree.line(first, limit)

    def advance(self, step: Step, state: Any, board: BoardAddress) -> None:
        self.board = board.open()
        with blaming(self.index, self.job.seed):
            self.tree.advance(step, state, self.rng)
        self._publish(0)
