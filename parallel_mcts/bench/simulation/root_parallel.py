"""The model of the root-parallel backends: a parent sends workers off, waits for all, reads and merges their roots.

After `backends/root_parallel.py`: workers are sent off one after the other; one that has a time limit is given what is left
of it; the roots are merged after the last worker has come back. `fan` is what stages would give, in which no process sends
off, or merges, more than so many others. Pure: the same arguments give the same outcome.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from random import Random

from ...budget import Budget
from ...errors import ParameterError
from .costs import Costs, Network
from .events import Action, Desk, Loop, Processors, Turnstile

FAN = 16
"""Of a search in stages."""


@dataclass(frozen=True)
class Outcome:
    """How a simulated search went: playouts of all workers, and seconds until the answer was there."""

    workers: int
    iterations: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.iterations / self.seconds if self.seconds > 0 else 0.0


def root_parallel(
    costs: Costs,
    *,
    workers: int,
    budget: Budget,
    cores: int | None = None,
    network: Network | None = None,
    fan: int | None = None,
    seed: int = 0,
) -> Outcome:
    """A search with workers that have been started. `budget` is that of the whole search, as in `search`.

    With `cores`, workers and parent share so many processors; without, each has one to itself. With `fan`, no process
    deals with more than so many others.
    """
    if fan is not None and fan < 2:
        raise ParameterError(f"fan is {fan!r}; it must be at least 2, or None for one parent of all")
    return _Search(costs, workers, cores, network or Network(), seed).run(budget, fan or workers)


class _Search:
    """One search under way."""

    def __init__(self, costs: Costs, workers: int, cores: int | None, network: Network, seed: int) -> None:
        self.costs, self.workers, self.network = costs, workers, network
        self.rng = Random(seed)
        self.loop = Loop()
        self.processors = Processors(self.loop, cores)
        self.iterations, self.ended = 0, 0.0

    def run(self, budget: Budget, fan: int) -> Outcome:
        self.shares, self.limit = budget.shares(self.workers), budget.seconds
        self._group(range(self.workers), fan, self._answer)
        self.loop.run()
        return Outcome(self.workers, self.iterations, self.ended)

    def _answer(self) -> None:
        self.ended = self.loop.now + self.costs.round_trip

    # ------------------------------------------------------------------------ sending off and merging
    def _group(self, members: range, fan: int, done: Action) -> None:
        """One process sends off at most `fan` workers, or others that do the same for it; then it merges what they send."""
        parts = dealt(members, fan)
        desk, link = Desk(self.processors), Turnstile(self.loop)
        arrived = _when_all(len(parts), lambda: desk.do(len(parts) * self.costs.merge, done))
        for part in parts:
            desk.do(self.costs.dispatch, self._sending(part, fan, lambda: self._send(link, arrived)))

    def _sending(self, part: range, fan: int, done: Action) -> Action:
        """What happens once a worker has been sent off, or whoever stands for several of them."""

        def send() -> None:
            left = None if self.limit is None else max(self.limit - self.loop.now, 0.0)
            go = self._group if len(part) > 1 else None
            begin = (lambda: go(part, fan, done)) if go else (lambda: self._play(self.shares[part[0]], left, done))
            self.loop.after(self.network.latency, begin)

        return send

    def _send(self, link: Turnstile, arrived: Action) -> None:
        """A message: it travels, and then has to get through the link of whoever it is for."""
        size = self.network.transfer(self.costs.message)
        self.loop.after(self.network.latency, lambda: link.pass_through(size, arrived))

    # ------------------------------------------------------------------------ working
    def _play(self, share: int | None, left: float | None, done: Action) -> None:
        if left is None:
            assert share is not None
            self.iterations += share
            self.processors.compute(self.costs.share(share, self.rng) + self.costs.publish, done)
            return
        pace = self.costs.worker_pace(self.rng)

        def count(given: float) -> None:
            made = int(given / pace)
            self.iterations += made if share is None else min(made, share)
            self.processors.compute(self.costs.publish, done)

        self.processors.compute_until(self.loop.now + left, count)


def dealt(members: range, fan: int) -> list[range]:
    """Split into at most `fan` parts of nearly the same size."""
    count = min(fan, len(members))
    cuts = [len(members) * k // count for k in range(count + 1)]
    return [members[start:end] for start, end in itertools.pairwise(cuts)]


def _when_all(count: int, action: Action) -> Action:
    """An action that does nothing until it is called for the last of so many times."""
    left = count

    def one_more() -> None:
        nonlocal left
        left -= 1
        if not left:
            action()

    return one_more


def start_up(costs: Costs, *, workers: int, cores: int | None = None, network: Network | None = None) -> float:
    """Seconds until the last of so many new processes is ready: one parent starts them, each gets ready by itself."""
    loop = Loop()
    processors = Processors(loop, cores)
    parent = Desk(processors)
    latency = (network or Network()).latency
    ready = 0.0

    def be_ready() -> None:
        nonlocal ready
        ready = loop.now + latency

    def boot() -> None:
        loop.after(latency, lambda: processors.compute(costs.boot, be_ready))

    for _ in range(workers):
        parent.do(costs.spawn, boot)
    loop.run()
    return ready
