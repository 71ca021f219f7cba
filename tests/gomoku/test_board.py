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
    rng = Random(seed)
    position = Position.empty(width, height, rule)
    board, line = board_of(position), list[tuple[int, Position]]()
    for _ in range(50):
        if line and rng.random() < 0.4:
            square, position = line.pop()
            take_stone(board, square)
        else:
            column, row = rng.randrange(width), rng.randrange(height)
            if position.is_free((column, row)):
                line.append((number_of((column, row)), position))
                put_stone(board, line[-1][0], position.to_move)
                position = position.played((column, row))._replace(to_move=rng.randrange(2))
    assert same(board, board_of(position))


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
