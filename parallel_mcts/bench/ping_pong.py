"""A control for figures about threads: how long a cache line takes from one core to another and back.

The same machine moves between states in which that differs several times over, and with it everything that threads share.
`python -m parallel_mcts.bench.ping_pong` prints nanoseconds; the benchmarks call `round_trip`
before and after what they measure.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from numba import njit

from ..engines.compiled.spinlocks import SpinLockPool, let_go, peek, take, yield_processor

FAST, SLOW = 60e-9, 120e-9
"""Seconds below which the machine is in its fast state, and above which in its slow one."""

SHORT, TRIES, PATIENCE = 5_000, 25, 0.3
LONG = 20_000
"""Turns of waiting that take far longer than any hand-over."""


@njit(nogil=True)
def waited(spins: int) -> int:
    """One more turn of waiting; where the other thread has no processor to run on, this one gives up its own."""
    if spins == LONG:
        yield_processor()
        return 0
    return spins + 1


@njit(nogil=True)
def serve(pool: Any, count: int) -> None:
    ball = pool[0]
    for _ in range(count):
        spins = 0
        while peek(ball) != 0:
            spins = waited(spins)
        take(ball, 1)


@njit(nogil=True)
def receive(pool: Any, count: int) -> None:
    ball = pool[0]
    for _ in range(count):
        spins = 0
        while peek(ball) == 0:
            spins = waited(spins)
        let_go(ball)


def round_trip(count: int = 300_000) -> float:
    """Seconds of one hand-over, there or back."""
    pool = SpinLockPool(1)
    serve(pool, 0)
    receive(pool, 0)
    with ThreadPoolExecutor(2) as threads:
        started = time.perf_counter()
        for done in [threads.submit(serve, pool, count), threads.submit(receive, pool, count)]:
            done.result()
        return (time.perf_counter() - started) / (2 * count)


def hand_over() -> float:
    """The quickest of several short tries: where other programs take the processors, both threads rarely run at once."""
    took, end = [round_trip(SHORT)], time.perf_counter() + PATIENCE
    while len(took) < TRIES and time.perf_counter() < end:
        took.append(round_trip(SHORT))
    return min(took)


def described(seconds: float) -> str:
    state = "fast" if seconds < FAST else "slow" if seconds > SLOW else "middling"
    return f"cache line ping-pong {seconds * 1e9:.0f} ns ({state})"


if __name__ == "__main__":
    print(described(round_trip()))
