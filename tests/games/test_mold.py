"""Mold: a tree of one width and depth, a fair coin at its leaves, and one half everywhere."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.mold import Mold, mold

widths, depths, seeds = st.integers(1, 50), st.integers(1, 30), st.integers(0, 2**32)


@given(widths, depths, seeds)
def test_the_width_is_the_same_until_the_end_which_comes_at_the_depth(
    random_walk: Any, actions: int, depth: int, seed: int
) -> None:
    *earlier, end = random_walk(mold(actions, depth), Random(seed))
    assert [state.shape() for state in earlier] == [(actions, actions)] * depth
    assert end.shape() == (0, 0)
    assert end.payoff() in (0.0, 1.0)


@given(widths, st.integers(2, 30), st.data())
def test_before_the_last_joint_action_there_is_no_chance(
    numbers: Any, actions: int, left: int, data: st.DataObject
) -> None:
    i, j = data.draw(st.integers(0, actions - 1)), data.draw(st.integers(0, actions - 1))
    after = Mold(actions, left - 1, 0.5)
    assert Mold(actions, left).outcomes(i, j) == [(Fraction(1), after)]
    assert Mold(actions, left).play(i, j, numbers()) == after


@given(widths, st.data())
def test_the_last_joint_action_tosses_a_fair_coin_whatever_it_is(actions: int, data: st.DataObject) -> None:
    i, j = data.draw(st.integers(0, actions - 1)), data.draw(st.integers(0, actions - 1))
    assert Mold(actions, 1).outcomes(i, j) == [(Fraction(1, 2), Mold(actions, 0, result)) for result in (1.0, 0.0)]


@pytest.mark.parametrize(("number", "result"), [(0.0, 1.0), (0.4999, 1.0), (0.5, 0.0), (0.9999, 0.0)])
def test_one_random_number_draws_the_outcome_in_whose_share_it_falls(numbers: Any, number: float, result: float) -> None:
    assert Mold(2, 1).play(1, 0, numbers(number)) == Mold(2, 0, result)


@given(st.integers(1, 4), st.integers(1, 12))
def test_every_tree_is_worth_exactly_one_half(exact_value: Any, actions: int, depth: int) -> None:
    assert exact_value(mold(actions, depth)) == 0.5


def test_a_position_says_how_far_the_end_is_or_what_the_coin_said() -> None:
    assert str(mold(3, 7)) == "joint actions to come: 7"
    assert str(Mold(3, 0, 1.0)) == "the coin says 1"
    assert str(Mold(3, 0, 0.0)) == "the coin says 0"
