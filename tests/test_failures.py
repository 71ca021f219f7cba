"""What goes wrong in a search is said with game, position, actions, worker and seed, on every backend."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from parallel_mcts import (
    Algorithm,
    AlgorithmError,
    EndlessGame,
    GameError,
    Heuristic,
    ModelError,
    PayoffError,
    PerNode,
    Rollout,
    SearchFailed,
    State,
    game,
    search,
)
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.registry import BACKENDS
from parallel_mcts.rng import Rng

every_backend = pytest.mark.parametrize("backend", BACKENDS.names())


class Game(State):
    """Two moves each; subclasses break one rule at a time."""

    round: int = 0
    chosen: int = 0

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round < 2 else (0, 0)

    def play(self, i: int, j: int) -> Any:
        return type(self)(self.round + 1, i)

    def payoff(self) -> Any:
        return 0.5

    def labels(self) -> Any:
        return (("left", "right"), ("up", "down")) if self.round < 2 else ((), ())


class PlayRaises(Game):
    def play(self, i: int, j: int) -> Any:
        if self.round == 1 and (i, j) == (1, 0):
            raise KeyError("trapdoor")
        return PlayRaises(self.round + 1, i)


class PayoffRaises(Game):
    def payoff(self) -> Any:
        raise ValueError("no score")


class ShapeIsLopsided(Game):
    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round == 0 else (2, 0)


class PayoffIsTooHigh(Game):
    def payoff(self) -> Any:
        return 1.5


class PayoffIsNotANumber(Game):
    def payoff(self) -> Any:
        return float("nan")


class PayoffIsAWord(Game):
    def payoff(self) -> Any:
        return "won"


class PayoffIsAPair(Game):
    def payoff(self) -> Any:
        return 0.5, 0.5


class PayoffIsNoPair(Game):
    constant_sum = False


class NeverEnds(State):
    x: int = 0

    def shape(self) -> tuple[int, int]:
        return 1, 2

    def play(self, i: int, j: int) -> NeverEnds:
        return self

    def payoff(self) -> float:
        return 0.0


def failure(error: type[SearchFailed], state: Any, backend: str, **options: Any) -> SearchFailed:
    workers = 1 if backend == "single" else 2
    with pytest.raises(error) as caught:
        search(state, iterations=2000, backend=backend, workers=workers, seed=42, **{"algorithm": "uniform", **options})
    assert type(caught.value) is error
    assert caught.value.seed == 42
    assert caught.value.worker in range(workers)
    assert f"[worker {caught.value.worker}, seed 42]" in str(caught.value)
    return caught.value


@every_backend
def test_a_play_that_raises_is_named_with_position_and_actions(backend: str) -> None:
    found = failure(GameError, PlayRaises(), backend)
    assert "play() raised KeyError: 'trapdoor' in PlayRaises at PlayRaises(round=1, chosen=" in str(found)
    assert "actions (right, up)" in str(found)
    assert "Traceback" in found.details
    assert "trapdoor" in found.details


@every_backend
def test_a_payoff_that_raises_is_named_with_its_position(backend: str) -> None:
    found = failure(GameError, PayoffRaises(), backend)
    assert "payoff() raised ValueError: no score in PayoffRaises at PayoffRaises(round=2" in str(found)


@every_backend
def test_a_player_without_actions_before_the_end_is_a_fault_of_the_game(backend: str) -> None:
    found = failure(GameError, ShapeIsLopsided(), backend)
    assert "shape() gave (2, 0) in ShapeIsLopsided at ShapeIsLopsided(round=1" in str(found)
    assert "a player without actions means that the game is over: (0, 0)" in str(found)


@every_backend
@pytest.mark.parametrize(
    ("state", "message"),
    [
        (PayoffIsTooHigh(), "a random game of PayoffIsTooHigh from PayoffIsTooHigh(round=1, chosen="),
        (PayoffIsTooHigh(), "ended with the payoff 1.5; the declared payoff_range is (0.0, 1.0)"),
        (PayoffIsTooHigh(1), "PayoffIsTooHigh.payoff() gave 1.5 at PayoffIsTooHigh(round=2, chosen="),
        (PayoffIsNotANumber(), "ended with the payoff nan"),
        (PayoffIsAWord(), "ended with the payoff 'won'; it must be a number"),
        (PayoffIsAPair(), "a game with a payoff for each player declares constant_sum = False"),
        (PayoffIsNoPair(), "it must be a pair of numbers"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_a_payoff_outside_the_range_or_of_another_kind_is_refused(backend: str, state: Any, message: str) -> None:
    assert message in str(failure(PayoffError, state, backend))


@every_backend
def test_a_game_that_never_ends_is_given_up(backend: str) -> None:
    found = failure(EndlessGame, NeverEnds(), backend, model=Rollout(max_plies=100))
    assert "NeverEnds did not end within 100 random moves; does it ever? (max_plies=100)" in str(found)


def refuse(state: Any) -> float:
    raise RuntimeError("cannot tell")


@every_backend
def test_a_model_that_raises_is_named(backend: str) -> None:
    found = failure(ModelError, Game(), backend, model=Heuristic(refuse))
    assert "Heuristic(" in str(found)
    assert "raised RuntimeError: cannot tell in Game at Game(round=1" in str(found)


def too_sure(state: Any) -> float:
    return 7.0


@every_backend
def test_a_models_value_out_of_range_is_the_models_fault(backend: str) -> None:
    found = failure(PayoffError, Game(), backend, model=Heuristic(too_sure))
    assert "Heuristic(" in str(found)
    assert "gave 7.0 at Game(round=1" in str(found)


class Bad(Algorithm):
    how: str

    def select(self, node: Any, rng: Rng) -> Action:
        if self.how == "raises":
            raise IndexError("lost")
        return (5, 0, 1.0, 1.0) if self.how == "no such action" else (0, 0, 1.0, 1.0)

    def update(self, node: Any, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Any) -> Policies:
        return [1.0] * node.rows, [1.0] * node.cols


@every_backend
def test_an_algorithm_that_raises_or_chooses_what_is_not_there_is_named(backend: str) -> None:
    found = failure(AlgorithmError, Game(), backend, algorithm=Bad("raises"))
    assert "Bad(how='raises').select() raised IndexError: lost" in str(found)
    found = failure(AlgorithmError, Game(), backend, algorithm=Bad("no such action"))
    assert "Bad(how='no such action') chose an action that does not exist in Game at Game(round=0" in str(found)


def test_a_statistic_of_no_known_shape_is_refused() -> None:
    class Odd(Algorithm):
        x: int = 0

        class Stats:
            mean: float

    class Clash(Algorithm):
        x: int = 0

        class Stats:
            visits: PerNode

    with pytest.raises(AlgorithmError, match=r"Odd.Stats.mean is declared .*float.*; choose from: PerNode, PerRow, PerCol"):
        search(game("rps"), iterations=1, algorithm=Odd())
    with pytest.raises(AlgorithmError, match=r"Clash.Stats.visits: every node has 'visits' already; choose another name"):
        search(game("rps"), iterations=1, algorithm=Clash())


class Inner(NamedTuple):
    """A model whose own search fails."""

    x: int = 0

    def evaluate(self, state: Any, rng: Rng) -> float:
        return search(PlayRaises(), iterations=500, algorithm="uniform", seed=7).row_value or 0.0


def test_a_failure_of_a_search_inside_a_model_tells_of_the_inner_game() -> None:
    with pytest.raises(GameError, match=r"play\(\) raised KeyError: 'trapdoor' in PlayRaises"):
        search(Game(), iterations=5, algorithm="uniform", model=Inner(), seed=1)
