"""What holds for every game of the package, whatever its rules."""

from __future__ import annotations

import inspect
import math
import pickle
import pkgutil
from fractions import Fraction
from importlib import import_module
from random import Random
from typing import Any

import pytest

import games
from parallel_mcts.errors import ParameterError
from parallel_mcts.registry import GAMES
from parallel_mcts.state import State, has_chance, labels, parse_action, transitions
from parallel_mcts.testing import check_state

FACTORIES = {name: GAMES.factory(name) for name in GAMES.names()}
goofspiel, kalah, matrix, mnk, oshi_zumo, pig, pursuit, random_tree, tron = (
    FACTORIES[name]
    for name in ("goofspiel", "kalah", "matrix", "mnk", "oshi_zumo", "pig", "pursuit", "random_tree", "tron")
)
STARTS = {
    **{name: factory() for name, factory in FACTORIES.items()},
    "matrix, a pair of 1x3": matrix([[[1, 2, 3]], [[3, 2, 1]]]),
    "matrix of a single 0": matrix([[0]]),
    "goofspiel, carry, points": goofspiel(5, ties="carry", score="points"),
    "goofspiel, random": goofspiel(3, prizes="random"),
    "goofspiel, random, carry, points": goofspiel(3, prizes="random", ties="carry", score="points"),
    "kalah by the rules of margins": kalah(3, 3, capture="empty", end="mover", score="margin"),
    "mnk 4x3": mnk(4, 3, 3),
    "oshi_zumo, zero bids": oshi_zumo(size=2, row_coins=4, col_coins=3, min_bid=0, horizon=6),
    "pig to 10": pig(10),
    "pursuit with walls": pursuit(walls="R.#./.##./...C", steps=6),
    "tron with walls": tron(walls="R..#./.##../....C"),
    "random_tree 3x3x4": random_tree(depth=2, actions=3, transitions=4, seed=2**40),
}

for_every_start = pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
CHANCY = {name: start for name, start in STARTS.items() if has_chance(start)}
for_every_start_with_chance = pytest.mark.parametrize("start", CHANCY.values(), ids=CHANCY)


def test_every_module_with_a_game_is_registered_and_each_factory_under_its_own_name() -> None:
    modules = [import_module(f"games.{module.name}") for module in pkgutil.iter_modules(games.__path__)]
    with_a_game = {
        thing.__module__
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, State) and thing.__module__ == module.__name__
    }
    registered = {name: factory for name, factory in FACTORIES.items() if factory.__module__.startswith("games.")}
    assert {factory.__module__ for factory in registered.values()} == with_a_game
    assert [factory.__name__ for factory in registered.values()] == list(registered)


@pytest.mark.parametrize("factory", FACTORIES.values(), ids=FACTORIES)
def test_a_factory_names_annotates_and_defaults_its_parameters(factory: Any) -> None:
    for parameter in inspect.signature(factory).parameters.values():
        assert parameter.annotation is not parameter.empty
        assert parameter.default is not parameter.empty


@for_every_start
def test_it_is_what_a_game_should_be(start: Any) -> None:
    check_state(start, games=20 if max(start.shape()) < 100 else 2)


@for_every_start
def test_a_pickled_position_hashes_and_prints_as_the_position_does(start: Any, random_walk: Any) -> None:
    for state in random_walk(start, Random(1)):
        copy = pickle.loads(pickle.dumps(state))
        assert hash(copy) == hash(state)
        assert str(copy) == str(state) != ""


@pytest.mark.parametrize("name", [name for name in STARTS if name not in CHANCY])
def test_a_game_can_be_played_again_from_what_people_would_type(name: str, random_walk: Any) -> None:
    for seed in range(3):
        state, rng = STARTS[name], Random(seed)
        for expected in random_walk(state, Random(seed)):
            assert state == expected
            rows, cols = state.shape()
            if rows:
                i = int(rng.random() * rows) if rows > 1 else 0
                j = int(rng.random() * cols) if cols > 1 else 0
                row, col = labels(state)
                typed = f" {row[i]}", str(col[j]).upper()
                state = state.play(*(parse_action(state, text, player) for player, text in enumerate(typed)))


@for_every_start_with_chance
def test_the_probabilities_of_every_joint_action_sum_to_one_but_for_rounding(start: Any, random_walk: Any) -> None:
    for seed in range(5):
        for state in random_walk(start, Random(seed)):
            rows, cols = state.shape()
            for i in range(rows):
                for j in range(cols):
                    total = sum(outcome.probability for outcome in transitions(state, i, j))
                    assert total == 1 if isinstance(total, Fraction) else math.isclose(total, 1, abs_tol=1e-12)


