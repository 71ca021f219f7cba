"""Compiled searches as users run them: every backend, sessions that follow the game, the choice of the engine."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import pytest

from parallel_mcts import Progress, Search, SearchResult, game, search
from parallel_mcts.budget import Budget
from parallel_mcts.engines import choice
from parallel_mcts.engines.choice import Choice
from parallel_mcts.errors import NotCompilable, UnknownName
from parallel_mcts.locks import ALONE, Sharing
from parallel_mcts.models import Heuristic, Rollout
from parallel_mcts.registry import ALGORITHMS, BACKENDS


def answer(result: SearchResult) -> tuple[Any, ...]:
    """All of a result that the engine must not change."""
    return result.row, result.col, result.values, result.row_actions, result.principal_line, result.visits, result.nodes


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_every_backend_gives_the_answer_of_the_interpreter(backend: str) -> None:
    shared = backend in ("threaded", "pool")
    options: dict[str, Any] = {"backend": backend, "workers": 1 if shared or backend == "single" else 2}
    options |= {"algorithm": "exp3", "iterations": 2001, "seed": 5}
    compiled = search(game("goofspiel:cards=4"), engine="compiled", **options)
    assert answer(compiled) == answer(search(game("goofspiel:cards=4"), engine="python", **options))
    assert compiled.engine == "compiled"


def test_root_parallel_placements_agree_compiled() -> None:
    options: dict[str, Any] = {"iterations": 3001, "algorithm": "ucb", "workers": 3, "seed": 2, "engine": "compiled"}
    results = [search(game("tictactoe"), backend=name, **options) for name in ("inline", "forest", "process")]
    assert answer(results[0]) == answer(results[1]) == answer(results[2])


@pytest.mark.parametrize("name", ["threaded", "pool:locks=2"])
def test_threads_share_a_compiled_tree_and_count_every_playout(name: str) -> None:
    result = search(game("tictactoe"), iterations=20_003, algorithm="ucb", backend=name, workers=4, engine="compiled")
    assert result.visits == result.iterations == sum(report.visits for report in result.row_actions) == 20_003


@pytest.mark.parametrize(("name", "moves"), [("tictactoe", [(4, "-"), ("-", 0)]), ("dice", [("roll", "roll", None)])])
@pytest.mark.parametrize("backend", ["single", "threaded", "forest"])
def test_a_session_keeps_its_subtree_when_the_game_goes_on(name: str, moves: list[Any], backend: str) -> None:
    sessions = [
        Search(game(name), algorithm="ucb", backend=backend, workers=1, seed=1, engine=engine)
        for engine in ("python", "compiled")
    ]
    for session in sessions:
        with session:
            session.run(iterations=4000)
            for move in moves:
                *actions, seen = move if len(move) == 3 else (*move, None)
                if len(move) == 3:  # the outcome that was seen most
                    children = session.node().children  # type: ignore[union-attr]
                    best = [c for c in children if (c.move.row, c.move.col) == tuple(actions)]
                    seen = max(best, key=lambda c: c.visits).move.observation
                session.advance(*actions, observation=seen)
            kept = session.result()
            assert kept.visits > 10
            session.run(iterations=500)
            session.final = (answer(kept), answer(session.result()), kept.nodes)  # type: ignore[attr-defined]
    assert sessions[0].final == sessions[1].final  # type: ignore[attr-defined]


def test_a_session_frees_what_the_game_leaves_behind() -> None:
    with Search(game("connect_four"), algorithm="ucb", seed=1, engine="compiled") as session:
        before = session.run(iterations=60_000).memory
        session.advance(0, "-")
        assert session.result().memory < before / 3


def test_a_step_into_the_unknown_plants_a_new_compiled_tree() -> None:
    with Search(game("connect_four"), algorithm="uniform", seed=1, engine="compiled") as session:
        session.run(iterations=1)
        unseen = next(c for c in range(7) if session.node((c, "-")) is None)
        session.advance(unseen, "-")
        assert session.result().nodes == 1
        assert session.run(iterations=50).visits == 50


def test_a_time_limit_ends_a_compiled_search() -> None:
    ticks = itertools.count()
    with Search(game("rps"), algorithm="exp3", seed=1, engine="compiled", clock=lambda: next(ticks) * 0.1) as session:
        assert session.run(seconds=5.0).iterations > 0


# ---------------------------------------------------------------------------------------------- which engine
class Asked:
    """Stands for the engines that compile: notes what they are asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, ready: bool = False, able: bool = True) -> None:
        self.compiled: list[str] = []

        def stand_in(engine: str) -> Any:
            def prepare(*parts: Any) -> None:
                self.compiled.append(engine)
                if not able:
                    raise NotCompilable("not this one")

            return prepare

        for engine, module in choice.FASTEST_FIRST.items():
            monkeypatch.setattr(f"{module}.prepare", stand_in(engine))
            monkeypatch.setattr(f"{module}.is_ready", lambda *parts: ready)
        monkeypatch.setattr(choice, "_refused", set())


def chosen(engine: str = "auto", name: str = "rps", model: Any = None, sharing: Sharing = ALONE) -> Choice:
    return Choice(engine, game(name), ALGORITHMS.make("exp3"), model or Rollout(), sharing)


