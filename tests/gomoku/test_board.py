"""The engine's board: what it keeps up to date, held against working it out anew and against the rules of the game."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from boards import fives, free_squares, scattered, winning_fours
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts.gomoku.board import FIVE_KIND, FREE, QUIET, WINNING_FOUR, number_of, square_of
from parallel_mcts.gomoku.engine import board_of, put_stone, take_stone
from parallel_mcts.gomoku.position import Position


def same(one: Any, other: Any) -> bool:
    """Whether two boards agree about every square and every sum."""
    free = one.owner == FREE
    sums = all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("stones", "owner", "near", "counts", "totals", "hash")
    )
    return (
        sums
        and np.array_equal(one.kinds[:, free], other.kinds[:, free])
        and np.array_equal(one.worth[:, free], other.worth[:, free])
    )


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), width=st.integers(5, 20), height=st.integers(5, 20), rule=st.integers(0, 2))
def test_putting_and_taking_stones_keeps_everything_in_step(seed: int, width: int, height: int, rule: int) -> None:
    """Also of a stone that was not put last, and of more stones than can be noted."""
    rng = Random(seed)
    board, stones = board_of(Position.empty(width, height, rule)), dict[int, int]()
    for _ in range(90):
        if stones and rng.random() < 0.4:
            square = list(stones)[-1] if rng.random() < 0.7 else rng.choice(list(stones))
            del stones[square]
            take_stone(board, square)
        else:
            square = number_of((rng.randrange(width), rng.randrange(height)))
            if square not in stones:
                stones[square] = rng.randrange(2)
                put_stone(board, square, stones[square])
    rows = [[0] * height, [0] * height]
    for square, colour in stones.items():
        column, row = square_of(square)
        rows[colour][row] |= 1 << column
    assert same(board, board_of(Position(tuple(rows[0]), tuple(rows[1]), width, rule)))


@pytest.mark.parametrize("rule", [0, 1, 2])
def test_fives_and_winning_fours_are_those_of_the_rules(rule: int) -> None:
    rng = Random(rule)
    met = 0
    for _ in range(12):
        position = scattered(rng, size=10, each=10, spread=1.6, rule=rule)
        board = board_of(position)
        for colour in range(2):
            makes = {square: int(board.kinds[colour, number_of(square)]) for square in free_squares(position)}
            five = set(fives(position, colour))
            assert {square for square, kind in makes.items() if kind == FIVE_KIND} == five
            four = set(winning_fours(position, colour)) - five
            if not five:  # a stone elsewhere keeps a five that was there
                assert {square for square, kind in makes.items() if kind == WINNING_FOUR} == four
            met += len(five) + len(four)
    assert met > 10


def test_counts_are_those_of_the_free_squares() -> None:
    board = board_of(scattered(Random(3)))
    for colour in range(2):
        kinds = [board.kinds[colour, square] for square in board.squares if board.owner[square] == FREE]
        assert [kinds.count(kind) for kind in range(QUIET, FIVE_KIND + 1)] == list(board.counts[colour])


def test_squares_and_numbers_are_each_others_names() -> None:
    assert all(square_of(number_of(square)) == square for square in ((0, 0), (19, 0), (0, 19), (7, 11)))
