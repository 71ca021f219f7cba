"""Kalah, proven by the published values of small boards, by the facts of its rules, by a slow second implementation and
against OpenSpiel."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kalah import NORTH, SOUTH, Kalah, kalah
from parallel_mcts.errors import IllegalAction, ParameterError
from parallel_mcts.state import IDLE, labels, parse_action
from parallel_mcts.testing import check_state

seeds = st.integers(0, 2**32)
starts = st.builds(
    kalah,
    holes=st.integers(1, 7),
    beans=st.integers(1, 8),
    capture=st.sampled_from(["standard", "empty"]),
    end=st.sampled_from(["either", "mover"]),
    score=st.sampled_from(["win", "margin"]),
)


def sow(state: Kalah, hole: int) -> Kalah:
    """The position after the player to move has chosen a hole."""
    k = parse_action(state, str(hole), state.player)
    return state.play(*((0, k) if state.player else (k, 0)))


# ---------------------------------------------------------------------------------------------- values
def margin(start: Kalah) -> int:
    """SOUTH's margin under best play, by alpha-beta; what is in the pots does not change how to play on."""
    bounds: dict[Any, tuple[int, int]] = {}
    most = 10**6

    def value(state: Kalah, alpha: int, beta: int) -> int:
        banked = state.south_pot - state.north_pot
        if state.shape() == (0, 0):
            return int(state.payoff())
        key = state.south, state.north, state.player
        low, high = (bound + banked for bound in bounds.get(key, (-most, most)))
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        alpha, beta = max(alpha, low), min(beta, high)
        best = best_reply(state, alpha, beta)
        low, high = (low, best) if best <= alpha else (best, high) if best >= beta else (best, best)
        bounds[key] = low - banked, high - banked
        return best

    def best_reply(state: Kalah, alpha: int, beta: int) -> int:
        sign = 1 if state.player == SOUTH else -1
        rows, cols = state.shape()
        after = [state.play(i, j) for i in range(rows) for j in range(cols)]
        after.sort(key=lambda s: (s.player != state.player, sign * (s.north_pot - s.south_pot)))
        best = -most
        low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
        for state in after:
            best = max(best, value(state, low, high) if sign > 0 else -value(state, -high, -low))
            low = max(low, best)
            if best >= high:
                break
        return sign * best

    return value(start, -most, most)


TABLES = {
    "standard": ("0 -2 6 -2 2 0", "2 -2 -2 . 6 8", "0 4 2 2 6", "2 6", "0 2", "2"),
    "empty": ("0 -2 6 -2 2 0", "2 -2 -2 -12 6 8", "0 4 2 2 6", "2 6 8", "0 0", "2"),
}
"""Published: a line for each number of holes, from one bean a hole on."""
VALUES = [
    (capture, holes, beans, int(value))
    for capture, lines in TABLES.items()
    for holes, line in enumerate(lines, start=1)
    for beans, value in enumerate(line.split(), start=1)
    if value != "."
]


@pytest.mark.parametrize(("capture", "holes", "beans", "value"), VALUES)
def test_the_margin_of_a_small_board_is_as_published(capture: str, holes: int, beans: int, value: int) -> None:
    assert margin(kalah(holes, beans, capture=capture, score="margin")) == value


@pytest.mark.parametrize(("holes", "beans", "value"), [(1, 5, 0), (2, 4, -12)])
def test_the_end_rule_changes_the_margin_of_some_boards(holes: int, beans: int, value: int) -> None:
    assert margin(kalah(holes, beans, end="mover", score="margin")) == value
    assert margin(kalah(holes, beans, end="either", score="margin")) != value


# ---------------------------------------------------------------------------------------------- facts
def test_sowing_past_the_pot_goes_on_at_the_other_sides_right_end() -> None:
    before = Kalah.position(north=(2, 2, 2), south=(1, 0, 2), south_pot=2)
    after = sow(before, 3)
    assert (after.south_pot, after.north) == (3, (2, 2, 3))
    assert (sum(after.south), sum(after.north)) == (1, 7)
    assert after.player == NORTH


