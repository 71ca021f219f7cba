"""Tron: the rules against a second implementation that knows them as sets of squares, values in fractions, and boards."""

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

from games.tron import Tron, tron
from parallel_mcts.errors import ParameterError
from parallel_mcts.state import labels, payoffs

Square = tuple[int, int]
STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
seeds = st.integers(0, 2**32)


# ---------------------------------------------------------------------------------------------- a second implementation
class Riders:
    """The rules again, slowly: free squares as a set, and every direction allowed, into walls too."""

    def __init__(self, free: frozenset[Square], row: Square, col: Square) -> None:
        self.free, self.row, self.col = free - {row, col}, row, col

    def after(self, row_way: str, col_way: str) -> Riders | Fraction:
        """The next position, or row's payoff."""
        row, col = ((x + STEPS[way][0], y + STEPS[way][1]) for (x, y), way in ((self.row, row_way), (self.col, col_way)))
        row_crashes, col_crashes = row not in self.free, col not in self.free
        if row_crashes or col_crashes or row == col:
            return Fraction(col_crashes - row_crashes)
        return Riders(self.free, row, col)

    def safe(self, square: Square) -> list[str]:
        return [way for way, (dx, dy) in STEPS.items() if (square[0] + dx, square[1] + dy) in self.free]

    def key(self) -> tuple[frozenset[Square], Square, Square]:
        return self.free, self.row, self.col


def riders(drawn: str) -> Riders:
    squares = {(x, y): sign for y, line in enumerate(drawn.split("/")) for x, sign in enumerate(line)}
    (row,), (col,) = ([square for square, sign in squares.items() if sign == player] for player in "RC")
    return Riders(frozenset(square for square, sign in squares.items() if sign != "#"), row, col)


def value_by_the_rules(start: Riders) -> Fraction:
    @cache
    def value(free: frozenset[Square], row: Square, col: Square) -> Fraction:
        here = Riders(free, row, col)
        return solved([[worth(here.after(one, other)) for other in STEPS] for one in STEPS])

    def worth(after: Riders | Fraction) -> Fraction:
        return after if isinstance(after, Fraction) else value(*after.key())

    return value(*start.key())


def counts_by_the_rules(start: Riders) -> list[int]:
    """Distinct positions by ply; the riders do not crash while they can help it."""
    counts: list[int] = []
    reached: dict[Any, Riders | None] = {start.key(): start}
    while reached:
        counts.append(len(reached))
        following: dict[Any, Riders | None] = {}
        for here in filter(None, reached.values()):
            for one, other in itertools.product(here.safe(here.row), here.safe(here.col)):
                there = here.after(one, other)
                if isinstance(there, Riders):
                    following[there.key()] = there
                else:  # they can only have met
                    square = here.row[0] + STEPS[one][0], here.row[1] + STEPS[one][1]
                    following[here.free - {square}, square] = None
        reached = following
    return counts


BOARDS = [
    "R../.../..C",
    "R.../..../...C",
    "R../#../..C",
    "RC./.../...",
    "R.../.C../....",
    "R..#./..#../#...C",
    "R..../..C..",
]


@pytest.mark.parametrize("drawn", BOARDS)
def test_the_value_is_that_of_the_rules_in_which_one_may_also_ride_into_a_wall(drawn: str) -> None:
    assert value_of(tron(walls=drawn)) == value_by_the_rules(riders(drawn))


@pytest.mark.parametrize("drawn", [*BOARDS, "R.../..../..../...C"])
def test_there_are_as_many_positions_by_ply_as_the_rules_allow(drawn: str) -> None:
    assert positions_by_ply(tron(walls=drawn)) == counts_by_the_rules(riders(drawn))


def test_values_are_not_all_the_same() -> None:
    assert value_of(tron(walls="RC./.../...")) == -1
    assert value_of(tron(walls="CR./.../...")) == 1
    assert value_of(tron(4, 4)) == 0


