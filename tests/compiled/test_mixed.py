"""A compiled search of a game that stays in the interpreter gives what the interpreter gives, and leaves nothing behind."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import weakref
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import pytest
from test_equal_trees import Opinion
from twins import differences, grown

from parallel_mcts import Algorithm, Exp3, Heuristic, Search, TurnState, Uniform, game, search
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.engines.compiled.tree import CompiledTree
from parallel_mcts.engines.engine import engine_named
from parallel_mcts.errors import AlgorithmError, EndlessGame, GameError, ModelError, NotCompilable, PayoffError
from parallel_mcts.models import Rollout
from parallel_mcts.models.searching import Searching
from parallel_mcts.registry import ALGORITHMS, GAMES
from parallel_mcts.rng import Rng

PAIRS = [(name, algorithm) for name in GAMES.names() for algorithm in ALGORITHMS.names()]
SAMPLE = [("nim", "ucb"), ("goofspiel:cards=3", "regret_matching"), ("dice", "exp3"), ("pig", "exp3"), ("tron", "exp3")]
"""Compiling takes seconds for each algorithm, with and without chance: a few pairs, unless all are asked for."""


def both(state: Any, algorithm: Any, iterations: int, **options: Any) -> tuple[Any, Any]:
    interpreted, mixed = (grown(engine, state, algorithm, iterations, **options) for engine in ("python", "mixed"))
    assert isinstance(mixed, CompiledTree)
    return interpreted, mixed


@pytest.mark.parametrize(("name", "algorithm"), PAIRS if os.environ.get("PARALLEL_MCTS_EVERY_PAIR") else SAMPLE)
def test_the_search_grows_the_tree_that_the_interpreter_grows(name: str, algorithm: str) -> None:
    interpreted, mixed = both(game(name), algorithm, 400)
    assert list(differences(interpreted, mixed)) == []
    assert mixed.nodes == interpreted.nodes == sum(1 for _ in mixed.walk())


@dataclass(frozen=True)
class Haggle:
    """General-sum with chance, of texts and dataclasses, with observations: nothing that a compiler would take."""

    asked: tuple[str, ...] = ()
    mood: str = "calm"
    noise: float = 0.0  # which nobody observes

    constant_sum: ClassVar[bool] = False
    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 3.0)

    def shape(self) -> tuple[int, int]:
        return (2, 3) if len(self.asked) < 3 else (0, 0)

    def play(self, i: int, j: int, rng: Rng) -> Haggle:
        return Haggle((*self.asked, f"{i}{j}"), "calm" if rng.random() < 0.6 else "angry", rng.random())

    def observation(self) -> str:
        return self.mood

    def payoff(self) -> tuple[float, float]:
        angry = self.mood == "angry"
        return float(sum(int(asked[0]) for asked in self.asked)) - angry, sum(int(asked[1]) for asked in self.asked) / 3


@pytest.mark.parametrize(
    ("state", "algorithm", "options"),
    [
        (Haggle(), "exp3", {}),
        (Haggle(), "exp3", {"seed": 2**70}),
        (Haggle(), Exp3(averages=True), {"model": Rollout(times=3)}),
        (game("tron"), "exp3", {"max_depth": 2}),
        (game("tictactoe"), "puct", {"model": Opinion()}),
        (game("tictactoe"), "ucb", {"model": Heuristic(lambda state: 0.25 + state.moves / 18)}),
        (game("tictactoe"), "ucb", {"model": Searching(iterations=5)}),
    ],
)
def test_games_and_models_of_any_kind_are_searched_alike(state: Any, algorithm: Any, options: dict[str, Any]) -> None:
    interpreted, mixed = both(state, algorithm, 300, **options)
    assert list(differences(interpreted, mixed)) == []


@pytest.mark.parametrize("backend", ["single", "inline", "forest", "process"])
def test_every_backend_with_a_tree_for_each_worker_gives_the_interpreters_answer(backend: str) -> None:
    options: dict[str, Any] = {"iterations": 2000, "seed": 5, "backend": backend, "algorithm": "ucb"}
    options["workers"] = 1 if backend == "single" else 2
    mixed, interpreted = (search(game("nim"), engine=engine, **options) for engine in ("mixed", "python"))
    assert (mixed.row_actions, mixed.row_value, mixed.nodes) == (
        interpreted.row_actions,
        interpreted.row_value,
        interpreted.nodes,
    )
    assert mixed.engine == "mixed"


def test_threads_on_one_tree_are_refused_with_what_to_do() -> None:
    with pytest.raises(NotCompilable, match=r"'mixed' grows a tree by one thread.*'process', or engine='python'"):
        search(game("nim"), iterations=10, backend="threaded", workers=2, engine="mixed")


# ---------------------------------------------------------------------------------------------- following a game
@pytest.mark.parametrize("observed", ["calm", "angry"])
def test_a_tree_that_moves_on_is_the_same_and_lets_go_of_what_is_left_behind(observed: str) -> None:
    results = []
    for engine in ("python", "mixed"):
        with Search(Haggle(), algorithm="exp3", seed=3, engine=engine) as session:
            session.run(iterations=500)
            session.advance(1, 2, observation=observed)
            results.append(session.run(iterations=300))
            tree: Any = session._open_searcher().tree  # type: ignore[attr-defined]
    kept = [state for state in tree.host.states if state is not None]
    assert results[0].cell_means == results[1].cell_means
    assert results[0].nodes == results[1].nodes == len(kept)
    assert all(state.asked[0] == "12" for state in kept)


class Counted(TurnState):
    """Three rounds of two moves, whose positions can be watched."""

    def __init__(self, moves_made: int = 0) -> None:
        self.made, self.player = moves_made, moves_made % 2

    def moves(self) -> list[str]:
        return ["a", "b"] if self.made < 6 else []

    def move(self, m: str) -> Counted:
        return Counted(self.made + 1)

    def payoff(self) -> float:
        return 0.5


def test_every_position_is_let_go_of_with_the_tree() -> None:
    with Search(Counted(), algorithm="ucb", seed=1, engine="mixed") as session:
        session.run(iterations=500)
        tree: Any = session._open_searcher().tree  # type: ignore[attr-defined]
        watched = [weakref.ref(state) for state in tree.host.states[1:]]
        assert len(watched) > 60
        del tree
    gc.collect()
    assert [state() for state in watched if state() is not None] == []


@pytest.mark.parametrize("start", [Counted(3), Haggle(("00", "00"))], ids=lambda start: type(start).__name__)
def test_playouts_that_add_nothing_to_the_tree_leave_nothing_in_memory(start: Any) -> None:
    tree = grown("mixed", start, "exp3", 2000)
    stream = engine_named("mixed").make_stream(Random(1))
    before = sys.getallocatedblocks(), tree.nodes
    tree.grow(stream, 20_000)
    assert tree.nodes == before[1]
    assert sys.getallocatedblocks() - before[0] < 1000


# ---------------------------------------------------------------------------------------------- what goes wrong
class Faulty(Counted):
    """Goes wrong in one way."""

    def __init__(self, how: str, made: int = 0) -> None:
        super().__init__(made)
        self.how = how

    def __str__(self) -> str:
        return f"{self.how} after {self.made}"

    def move(self, m: str) -> Faulty:
        if self.how == "move" and (self.made, m) == (1, "b"):
            raise KeyError("trapdoor")
        if self.how == "stop" and self.made == 2:
            raise KeyboardInterrupt
        return self if self.how == "endless" else Faulty(self.how, self.made + 1)

    def shape(self) -> tuple[int, int]:
        return (2, 0) if self.how == "shape" and self.made == 1 else super().shape()

    def payoff(self) -> float:
        return 7.0 if self.how == "payoff" else 0.5


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("move", GameError, r"play\(\) raised KeyError: 'trapdoor' in Faulty at move after 1, actions \(-, b\)"),
        ("shape", GameError, r"shape\(\) gave \(2, 0\) in Faulty at shape after 1"),
        ("payoff", PayoffError, r"a random game of Faulty from payoff after 1 ended with the payoff 7.0; the declared"),
        ("endless", EndlessGame, "Faulty did not end within 50 random moves"),
    ],
)
def test_what_a_game_does_wrong_is_named_with_its_place(how: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        search(Faulty(how), iterations=100, algorithm="ucb", model=Rollout(max_plies=50), seed=1, engine="mixed")
    assert caught.value.seed == 1  # type: ignore[attr-defined]


def test_a_model_that_raises_is_named() -> None:
    def refuse(state: Any) -> float:
        raise RuntimeError("cannot tell")

    with pytest.raises(ModelError, match="raised RuntimeError: cannot tell in Counted at Counted"):
        search(Counted(), iterations=10, algorithm="ucb", model=Heuristic(refuse), engine="mixed")


def test_a_failure_that_happens_but_once_is_named_all_the_same() -> None:
    calls = itertools.count()

    def tire(state: Any) -> float:
        if next(calls) == 20:
            raise RuntimeError("tired")
        return 0.5

    with pytest.raises(ModelError, match="raised RuntimeError: tired in Counted at Counted") as caught:
        search(Counted(), iterations=100, algorithm="ucb", model=Heuristic(tire), engine="mixed")
    assert "in tire" in caught.value.details


class Elsewhere(Algorithm):
    """Chooses what is not there."""

    i: int = 5

    def select(self, node: Any, rng: Rng) -> Action:
        return self.i, 0, 1.0, 1.0

    def update(self, node: Any, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Any) -> Policies:
        return [1.0] * node.rows, [1.0] * node.cols


def test_an_algorithm_that_chooses_what_is_not_there_is_named() -> None:
    with pytest.raises(AlgorithmError, match=r"Elsewhere\(i=5\) chose an action that does not exist in .* Counted"):
        search(Counted(), iterations=10, algorithm=Elsewhere(), engine="mixed")


def test_an_interrupt_in_the_middle_of_a_move_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        search(Faulty("stop"), iterations=100, algorithm="ucb", seed=1, engine="mixed")


def test_an_algorithm_that_cannot_be_compiled_is_refused() -> None:
    class Texts(Uniform):
        def select(self, node: Any, rng: Rng) -> Action:
            return int(f"{node.visits:x}"[0] != "x"), 0, 1.0, 1.0

    with pytest.raises(NotCompilable, match="Texts cannot be compiled"):
        search(Counted(), iterations=10, algorithm=Texts(), engine="mixed")
