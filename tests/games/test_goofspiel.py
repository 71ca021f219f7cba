"""Goofspiel: known values in fractions, OpenSpiel in lock-step, and the rules."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rational import positions_by_ply, solved, value_of

from games.goofspiel import Goofspiel, RandomGoofspiel, cards_of, goofspiel, nth_card
from parallel_mcts import game
from parallel_mcts.state import IDLE, apply_outcome, payoff_range, payoffs, transitions

seeds = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("row_hand", "col_hand", "prizes", "by_points", "by_win"),
    [
        ("2-3-4", "1-3-4", "3-2-1", Fraction(31, 36), Fraction(5, 8)),
        ("1-2-4", "1-2-3", "1-2-3", Fraction(31, 20), Fraction(2, 3)),
    ],
)
def test_unequal_hands_have_exactly_their_known_values(
    row_hand: str, col_hand: str, prizes: str, by_points: Fraction, by_win: Fraction
) -> None:
    hands = {"row_hand": row_hand, "col_hand": col_hand, "prizes": prizes}
    assert value_of(goofspiel(**hands, score="points")) == by_points
    assert value_of(goofspiel(**hands, score="win")) == by_win
    assert value_of(goofspiel(**hands, score="points", ties="split")) == by_points


@pytest.mark.parametrize("ties", ["discard", "carry"])
@pytest.mark.parametrize("prizes", ["descending", "ascending", "random", "2-3-1"])
def test_equal_hands_are_worth_nothing_to_either_player(prizes: str, ties: str) -> None:
    assert value_of(goofspiel(prizes=prizes, cards=3, ties=ties)) == 0
    assert value_of(goofspiel(prizes=prizes, cards=3, ties=ties, score="points")) == 0


@pytest.mark.parametrize("start", [goofspiel(4), goofspiel(4, prizes="random"), goofspiel(5, prizes="ascending")])
def test_more_cards_are_worth_nothing_either(start: Any) -> None:
    assert value_of(start) == 0


def test_points_are_worth_what_they_say_and_lie_within_the_sum_of_all_prizes() -> None:
    for prizes in ("descending", "random"):
        start = goofspiel(4, prizes=prizes, score="points")
        assert payoff_range(start) == (-10, 10)
        assert payoff_range(goofspiel(4, prizes=prizes)) == (-1, 1)
    assert value_of(goofspiel(row_hand=[4, 5, 6], col_hand=[1, 2, 3], score="points")) == 6


def played(start: Any, *cards: tuple[int, int]) -> Any:
    """The position after both players' cards, given by label."""
    for row, col in cards:
        row_cards, col_cards = start.labels()
        start = start.play(list(row_cards).index(row), list(col_cards).index(col))
    return start


def test_the_higher_card_takes_the_prize_whoever_holds_it() -> None:
    start = goofspiel(3, score="points")
    assert payoffs(played(start, (3, 1), (1, 2), (2, 3))) == (3 - 2 - 1, 0)
    assert payoffs(played(start, (3, 2), (2, 1), (1, 3))) == (3 + 2 - 1, -4)


def test_a_discarded_prize_is_gone_and_a_carried_one_goes_with_the_next() -> None:
    cards = (2, 2), (3, 1), (1, 3)
    assert played(goofspiel(3, score="points", ties="discard"), *cards).payoff() == 2 - 1
    assert played(goofspiel(3, score="points", ties="split"), *cards).payoff() == 2 - 1
    assert played(goofspiel(3, score="points", ties="carry"), *cards).payoff() == (3 + 2) - 1


def test_what_is_carried_past_the_last_prize_is_lost() -> None:
    end = played(goofspiel(2, score="points", ties="carry"), (2, 2), (1, 1))
    assert end.payoff() == 0
    assert end.shape() == (0, 0)


def test_prizes_come_in_the_order_asked_for() -> None:
    assert goofspiel(3).prizes == (3, 2, 1)
    assert goofspiel(3, prizes="ascending").prizes == (1, 2, 3)
    assert goofspiel(prizes="2-3-1").prizes == (2, 3, 1)


