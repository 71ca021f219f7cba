"""Pig: its rules, OpenSpiel in lock-step, and values against value iteration over the rules as they are told."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.pig import Pig, pig
from parallel_mcts.state import IDLE, labels, payoffs, transitions

ROLL = 0
seeds = st.integers(0, 2**32)


@st.composite
def positions(draw: Any) -> Pig:
    target = draw(st.integers(2, 40))
    scores = st.integers(0, target - 1)
    return Pig(draw(scores), draw(scores), draw(st.integers(0, target)), draw(st.integers(0, 1)), target)


# ---------------------------------------------------------------------------------------------- rules
@given(positions())
def test_a_roll_adds_what_the_die_shows_and_a_one_loses_the_turn(state: Pig) -> None:
    own = (state.row, state.col)[state.player]
    if own + state.thrown >= state.target:
        return
    lost = Pig(state.row, state.col, 0, 1 - state.player, state.target)
    added = [Pig(state.row, state.col, state.thrown + face, state.player, state.target) for face in range(2, 7)]
    assert state.outcomes(ROLL, 0) == [(Fraction(1, 6), after) for after in [lost, *added]]


@given(positions())
def test_holding_takes_what_was_thrown_and_passes_the_die(state: Pig) -> None:
    names = labels(state)[state.player]
    if "hold" not in names:
        return
    k = names.index("hold")
    ((chance, after),) = state.outcomes(*((k, 0) if state.player == 0 else (0, k)))
    assert chance == 1
    gains = after.row - state.row, after.col - state.col
    assert gains == ((state.thrown, 0) if state.player == 0 else (0, state.thrown))
    assert (after.thrown, after.player, after.target) == (0, 1 - state.player, state.target)


@given(positions())
def test_one_must_roll_first_and_must_hold_when_it_is_enough(state: Pig) -> None:
    own = (state.row, state.col)[state.player]
    expected = ["roll"] * (own + state.thrown < state.target) + ["hold"] * (state.thrown > 0)
    waiting = [IDLE]
    assert labels(state) == ((expected, waiting) if state.player == 0 else (waiting, expected))
    assert state.shape() == ((len(expected), 1) if state.player == 0 else (1, len(expected)))


@given(positions(), st.floats(0, 1, exclude_max=True))
def test_one_random_number_draws_the_face_in_whose_share_it_falls(numbers: Any, state: Pig, number: float) -> None:
    listed = state.outcomes(ROLL, 0)
    after = state.play(ROLL, 0, numbers(number))
    assert after == listed[int(number * 6) if len(listed) == 6 else 0][1]


@given(st.integers(1, 60), seeds)
def test_scores_never_fall_and_who_first_has_the_target_wins(random_walk: Any, target: int, seed: int) -> None:
    walk = list(random_walk(pig(target), Random(seed)))
    for before, after in itertools.pairwise(walk):
        assert after.row >= before.row
        assert after.col >= before.col
        assert max(before.row, before.col) < target
    end = walk[-1]
    assert (end.row >= target) != (end.col >= target)
    assert payoffs(end) == ((1, 0) if end.row >= target else (0, 1))


def test_a_position_says_the_scores_and_whose_turn_it_is() -> None:
    assert str(Pig(3, 8, 5, 1, 20)) == "row 3, column 8, target 20; column to move has thrown 5"
    assert str(Pig(21, 8, 0, 1, 20)) == "row 21, column 8, target 20"


# ---------------------------------------------------------------------------------------------- values
def values_by_the_rules(target: int) -> dict[tuple[int, int, int], float]:
    """The chance to win of the player to move with `own` against `other` and `thrown` in this turn, without the game.

    Value iteration, since ones can pass the die to and fro for ever (Neller and Presser, "Optimal play of the dice game
    Pig", 2004).
    """
    wins = {(a, b, k): 0.0 for a in range(target) for b in range(target) for k in range(target - a)}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (own, other, thrown), before in wins.items():
            lost = 1 - wins[other, own, 0]
            kept = [1.0 if own + thrown + face >= target else wins[own, other, thrown + face] for face in range(2, 7)]
            best = (lost + sum(kept)) / 6
            if thrown:
                best = max(best, 1 - wins[other, own + thrown, 0])
            wins[own, other, thrown] = best
            change = max(change, abs(best - before))
    return wins


def values_of_the_game(start: Pig) -> dict[Pig, float]:
    """Row's chance to win in every position that can be reached, by value iteration over the game's own transitions."""
    moves: dict[Pig, list[list[tuple[float, Pig]]]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in moves:
            rows, cols = state.shape()
            actions = [transitions(state, i, j) for i in range(rows) for j in range(cols)]
            moves[state] = [[(float(t.probability or 0), t.state) for t in action] for action in actions]
            waiting.extend(after for action in moves[state] for _, after in action)
    wins = {state: 0.5 if actions else state.payoff() for state, actions in moves.items()}
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for state, actions in moves.items():
            if actions:
                best = (max if state.player == 0 else min)(sum(p * wins[after] for p, after in a) for a in actions)
                change = max(change, abs(best - wins[state]))
                wins[state] = best
    return wins


@pytest.mark.parametrize("target", [1, 2, 7, 12])
def test_every_position_has_the_value_that_follows_from_the_rules(target: int) -> None:
    by_rules = values_by_the_rules(target)
    compared = 0
    for state, value in values_of_the_game(pig(target)).items():
        own, other = (state.row, state.col) if state.player == 0 else (state.col, state.row)
        if (own, other, state.thrown) in by_rules:
            wins = by_rules[own, other, state.thrown]
            assert value == pytest.approx(wins if state.player == 0 else 1 - wins, abs=1e-9)
            compared += 1
    assert compared >= target


def test_a_target_of_two_is_worth_six_sevenths_to_who_begins() -> None:
    # Any face but a one wins: p = 5/6 + 1/6 · (1 - p).
    assert values_of_the_game(pig(2))[pig(2)] == pytest.approx(6 / 7, abs=1e-9)


# ---------------------------------------------------------------------------------------------- OpenSpiel in lock-step
# The rules are the same but for one: theirs may hold before the first roll of a turn, which passes the die for nothing
# (so theirs ends after 1000 actions; ours has no such end). Theirs calls holding "stop" and rolls at a chance node whose
# outcome k is the face k + 1; ours rolls within the action. Theirs pays 1 and -1, ours 1 and 0.
@pytest.mark.parametrize("seed", range(40))
def test_open_spiel_agrees_at_every_move(seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = Random(seed)
    target = rng.randint(2, 60)
    theirs = pyspiel.load_game("pig", {"winscore": target, "horizon": 100_000}).new_initial_state()
    ours = pig(target)
    while not theirs.is_terminal():
        assert theirs.current_player() == ours.player
        assert f"Scores: {ours.row} {ours.col}, Turn total: {ours.thrown}\n" in str(theirs)
        names = labels(ours)[ours.player]
        their_names = [theirs.action_to_string(action) for action in theirs.legal_actions()]
        assert [str(name).replace("hold", "stop") for name in names] == [
            name for name in their_names if name == "roll" or ours.thrown
        ]
        k = rng.randrange(len(names))
        theirs.apply_action(theirs.string_to_action("roll" if names[k] == "roll" else "stop"))
        listed = transitions(ours, *((k, 0) if ours.player == 0 else (0, k)))
        face = rng.randrange(len(listed))
        if names[k] == "roll":
            assert [p for _, p in theirs.chance_outcomes()] == pytest.approx([float(t.probability or 0) for t in listed])
            theirs.apply_action(face)
        ours = listed[face].state
    assert ours.shape() == (0, 0)
    assert [2 * payoff - 1 for payoff in payoffs(ours)] == theirs.returns()
