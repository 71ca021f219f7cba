"""Nim: its rules, and its theory: a heap that is a multiple of four is lost for who has to move."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.nim import Nim, nim
from parallel_mcts.state import IDLE

ROW, COLUMN = 0, 1
seeds = st.integers(0, 2**32)


@given(st.integers(1, 60), seeds)
def test_the_players_take_one_to_three_sticks_in_turn_until_none_is_left(random_walk: Any, sticks: int, seed: int) -> None:
    walk = list(random_walk(nim(sticks), Random(seed)))
    assert [state.player for state in walk] == [ply % 2 for ply in range(len(walk))]
    assert all(before.sticks - after.sticks in (1, 2, 3) for before, after in itertools.pairwise(walk))
    assert all(state.sticks > 0 for state in walk[:-1])
    assert walk[-1].sticks == 0


@given(st.integers(1, 60), seeds)
def test_who_takes_the_last_stick_wins(random_walk: Any, sticks: int, seed: int) -> None:
    walk = list(random_walk(nim(sticks), Random(seed)))
    last_to_move = walk[-2].player
    assert walk[-1].payoff() == (1.0 if last_to_move == ROW else 0.0)


@pytest.mark.parametrize(("sticks", "counts"), [(1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 3]), (1000, [1, 2, 3])])
def test_nobody_takes_more_sticks_than_there_are(sticks: int, counts: list[int]) -> None:
    assert Nim(sticks, ROW).labels() == (counts, (IDLE,))
    assert Nim(sticks, COLUMN).labels() == ((IDLE,), counts)
    assert Nim(sticks, ROW).shape() == (len(counts), 1)
    assert Nim(sticks, COLUMN).shape() == (1, len(counts))
    for k, count in enumerate(counts):
        assert Nim(sticks, ROW).play(k, 0) == Nim(sticks - count, COLUMN)
        assert Nim(sticks, COLUMN).play(0, k) == Nim(sticks - count, ROW)


@pytest.mark.parametrize("sticks", range(1, 33))
def test_multiples_of_four_are_lost_and_all_other_heaps_won_for_who_moves(exact_value: Any, sticks: int) -> None:
    row_wins = 0.0 if sticks % 4 == 0 else 1.0
    assert exact_value(nim(sticks)) == row_wins
    assert exact_value(Nim(sticks, COLUMN)) == 1.0 - row_wins


@pytest.mark.parametrize("sticks", [sticks for sticks in range(1, 33) if sticks % 4])
def test_the_only_winning_move_leaves_a_multiple_of_four(exact_value: Any, sticks: int) -> None:
    start = nim(sticks)
    assert [count for count in start.moves() if exact_value(start.move(count)) == 1.0] == [sticks % 4]


def test_positions_are_equal_when_heap_and_player_are() -> None:
    one_then_two, two_then_one = nim(8).play(0, 0).play(0, 1), nim(8).play(1, 0).play(0, 0)
    assert {one_then_two, two_then_one} == {Nim(5, ROW)}
    for other in (Nim(5, COLUMN), Nim(4, ROW), (5, ROW)):
        assert other != Nim(5, ROW)


def test_a_heap_shows_its_sticks_their_number_and_whose_turn_it_is() -> None:
    assert str(nim(5)) == "||||| (5 left, row to move)"
    assert str(nim(5).play(2, 0)) == "|| (2 left, column to move)"