def test_what_is_given_says_how_many_cards_there_are() -> None:
    start = goofspiel(row_hand="7-2")
    assert start.labels() == ([2, 7], [1, 2])
    assert start.prizes == (2, 1)


def test_hands_and_orders_may_be_texts_sequences_or_arrays() -> None:
    by_text = goofspiel(row_hand="2-3-4", col_hand="1-3-4", prizes="3-1-2")
    assert goofspiel(row_hand=[2, 3, 4], col_hand=(1, 3, 4), prizes=[3, 1, 2]) == by_text
    assert goofspiel(row_hand=np.array([2, 3, 4]), col_hand={1, 3, 4}, prizes=np.array([3, 1, 2])) == by_text
    assert game("goofspiel:cards=3,row_hand=2-3-4,col_hand=1-3-4,prizes=3-1-2") == by_text


def test_unequal_hands_can_be_played_for_random_prizes() -> None:
    start = goofspiel(prizes="random", row_hand="2-4", col_hand="1-3", score="points")
    assert [str(outcome.state) for outcome in transitions(start, 0, 0)] == [
        f"prizes: {up}, face down: {down}\nrow:    2 4\ncolumn: 1 3\nrow leads by 0" for up, down in ((1, 2), (2, 1))
    ]
    # Where prize p is first, 2 and 4 against 1 and 3 pay (3, 3 - 2p; 2p - 3, 3), which is worth 10/6 for both prizes.
    assert value_of(start) == Fraction(5, 3)


@given(st.sets(st.integers(1, 60), min_size=1), st.data())
def test_the_nth_card_is_counted_from_the_lowest(cards: set[int], data: st.DataObject) -> None:
    hand = sum(1 << card for card in cards)
    k = data.draw(st.integers(0, len(cards) - 1))
    assert cards_of(hand) == sorted(cards)
    assert nth_card(hand, k) == sorted(cards)[k]


@settings(max_examples=60)
@given(st.integers(1, 8), st.sampled_from(["descending", "random"]), st.booleans(), seeds)
def test_every_card_is_played_once_and_every_point_is_won_tied_or_carried(
    random_walk: Any, cards: int, prizes: str, carry: bool, seed: int
) -> None:
    start = goofspiel(cards, prizes=prizes, ties="carry" if carry else "discard")
    walk = [state for state in random_walk(start, Random(seed)) if isinstance(state, Goofspiel) or state.prize]
    walk.append(list(random_walk(start, Random(seed)))[-1])
    for before, after in itertools.pairwise(walk):
        if before.shape() == (0, 0):
            continue
        (row_card,) = set(cards_of(before.row_hand)) - set(cards_of(after.row_hand))
        (col_card,) = set(cards_of(before.col_hand)) - set(cards_of(after.col_hand))
        prize = before.prizes[before.turn] if isinstance(before, Goofspiel) else before.prize
        stake = before.pot + prize
        winner = (row_card > col_card) - (row_card < col_card)
        assert after.lead - before.lead == winner * stake
        assert after.pot == (stake if carry and winner == 0 else 0)
    assert walk[-1].row_hand == walk[-1].col_hand == 0


def test_random_prizes_begin_with_chance_turning_up_the_first() -> None:
    start = goofspiel(3, prizes="random")
    assert isinstance(start, RandomGoofspiel)
    assert start.shape() == (1, 1)
    assert start.labels() == ((IDLE,), (IDLE,))
    listed = transitions(start, 0, 0)
    assert [(outcome.observation, outcome.probability) for outcome in listed] == [(k, Fraction(1, 3)) for k in (1, 2, 3)]
    assert all(outcome.state.shape() == (3, 3) for outcome in listed)