@for_every_start_with_chance
def test_playing_gives_the_listed_outcomes_as_often_as_listed(start: Any, random_walk: Any) -> None:
    draws = 2000
    rng = Random(5)
    for state in random_walk(start, Random(3)):
        if state.shape() == (0, 0):
            continue
        i, j = (count - 1 for count in state.shape())
        listed = {outcome.state: float(outcome.probability) for outcome in transitions(state, i, j)}
        counts = dict.fromkeys(listed, 0)
        for _ in range(draws):
            counts[state.play(i, j, rng)] += 1  # an outcome that is not listed is a KeyError
        for after, p in listed.items():
            assert abs(counts[after] - draws * p) <= 5 * math.sqrt(draws * p * (1 - p)) + 1e-9


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("goofspiel", {"cards": 0}, "cards is 0; it must be a whole number from 1 to 60"),
        ("goofspiel", {"cards": 61}, "cards is 61"),
        ("goofspiel", {"cards": "four"}, "cards is 'four'"),
        ("goofspiel", {"cards": True}, "cards is True"),
        ("goofspiel", {"prizes": "up"}, "prizes is 'up'; give descending, ascending, random, or an order of the prizes"),
        ("goofspiel", {"prizes": "3--1"}, "prizes is '3--1'"),
        ("goofspiel", {"prizes": ""}, "prizes is ''"),
        ("goofspiel", {"prizes": "0-1"}, "prizes is '0-1'"),
        ("goofspiel", {"prizes": "3-3-1"}, "prizes is '3-3-1'; .* each once, such as 3-2-1"),
        ("goofspiel", {"prizes": [1, 2, 4]}, r"prizes is \[1, 2, 4\]"),
        ("goofspiel", {"prizes": [1, 2.0]}, r"prizes is \[1, 2.0\]"),
        ("goofspiel", {"prizes": 3}, "prizes is 3"),
        ("goofspiel", {"row_hand": "2-2-3"}, "row_hand is '2-2-3'; a hand is different whole numbers from 1 to 60"),
        ("goofspiel", {"row_hand": (2, 0)}, r"row_hand is \(2, 0\)"),
        ("goofspiel", {"row_hand": (2, True)}, r"row_hand is \(2, True\)"),
        ("goofspiel", {"row_hand": ""}, "row_hand is ''"),
        ("goofspiel", {"cards": 4, "prizes": "3-2-1"}, "equally many: prizes has 3, cards is 4"),
        ("goofspiel", {"col_hand": "1-99"}, "col_hand is '1-99'"),
        ("goofspiel", {"row_hand": "1-2", "prizes": "1-2-3"}, "row_hand has 2, prizes has 3"),
        ("goofspiel", {"ties": "keep"}, "ties is 'keep'; choose from: discard, split, carry"),
        ("goofspiel", {"score": "money"}, "score is 'money'; choose from: win, points"),
        ("oshi_zumo", {"size": 0}, "size is 0; it must be a whole number from 1 to 1000"),
        ("oshi_zumo", {"coins": -1}, "coins is -1"),
        ("oshi_zumo", {"row_coins": 1.5}, "row_coins is 1.5"),
        ("oshi_zumo", {"row_coins": 0, "col_coins": 0}, "row_coins is 0 and col_coins is 0; one of the players"),
        ("oshi_zumo", {"size": 1, "position": 4}, "position is 4; it must be a whole number from 1 to 3"),
        ("oshi_zumo", {"min_bid": -1}, "min_bid is -1"),
        ("oshi_zumo", {"horizon": 0}, "horizon is 0"),
        ("pig", {"target": 0}, "target is 0; it must be a whole number from 1 to 10000"),
        ("dice", {"target": 0}, "target is 0"),
        ("dice", {"rounds": 2.5}, "rounds is 2.5"),
        ("random_tree", {"depth": 0}, "depth is 0"),
        ("random_tree", {"actions": -1}, "actions is -1"),
        ("random_tree", {"transitions": None}, "transitions is None"),
        ("random_tree", {"seed": -1}, "seed is -1"),
        ("mold", {"actions": 0}, "actions is 0"),
        ("mold", {"depth": "deep"}, "depth is 'deep'"),
        ("nim", {"sticks": 0}, "sticks is 0"),
        ("matrix", {"payoffs": 3}, "payoffs has 3; a matrix is"),
        ("matrix", {"payoffs": []}, r"payoffs has \[\]"),
        ("matrix", {"payoffs": [[]]}, r"payoffs has \[\[\]\]"),
        ("matrix", {"payoffs": [[1, 2], [3]]}, r"payoffs has \[\[1, 2\], \[3\]\]"),
        ("matrix", {"payoffs": [[1, "two"]]}, "the entry 'two' at row 0, column 1; entries must be numbers from"),
        ("matrix", {"payoffs": [[1, 1e301]]}, "the entry 1e.301"),
        ("matrix", {"payoffs": [[1, float("inf")]]}, "the entry inf"),
        ("matrix", {"payoffs": [[[1]], [[2]], [[3]]]}, "payoffs has 3 matrices"),
        ("matrix", {"payoffs": [[[1]], [[2, 3]]]}, "1x1 and 1x2"),
    ],
)
def test_a_bad_parameter_is_named_with_its_value(name: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        FACTORIES[name](**given)