@pytest.mark.parametrize(
    ("seconds", "ready", "engine"),
    [(60.0, False, "compiled"), (1.0, False, "python"), (1.0, True, "compiled"), (0.001, False, "python")],
)
def test_a_time_limit_is_compiled_for_if_it_repays_that(
    seconds: float, ready: bool, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Asked(monkeypatch, ready=ready)
    assert chosen().at_start(Budget(seconds=seconds)) == engine


def test_iterations_begin_in_the_interpreter_and_change_over_when_they_turn_out_to_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = Asked(monkeypatch)
    picked = chosen()
    assert picked.at_start(Budget(iterations=10**9)) == "python"
    assert not picked.after_trial(2.0)
    assert picked.after_trial(60.0)
    assert asked.compiled == []
    assert picked.compiled() == "compiled"
    assert asked.compiled == ["compiled"]


def test_what_cannot_be_compiled_is_tried_once_and_runs_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, able=False)
    assert chosen().at_start(Budget(seconds=60)) == "python"
    assert chosen().at_start(Budget(seconds=60)) == "python"
    assert asked.compiled == ["compiled", "mixed"]
    with pytest.raises(NotCompilable, match="not this one"):
        chosen("compiled").at_start(Budget(seconds=60))


@pytest.mark.parametrize(("name", "model"), [("nim", None), ("rps", Heuristic(lambda state: 0.5))])
def test_what_is_not_of_the_form_is_not_even_tried_but_the_search_around_it_is(
    name: str, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Asked(monkeypatch, ready=True)
    assert chosen(name=name, model=model).at_start(Budget(seconds=60)) == "mixed"
    assert asked.compiled == ["mixed"]


def test_threads_on_one_tree_run_what_is_not_of_the_form_in_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch, ready=True)
    assert chosen(name="nim", sharing=Sharing(threads=True)).at_start(Budget(seconds=60)) == "python"
    assert asked.compiled == []


def test_changing_over_in_mid_search_does_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["parallel_mcts.search"], "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(choice, "COMPILING_SECONDS", -1.0)
    monkeypatch.setattr(choice, "LOADING_SECONDS", 0.0)
    told: list[Progress] = []
    options: dict[str, Any] = {"iterations": 5000, "algorithm": "exp3", "seed": 9}
    result = search(game("biased_rps"), on_progress=told.append, **options)
    assert result.engine == "compiled"
    assert result.visits == result.iterations == 5000
    assert answer(result) == answer(search(game("biased_rps"), engine="python", **options))


@pytest.mark.parametrize("backend", ["single", "inline", "forest"])
def test_a_trial_that_decides_against_compiling_leaves_the_answer_alone(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers go on with their own shares: nothing is split anew."""
    monkeypatch.setattr(sys.modules["parallel_mcts.search"], "TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(Choice, "after_trial", lambda self, seconds: False)
    options: dict[str, Any] = {"algorithm": "ucb", "iterations": 3001, "seed": 1, "backend": backend}
    options["workers"] = 1 if backend == "single" else 3
    assert answer(search(game("tictactoe"), **options)) == answer(search(game("tictactoe"), engine="python", **options))


def test_a_search_that_turns_out_not_to_compile_is_begun_again_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["parallel_mcts.search"], "TRIAL_SECONDS", 0.0)
    asked = Asked(monkeypatch, able=False)
    monkeypatch.setattr(Choice, "after_trial", lambda self, seconds: True)
    options: dict[str, Any] = {"algorithm": "ucb", "iterations": 3001, "seed": 1, "backend": "inline", "workers": 2}
    result = search(game("tictactoe"), **options)
    assert asked.compiled == ["compiled", "mixed"]
    assert result.engine == "python"
    assert answer(result) == answer(search(game("tictactoe"), engine="python", **options))


def test_a_time_limit_beside_iterations_is_kept_and_never_empties_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes all the time there was: what the interpreter found by then is the answer."""
    now = itertools.count()
    passed = 0.0

    def clock() -> float:
        return passed + next(now) * 1e-3

    def slowly(*parts: Any) -> None:
        nonlocal passed
        passed += 100.0

    monkeypatch.setattr(sys.modules["parallel_mcts.search"], "TRIAL_SECONDS", 0.01)
    Asked(monkeypatch)
    monkeypatch.setattr(Choice, "after_trial", lambda self, seconds: True)
    monkeypatch.setattr("parallel_mcts.engines.compiled.tree.prepare", slowly)
    with Search(game("tictactoe"), algorithm="ucb", seed=1, clock=clock) as session:
        result = session.run(iterations=10**9, seconds=50.0)
    assert result.engine == "python"
    assert result.visits == result.iterations > 0


def test_compiling_is_told_of_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Progress] = []
    monkeypatch.setattr("parallel_mcts.engines.compiled.tree.is_ready", lambda *parts: False)
    search(game("rps"), iterations=10, algorithm="exp3", seed=1, engine="compiled", on_progress=told.append)
    assert [progress.stage for progress in told] == ["compiling", "searching"]
    assert list(told[0].row) == [1 / 3] * 3


def test_an_unknown_engine_is_answered_with_the_choices() -> None:
    with pytest.raises(UnknownName, match="unknown engine 'jit'; choose from: auto, compiled, mixed, python"):
        search(game("rps"), iterations=1, engine="jit")
