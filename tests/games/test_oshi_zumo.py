"""Oshi-Zumo: published values in fractions, OpenSpiel in lock-step, and the rules."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from exact import OSHI_ZUMO
from hypothesis import given, settings
from hypothesis import strategies as st
from rational import positions_by_ply, value_of

from games.oshi_zumo import OshiZumo, oshi_zumo
from parallel_mcts.state import labels, payoffs

seeds = st.integers(0, 2**32)


@st.composite
def starts(draw: Any) -> OshiZumo:
    size = draw(st.integers(1, 3))
    return oshi_zumo(
        size=size,
        row_coins=draw(st.integers(1, 9)),
        col_coins=draw(st.integers(0, 9)),
        position=draw(st.integers(1, 2 * size + 1)),
        min_bid=draw(st.integers(0, 4)),
        horizon=draw(st.integers(1, 20)),
    )


# ---------------------------------------------------------------------------------------------- values
@pytest.mark.parametrize(("size", "row_coins", "col_coins", "position", "value"), OSHI_ZUMO)
def test_positions_have_exactly_their_known_values(
    size: int, row_coins: int, col_coins: int, position: int, value: Fraction
) -> None:
    state = oshi_zumo(size=size, row_coins=row_coins, col_coins=col_coins, position=position, min_bid=1)
    assert value_of(state) == value


@settings(max_examples=30)
@given(st.integers(1, 2), st.integers(0, 5), st.integers(0, 5), st.integers(1, 5), st.integers(0, 2))
def test_changing_seats_changes_the_sign_of_the_value(size: int, row: int, col: int, position: int, min_bid: int) -> None:
    if row + col == 0 or position > 2 * size + 1:
        return
    here = oshi_zumo(size=size, row_coins=row, col_coins=col, position=position, min_bid=min_bid, horizon=4)
    there = oshi_zumo(size=size, row_coins=col, col_coins=row, position=2 * size + 2 - position, min_bid=min_bid, horizon=4)
    assert value_of(here) == -value_of(there)


def test_equal_players_with_the_wrestler_between_them_have_equal_chances() -> None:
    assert value_of(oshi_zumo(size=2, coins=6)) == 0


def test_who_can_push_alone_often_enough_wins() -> None:
    assert value_of(oshi_zumo(size=2, row_coins=3, col_coins=0)) == 1
    assert value_of(oshi_zumo(size=2, row_coins=0, col_coins=1)) == -1


# ---------------------------------------------------------------------------------------------- rules
@given(starts(), seeds)
def test_bids_are_paid_and_the_higher_one_pushes_the_wrestler_a_square(
    random_walk: Any, start: OshiZumo, seed: int
) -> None:
    rng = Random(seed)
    for state in random_walk(start, Random(seed)):
        rows, cols = state.shape()
        if rows == 0:
            continue
        i, j = rng.randrange(rows), rng.randrange(cols)
        row_bid, col_bid = (int(str(names[k])) for names, k in zip(labels(state), (i, j), strict=True))
        after = state.play(i, j)
        assert after.row_coins == state.row_coins - row_bid >= 0
        assert after.col_coins == state.col_coins - col_bid >= 0
        assert after.position - state.position == (row_bid > col_bid) - (row_bid < col_bid)
        assert (after.size, after.min_bid) == (state.size, state.min_bid)


@given(starts())
def test_a_player_bids_from_the_minimum_up_or_all_it_has_if_that_is_less(start: OshiZumo) -> None:
    for names, coins in zip(labels(start), (start.row_coins, start.col_coins), strict=True):
        least = min(start.min_bid, coins)
        assert names == list(range(least, coins + 1))


@given(starts(), seeds)
def test_it_ends_at_an_edge_or_without_coins_or_at_the_horizon_and_not_before(
    random_walk: Any, start: OshiZumo, seed: int
) -> None:
    walk = list(random_walk(start, Random(seed)))
    for played, state in enumerate(walk):
        off = state.position in (0, 2 * state.size + 2)
        spent = state.row_coins == state.col_coins == 0
        late = start.min_bid == 0 and played == start.rounds
        assert (off or spent or late) == (state is walk[-1])
    centre = start.size + 1
    assert walk[-1].payoff() == (walk[-1].position > centre) - (walk[-1].position < centre)


@given(starts(), seeds)
def test_a_game_replayed_by_its_bids_comes_to_the_same_positions(random_walk: Any, start: OshiZumo, seed: int) -> None:
    walk = list(random_walk(start, Random(seed)))
    state = start
    for before, after in itertools.pairwise(walk):
        bids = before.row_coins - after.row_coins, before.col_coins - after.col_coins
        i, j = (names.index(bid) for names, bid in zip(labels(state), bids, strict=True))
        state = state.play(i, j)
        assert state == after


def test_positions_that_differ_in_their_history_alone_are_one() -> None:
    start = oshi_zumo(size=2, coins=6)
    assert start.play(0, 1).play(1, 0) == start.play(1, 0).play(0, 1)


def test_there_are_as_many_positions_as_open_spiel_has() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("oshi_zumo", {"coins": 5, "size": 1, "min_bid": 1})
    counts, reached = [], {str(game.new_initial_state()): game.new_initial_state()}
    while reached:
        counts.append(len(reached))
        following = {}
        for state in reached.values():
            if not state.is_terminal():
                for bids in itertools.product(state.legal_actions(0), state.legal_actions(1)):
                    after = state.clone()
                    after.apply_actions(list(bids))
                    following[str(after)] = after
        reached = following
    assert positions_by_ply(oshi_zumo(size=1, coins=5)) == counts


def test_a_position_shows_the_line_the_wrestler_and_the_coins() -> None:
    assert str(oshi_zumo(size=1, row_coins=2, col_coins=3)) == "#.W.#  coins: row 2, column 3"
    assert str(oshi_zumo(size=1, coins=2, min_bid=0, horizon=7)) == "#.W.#  coins: row 2, column 2, rounds to come: 7"
    assert str(OshiZumo(size=1, row_coins=0, col_coins=1, position=4)) == "#...W  coins: row 0, column 1"


# ---------------------------------------------------------------------------------------------- OpenSpiel in lock-step
# The rules are the same. Theirs counts rounds whatever the minimum bid; ours only where zero may be bid, since the coins
# are sure to run out otherwise. Theirs wants both players to have the same coins, and at least a minimum bid each.
@pytest.mark.parametrize("seed", range(60))
def test_open_spiel_agrees_at_every_move(seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = Random(seed)
    given = {"size": rng.randint(1, 4), "coins": rng.randint(3, 15), "min_bid": rng.randint(0, 3)}
    horizon = 1000 if given["min_bid"] else rng.randint(1, 12)
    theirs = pyspiel.load_game("oshi_zumo", {**given, "horizon": horizon}).new_initial_state()
    ours = oshi_zumo(**given, horizon=horizon)
    while not theirs.is_terminal():
        row_bids, col_bids = labels(ours)
        assert row_bids == theirs.legal_actions(0)
        assert col_bids == theirs.legal_actions(1)
        line, coins = str(ours).split("  ")
        assert f"Coins: {ours.row_coins} {ours.col_coins}, Field: {line}\n" == str(theirs), coins
        i, j = rng.randrange(len(row_bids)), rng.randrange(len(col_bids))
        theirs.apply_actions([row_bids[i], col_bids[j]])
        ours = ours.play(i, j)
    assert ours.shape() == (0, 0)
    assert payoffs(ours) == tuple(theirs.returns())