@given(st.permutations([1, 2, 3, 4]), seeds)
def test_chosen_prizes_make_the_random_game_the_one_with_that_order(order: list[int], seed: int) -> None:
    rng = Random(seed)
    fixed: Any = goofspiel(prizes="-".join(map(str, order)), score="points", ties="carry")
    shuffled: Any = goofspiel(4, prizes="random", score="points", ties="carry")
    shuffled = apply_outcome(shuffled, 0, 0, order[0])
    for following in [*order[1:], 0]:
        assert shuffled.labels() == fixed.labels()
        i, j = rng.randrange(fixed.shape()[0]), rng.randrange(fixed.shape()[1])
        fixed, shuffled = fixed.play(i, j), apply_outcome(shuffled, i, j, following)
    assert fixed.shape() == shuffled.shape() == (0, 0)
    assert payoffs(fixed) == payoffs(shuffled)


def test_a_position_shows_prizes_hands_and_who_leads() -> None:
    fixed = played(goofspiel(3, ties="carry"), (2, 2))
    assert str(fixed) == "prizes: 2 1 (and 3 carried over)\nrow:    1 3\ncolumn: 1 3\nrow leads by 0"
    shuffled = apply_outcome(apply_outcome(goofspiel(3, prizes="random"), 0, 0, 2), 0, 2, 3)
    assert str(shuffled) == "prizes: 3, face down: 1\nrow:    2 3\ncolumn: 1 2\nrow leads by -2"
    end = played(fixed, (1, 3), (3, 1))
    assert str(end) == "prizes: none\nrow:    none\ncolumn: none\nrow leads by -4"


# ---------------------------------------------------------------------------------------------- a second implementation
Hand = frozenset[int]


def value_by_the_rules(row: Hand, col: Hand, prizes: tuple[int, ...], ties: str, score: str, *, shuffled: bool) -> Fraction:
    """Row's value, without a line of the game: points are counted for both, and half of a split prize goes to each."""

    @cache
    def before(row: Hand, col: Hand, left: tuple[int, ...], mine: Fraction, theirs: Fraction, carried: int) -> Fraction:
        """With the next prize still face down."""
        if not left:
            return mine - theirs if score == "points" else Fraction((mine > theirs) - (mine < theirs))
        if not shuffled:
            return after(row, col, left[0], left[1:], mine, theirs, carried)
        turned = [after(row, col, left[k], left[:k] + left[k + 1 :], mine, theirs, carried) for k in range(len(left))]
        return sum(turned, Fraction(0)) / len(turned)

    def after(
        row: Hand, col: Hand, prize: int, left: tuple[int, ...], mine: Fraction, theirs: Fraction, carried: int
    ) -> Fraction:
        def worth(one: int, other: int) -> Fraction:
            stake = prize + carried
            gains = {
                "row": (mine + stake, theirs, 0),
                "column": (mine, theirs + stake, 0),
                "discard": (mine, theirs, 0),
                "split": (mine + Fraction(stake, 2), theirs + Fraction(stake, 2), 0),
                "carry": (mine, theirs, stake),
            }
            who = "row" if one > other else "column" if one < other else ties
            return before(row - {one}, col - {other}, left, *gains[who])

        return solved([[worth(one, other) for other in sorted(col)] for one in sorted(row)])

    return before(row, col, prizes, Fraction(0), Fraction(0), 0)


hands = st.permutations(range(1, 7)).map(lambda cards: cards[:3])


@settings(max_examples=60)
@given(
    hands,
    hands,
    st.permutations([1, 2, 3]),
    st.sampled_from(["discard", "split", "carry"]),
    st.sampled_from(["win", "points"]),
    st.booleans(),
)
def test_every_game_has_the_value_that_follows_from_the_rules(
    row: list[int], col: list[int], order: list[int], ties: str, score: str, shuffled: bool
) -> None:
    start = goofspiel(row_hand=row, col_hand=col, prizes="random" if shuffled else order, ties=ties, score=score)
    by_rules = value_by_the_rules(frozenset(row), frozenset(col), tuple(order), ties, score, shuffled=shuffled)
    assert value_of(start) == by_rules


