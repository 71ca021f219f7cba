"""How the time of a match is divided over its moves."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts.gomoku.timing import QUICKEST, Limits, moves_to_come, seconds_for_move

SECONDS = st.floats(0.0, 10_000.0)


def test_a_limit_for_a_move_is_used_but_for_a_margin() -> None:
    assert seconds_for_move(Limits(turn=1.0), own_stones=0, free_squares=225) == pytest.approx(0.92)
    assert seconds_for_move(Limits(turn=0.1), own_stones=0, free_squares=225) == pytest.approx(0.065)
    assert seconds_for_move(Limits(turn=30.0), own_stones=0, free_squares=225) == pytest.approx(29.47)


def test_a_limit_of_nothing_is_as_quick_as_possible() -> None:
    assert seconds_for_move(Limits(turn=0.0), own_stones=3, free_squares=200) == QUICKEST
    assert seconds_for_move(Limits(left=-4.0), own_stones=3, free_squares=200) == QUICKEST


def test_a_match_is_divided_by_the_moves_to_come() -> None:
    assert [moves_to_come(own, 400) for own in (0, 10, 20, 25, 90)] == [30, 20, 10, 10, 10]
    assert [moves_to_come(12, free) for free in (9, 8, 2, 1, 0)] == [5, 4, 1, 1, 1]
    assert seconds_for_move(Limits(turn=inf, match=302.0), own_stones=0, free_squares=400) == pytest.approx(9.47)


def test_what_the_manager_says_is_left_counts_more_than_what_a_match_may_take() -> None:
    assert Limits(match=100.0, used=30.0).remaining == 70.0
    assert Limits(match=100.0, left=20.0, used=5.0).remaining == 15.0
    assert Limits().remaining == inf


@given(SECONDS, SECONDS, st.integers(0, 200), st.integers(1, 400))
def test_no_move_takes_more_than_it_may(turn: float, left: float, own: int, free: int) -> None:
    seconds = seconds_for_move(Limits(turn=turn, left=left), own_stones=own, free_squares=free)
    assert seconds >= QUICKEST
    assert seconds == QUICKEST or seconds < min(turn, left)


@given(st.floats(10.0, 1000.0), st.integers(5, 20))
def test_a_match_that_fills_the_board_does_not_exceed_its_time(match: float, side: int) -> None:
    limits = Limits(turn=inf, match=match)
    for own in range((side * side + 1) // 2):
        seconds = seconds_for_move(limits, own_stones=own, free_squares=side * side - 2 * own)
        limits = Limits(turn=inf, match=match, used=limits.used + seconds)
    assert limits.remaining > 0


@given(st.floats(1.0, 1000.0))
def test_more_time_is_never_used_for_less(more: float) -> None:
    longer = seconds_for_move(Limits(turn=more), own_stones=0, free_squares=100)
    assert longer > seconds_for_move(Limits(turn=more / 2), own_stones=0, free_squares=100)
