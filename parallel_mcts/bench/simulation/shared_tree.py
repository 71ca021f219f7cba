"""The model of `threaded`: threads that grow one tree meet at the locks of its topmost nodes, and pass cache lines around.

A playout takes the lock of each node on its way twice, down and up. The topmost plies are simulated lock by lock; further
down threads hardly meet. A line that another core wrote last has to be fetched from it. What is left out makes the model
kinder than life: the storm of many cores spinning on one lock, and playouts wasted because threads know too little of each
other. Pure: the same arguments give the same outcome.
"""

from __future__ import annotations

from random import Random

from .costs import Costs
from .events import Loop, Turnstile
from .root_parallel import Outcome

PLIES = 3
"""How many plies are simulated lock by lock."""
MOST_LOCKS = 4096
ROUNDS = 6
FEWEST_PLAYOUTS = 3000
WARM_UP = 0.25
"""The part of the playouts before threads have spread out, which does not count."""


def shared_tree(costs: Costs, *, workers: int, seconds: float, cores: int | None = None, seed: int = 0) -> Outcome:
    """A search of so many seconds by threads on one tree, each on a processor of its own as far as there are any.

    Threads beyond the processors add nothing, and neither do those that an interpreter's lock lets run in turn.
    """
    running = workers if cores is None else min(workers, cores)
    if costs.interpreter_lock:
        running = 1
    alone = 1.0 / (costs.playout + costs.path * costs.locking)
    rate = alone if running == 1 else _Crowd(costs, running, seed).rate()
    return Outcome(workers, int(rate * seconds), seconds)


class _Crowd:
    """Threads at work on one tree."""

    def __init__(self, costs: Costs, threads: int, seed: int) -> None:
        self.costs, self.threads, self.rng = costs, threads, Random(seed)
        self.loop = Loop()
        self.plies = max(1, min(PLIES, int(costs.path)))
        sizes = [min(MOST_LOCKS, max(1, round(costs.width**k))) for k in range(self.plies)]
        self.locks = [[Turnstile(self.loop) for _ in range(size)] for size in sizes]
        fetched = (threads - 1) / threads * costs.lines * costs.hand_over
        at_node = costs.step + costs.locking + fetched
        self.half = at_node / 2.0
        below = max(costs.path - self.plies, 0.0)
        own = max(costs.playout - costs.path * costs.step, 0.0)
        self.alone = own + below * at_node
        self.done, self.wanted = 0, max(FEWEST_PLAYOUTS, ROUNDS * threads)
        self.warm = 0.0

    def rate(self) -> float:
        """Playouts per second of all threads together."""
        for _ in range(self.threads):
            self.loop.at(self.rng.random() * self.costs.playout, self._playout)
        self.loop.run()
        return (self.wanted - int(self.wanted * WARM_UP)) / (self.loop.now - self.warm)

    def _playout(self) -> None:
        """Down through the locks of a path, on alone, and up again."""
        down = [locks[int(self.rng.random() * len(locks))] for locks in self.locks]
        self._through([*down, None, *reversed(down)], 0)

    def _through(self, stops: list[Turnstile | None], k: int) -> None:
        if k == len(stops):
            self._finish()
            return
        lock = stops[k]
        if lock is None:
            self.loop.after(self._time_alone(), lambda: self._through(stops, k + 1))
        else:
            lock.pass_through(self.half, lambda: self._through(stops, k + 1))

    def _time_alone(self) -> float:
        """A gamma variate: never negative, with the mean and the spread that were measured."""
        spread = self.costs.playout_spread
        if spread <= 0 or self.alone <= 0:
            return self.alone
        return self.rng.gammavariate((self.alone / spread) ** 2, spread * spread / self.alone)

    def _finish(self) -> None:
        self.done += 1
        if self.done == int(self.wanted * WARM_UP):
            self.warm = self.loop.now
        if self.done == self.wanted:
            self.loop.stop()
        else:
            self._playout()