@st.composite
def drawn_boards(draw: Any) -> str:
    """Boards of up to 8 x 8 with walls, where both riders can move."""
    width, height = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    squares = [(x, y) for x in range(width) for y in range(height)]
    row, col = draw(st.sampled_from(list(itertools.permutations(squares, 2)))) if len(squares) > 1 else squares
    blocked = draw(st.sets(st.sampled_from(squares), max_size=len(squares) // 4))
    signs = {**dict.fromkeys(blocked, "#"), row: "R", col: "C"}
    return "/".join("".join(signs.get((x, y), ".") for x in range(width)) for y in range(height))


@settings(max_examples=80)
@given(drawn_boards(), seeds)
def test_random_games_go_as_the_second_implementation_says(drawn: str, seed: int) -> None:
    theirs = riders(drawn)
    if not theirs.safe(theirs.row) or not theirs.safe(theirs.col):
        with pytest.raises(ParameterError, match="cannot move from its start"):
            tron(walls=drawn)
        return
    ours, rng = tron(walls=drawn), Random(seed)
    result: Fraction | None = None
    while result is None:
        assert labels(ours) == (theirs.safe(theirs.row), theirs.safe(theirs.col))
        row_way, col_way = (rng.choice(ways) for ways in labels(ours))
        there = theirs.after(str(row_way), str(col_way))
        ours = ours.play(*(names.index(way) for names, way in zip(labels(ours), (row_way, col_way), strict=True)))
        if isinstance(there, Fraction):
            result = there
        elif not there.safe(there.row) or not there.safe(there.col):
            result = Fraction(bool(there.safe(there.row)) - bool(there.safe(there.col)))
        else:
            theirs = there
    assert ours.shape() == (0, 0)
    assert payoffs(ours) == (result, -result)


# ---------------------------------------------------------------------------------------------- boards
@given(st.integers(1, 60), st.integers(1, 60), seeds)
@settings(max_examples=30)
def test_any_board_can_be_played_on_and_each_move_blocks_two_squares_or_one(
    random_walk: Any, width: int, height: int, seed: int
) -> None:
    if width * height < 3:
        return
    walk = list(random_walk(tron(width, height), Random(seed)))
    blocked = [sum(line.bit_count() for line in state.board) for state in walk]
    met = (walk[-1].row_x, walk[-1].row_y) == (walk[-1].col_x, walk[-1].col_y)
    assert blocked == [*range(2, 2 * len(walk), 2), 2 * len(walk) - met]
    assert str(walk[0]).count("R") == str(walk[0]).count("C") == 1


def test_a_drawing_may_leave_the_starts_to_the_corners_and_be_a_list_of_lines() -> None:
    assert tron(walls="..#/.../...") == tron(walls=["..#", "...", "..."]) == tron(3, 3, "R.#/.../..C")
    assert str(tron(walls="..#/.../...")) == "R.#\n...\n..C"


def test_a_head_on_collision_is_a_draw_and_shows_both_on_one_square() -> None:
    end = tron(walls="R.C").play(0, 0)
    assert payoffs(end) == (0, 0)
    assert str(end) == "#X#"


def test_a_rider_that_cannot_move_loses_and_both_draw() -> None:
    assert payoffs(tron(walls="#R.#/.C../....").play(0, 0))[0] == -1
    assert payoffs(tron(walls="R./.C").play(0, 1))[0] == 0
    assert isinstance(tron(), Tron)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"width": 0}, "width is 0; it must be a whole number from 1 to 60"),
        ({"height": 61}, "height is 61"),
        ({"width": 1, "height": 1}, r"both players start at \(0, 0\)"),
        ({"width": 2, "height": 1}, r"row cannot move from its start \(0, 0\) in RC; leave a free square beside it"),
        ({"walls": "R../..C."}, r"walls is 'R../..C.'; it must have 1 to 60 equally long lines"),
        ({"walls": ""}, "walls is ''"),
        ({"walls": ["R..", 3]}, "walls is"),
        ({"walls": "R.x/..C"}, r"walls has 'x' at \(2, 0\); a square is # \(wall\)"),
        ({"walls": "R.R/..C"}, r"walls has R at \(0, 0\) and \(2, 0\); a player has one start"),
        ({"walls": "#../..C"}, r"walls has a wall at \(0, 0\), where R would start"),
        ({"walls": "C../..."}, r"walls has C at \(0, 0\), where R would start"),
        ({"walls": "R../..C", "width": 4}, "width is 4, but the board drawn in walls has 3: R../..C"),
        ({"walls": "R#./##C"}, r"row cannot move from its start \(0, 0\) in R#./##C"),
    ],
)
def test_a_bad_board_is_quoted_with_what_is_allowed(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        tron(**given)