def test_the_game_of_leftmost_holes_goes_as_told() -> None:
    state = Kalah.position(north=(0, 1, 2), south=(2, 0, 0), end="mover", score="margin")
    states = [state]
    while state.shape() != (0, 0):
        state = sow(state, labels(state)[state.player][0])  # type: ignore[arg-type]
        states.append(state)
    assert [(s.north, s.south) for s in states[1:4]] == [
        ((0, 1, 0), (0, 1, 0)),
        ((1, 0, 0), (0, 1, 0)),
        ((1, 0, 0), (0, 0, 1)),
    ]
    assert states[1].south_pot == 3
    assert len(states) == 5
    assert (state.south_pot, state.north_pot, state.payoff()) == (4, 1, 3.0)
    assert state.south == state.north == (0, 0, 0)


def test_the_last_bean_in_the_own_pot_gives_another_turn() -> None:
    after = sow(kalah(6, 4), 3)
    assert (after.player, after.south_pot, after.south) == (SOUTH, 1, (4, 4, 0, 5, 5, 5))
    north = Kalah.position(north=(1, 2, 0), south=(1, 1, 1), to_move="north")
    assert (sow(north, 1).player, sow(north, 2).player) == (NORTH, NORTH)


def test_a_long_sowing_passes_the_other_pot_by_and_comes_round() -> None:
    after = sow(Kalah.position(north=(1, 1), south=(1, 6), south_pot=2, north_pot=7), 2)
    assert (after.south, after.north, after.south_pot, after.north_pot) == ((2, 1), (2, 2), 4, 7)
    assert after.player == SOUTH


def test_a_sowing_that_ends_where_it_began_captures() -> None:
    after = sow(Kalah.position(north=(1, 1), south=(1, 5), south_pot=2, north_pot=7), 2)
    assert (after.south, after.north, after.south_pot, after.north_pot) == ((2, 0), (2, 0), 2 + 1 + 1 + 2, 7)


def test_a_bean_opposite_an_empty_hole_goes_home_only_if_the_rule_says_so() -> None:
    sides = {"north": (0, 1, 0), "south": (0, 1, 1)}
    kept = sow(Kalah.position(**sides, to_move="north"), 2)
    taken = sow(Kalah.position(**sides, to_move="north", capture="empty", end="mover"), 2)
    assert (kept.north, kept.north_pot, kept.player) == ((1, 0, 0), 0, SOUTH)
    assert (taken.north, taken.north_pot, taken.player) == ((0, 0, 0), 1, SOUTH)


def test_the_game_ends_when_either_side_is_empty_or_only_when_the_mover_is_stuck() -> None:
    sides = {"north": (2, 0, 0), "south": (0, 1, 1)}
    either = sow(Kalah.position(**sides, to_move="north"), 1)
    mover = sow(Kalah.position(**sides, to_move="north", end="mover"), 1)
    assert (either.shape(), either.payoff()) == ((0, 0), 1.0)
    assert (either.pits, mover.pits) == ((0, 0, 0, 3, 0, 0, 0, 1), (1, 1, 1, 0, 0, 0, 0, 1))
    assert (mover.shape(), mover.player) == ((3, 1), SOUTH)


@pytest.mark.parametrize(
    ("south_pot", "north_pot", "win", "by_margin"), [(3, 1, 1.0, 2.0), (2, 2, 0.5, 0.0), (0, 5, 0.0, -5.0)]
)
def test_the_end_pays_the_win_or_the_margin(south_pot: int, north_pot: int, win: float, by_margin: float) -> None:
    pots: Any = {"south_pot": south_pot, "north_pot": north_pot}
    ends = [Kalah.position(north=(0,), south=(0,), **pots, score=score) for score in ("win", "margin")]
    assert [end.payoff() for end in ends] == [win, by_margin]
    assert [end.shape() for end in ends] == [(0, 0)] * 2
    assert ends[1].payoff_range == (-south_pot - north_pot, south_pot + north_pot)


