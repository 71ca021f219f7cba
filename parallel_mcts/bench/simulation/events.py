"""The clockwork of the simulation: events in the order of their time, and three things that workers have to share.

Pure: time is a number, nothing waits. The models of backends use it; one thread runs a loop.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import deque
from collections.abc import Callable

Action = Callable[[], None]


class Loop:
    """Runs actions in the order of their time; those of one time in the order in which they were asked for."""

    def __init__(self) -> None:
        self.now = 0.0
        self._waiting: list[tuple[float, int, Action]] = []
        self._order = itertools.count()

    def at(self, time: float, action: Action) -> None:
        heapq.heappush(self._waiting, (max(time, self.now), next(self._order), action))

    def after(self, seconds: float, action: Action) -> None:
        self.at(self.now + seconds, action)

    def run(self) -> None:
        """Until nothing is left to happen, or an action calls `stop`."""
        while self._waiting:
            self.now, _, action = heapq.heappop(self._waiting)
            action()

    def stop(self) -> None:
        """Forgets what was still to happen."""
        self._waiting.clear()


class Turnstile:
    """Serves one at a time, first come, first served: a lock, or a link to the network."""

    def __init__(self, loop: Loop) -> None:
        self._loop, self._free = loop, 0.0

    def pass_through(self, seconds: float, done: Action) -> None:
        self._free = max(self._free, self._loop.now) + seconds
        self._loop.at(self._free, done)


class Processors:
    """So many processors, shared evenly by whoever wants to compute; None: enough for everybody.

    Time is kept per task: what each of them has been given since the beginning. It passes at the pace at which each
    computes, so the task that ends next is the one that asked for the least beyond what it was at then.
    """

    def __init__(self, loop: Loop, count: int | None) -> None:
        self._loop, self._count = loop, math.inf if count is None else count
        self._given, self._since = 0.0, 0.0
        self._tasks: list[tuple[float, int, Action]] = []
        self._open = 0
        self._order, self._plan = itertools.count(), 0

    def compute(self, seconds: float, done: Action) -> None:
        """Calls `done` once a task has had so many seconds of a processor."""
        self._catch_up()
        heapq.heappush(self._tasks, (self._given + seconds, next(self._order), done))
        self._expect()

    def compute_until(self, time: float, done: Callable[[float], None]) -> None:
        """Computes to a point in time; then tells `done` how many seconds of a processor that gave."""
        self._catch_up()
        before = self._given
        self._open += 1
        self._expect()

        def end() -> None:
            self._catch_up()
            self._open -= 1
            self._expect()
            done(self._given - before)

        self._loop.at(time, end)

    def _pace(self) -> float:
        tasks = len(self._tasks) + self._open
        return min(1.0, self._count / tasks) if tasks else 1.0

    def _catch_up(self) -> None:
        self._given += (self._loop.now - self._since) * self._pace()
        self._since = self._loop.now

    def _expect(self) -> None:
        """Foresees the next end of a task; what was foreseen earlier no longer holds."""
        self._plan += 1
        if self._tasks:
            plan, left = self._plan, self._tasks[0][0] - self._given
            self._loop.after(max(left, 0.0) / self._pace(), lambda: self._end(plan))

    def _end(self, plan: int) -> None:
        if plan != self._plan:
            return
        self._catch_up()
        ended, _, done = heapq.heappop(self._tasks)
        self._given = max(self._given, ended)  # rounding must not leave it a hair before its end
        self._expect()
        done()


class Desk:
    """Does its tasks one after the other on processors that it shares: the parent of a search."""

    def __init__(self, processors: Processors) -> None:
        self._processors = processors
        self._waiting: deque[tuple[float, Action]] = deque()
        self._busy = False

    def do(self, seconds: float, done: Action) -> None:
        self._waiting.append((seconds, done))
        if not self._busy:
            self._next()

    def _next(self) -> None:
        self._busy = bool(self._waiting)
        if self._waiting:
            seconds, done = self._waiting.popleft()
            self._processors.compute(seconds, lambda: self._finish(done))

    def _finish(self, done: Action) -> None:
        done()
        self._next()
