"""A control for figures about threads: how long a cache line takes from one core to another and back.

The same machine moves between states in which that differs several times over, and with it everything that threads share.
`python -m parallel_mcts.bench.ping_pong` prints nanoseconds; the benchmarks call `round_trip`
before and after what they measure.
"""

from __future__ import annotations

import math
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numba import njit

from ..engines.compiled.spinlocks import SpinLockPool, let_go, peek, take

FAST, SLOW = 60e-9, 120e-9
"""Seconds below which the machine is in its fast state, and above which in its slow one."""


QUICK, QUICK_PATIENCE = 30_000, 0.5
ONE_CORE = 1e-5
"""Seconds that no hand-over between two cores takes."""

BATCH, LOOKS = 200, 200_000
"""Hand-overs between two looks at the clock, and looks at the ball after which a player gives a batch up: on a busy machine
the other one may not be running."""


@njit(nogil=True)
def serve(pool: Any, count: int) -> int:
    """Plays the ball so many times, unless it has to look for it too often; returns how many times it did."""
    ball, looks = pool[0], LOOKS
    for k in range(count):
        while peek(ball) != 0:
            looks -= 1
            if looks < 0:
                return k
        take(ball, 1)
    return count


@njit(nogil=True)
def receive(pool: Any, count: int) -> int:
    ball, looks = pool[0], LOOKS
    for k in range(count):
        while peek(ball) == 0:
            looks -= 1
            if looks < 0:
                return k
        let_go(ball)
    return count


def round_trip(count: int = 300_000, patience: float = 5.0) -> float:
    """Seconds of one hand-over, there or back: the median over batches of about `count` in all.

    Batches in which a player was kept waiting by other programs do not count. Infinite if there were no others within
    the seconds of patience.
    """
    pool = SpinLockPool(1)
    for player in (serve, receive):
        player(pool, 0)
    over = threading.Event()
    with ThreadPoolExecutor(2) as threads:
        playing = [threads.submit(_play, player, pool, count // BATCH, patience, over) for player in (serve, receive)]
        times = [took for player in playing for took in player.result()]
    return statistics.median(times) if times else math.inf


def _play(player: Any, pool: Any, batches: int, patience: float, over: threading.Event) -> list[float]:
    """One side of the game: seconds of a hand-over in each whole batch. Who is done first ends it for both."""
    times, began = list[float](), time.perf_counter()
    while len(times) < batches and not over.is_set() and time.perf_counter() - began < patience:
        started = time.perf_counter()
        if player(pool, BATCH) == BATCH:
            times.append((time.perf_counter() - started) / (2 * BATCH))
    over.set()
    return times


def hand_over() -> float:
    """A quick look at the same; where both players hardly ever run at once, it ends and says `ONE_CORE`."""
    return min(round_trip(QUICK, QUICK_PATIENCE), ONE_CORE)


def state_of(seconds: float) -> str:
    """In which state the machine is: fast, middling or slow."""
    return "fast" if seconds < FAST else "slow" if seconds > SLOW else "middling"


def described(seconds: float) -> str:
    return f"cache line ping-pong {seconds * 1e9:.0f} ns ({state_of(seconds)})"


if __name__ == "__main__":
    print(described(round_trip()))