# ---------------------------------------------------------------------------------------------- a second implementation
def by_hand(state: Kalah, hole: int) -> tuple[dict[Any, int], str]:
    """The rules once more, slowly: places by name, one bean at a time."""
    names = [f"s{k + 1}" for k in range(len(state.south))]
    places: dict[str, int] = dict(zip(names, state.south, strict=True))
    places |= {f"n{k + 1}": beans for k, beans in enumerate(state.north)}
    places |= {"s pot": state.south_pot, "n pot": state.north_pot}
    me, other = ("n", "s") if state.player else ("s", "n")
    around = [*names, "s pot", *(f"n{k}" for k in range(len(names), 0, -1)), "n pot"]
    around.remove(f"{other} pot")
    here = f"{me}{hole}"
    hand, places[here] = places[here], 0
    while hand:
        here = around[(around.index(here) + 1) % len(around)]
        places[here] += 1
        hand -= 1
    across = other + here[1:]
    if here[0] == me and here != f"{me} pot" and places[here] == 1 and (places[across] or state.capture_empty):
        places[f"{me} pot"] += places[here] + places[across]
        places[here] = places[across] = 0
    turn = me if here == f"{me} pot" else other
    empty = [
        side for side in "sn" if not any(beans for name, beans in places.items() if name[0] == side and name[1] != " ")
    ]
    if turn in empty or (empty and not state.end_mover):
        for name in places:
            if name[1] != " ":
                places[f"{name[0]} pot"] += places[name]
                places[name] = 0
    return places, turn


@given(starts, seeds)
def test_every_move_is_the_one_made_by_hand(random_walk: Any, start: Kalah, seed: int) -> None:
    for before in random_walk(start, Random(seed)):
        for hole in labels(before)[before.player] if before.shape() != (0, 0) else ():
            after = sow(before, hole)  # type: ignore[arg-type]
            places, turn = by_hand(before, hole)  # type: ignore[arg-type]
            assert after.south == tuple(places[f"s{k + 1}"] for k in range(len(after.south)))
            assert after.north == tuple(places[f"n{k + 1}"] for k in range(len(after.north)))
            assert (after.south_pot, after.north_pot) == (places["s pot"], places["n pot"])
            assert "sn"[after.player] == turn


# ---------------------------------------------------------------------------------------------- properties
@given(starts, seeds)
def test_no_bean_is_lost_and_no_pot_loses_one(random_walk: Any, start: Kalah, seed: int) -> None:
    for before, after in itertools.pairwise(random_walk(start, Random(seed))):
        assert sum(after.pits) == sum(before.pits)
        assert after.south_pot >= before.south_pot
        assert after.north_pot >= before.north_pot


@given(starts, seeds)
def test_all_holes_are_empty_at_the_end_and_not_before(random_walk: Any, start: Kalah, seed: int) -> None:
    *earlier, end = random_walk(start, Random(seed))
    assert end.south_pot + end.north_pot == sum(start.pits)
    assert all(any(state.south) and any(state.north) for state in earlier) or start.end_mover


@settings(max_examples=200)
@given(starts, seeds, seeds)
def test_a_rollout_is_the_random_game_of_the_same_numbers(random_walk: Any, start: Kalah, seed: int, other: int) -> None:
    walk = list(random_walk(start, Random(seed)))
    for state in (*walk[:3], *walk[-3:]):
        *_, end = random_walk(state, Random(other))
        assert state.rollout(Random(other)) == end.payoff()


def test_a_rollout_of_more_beans_than_can_be_packed_is_the_random_game_too(random_walk: Any) -> None:
    for start in (kalah(9, 30), kalah(2, 400, score="margin"), kalah(20, 2)):
        *_, end = random_walk(start, Random(5))
        assert start.rollout(Random(5)) == end.payoff()


@pytest.mark.parametrize("start", [kalah(3, 3, capture="empty", score="margin"), kalah(1, 1), kalah(8, 2, end="mover")])
def test_every_kind_of_board_is_what_a_game_should_be(start: Kalah) -> None:
    check_state(start, games=5)


def test_there_are_as_many_positions_by_ply_as_by_hand() -> None:
    layer, counts, by_hand_counts = {kalah(4, 3)}, [], []
    for _ in range(5):
        counts.append(len(layer))
        moves = [(state, hole) for state in layer for hole in labels(state)[state.player] if hole != IDLE]
        by_hand_counts.append(len({repr(by_hand(state, hole)) for state, hole in moves}))  # type: ignore[arg-type]
        layer = {sow(state, hole) for state, hole in moves}  # type: ignore[arg-type]
    assert counts == [1, 4, 15, 50, 158]
    assert [*counts[1:], len(layer)] == by_hand_counts


