"""For one seed both engines grow the same tree, to the last bit: every game with every algorithm."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import pytest
from twins import both, differences

from parallel_mcts import Exp3, Rollout, State, game
from parallel_mcts.errors import NotCompilable
from parallel_mcts.registry import ALGORITHMS, GAMES
from parallel_mcts.rng import Rng

ONLY_INTERPRETED = {"nim": "it is no named tuple"}
"""Games that cannot be compiled, and what is said of them."""

COMPILED = [name for name in GAMES.names() if name not in ONLY_INTERPRETED]
PAIRS = [(name, algorithm) for name in COMPILED for algorithm in ALGORITHMS.names()]
SAMPLE = PAIRS if os.environ.get("PARALLEL_MCTS_EVERY_PAIR") else PAIRS[::6]
"""Compiling a pair takes seconds: every sixth one, so each game and each algorithm, unless all are asked for."""


@pytest.mark.parametrize(("name", "algorithm"), SAMPLE)
def test_both_engines_grow_the_same_tree(name: str, algorithm: str) -> None:
    interpreted, compiled = both(game(name), algorithm, 400)
    assert list(differences(interpreted, compiled)) == []
    assert compiled.nodes == interpreted.nodes == sum(1 for _ in compiled.walk())


@pytest.mark.parametrize("name", ONLY_INTERPRETED)
def test_a_game_of_python_objects_says_why_it_is_not_compiled(name: str) -> None:
    with pytest.raises(NotCompilable, match=ONLY_INTERPRETED[name]):
        both(game(name), "uniform", 1)


@pytest.mark.parametrize("seed", [0, 7, 2**70])
def test_the_seed_decides_the_tree_of_both(seed: int) -> None:
    interpreted, compiled = both(game("dice"), "exp3", 3000, seed=seed)
    assert list(differences(interpreted, compiled)) == []


def test_means_of_children_are_learned_alike() -> None:
    interpreted, compiled = both(game("goofspiel:cards=3"), Exp3(averages=True), 3000)
    assert list(differences(interpreted, compiled)) == []


@pytest.mark.parametrize("name", ["dice", "prisoners_dilemma"])
def test_several_rollouts_a_leaf_are_averaged_alike(name: str) -> None:
    interpreted, compiled = both(game(name), "ucb", 300, model=Rollout(times=5))
    assert list(differences(interpreted, compiled)) == []


def test_the_depth_limit_holds_in_both() -> None:
    interpreted, compiled = both(game("mold:depth=6"), "uniform", 2000, max_depth=3)
    assert list(differences(interpreted, compiled)) == []


class Opinion(NamedTuple):
    """A model with a policy, in plain Python: the second half of the actions is twice as good."""

    weight: float = 2.0

    def evaluate(self, state: Any, rng: Rng) -> float:
        return 0.25 + 0.5 * rng.random()

    def evaluate_with_policy(self, state: Any, rng: Rng) -> Any:
        rows, cols = state.shape()
        return self.evaluate(state, rng), self.policy(rows), self.policy(cols)

    def policy(self, count: int) -> list[float]:
        total = count // 2 + self.weight * (count - count // 2)
        return [(1.0 if k < count // 2 else self.weight) / total for k in range(count)]


@pytest.mark.parametrize("name", ["connect_four", "dice"])
def test_puct_follows_a_policy_of_the_users_own_compiled(name: str) -> None:
    interpreted, compiled = both(game(name), "puct", 1000, model=Opinion())
    assert list(differences(interpreted, compiled)) == []
    assert set(compiled.root.statistic("row_prior")) == ({1 / 11, 2 / 11} if name == "connect_four" else {1 / 3, 2 / 3})


class Bargain(State):
    """General-sum with chance: both ask for a share of a pie whose size a coin decides."""

    size: int = 0
    row: int = -1
    col: int = -1

    constant_sum = False
    payoff_range = (-1.0, 3.0)

    def shape(self) -> tuple[int, int]:
        return (2, 3) if self.row < 0 else (0, 0)

    def play(self, i: int, j: int, rng: Rng) -> Bargain:
        return Bargain(3 if rng.random() < 0.5 else 2, i, j)

    def payoff(self) -> tuple[float, float]:
        asked = self.row + self.col
        return (float(self.row), float(self.col)) if asked <= self.size - 1 else (-1.0, -0.5)


@pytest.mark.parametrize("algorithm", ["exp3", "matrix_ucb", "puct"])
def test_general_sum_payoffs_and_chance_are_the_same_in_both(algorithm: str) -> None:
    interpreted, compiled = both(Bargain(), algorithm, 800)
    assert list(differences(interpreted, compiled)) == []
    assert compiled.numbers(compiled.root).row_value + compiled.numbers(compiled.root).col_value != pytest.approx(800)


class FallsAsFloat(State):
    """Starts with whole numbers that become halves; wins are truth values."""

    height: float = 4
    won: bool = False
    pair: tuple[int, float] = (0, 1)

    def shape(self) -> tuple[int, int]:
        return (0, 0) if self.height <= 0 else (2, 2)

    def play(self, i: int, j: int) -> FallsAsFloat:
        return FallsAsFloat(self.height - 0.5 - (i ^ j), i == j, (self.pair[0] + i, self.pair[1] * 0.5))

    def payoff(self) -> float:
        return 1 if self.won else self.pair[1] / 4


def test_fields_take_the_types_that_play_gives_them() -> None:
    interpreted, compiled = both(FallsAsFloat(), "exp3", 600)
    assert list(differences(interpreted, compiled)) == []
    assert isinstance(compiled.root.state.height, float)
