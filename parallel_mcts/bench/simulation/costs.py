"""What the parts of a parallel search cost, in seconds: measured by `probing`, read by the models. Plain frozen data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from ...backends.base import CHUNK_SECONDS
from ...backends.worker import PAUSE_BETWEEN_PUBLICATIONS
from ...errors import ParameterError

WORD_BYTES = 8
ENVELOPE_BYTES = 1000
"""What travels besides the numbers of a snapshot: addresses, the name of the call, the layers of a network."""


@dataclass(frozen=True)
class Network:
    """Between the parent of a search and its workers: seconds one way, and bytes per second into each of them.

    Without a bandwidth, messages take no longer for being large.
    """

    latency: float = 0.0
    bandwidth: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.latency < math.inf:
            raise ParameterError(f"latency is {self.latency!r}; it must be a number of seconds, 0 or more")
        if self.bandwidth is not None and not self.bandwidth > 0:
            raise ParameterError(f"bandwidth is {self.bandwidth!r}; it must be a number of bytes per second above 0")

    def transfer(self, size: float) -> float:
        """How long a message keeps the link busy."""
        return size / self.bandwidth if self.bandwidth else 0.0


@dataclass(frozen=True)
class Costs:
    """Seconds, except where it says otherwise."""

    playout: float
    """A playout of one worker alone, on the mean."""
    playout_spread: float = 0.0
    """How far single playouts scatter around it (standard deviation)."""
    unevenness: float = 0.0
    """How far whole workers do, relative to the mean: other trees, other random games."""
    publish: float = 0.0
    """A worker writes its root down."""
    numbers: int = 0
    """How many numbers a root is."""
    merge_root: float = 0.0
    """The parent reads and merges a root: what it takes whatever its size is, …"""
    merge_number: float = 0.0
    """… and for each number."""
    dispatch: float = 0.0
    """The parent sends one worker off."""
    round_trip: float = 0.0
    """A search of next to nothing by one worker: what no number of workers changes."""
    spawn: float = 0.0
    """The parent starts a process, …"""
    boot: float = 0.0
    """… and the process gets ready, which it does by itself."""
    path: float = 1.0
    """How many nodes a playout passes on its way down."""
    step: float = 0.0
    """What it does at each of them, down and up again, under the lock of the node."""
    locking: float = 0.0
    """Taking and leaving that lock, at each node, where nobody else wants it."""
    width: float = 1.0
    """Between how many children the playouts of a node spread."""
    hand_over: float = 0.0
    """A cache line goes from one core to another."""
    lines: float = 1.0
    """How many lines a playout writes at each node."""
    interpreter_lock: bool = False
    """Whether threads take turns, since they run Python."""
    cores: int = 1
    """How many processors the machine has on which this was measured."""

    @property
    def merge(self) -> float:
        """The parent reads and merges the root of one worker."""
        return self.merge_root + self.merge_number * self.numbers

    @property
    def message(self) -> float:
        """Bytes that a worker sends when it is done."""
        return self.numbers * WORD_BYTES + ENVELOPE_BYTES

    @property
    def pace(self) -> float:
        """Seconds of a playout with its part of publishing: after each chunk, but never most of the work."""
        return self.playout * (1.0 + min(self.publish / CHUNK_SECONDS, 1.0 / PAUSE_BETWEEN_PUBLICATIONS))

    def worker_pace(self, rng: Random) -> float:
        """That of one worker, whose tree and random games are its own; as many are slower than `pace` as are quicker."""
        return self.pace * math.exp(math.sqrt(math.log1p(self.unevenness**2)) * rng.gauss(0.0, 1.0))

    def share(self, iterations: int, rng: Random) -> float:
        """Seconds that one worker takes for so many playouts: a sum of many, so it is normal whatever one of them is."""
        scatter = self.playout_spread * math.sqrt(iterations) * rng.gauss(0.0, 1.0)
        return max(0.0, iterations * self.worker_pace(rng) + scatter)