@pytest.mark.parametrize("ties", ["discard", "carry"])
def test_there_are_as_many_positions_by_ply_as_the_rules_allow(ties: str) -> None:
    counts, reached = [], {(frozenset({1, 2, 3, 4}), frozenset({1, 2, 3, 4}), 0, 0)}
    for prize in (4, 3, 2, 1, 0):
        counts.append(len(reached))
        reached = {
            (
                row - {one},
                col - {other},
                lead + ((one > other) - (one < other)) * (prize + carried),
                prize + carried if one == other and ties == "carry" else 0,
            )
            for row, col, lead, carried in reached
            for one in row
            for other in col
        }
    assert positions_by_ply(goofspiel(4, ties=ties)) == counts


# ---------------------------------------------------------------------------------------------- OpenSpiel in lock-step
# The rules are the same: of equal cards the prize is discarded, and "win_loss" pays 1, 0 and -1 as we do. What differs:
# - Theirs pays by "point_difference" what a player has more than the average of both: half of what ours pays.
# - Theirs numbers cards and prizes from 0, ours names them by their points, from 1.
# - Theirs turns up a random prize at a chance node of its own. Ours does so within the joint action before it, for which
#   the first prize has a joint action without a choice.
# - Theirs plays the last card of each hand by itself (and turns up the last prize, which is certain); ours asks.
def shown(theirs: Any, what: str) -> list[int]:
    """The numbers of a line of OpenSpiel's text, which alone tells points and prizes during the game."""
    (line,) = (line for line in str(theirs).splitlines() if line.startswith(f"{what}:"))
    return [int(word) for word in line.removeprefix(f"{what}:").split()]


def followed(ours: Any, i: int, j: int, theirs: Any, rng: Random) -> Any:
    """Ours after a joint action that theirs has taken already; chance does the same in both."""
    listed: list[Any] = transitions(ours, i, j)
    if not theirs.is_chance_node():
        (certain,) = listed
        assert certain.probability == 1
        return certain.state
    chances = {outcome.observation - 1: float(outcome.probability) for outcome in listed}
    assert chances == pytest.approx(dict(theirs.chance_outcomes()))
    outcome = rng.choice(listed)
    theirs.apply_action(outcome.observation - 1)
    return outcome.state


def face_up(ours: Any) -> int:
    return ours.prizes[ours.turn] if isinstance(ours, Goofspiel) else ours.prize


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("order", ["descending", "ascending", "random"])
def test_open_spiel_agrees_at_every_move(order: str, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = Random(seed)
    cards = rng.randint(2, 7)
    score, returns, scale = (("win", "win_loss", 1), ("points", "point_difference", 2))[seed % 2]
    parameters = {"num_cards": cards, "points_order": order, "returns_type": returns, "imp_info": False}
    theirs = pyspiel.load_game("goofspiel", parameters).new_initial_state()
    ours: Any = goofspiel(cards, prizes=order, score=score)
    if order == "random":
        ours = followed(ours, 0, 0, theirs, rng)
    while not theirs.is_terminal():
        row_cards, col_cards = ours.labels()
        assert [card - 1 for card in row_cards] == theirs.legal_actions(0)
        assert [card - 1 for card in col_cards] == theirs.legal_actions(1)
        assert face_up(ours) == shown(theirs, "Point card sequence")[-1]
        row_points, col_points = shown(theirs, "Points")
        assert ours.lead == row_points - col_points
        i, j = rng.randrange(len(row_cards)), rng.randrange(len(col_cards))
        theirs.apply_actions([row_cards[i] - 1, col_cards[j] - 1])
        ours = followed(ours, i, j, theirs, rng)
    assert ours.shape() == (1, 1)
    assert face_up(ours) == shown(theirs, "Point card sequence")[-1]
    ours = followed(ours, 0, 0, theirs, rng)
    assert ours.shape() == (0, 0)
    assert payoffs(ours) == tuple(scale * part for part in theirs.returns())
    row_points, col_points = shown(theirs, "Points")
    assert ours.lead == row_points - col_points
