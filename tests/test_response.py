"""Best responses and exploitability, beside OpenSpiel's and beside the root matrix."""

from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random
from typing import Any

import exact as reference
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import AT_ONCE, ChanceLayers, GeneralLayers, Layers

from parallel_mcts import InputError, ParameterError, best_response, exploitability, game, nash_conv, search, solve
from parallel_mcts.state import payoffs, transitions

seeds = st.integers(0, 10_000)


def random_policy(seed: int) -> Any:
    """Other probabilities in each position, some of them 0."""

    def mixed(count: int, rng: Random) -> list[float]:
        weights = [max(0.0, rng.random() - 0.3) for _ in range(count)]
        weights[rng.randrange(count)] += 0.5
        return [weight / sum(weights) for weight in weights]

    def policy(state: Any) -> tuple[list[float], list[float]]:
        rng = Random(f"{seed} {state!r}")
        rows, cols = state.shape()
        return mixed(rows, rng), mixed(cols, rng)

    return policy


def uniform(state: Any) -> tuple[list[float], list[float]]:
    rows, cols = state.shape()
    return [1 / rows] * rows, [1 / cols] * cols


# ---------------------------------------------------------------------------------------------- OpenSpiel
def their_policy(theirs: Any, ours: Any, policy: Any, unit: int) -> Any:
    """A policy of ours as a table of theirs, by walking through both games side by side."""
    from open_spiel.python.policy import TabularPolicy

    table = TabularPolicy(theirs)

    def walk(node: Any, state: Any, row_card: int | None) -> None:
        if node.is_terminal():
            end = state if state.shape() == (0, 0) else state.play(0, 0)  # theirs plays the last cards by itself
            assert payoffs(end) == tuple(unit * payoff for payoff in node.returns())
            return
        player = node.current_player()
        names, probabilities = list(state.labels()[player]), policy(state)[player]
        line = table.policy_for_key(node.information_state_string(player))
        for action in node.legal_actions():
            line[action] = probabilities[names.index(action + 1)]
            after = node.clone()
            after.apply_action(action)
            if player == 0:
                walk(after, state, action + 1)
            else:
                rows = list(state.labels()[0])
                walk(after, state.play(rows.index(row_card), names.index(action + 1)), None)

    walk(theirs.new_initial_state(), ours, None)
    return table


