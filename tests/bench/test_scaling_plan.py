"""What is measured when nobody says, and what cannot be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from parallel_mcts import Forest, MissingDependency, ParameterError, UnknownName, game
from parallel_mcts.bench.scaling import plan_for
from parallel_mcts.bench.scaling.plan import default_backends, default_workers, in_turn
from parallel_mcts.registry import BACKENDS


@pytest.mark.parametrize(
    ("processors", "expected"), [(1, [1, 2]), (2, [1, 2, 4]), (6, [1, 2, 4, 6, 12]), (8, [1, 2, 4, 8, 16])]
)
def test_workers_double_up_to_the_processors_and_then_go_beyond(processors: int, expected: list[int]) -> None:
    assert default_workers(processors) == expected


def test_every_backend_whose_workers_run_at_once_is_measured_beside_single() -> None:
    made = plan_for(game("tictactoe"), workers=[1, 3])
    assert {s.backend for s in made.settings} == {*BACKENDS.names()} - {"inline"}
    assert next((s.backend, s.workers) for s in made.settings) == ("single", 1)
    assert all(made.algorithms[s.algorithm] is made.algorithms["ucb"] for s in made.settings)
    assert sorted({s.workers for s in made.settings}) == [1, 3]
    assert [s.workers for s in made.settings if s.backend == "single"] == [1]


@pytest.fixture
def a_backend_that_is_not_installed() -> Iterator[None]:
    def missing() -> Any:
        raise MissingDependency("the backend 'cloud' needs cloud: pip install cloud")

    BACKENDS.add("cloud", missing)
    yield
    del BACKENDS._added["cloud"]


@pytest.mark.usefixtures("a_backend_that_is_not_installed")
def test_a_backend_that_is_not_installed_is_measured_only_if_it_is_asked_for() -> None:
    assert "cloud" not in default_backends()
    with pytest.raises(MissingDependency, match="pip install cloud"):
        plan_for(game("rps"), backends=["cloud"])


def test_things_are_called_as_they_were_asked_for() -> None:
    made = plan_for(game("rps"), backends=["pool:locks=4", Forest()], algorithms=["exp3:gamma=0.2", "ucb"], workers=[2])
    assert list(made.backends) == ["single", "pool:locks=4", "Forest()"]
    assert made.backends["pool:locks=4"].locks == 4
    assert list(made.algorithms) == ["exp3:gamma=0.2", "ucb"]
    assert str(made.settings[1]) == "pool:locks=4 × 2, exp3:gamma=0.2"


def test_strong_scaling_shares_the_budget_and_weak_scaling_gives_each_worker_one() -> None:
    made = plan_for(game("rps"), backends=["inline"], workers=[4])
    setting = made.settings[1]
    assert made.modes == ("strong", "weak")
    assert made.budget(setting, "strong", 100) == 100
    assert made.budget(setting, "weak", 100) == 400
    assert plan_for(game("rps"), mode="weak").modes == ("weak",)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"workers": [1, 0]}, ParameterError, r"workers are \[1, 0\]; each must be a whole number of at least 1"),
        ({"workers": [1.5]}, ParameterError, "whole number"),
        ({"workers": []}, ParameterError, "workers is empty"),
        ({"mode": "stronk"}, UnknownName, "did you mean 'strong'"),
        ({"backends": ["proces"]}, UnknownName, "unknown backend 'proces'"),
        ({"backends": []}, ParameterError, "at least one backend"),
        ({"backends": "process"}, ParameterError, "give a list"),
        ({"algorithms": ["uct"]}, UnknownName, "unknown algorithm 'uct'"),
        ({"engine": "fast"}, UnknownName, "unknown engine 'fast'"),
    ],
)
def test_what_cannot_be_measured_is_refused_with_what_can(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        plan_for(game("rps"), **options)


def test_each_round_has_everything_and_begins_elsewhere() -> None:
    rounds = [in_turn("abcdef", k, 3) for k in range(3)]
    assert ["".join(each) for each in rounds] == ["abcdef", "cdefab", "efabcd"]
