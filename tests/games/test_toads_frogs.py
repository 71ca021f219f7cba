"""Toads and Frogs, proven by the published outcome classes, by its example game and by a slow second implementation."""

from __future__ import annotations

import itertools
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.toads_frogs import LONGEST, ToadsFrogs, toads_frogs
from parallel_mcts import game
from parallel_mcts.errors import IllegalAction, ParameterError
from parallel_mcts.state import IDLE, labels, parse_action
from parallel_mcts.testing import check_state

seeds = st.integers(0, 2**32)
strips = st.text("TF_", min_size=1, max_size=LONGEST)
starts = st.builds(toads_frogs, strip=strips, first=st.sampled_from(["toads", "frogs"]))


def move(state: ToadsFrogs, square: int) -> ToadsFrogs:
    """The position after the piece on a square has moved."""
    k = parse_action(state, str(square), state.player)
    return state.play(*((0, k) if state.player else (k, 0)))


# ---------------------------------------------------------------------------------------------- values
@cache
def mover_wins(state: ToadsFrogs) -> bool:
    rows, cols = state.shape()
    return any(not mover_wins(state.play(i, j)) for i in range(rows) for j in range(cols))


def outcome_class(toads: int, frogs: int, gap: int) -> str:
    """N: the next to move wins; P: the previous; L: the toads, whoever begins; R: the frogs."""
    first, second = (mover_wins(toads_frogs(toads, frogs, gap, first=side)) for side in ("toads", "frogs"))
    return {(True, True): "N", (False, False): "P", (True, False): "L", (False, True): "R"}[first, second]


def published(toads: int, frogs: int, gap: int) -> str:
    if gap == 1:
        return "N"
    if gap == 2:
        if min(toads, frogs) > 1:
            return "N"
        return "P" if toads == frogs else "L" if toads > frogs else "R"
    return "L" if toads > frogs else "R"


@pytest.mark.parametrize("gap", [1, 2, 3, 4])
def test_the_outcome_classes_are_as_published(gap: int) -> None:
    pairs = list(itertools.product(range(1, 7 if gap < 4 else 6), repeat=2))
    if gap > 2:
        pairs = [(toads, frogs) for toads, frogs in pairs if toads != frogs]  # nothing is known of equal numbers
    found = {pair: outcome_class(*pair, gap) for pair in pairs}
    assert found == {pair: published(*pair, gap) for pair in pairs}


# ---------------------------------------------------------------------------------------------- rules
def test_the_example_game_goes_as_told() -> None:
    state, strips = game("toads_frogs:strip=TT_FF"), []
    assert state == toads_frogs(2, 2, 1)
    for square in (1, 3, 2, 4, 3):
        state = move(state, square)
        strips.append(state.strip)
    assert strips == ["T_TFF", "TFT_F", "TF_TF", "TFFT_", "TFF_T"]
    assert (state.shape(), state.payoff()) == ((0, 0), 1.0)


def test_row_loses_if_the_toads_are_stuck() -> None:
    stuck = move(toads_frogs(strip="T_F", first="frogs"), 2)
    assert (stuck.strip, stuck.shape()) == ("TF_", (1, 1))
    end = move(move(stuck, 0), 1)
    assert (end.strip, end.shape(), end.payoff()) == ("F_T", (0, 0), 0.0)


def by_hand(strip: str, player: int) -> dict[int, str]:
    """The rules once more, letter by letter: what each move makes of a strip."""
    own, other, step = ("F", "T", -1) if player else ("T", "F", 1)
    after = {}
    for square, sign in enumerate(strip):
        for reach in (1, 2):
            goal = square + step * reach
            if sign != own or not 0 <= goal < len(strip) or strip[goal] != "_":
                continue
            if reach == 1 or strip[square + step] == other:
                squares = list(strip)
                squares[square], squares[goal] = "_", own
                after[square] = "".join(squares)
    return after


@given(starts, seeds)
def test_every_move_is_the_one_made_by_hand(random_walk: Any, start: ToadsFrogs, seed: int) -> None:
    for state in random_walk(start, Random(seed)):
        moves = by_hand(state.strip, state.player)
        if state.shape() == (0, 0):
            assert moves == {}
        else:
            mover, waiting = labels(state)[state.player], labels(state)[1 - state.player]
            assert (mover, waiting) == (sorted(moves), [IDLE])
            assert {square: move(state, square).strip for square in moves} == moves


@given(starts, seeds)
def test_a_toad_never_moves_left_nor_a_frog_right(random_walk: Any, start: ToadsFrogs, seed: int) -> None:
    for before, after in itertools.pairwise(random_walk(start, Random(seed))):
        assert after.player == 1 - before.player
        assert sorted(after.strip) == sorted(before.strip)
        assert after.toads >= before.toads  # further right is a higher bit
        assert after.frogs <= before.frogs
        assert (after.toads > before.toads) == (before.player == 0) != (after.frogs < before.frogs)


@given(starts, seeds, seeds)
def test_a_rollout_is_the_random_game_of_the_same_numbers(
    random_walk: Any, start: ToadsFrogs, seed: int, other: int
) -> None:
    for state in list(random_walk(start, Random(seed)))[::5]:
        *_, end = random_walk(state, Random(other))
        assert state.rollout(Random(other)) == end.payoff()


@given(strips)
def test_a_strip_is_read_as_it_is_written(strip: str) -> None:
    assert toads_frogs(strip=strip).strip == toads_frogs(strip=strip.lower()).strip == strip


@pytest.mark.parametrize("start", [toads_frogs(30, 30, 0), toads_frogs(10, 12, 3, first="frogs")])
def test_other_strips_are_what_a_game_should_be(start: ToadsFrogs) -> None:
    check_state(start, games=3)


# ---------------------------------------------------------------------------------------------- people
def test_a_strip_shows_its_square_numbers_and_whose_turn_it_is() -> None:
    assert str(toads_frogs(2, 7, 3)).splitlines() == ["TT___FFFFFFF", "012345678901", "toads to move"]
    assert str(toads_frogs(strip="_F", first="toads")).splitlines()[2] == "toads are stuck"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "the toad on square 0 is stuck"),
        ("3", "toads move, and on square 3 there is 'F'"),
        ("2", "toads move, and on square 2 there is '_'"),
        ("5", "squares are numbered from 0 to 4"),
        ("-1", "squares are numbered from 0 to 4"),
        ("x", "squares are numbered from 0 to 4"),
    ],
)
def test_a_move_that_is_not_legal_is_quoted_with_the_strip_and_what_is(text: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(toads_frogs(), text, 0)
    place = "TT_FF / 01234 / toads to move"
    assert str(caught.value) == f"row cannot play {text!r} in {place} ({why}); legal: 1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strip": "TT-FF"}, "strip is 'TT-FF', with '-' on square 2; it may have T, F and _"),
        ({"strip": "T" * 61}, "strip is 'T*'; it must be a text of 1 to 60 letters, such as TT_FF"),
        ({"strip": 3}, "strip is 3"),
        ({"toads": -1}, "toads is -1; it must be a whole number from 0 to 60"),
        ({"gap": 2.0}, "gap is 2.0"),
        ({"toads": 30, "frogs": 30, "gap": 1}, "toads=30, frogs=30, gap=1 make a strip of 61 squares; it may have 1 to 60"),
        ({"toads": 0, "frogs": 0, "gap": 0}, "make a strip of 0 squares"),
        ({"first": "row"}, "first is 'row'; choose from: toads, frogs"),
    ],
)
def test_a_parameter_out_of_range_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        toads_frogs(**given)
