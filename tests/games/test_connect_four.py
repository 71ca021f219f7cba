"""Connect four, proven by counts and against OpenSpiel."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.connect_four import ConnectFour, connect_four, has_four
from parallel_mcts.errors import IllegalAction
from parallel_mcts.state import IDLE, parse_action

seeds = st.integers(0, 2**32)


def drop(*columns: int) -> ConnectFour:
    """The position after stones in these columns, named by their labels."""
    state = connect_four()
    for ply, column in enumerate(columns):
        k = list(state.labels()[ply % 2]).index(column)
        state = state.play(*((0, k) if ply % 2 else (k, 0)))
    return state


def test_distinct_positions_by_ply_are_as_published() -> None:
    layer, counts = {connect_four()}, []
    for _ in range(7):
        counts.append(len({(position.mine, position.theirs) for position in layer}))
        layer = {
            position.play(i, j)
            for position in layer
            for i in range(position.shape()[0])
            for j in range(position.shape()[1])
        }
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422]


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param((0, 6, 0, 6, 0, 6, 0), id="upright"),
        pytest.param((0, 0, 1, 1, 2, 2, 3), id="level"),
        pytest.param((3, 4, 4, 5, 5, 6, 5, 6, 6, 0, 6), id="rising"),
        pytest.param((3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0), id="falling"),
    ],
)
def test_four_in_a_line_wins_in_every_direction(columns: tuple[int, ...]) -> None:
    assert drop(*columns[:-1]).shape() != (0, 0)
    assert drop(*columns).shape() == (0, 0)
    assert drop(*columns).payoff() == 1.0


def test_column_wins_are_losses_for_row() -> None:
    assert drop(0, 6, 0, 6, 0, 6, 1, 6).payoff() == 0.0


def test_a_full_column_cannot_be_chosen() -> None:
    assert drop(3, 3, 3, 3, 3, 3).labels() == ([0, 1, 2, 4, 5, 6], (IDLE,))
    assert drop(3, 3, 3, 3, 3, 3, 0).labels() == ((IDLE,), [0, 1, 2, 4, 5, 6])


def cells_of(stones: int) -> set[tuple[int, int]]:
    return {(column, height) for column in range(7) for height in range(7) if stones >> 7 * column + height & 1}


def four_by_looking(stones: int) -> bool:
    """The slow way, cell by cell."""
    cells = cells_of(stones)
    steps = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(all((x + k * a, y + k * b) in cells for k in range(4)) for x, y in cells for a, b in steps)


@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 5))))
def test_the_bit_trick_finds_the_lines_that_looking_finds(cells: set[tuple[int, int]]) -> None:
    stones = sum(1 << 7 * column + height for column, height in cells)
    assert has_four(stones) == four_by_looking(stones)


@given(seeds)
def test_a_stone_rests_on_the_floor_or_on_a_stone_and_none_is_overwritten(random_walk: Any, seed: int) -> None:
    walk = list(random_walk(connect_four(), Random(seed)))
    for before, after in itertools.pairwise(walk):
        assert after.mine == before.theirs
        assert before.mine & after.theirs == before.mine
        assert after.mine & after.theirs == 0
        ((column, height),) = cells_of(after.mine | after.theirs) - cells_of(before.mine | before.theirs)
        assert height < 6
        assert height == 0 or (column, height - 1) in cells_of(before.mine | before.theirs)


@given(seeds)
def test_a_game_ends_at_the_first_four_or_with_a_full_rack(random_walk: Any, seed: int) -> None:
    *earlier, end = random_walk(connect_four(), Random(seed))
    assert not any(four_by_looking(state.theirs) for state in earlier)
    assert four_by_looking(end.theirs) or end.ply == 42


@given(seeds, seeds)
def test_a_rollout_is_the_random_game_of_the_same_numbers(random_walk: Any, seed: int, other: int) -> None:
    walk = list(random_walk(connect_four(), Random(seed)))
    for state in walk[::5] + walk[-3:]:
        *_, end = random_walk(state, Random(other))
        assert state.rollout(Random(other)) == end.payoff()


def test_a_rack_shows_stones_above_column_numbers() -> None:
    assert str(drop(3, 3, 0)).splitlines()[4:] == [
        ". . . O . . .",
        "X . . X . . .",
        "0 1 2 3 4 5 6",
        "O to move",
    ]


def test_a_finished_rack_says_how_it_ended() -> None:
    assert str(drop(0, 6, 0, 6, 0, 6, 0)).endswith("X has won")
    assert str(drop(0, 6, 0, 6, 0, 6, 1, 6)).endswith("O has won")


@pytest.mark.parametrize("text", ["0", " 6 "])
def test_a_column_is_chosen_by_its_number(text: str) -> None:
    assert parse_action(connect_four(), text, 0) == int(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3", "column 3 is full"),
        ("7", "columns are numbered from 0 to 6"),
        ("-", "columns are numbered from 0 to 6"),
        ("12", "columns are numbered from 0 to 6"),
    ],
)
def test_a_column_that_cannot_be_chosen_is_quoted_with_the_rack_and_what_can(text: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(drop(3, 3, 3, 3, 3, 3), text, 0)
    message = str(caught.value)
    assert message.startswith(f"row cannot play {text!r} in . . . O . . . / . . . X . . . / ")
    assert message.endswith(f"0 1 2 3 4 5 6 / X to move ({why}); legal: 0, 1, 2, 4, 5, 6")


@pytest.mark.parametrize("seed", range(100))
def test_open_spiel_agrees_at_every_move(seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ours, rng = pyspiel.load_game("connect_four").new_initial_state(), connect_four(), Random(seed)
    while not theirs.is_terminal():
        turn = theirs.current_player()
        mover, waiting = ours.labels()[turn], ours.labels()[1 - turn]
        assert (mover, waiting) == (theirs.legal_actions(), (IDLE,))
        k = rng.randrange(len(mover))
        theirs.apply_action(mover[k])
        ours = ours.play(*((k, 0) if turn == 0 else (0, k)))
    assert ours.shape() == (0, 0)
    assert ours.payoff() == (1 + theirs.returns()[0]) / 2