# ---------------------------------------------------------------------------------------------- people
def test_the_board_shows_north_on_top_and_the_numbers_of_the_holes() -> None:
    assert str(
        Kalah.position(north=(0, 1, 12), south=(3, 4, 5), north_pot=10, south_pot=2, to_move="north")
    ).splitlines() == [
        "             1  2  3",
        "north  10 |  0  1 12 |",
        "south     |  3  4  5 | 2",
        "north to move",
    ]
    assert str(Kalah.position(north=(0,), south=(0,), south_pot=2)).endswith("the game is over")


def test_holes_are_chosen_by_number() -> None:
    state = Kalah.position(north=(0, 1, 2), south=(2, 0, 1), to_move="north")
    assert labels(state) == ([IDLE], [2, 3])
    assert [parse_action(state, text, NORTH) for text in ("2", " 3 ", "03")] == [0, 1, 1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2", r"south's hole 2 is empty"),
        ("4", "holes are numbered from 1 to 3"),
        ("0", "holes are numbered from 1 to 3"),
        ("left", "holes are numbered from 1 to 3"),
        ("²", "holes are numbered from 1 to 3"),
    ],
)
def test_a_hole_that_cannot_be_chosen_is_quoted_with_the_board_and_what_can(text: str, why: str) -> None:
    state = Kalah.position(north=(0, 1, 2), south=(2, 0, 1))
    with pytest.raises(IllegalAction) as caught:
        parse_action(state, text, SOUTH)
    message = str(caught.value)
    assert message.startswith(f"row cannot play {text!r} in ")
    assert "north  0 | 0 1 2 | / south    | 2 0 1 | 0 / south to move" in message
    assert message.endswith(f"({why}); legal: 1, 3")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"north": (1, 2), "south": (1,)}, r"2 holes of north \[1, 2\] and 1 holes of south \[1\]; both sides must have"),
        ({"north": (), "south": ()}, "from 1 to 20"),
        ({"north": (1, -1), "south": (0, 0)}, "north's hole 2 is -1; it must be a whole number from 0"),
        ({"north": (1,), "south": (0.5,)}, "south's hole 1 is 0.5"),
        ({"north": (1,), "south": (1,), "south_pot": -3}, "south_pot is -3"),
        ({"north": (1,), "south": (1,), "to_move": "east"}, "to_move is 'east'; choose from: south, north"),
        ({"north": (1,), "south": (1,), "capture": "all"}, "capture is 'all'; choose from: standard, empty"),
    ],
)
def test_a_position_that_cannot_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Kalah.position(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"holes": 0}, "holes is 0; it must be a whole number from 1 to 20"),
        ({"beans": 1001}, "beans is 1001; it must be a whole number from 1 to 1000"),
        ({"end": "none"}, "end is 'none'; choose from: either, mover"),
        ({"score": "points"}, "score is 'points'; choose from: win, margin"),
    ],
)
def test_a_parameter_out_of_range_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        kalah(**given)


# ---------------------------------------------------------------------------------------------- OpenSpiel
@pytest.mark.parametrize("seed", range(50))
def test_open_spiels_mancala_agrees_at_every_move(seed: int) -> None:
    """Its pits are numbered in the order of sowing, from 1 for SOUTH's first hole on; it pays 1, 0 or -1."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ours, rng = pyspiel.load_game("mancala").new_initial_state(), kalah(), Random(seed)
    while not theirs.is_terminal():
        assert ours.player == theirs.current_player()
        mover, waiting = labels(ours)[ours.player], labels(ours)[1 - ours.player]
        holes = [pit if ours.player == SOUTH else 14 - pit for pit in theirs.legal_actions()]
        assert (mover, waiting) == (sorted(holes), [IDLE])
        hole = rng.choice(holes)
        theirs.apply_action(hole if ours.player == SOUTH else 14 - hole)
        ours = sow(ours, hole)
    assert ours.shape() == (0, 0)
    assert ours.payoff() == (1 + theirs.returns()[0]) / 2
