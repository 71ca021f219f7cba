"""Pursuit: values against a dynamic programme that knows the rules from their description alone, and the rules."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rational import positions_by_ply, solved, value_of

from games.pursuit import Pursuit, pursuit
from parallel_mcts.errors import ParameterError
from parallel_mcts.state import labels, payoffs

Square = tuple[int, int]
sizes, seeds = st.integers(1, 6), st.integers(0, 2**32)
STEPS = {
    "up-left": (-1, -1),
    "up": (0, -1),
    "up-right": (1, -1),
    "left": (-1, 0),
    "stay": (0, 0),
    "right": (1, 0),
    "down-left": (-1, 1),
    "down": (0, 1),
    "down-right": (1, 1),
}


def free_squares(drawn: str) -> dict[Square, str]:
    return {(x, y): sign for y, line in enumerate(drawn.split("/")) for x, sign in enumerate(line) if sign != "#"}


def place_of(sign: str, free: dict[Square, str]) -> Square:
    return next(square for square, found in free.items() if found == sign)


def neighbours(square: Square, free: dict[Square, str]) -> list[Square]:
    """The square itself, and those a king could go to."""
    return [other for other in free if max(abs(other[0] - square[0]), abs(other[1] - square[1])) <= 1]


def value_by_the_rules(drawn: str, steps: int) -> Fraction:
    """How likely the prey is to be caught, without a line of the game."""
    free = free_squares(drawn)

    @cache
    def value(row: Square, col: Square, left: int) -> Fraction:
        if left == 0:
            return Fraction(0)
        ways = itertools.product(neighbours(row, free), neighbours(col, free))
        worth = {
            (here, there): Fraction(1) if here == there or (here, there) == (col, row) else value(here, there, left - 1)
            for here, there in ways
        }
        return solved([[worth[here, there] for there in neighbours(col, free)] for here in neighbours(row, free)])

    return value(place_of("R", free), place_of("C", free), steps)


@pytest.mark.parametrize(
    ("drawn", "steps"),
    [("R./.C", 3), ("R../..C", 4), ("R../.../..C", 4), ("R.../...C", 3), ("R.#./.#../...C", 4), ("RC./.../...", 3)],
    ids=str,
)
def test_the_value_is_the_chance_to_catch_that_follows_from_the_rules(drawn: str, steps: int) -> None:
    assert value_of(pursuit(walls=drawn, steps=steps)) == value_by_the_rules(drawn, steps)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_on_four_squares_each_move_catches_with_one_chance_in_three(steps: int) -> None:
    # The prey mixes the three squares where the hunter is not; the hunter mixes them too.
    assert value_of(pursuit(2, 2, steps)) == 1 - Fraction(2, 3) ** steps


def test_in_a_corridor_the_hunter_needs_as_many_moves_as_there_are_squares_between() -> None:
    assert value_of(pursuit(5, 1, 3)) == 0
    assert value_of(pursuit(5, 1, 4)) == 1


def test_a_prey_behind_walls_is_never_caught() -> None:
    assert value_of(pursuit(walls="R.#./..#C", steps=3)) == 0


@given(sizes, sizes, st.integers(1, 8), seeds)
@settings(max_examples=60)
def test_both_go_where_a_king_could_and_the_hunt_ends_when_they_meet_or_the_moves_are_over(
    random_walk: Any, width: int, height: int, steps: int, seed: int
) -> None:
    if width * height < 2:
        return
    free = dict.fromkeys(itertools.product(range(width), range(height)), ".")
    walk = list(random_walk(pursuit(width, height, steps), Random(seed)))
    assert [state.left for state in walk] == list(range(steps, steps - len(walk), -1))
    for before, after in itertools.pairwise(walk):
        row, col, row_after, col_after = (
            (x, y) for state in (before, after) for x, y in ((state.row_x, state.row_y), (state.col_x, state.col_y))
        )
        for names, square in zip(labels(before), (row, col), strict=True):
            reached = {(square[0] + STEPS[str(way)][0], square[1] + STEPS[str(way)][1]) for way in names}
            assert reached == set(neighbours(square, free))
        assert row_after in neighbours(row, free)
        assert col_after in neighbours(col, free)
        assert after.caught == (row_after == col_after or (row_after, col_after) == (col, row))
    assert payoffs(walk[-1]) == ((1, 0) if walk[-1].caught else (0, 1))
    assert walk[-1].caught or walk[-1].left == 0


def test_each_action_leads_where_its_name_says() -> None:
    start = Pursuit((0, 0, 0), 3, 1, 1, 1, 1, 1)
    assert labels(start) == (list(STEPS), list(STEPS))
    for k, (dx, dy) in enumerate(STEPS.values()):
        after = start.play(k, 8 - k)
        assert (after.row_x, after.row_y) == (1 + dx, 1 + dy)
        assert (after.col_x, after.col_y) == (1 - dx, 1 - dy)


def test_hunter_and_prey_that_change_places_have_met() -> None:
    beside = pursuit(walls="RC.", steps=2)
    row, col = labels(beside)
    assert payoffs(beside.play(row.index("right"), col.index("left"))) == (1, 0)
    assert not beside.play(row.index("right"), col.index("right")).caught


def test_there_are_as_many_positions_by_ply_as_the_rules_allow() -> None:
    free = free_squares("R../.../..C")
    counts, reached = [], {((0, 0), (2, 2), False)}
    for _ in range(4):
        counts.append(len(reached))
        reached = {
            (here, there, here == there or (here, there) == (col, row))
            for row, col, caught in reached
            if not caught
            for here in neighbours(row, free)
            for there in neighbours(col, free)
        }
    assert positions_by_ply(pursuit(3, 3, 3)) == counts


def test_a_position_shows_the_board_and_how_the_hunt_stands() -> None:
    start = pursuit(walls="R.#/..C", steps=2)
    assert str(start) == "R.#\n..C\nmoves to come: 2"
    met = start.play(labels(start)[0].index("down-right"), labels(start)[1].index("left"))
    assert str(met) == "..#\n.X.\ncaught"
    assert str(pursuit(3, 1, 1).play(0, 1)) == "R.C\nescaped"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": 0}, "steps is 0; it must be a whole number from 1 to 10000"),
        ({"width": "wide"}, "width is 'wide'"),
        ({"width": 1, "height": 1}, r"both players start at \(0, 0\)"),
        ({"walls": "R?C"}, r"walls has '\?' at \(1, 0\)"),
    ],
)
def test_a_bad_parameter_is_quoted_with_what_is_allowed(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pursuit(**given)
