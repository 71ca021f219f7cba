"""Random streams: repeatable, different for every worker, and the same for numpy as for Python."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import nan
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts.errors import InputError
from parallel_mcts.rng import checked_seed, stream

deterministic = settings(deadline=None, derandomize=True, max_examples=50)
seeds = st.one_of(st.integers(0, 10), st.integers(0, 2**32), st.integers(0, 2**200))
workers = st.integers(0, 1000)
restarts = st.integers(0, 20)


def draws(rng: Random, count: int = 20) -> list[float]:
    return [rng.random() for _ in range(count)]


@deterministic
@given(seeds, workers, restarts)
def test_one_seed_worker_and_restart_give_one_stream(seed: int, worker: int, restart: int) -> None:
    assert draws(stream(seed, worker, restart)) == draws(stream(seed, worker, restart))
    assert draws(stream(seed, worker)) == draws(stream(seed, worker, 0))


@deterministic
@given(st.lists(st.tuples(seeds, workers, restarts), min_size=2, max_size=6, unique=True))
def test_another_seed_worker_or_restart_gives_another_stream(origins: list[tuple[int, int, int]]) -> None:
    streams = [draws(stream(*origin)) for origin in origins]
    for k, numbers in enumerate(streams):
        for others in streams[k + 1 :]:
            assert not set(numbers) & set(others)


def test_no_two_of_many_workers_and_their_replacements_share_a_stream() -> None:
    firsts = {tuple(draws(stream(0, worker, restart), 2)) for worker, restart in product(range(40), range(10))}
    assert len(firsts) == 400


@deterministic
@given(seeds, st.integers(1, 12), st.data())
def test_a_stream_is_that_of_a_spawned_seed_sequence(seed: int, count: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, count - 1))
    words = np.random.SeedSequence(seed).spawn(count)[k].generate_state(8)
    number = sum(int(word) << 32 * place for place, word in enumerate(words))
    assert stream(seed, k).getstate() == Random(number).getstate()


def numpy_stream(state: Sequence[Any]) -> np.random.Generator:
    """numpy's generator in the state of a `random.Random`."""
    *key, position = state[1]
    bits = np.random.MT19937()
    bits.state = {"bit_generator": "MT19937", "state": {"key": np.array(key, dtype=np.uint32), "pos": position}}
    return np.random.Generator(bits)


@pytest.mark.parametrize("used_before", [0, 1, 311, 1000])
def test_numpy_draws_the_same_ten_thousand_doubles_from_the_state_of_a_stream(used_before: int) -> None:
    rng = stream(42, 3)
    draws(rng, used_before)
    other = numpy_stream(rng.getstate())
    assert other.random(5_000).tolist() == draws(rng, 5_000)
    assert draws(other, 5_000) == draws(rng, 5_000)  # type: ignore[arg-type]


@deterministic
@given(seeds)
def test_a_seed_that_is_given_is_the_seed_that_is_used(seed: int) -> None:
    assert checked_seed(seed) == seed


def test_a_seed_of_numpy_becomes_a_plain_number() -> None:
    seed: Any = np.uint64(2**64 - 1)
    assert (checked_seed(seed), type(checked_seed(seed))) == (2**64 - 1, int)


def test_fresh_seeds_are_different_and_short_enough_to_be_typed() -> None:
    fresh = {checked_seed(None) for _ in range(8)}
    assert len(fresh) > 1
    assert all(0 <= seed < 2**32 for seed in fresh)


@pytest.mark.parametrize(
    "seed", [-1, -(10**30), 1.0, 0.5, "1", True, False, nan, Fraction(2), [1], np.int64(-1), Random(0)]
)
def test_a_seed_that_is_not_a_whole_number_from_0_is_refused(seed: Any) -> None:
    with pytest.raises(InputError) as caught:
        checked_seed(seed)
    assert str(caught.value) == f"seed is {seed!r}; it must be a whole number, 0 or more"
