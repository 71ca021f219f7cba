"""Budgets: every iteration belongs to one worker, and bad limits are refused."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import Budget
from parallel_mcts.errors import BudgetError

deterministic = settings(deadline=None, derandomize=True, max_examples=200)
iteration_counts = st.one_of(st.integers(1, 100), st.integers(1, 10**15))


@deterministic
@given(iteration_counts, st.integers(1, 200))
def test_shares_sum_to_the_iterations_and_differ_by_one_at_most(iterations: int, workers: int) -> None:
    shares = [share for share in Budget(iterations=iterations).shares(workers) if share is not None]
    assert len(shares) == workers
    assert sum(shares) == iterations
    assert max(shares) - min(shares) <= 1
    assert shares == sorted(shares, reverse=True)
    assert all(type(share) is int for share in shares)


def test_what_does_not_divide_goes_to_the_first_workers() -> None:
    assert Budget(iterations=10).shares(4) == [3, 3, 2, 2]
    assert Budget(iterations=2).shares(4) == [1, 1, 0, 0]
    assert Budget(iterations=8).shares(4) == [2, 2, 2, 2]
    assert Budget(iterations=7).shares(1) == [7]


@deterministic
@given(st.integers(1, 200))
def test_where_only_time_is_limited_no_worker_has_a_share(workers: int) -> None:
    assert Budget(seconds=0.5).shares(workers) == [None] * workers


def test_both_limits_may_be_given() -> None:
    both = Budget(iterations=5, seconds=0.5)
    assert (both.iterations, both.seconds) == (5, 0.5)
    assert both.shares(2) == [3, 2]


def test_a_budget_is_a_value() -> None:
    assert Budget(iterations=5) == Budget(5) != Budget(iterations=6)
    assert hash(Budget(5, 1.0)) == hash(Budget(5, 1.0))
    with pytest.raises(FrozenInstanceError):
        Budget(5).iterations = 6  # type: ignore[misc]


def test_numbers_of_numpy_are_numbers() -> None:
    assert Budget(iterations=np.int64(10)).shares(4) == [3, 3, 2, 2]  # type: ignore[arg-type]
    assert Budget(seconds=np.float32(0.5)).seconds == 0.5  # type: ignore[arg-type]
    assert Budget(seconds=2).seconds == 2


def test_a_budget_without_a_limit_is_refused() -> None:
    with pytest.raises(BudgetError) as caught:
        Budget()
    assert str(caught.value) == "a search needs a limit: give iterations=…, seconds=… or both"


@pytest.mark.parametrize(
    "iterations", [0, -1, -(10**20), 1.0, 10.5, "10", True, False, nan, Fraction(4, 2), [10], np.int64(0)]
)
def test_iterations_that_are_not_a_positive_whole_number_are_refused(iterations: Any) -> None:
    for seconds in (None, 1.0):
        with pytest.raises(BudgetError) as caught:
            Budget(iterations=iterations, seconds=seconds)
        assert str(caught.value) == f"iterations is {iterations!r}; it must be a whole number of at least 1"


@pytest.mark.parametrize(
    "seconds", [0, 0.0, -1, -0.5, inf, -inf, nan, "1", True, False, 1j, [1.0], Decimal(1), np.float64(0)]
)
def test_seconds_that_are_not_a_positive_finite_number_are_refused(seconds: Any) -> None:
    for iterations in (None, 10):
        with pytest.raises(BudgetError) as caught:
            Budget(iterations=iterations, seconds=seconds)
        assert str(caught.value) == f"seconds is {seconds!r}; it must be a positive, finite number"


def test_more_seconds_than_a_double_can_hold_are_refused() -> None:
    with pytest.raises(BudgetError):
        Budget(seconds=10**400)
