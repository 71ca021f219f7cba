"""Random numbers: one stream per worker, all derived from the one seed of a search.

Leaf module. A stream is a `random.Random`, whose doubles a compiled engine can draw as well (numpy's MT19937 set from
`getstate()` gives the same ones), so the engine never changes the answer. A stream belongs to one worker; two threads
never share one.
"""

from __future__ import annotations

import numbers
from random import Random, SystemRandom
from typing import Protocol

from .errors import InputError


class Rng(Protocol):
    """What games, models and algorithms may ask of a stream: doubles in [0, 1)."""

    def random(self) -> float: ...


def checked_seed(seed: int | None) -> int:
    """The seed to use and to record: the one given, or a fresh one, short enough to be typed."""
    if seed is None:
        return SystemRandom().getrandbits(32)
    if not isinstance(seed, numbers.Integral) or isinstance(seed, bool) or seed < 0:
        raise InputError(f"seed is {seed!r}; it must be a whole number, 0 or more")
    return int(seed)


def stream(seed: int, worker: int, restart: int = 0) -> Random:
    """The stream of a worker; a worker that replaces a lost one takes a stream nobody has used."""
    from numpy.random import SeedSequence  # numpy takes longer to import than the rest of the package

    # A key (k,) is what SeedSequence(seed).spawn(n)[k] has: independent of how many workers there are.
    key = (worker, restart) if restart else (worker,)
    words = SeedSequence(seed, spawn_key=key).generate_state(8)
    return Random(int.from_bytes(words.tobytes(), "little"))