@pytest.mark.parametrize(("score", "returns_type", "unit"), [("win", "win_loss", 1), ("points", "point_difference", 2)])
@pytest.mark.parametrize("order", ["ascending", "descending"])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_exploitability_is_that_of_open_spiel(
    order: str, score: str, returns_type: str, unit: int, seed: int | None
) -> None:
    """Their points are counted from the mean of both players', so a difference is twice as large here."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import exploitability as open_spiel

    parameters = {"imp_info": False, "num_cards": 3, "points_order": order, "returns_type": returns_type}
    theirs = pyspiel.convert_to_turn_based(pyspiel.load_game("goofspiel", parameters))
    ours = game("goofspiel", cards=3, prizes=order, score=score)
    policy = uniform if seed is None else random_policy(seed)
    table = their_policy(theirs, ours, policy, unit)
    assert nash_conv(ours, policy) == pytest.approx(unit * open_spiel.nash_conv(theirs, table), abs=1e-9)
    assert exploitability(ours, policy) == pytest.approx(unit * open_spiel.exploitability(theirs, table), abs=1e-9)
    for player, name in enumerate(("row", "col")):
        response = open_spiel.best_response(theirs, table, player)
        assert best_response(ours, policy, player=name).payoff == pytest.approx(
            unit * float(response["best_response_value"]), abs=1e-9
        )


# ---------------------------------------------------------------------------------------------- any small game
def followed(state: Any, policy: Any) -> tuple[float, float]:
    """What both players get on average when a policy is followed."""
    if state.shape() == (0, 0):
        return payoffs(state)
    row, col = policy(state)
    total = [0.0, 0.0]
    for (i, p), (j, q) in itertools.product(enumerate(row), enumerate(col)):
        if p * q > 0:
            for outcome in transitions(state, i, j):
                for player, payoff in enumerate(followed(outcome.state, policy)):
                    total[player] += p * q * float(outcome.probability or 0) * payoff
    return total[0], total[1]


def small_game(seed: int, form: int) -> Any:
    layers = Layers(seed, AT_ONCE, left=3)
    return (layers, ChanceLayers(layers), GeneralLayers(layers))[form]


@settings(max_examples=25)
@given(seeds, st.integers(0, 2), st.sampled_from(["row", "col"]))
def test_a_best_response_gets_what_it_says_and_no_other_policy_gets_more(seed: int, form: int, player: str) -> None:
    start = small_game(seed, form)
    policy = random_policy(seed)
    response = best_response(start, policy, player=player)
    assert (response.value, response.col_value) == pytest.approx(followed(start, response.policy), abs=1e-9)
    for other_seed in range(3):
        other = random_policy(other_seed)

        def deviating(state: Any, other: Any = other) -> Any:
            own, kept = other(state), policy(state)
            return (own[0], kept[1]) if player == "row" else (kept[0], own[1])

        assert followed(start, deviating)[player == "col"] <= response.payoff + 1e-9


@settings(max_examples=20)
@given(seeds, st.integers(0, 2))
def test_conv_is_the_sum_of_what_both_could_gain(seed: int, form: int) -> None:
    start, policy = small_game(seed, form), random_policy(seed)
    kept = followed(start, policy)
    gains = [best_response(start, policy, player=name).payoff - kept[k] for k, name in enumerate(("row", "col"))]
    assert min(gains) >= -1e-9
    assert nash_conv(start, policy) == pytest.approx(sum(gains), abs=1e-9)
    assert exploitability(start, policy) == pytest.approx(sum(gains) / 2, abs=1e-9)


def test_the_best_response_to_a_fool_is_known() -> None:
    always_rock = best_response(game("rps"), lambda state: ((1, 0, 0), (1, 0, 0)))
    assert always_rock[game("rps")] == "paper"
    assert (always_rock.value, always_rock.col_value, always_rock.positions) == (1.0, -1.0, 4)
    assert exploitability(game("rps"), lambda state: ((1, 0, 0), (1, 0, 0)), exact=True) == Fraction(1)


def test_a_model_with_a_policy_may_be_asked_for_its_exploitability() -> None:
    start = game("goofspiel", cards=3)
    assert exploitability(start, solve(start).as_model()) == pytest.approx(0, abs=1e-9)


def test_what_is_wrong_with_a_policy_is_said() -> None:
    with pytest.raises(InputError, match=r"gives row \[0.5, 0.5\] in .*; it must be 3 probabilities"):
        nash_conv(game("rps"), lambda state: ((0.5, 0.5), (1, 0, 0)))
    with pytest.raises(InputError, match="gives col"):
        nash_conv(game("rps"), lambda state: ((1, 0, 0), (2, -1, 0)))
    with pytest.raises(ParameterError, match="the policy is 3"):
        nash_conv(game("rps"), 3)
    with pytest.raises(ParameterError, match="player is 'white'"):
        best_response(game("rps"), uniform, player="white")
    with pytest.raises(InputError, match="the game is over"):
        nash_conv(game("rps").play(0, 0), uniform)
    with pytest.raises(InputError, match="never leads to"):
        best_response(game("rps"), lambda state: ((1, 0, 0), (1, 0, 0))).policy(game("rps").play(0, 1))


# ---------------------------------------------------------------------------------------------- results of searches
def test_a_result_tells_its_exploitability_in_the_solved_game() -> None:
    start = game("goofspiel", row_hand="2-3-4", col_hand="1-3-4", prizes="3-2-1")
    solved = solve(start)
    result = search(start, iterations=500, algorithm="exp3", seed=3)
    expected = reference.exploitability(start, result.row, result.col) * 2  # of payoffs that range over 2
    assert expected > 0.001
    assert result.exploitability(solved) == pytest.approx(expected, abs=1e-9)
    assert result.exploitability(solve(start, exact=True)) == pytest.approx(expected, abs=1e-9)
    assert result.exploitability(solved.matrices()[0]) == pytest.approx(expected, abs=1e-9)


def test_in_a_general_sum_game_each_player_gains_by_its_own_payoffs() -> None:
    start = game("prisoners_dilemma")
    result = search(start, iterations=200, algorithm="uniform", seed=3)
    assert (list(result.row), list(result.col)) == ([0.5, 0.5], [0.5, 0.5])
    assert result.exploitability(solve(start)) == pytest.approx(3 - (3 + 0 + 5 + 1) / 4)


def test_a_result_of_another_game_is_refused() -> None:
    result = search(game("rps"), iterations=50, seed=1)
    with pytest.raises(InputError, match="3 by 3"):
        result.exploitability(solve(game("matching_pennies")))
