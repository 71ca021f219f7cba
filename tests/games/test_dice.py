"""Dice: its rules, and its values against a solver that knows the rules from their description alone."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import Dice, dice

STOP, ROLL = 0, 1
choices = st.sampled_from([STOP, ROLL])
totals = st.integers(0, 12)
positions = st.builds(Dice, row=totals, col=totals, rounds=st.integers(1, 3), target=st.integers(1, 12))
seeds = st.integers(0, 2**32)


@given(positions, choices, choices)
def test_who_rolls_adds_one_to_six_and_who_stops_adds_nothing(state: Dice, i: int, j: int) -> None:
    row_adds, col_adds = ([0], [1, 2, 3, 4, 5, 6])[i], ([0], [1, 2, 3, 4, 5, 6])[j]
    pairs = list(itertools.product(row_adds, col_adds))
    assert state.outcomes(i, j) == [
        (Fraction(1, len(pairs)), Dice(state.row + row_add, state.col + col_add, state.rounds - 1, state.target))
        for row_add, col_add in pairs
    ]


@given(positions, choices, choices, st.data())
def test_one_random_number_draws_the_outcome_in_whose_share_it_falls(
    numbers: Any, state: Dice, i: int, j: int, data: st.DataObject
) -> None:
    listed = [after for _, after in state.outcomes(i, j)]
    k = data.draw(st.integers(0, len(listed) - 1))
    into_its_share = data.draw(st.floats(1e-6, 1 - 1e-6))
    assert state.play(i, j, numbers((k + into_its_share) / len(listed))) == listed[k]


@given(positions, choices, choices)
def test_the_lowest_random_number_draws_the_first_outcome_and_the_highest_the_last(
    numbers: Any, state: Dice, i: int, j: int
) -> None:
    listed = [after for _, after in state.outcomes(i, j)]
    assert state.play(i, j, numbers(0.0)) == listed[0]
    assert state.play(i, j, numbers(1 - 2**-53)) == listed[-1]


def test_nobody_rolling_draws_no_random_number(numbers: Any) -> None:
    assert dice().play(STOP, STOP, numbers()) == Dice(0, 0, 2, 9)


@given(st.integers(1, 8), st.integers(1, 60), seeds)
def test_both_choose_in_each_round_and_then_it_is_over(random_walk: Any, rounds: int, target: int, seed: int) -> None:
    walk = list(random_walk(dice(target=target, rounds=rounds), Random(seed)))
    assert [state.shape() for state in walk] == [(2, 2)] * rounds + [(0, 0)]
    assert [state.labels() for state in walk] == [(("stop", "roll"), ("stop", "roll"))] * rounds + [((), ())]
    assert {state.target for state in walk} == {target}


@pytest.mark.parametrize(
    ("row", "col", "payoff"),
    [
        pytest.param(9, 8, 1.0, id="the target itself is not too much"),
        pytest.param(10, 1, 0.0, id="too much loses to little"),
        pytest.param(1, 10, 1.0, id="little beats too much"),
        pytest.param(10, 0, 0.5, id="too much counts as nothing"),
        pytest.param(10, 17, 0.5, id="too much is not better than far too much"),
        pytest.param(5, 5, 0.5, id="the same"),
        pytest.param(4, 5, 0.0, id="less"),
    ],
)
def test_the_higher_total_wins_unless_it_is_above_the_target(row: int, col: int, payoff: float) -> None:
    assert Dice(row, col, 0, 9).payoff() == payoff


@given(totals, totals, st.integers(1, 12))
def test_changing_seats_changes_who_wins(row: int, col: int, target: int) -> None:
    assert Dice(row, col, 0, target).payoff() + Dice(col, row, 0, target).payoff() == 1.0


@cache
def value_by_the_rules(row: int, col: int, rounds: int, target: int) -> Fraction:
    """Row's value, exactly, without a line of the game."""
    if rounds == 0:
        row, col = row * (row <= target), col * (col <= target)
        return Fraction(1 + (row > col) - (row < col), 2)
    faces = ((0,), (1, 2, 3, 4, 5, 6))
    (a, b), (c, d) = (
        [
            sum(value_by_the_rules(row + r, col + k, rounds - 1, target) for r in row_faces for k in col_faces)
            / Fraction(len(row_faces) * len(col_faces))
            for col_faces in faces
        ]
        for row_faces in faces
    )
    low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
    return low if low == high else (a * d - b * c) / (a + d - b - c)


def test_a_last_round_worked_out_by_hand_is_worth_seven_eighths(exact_value: Any) -> None:
    # Nobody can exceed 9, so both roll; of the 36 throws row then loses 3 (1-5, 1-6, 2-6) and ties 3 (1-4, 2-5, 3-6).
    assert value_by_the_rules(3, 0, 1, 9) == Fraction(30 * 2 + 3, 36 * 2) == Fraction(7, 8)
    assert exact_value(Dice(3, 0, 1, 9)) == pytest.approx(7 / 8, abs=1e-7)


@settings(max_examples=40)
@given(totals, totals, st.integers(0, 2), st.integers(1, 12))
def test_every_position_has_the_value_that_follows_from_the_rules(
    exact_value: Any, row: int, col: int, rounds: int, target: int
) -> None:
    by_rules = float(value_by_the_rules(row, col, rounds, target))
    assert exact_value(Dice(row, col, rounds, target)) == pytest.approx(by_rules, abs=1e-7)


def test_the_default_game_is_fair_and_a_head_start_is_worth_what_follows_from_the_rules(exact_value: Any) -> None:
    assert exact_value(dice()) == pytest.approx(0.5, abs=1e-7)
    assert exact_value(Dice(4, 0, 3, 9)) == pytest.approx(float(value_by_the_rules(4, 0, 3, 9)), abs=1e-7)


def test_two_dice_show_all_36_throws_equally_often() -> None:
    rng = Random(11)
    thrown = (dice().play(ROLL, ROLL, rng) for _ in range(36_000))
    counts = Counter((after.row, after.col) for after in thrown)
    assert sorted(counts) == list(itertools.product(range(1, 7), repeat=2))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 80  # chi-squared, 35 degrees: p = 2e-5


def test_a_position_says_the_totals_the_target_and_the_rounds_to_come() -> None:
    assert str(dice(target=12, rounds=2)) == "row 0, column 0, target 12, rounds to come: 2"
    assert str(Dice(7, 10, 0, 9)) == "row 7, column 10, target 9, rounds to come: 0"
