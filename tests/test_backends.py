"""Every backend, from the registry: the same contract, and the same answer wherever that is promised."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from exact import exploitability

from parallel_mcts import Search, SearchResult, game, search
from parallel_mcts.backends.base import CHUNK_SECONDS, next_chunk
from parallel_mcts.errors import ParameterError
from parallel_mcts.registry import ALGORITHMS, BACKENDS, GAMES
from parallel_mcts.testing import check_backend

ROOT_PARALLEL = ["forest", "inline", "process"]


def same(one: SearchResult, other: SearchResult) -> bool:
    """Whether two searches found the same, to the last bit."""
    fields = [
        "row",
        "col",
        "row_value",
        "col_value",
        "row_actions",
        "col_actions",
        "cell_means",
        "visits",
        "iterations",
        "principal_line",
    ]
    return all(getattr(one, name) == getattr(other, name) for name in fields)


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_every_backend_keeps_the_contract(backend: str) -> None:
    check_backend(backend, workers=3)


@pytest.mark.parametrize("backend", BACKENDS.names())
@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
@pytest.mark.parametrize("name", GAMES.names())
def test_no_visit_is_lost_anywhere_in_the_registry(name: str, algorithm: str, backend: str) -> None:
    workers = 1 if backend == "single" else 2
    result = search(game(name), iterations=101, algorithm=algorithm, backend=backend, workers=workers, seed=1)
    assert result.iterations == result.visits == 101
    assert sum(report.visits for report in result.row_actions) == 101
    assert sum(report.visits for report in result.col_actions) == 101
    assert sum(result.row) == pytest.approx(1.0)
    assert sum(result.col) == pytest.approx(1.0)


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
def test_processes_threads_and_inline_workers_agree_for_one_seed(algorithm: str, workers: int) -> None:
    for name in ("goofspiel:cards=3", "dice"):
        found = [
            search(game(name), iterations=503, algorithm=algorithm, backend=backend, workers=workers, seed=9)
            for backend in ROOT_PARALLEL
        ]
        assert same(found[0], found[1])
        assert same(found[1], found[2])


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_one_worker_finds_what_single_finds(backend: str) -> None:
    for name, algorithm in (
        ("tictactoe", "ucb"),
        ("goofspiel:cards=3", "exp3"),
        ("dice", "puct"),
        ("biased_rps", "matrix_ucb"),
    ):
        alone = search(game(name), iterations=700, algorithm=algorithm, seed=4)
        assert same(alone, search(game(name), iterations=700, algorithm=algorithm, backend=backend, workers=1, seed=4))


@pytest.mark.parametrize("backend", ["single", *ROOT_PARALLEL])
def test_a_search_can_be_repeated(backend: str) -> None:
    workers = 1 if backend == "single" else 3
    options: dict[str, Any] = {"iterations": 400, "algorithm": "regret_matching", "backend": backend, "workers": workers}
    first, again, other = (search(game("dice"), seed=seed, **options) for seed in (7, 7, 8))
    assert same(first, again)
    assert not same(first, other)
    assert search(game("dice"), seed=first.seed, **options).to_dict()["row"] == first.to_dict()["row"]


@pytest.mark.parametrize("backend", ["single", *ROOT_PARALLEL])
def test_two_runs_find_what_one_run_finds(backend: str) -> None:
    """The chunks in which playouts are made leave no trace."""
    workers = 1 if backend == "single" else 2
    with Search(game("dice"), algorithm="exp3", backend=backend, workers=workers, seed=3) as session:
        for iterations in (2, 38, 160):
            session.run(iterations=iterations)
        pieces = session.result()
    whole = search(game("dice"), iterations=200, algorithm="exp3", backend=backend, workers=workers, seed=3)
    assert pieces.visits == whole.visits == 200
    assert (pieces.row, pieces.col, pieces.row_value) == (whole.row, whole.col, whole.row_value)


@pytest.mark.parametrize("algorithm", ["exp3", "exp3p", "regret_matching"])
@pytest.mark.parametrize("name", ["biased_rps", "goofspiel:row_hand=2-3-4,col_hand=1-3-4,prizes=3-2-1"])
def test_a_merged_answer_is_no_more_exploitable_than_the_workers_on_average(name: str, algorithm: str) -> None:
    start = game(name)
    with Search(start, algorithm=algorithm, backend="inline", workers=4, seed=11) as session:
        merged = session.run(iterations=8000)
        searcher: Any = session._searcher
        apart = [member.seat.worker.snapshot() for member in searcher.members]
    alone = [exploitability(start, *session.algorithm.strategies(taken)) for taken in apart]
    assert exploitability(start, merged.row, merged.col) <= sum(alone) / len(alone) + 1e-12


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_iterations_are_split_with_no_remainder_lost(backend: str) -> None:
    workers = 1 if backend == "single" else 4
    for iterations in (1, 3, 4, 5, 99):
        result = search(game("rps"), iterations=iterations, algorithm="uniform", backend=backend, workers=workers, seed=1)
        assert result.iterations == result.visits == iterations


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_advancing_keeps_the_subtree_and_starts_afresh_where_there_is_none(backend: str) -> None:
    workers = 1 if backend == "single" else 2
    with Search(game("tictactoe"), algorithm="ucb", backend=backend, workers=workers, seed=1) as session:
        before = session.run(iterations=600)
        state = session.advance(4)
        kept = session.result()
        assert state == game("tictactoe").play(4, 0)
        assert kept.visits == before.row_actions[4].visits
        evaluations = kept.visits - sum(report.visits for report in kept.col_actions)
        assert evaluations == workers if backend in ROOT_PARALLEL else 1 <= evaluations <= workers
        after = session.run(iterations=100)
        assert after.visits == kept.visits + 100
        session.advance(0)
        session.advance(8)
        assert session.result().visits < after.visits
    with Search(game("connect_four"), algorithm="uniform", backend=backend, workers=workers, seed=1) as session:
        session.run(iterations=2)
        for _ in range(4):
            session.advance(0)
        assert session.result().visits == 0
        assert session.run(iterations=10).visits == 10


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_advancing_along_chance_takes_what_was_observed(backend: str) -> None:
    workers = 1 if backend == "single" else 2
    start = game("goofspiel:cards=3,prizes=random")
    with Search(start, algorithm="exp3", backend=backend, workers=workers, seed=1) as session:
        session.run(iterations=900)
        node = session.node(("-", "-", 2))
        assert node is not None
        state = session.advance("-", "-", observation=2)
        assert state.prize == 2
        assert session.result().visits == node.visits > 200


@pytest.mark.parametrize("workers", [0, -1, 1.5, "two", True])
@pytest.mark.parametrize("backend", BACKENDS.names())
def test_an_impossible_number_of_workers_is_refused(backend: str, workers: Any) -> None:
    with pytest.raises(ParameterError, match=r"workers is .*; it must be a whole number of at least 1"):
        search(game("rps"), iterations=10, backend=backend, workers=workers)


def test_single_is_one_worker() -> None:
    with pytest.raises(ParameterError, match="workers is 2, but 'single' is one worker"):
        search(game("rps"), iterations=10, backend="single", workers=2)


@pytest.mark.parametrize("backend", [name for name in BACKENDS.names() if name != "process"])
def test_no_thread_outlives_its_search(backend: str) -> None:
    before = threading.active_count()
    search(game("rps"), iterations=50, backend=backend, workers=1 if backend == "single" else 3, seed=1)
    assert threading.active_count() == before


def test_chunks_grow_to_the_time_between_looks_and_shrink_to_the_time_left() -> None:
    assert next_chunk(8, CHUNK_SECONDS / 100, None) == 32  # no faster than fourfold
    assert next_chunk(1000, CHUNK_SECONDS, None) == 1000
    assert next_chunk(1000, 2 * CHUNK_SECONDS, None) == 500
    assert next_chunk(1000, CHUNK_SECONDS, CHUNK_SECONDS / 4) == 250
    assert next_chunk(1000, CHUNK_SECONDS, -1.0) == 1
    assert next_chunk(8, 0.0, None) == 32
