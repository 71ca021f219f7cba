"""Threads on one tree: not a visit is lost, however they interleave; and without locks, some are."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import pytest

from parallel_mcts import Algorithm, PerCell, Pool, Threaded, game, search
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.backends.base import Job, Watch
from parallel_mcts.backends.shared_tree import SharedTree
from parallel_mcts.budget import Budget
from parallel_mcts.errors import AlgorithmError, GameError
from parallel_mcts.locks import Sharing
from parallel_mcts.models import Rollout
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.rng import Rng
from parallel_mcts.state import TurnState
from parallel_mcts.stats import node_class


class Careless(Algorithm):
    """Uniform choice; counts so slowly that another thread always gets in between, unless a lock keeps it out."""

    seed: int = 0

    class Stats:
        counts: PerCell

    def select(self, node: Any, rng: Rng) -> Action:
        visits = node.visits - 1
        time.sleep(0)
        node.visits = visits + 1
        return int(rng.random() * node.rows), int(rng.random() * node.cols), 1.0 / node.rows, 1.0 / node.cols

    def update(self, node: Any, action: Action, value: Value) -> None:
        i, j, _, _ = action
        count, row = node.counts[i][j], node.row_value
        time.sleep(0)  # lets another thread run
        node.counts[i][j] = count + 1.0
        node.row_value = row

    def strategies(self, node: Any) -> Policies:
        return [1.0 / node.rows] * node.rows, [1.0 / node.cols] * node.cols


class UselessLocks(NamedTuple):
    """What a search without locks would be."""

    shared: bool = True

    def acquire(self, node: Any) -> None:
        pass

    def release(self, node: Any) -> None:
        pass


def grown(state: Any, algorithm: Any, pool: int, workers: int, iterations: int, locks: Any = None) -> Any:
    """A tree grown by threads, with a pool of locks or (0) a lock in each node, or with locks of the test's own."""
    job = Job(state, algorithm, Rollout(), seed=1, workers=workers, max_depth=1000)
    searcher = SharedTree(job, Sharing(threads=True, pool=pool))
    if locks is not None:
        searcher.tree.locks = locks
    try:
        searcher.run(Budget(iterations), Watch())
    finally:
        searcher.close()
    return searcher.tree


def losses(tree: Any, iterations: int) -> list[str]:
    """Every way in which the counts of a tree at rest do not add up."""
    found = []
    for node in tree.walk():
        children = [child for _, child in tree.children(node)]
        below = sum(child.visits for child in children)
        own = node.visits - below
        if node is tree.root and (own != 0 or node.visits != iterations):
            found.append(f"the root has {node.visits} visits, and its children {below}, after {iterations} playouts")
        if node is not tree.root and node.rows and own < 1:
            found.append(f"a node has {node.visits} visits, and its children {below}")
        if node.pending != 0:
            found.append(f"{node.pending} playouts never came back")
        if node.kids and hasattr(node, "counts") and sum(map(sum, node.counts)) != below:
            found.append(f"{sum(map(sum, node.counts))} choices led to {below} visits")
    total = sum(child.row_value for _, child in tree.children(tree.root))
    if abs(tree.root.row_value - total) > 1e-6:
        found.append(f"the root is worth {tree.root.row_value}, its children {total}")
    return found


@pytest.mark.parametrize("workers", [2, 4, 8])
@pytest.mark.parametrize("name", ["tictactoe", "dice", "rps", "goofspiel:cards=3"])
@pytest.mark.parametrize("pool", [0, 1, 16])
def test_no_visit_is_lost_when_threads_interleave_inside_update(
    pool: int, name: str, workers: int, eager_threads: None
) -> None:
    assert losses(grown(game(name), Careless(), pool, workers, 801), 801) == []


@pytest.mark.parametrize("name", ["tictactoe", "dice", "rps"])
def test_without_locks_visits_are_lost(name: str, eager_threads: None) -> None:
    assert losses(grown(game(name), Careless(), 0, 4, 801, UselessLocks()), 801) != []


@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
@pytest.mark.parametrize("backend", [Threaded(), Pool(locks=3)])
@pytest.mark.parametrize("name", ["tictactoe", "dice"])
def test_every_algorithm_loses_nothing(name: str, backend: Any, algorithm: str, eager_threads: None) -> None:
    job = Job(game(name), ALGORITHMS.make(algorithm), Rollout(), seed=1, workers=4, max_depth=1000)
    searcher = backend.open(job)
    searcher.run(Budget(1003), Watch())
    searcher.close()
    assert losses(searcher.tree, 1003) == []


@pytest.mark.parametrize("algorithm", ["ucb", "puct"])
def test_playouts_under_way_drive_others_elsewhere(algorithm: str) -> None:
    """Eight playouts set out before any came back: one each way, not eight times the same."""
    bandit = ALGORITHMS.make(algorithm)
    node = node_class(type(bandit), locked=True)(game("tictactoe"))
    node.open()
    if algorithm == "puct":
        node.row_prior[:] = [1 / 9] * 9
    chosen = []
    for _ in range(9):
        node.visits += 1
        chosen.append(bandit.select(node, None)[0])
    assert sorted(chosen) == list(range(9))


@pytest.mark.parametrize("algorithm", ["ucb", "puct"])
def test_at_rest_as_many_playouts_came_back_as_set_out(algorithm: str, eager_threads: None) -> None:
    tree = grown(game("connect_four"), ALGORITHMS.make(algorithm), 0, 4, 500)
    for node in tree.walk():
        if node.kids and node.rows > 1:
            assert node.row_tries == node.row_visits


class FailsLate(TurnState):
    """Raises in one thread while others wait for the same node."""

    def __init__(self, depth: int = 0) -> None:
        self.depth, self.player = depth, depth % 2

    def moves(self) -> list[int]:
        return [0, 1] if self.depth < 12 else []

    def move(self, m: int) -> FailsLate:
        if self.depth == 9 and m == 1:
            raise RuntimeError("the dog ate the board")
        return FailsLate(self.depth + 1)

    def payoff(self) -> float:
        return 0.5


@pytest.mark.parametrize("backend", ["threaded", "pool:locks=1"])
def test_a_game_that_raises_in_one_thread_ends_the_search_in_all(backend: str, eager_threads: None) -> None:
    place = r"in FailsLate at FailsLate\(depth=9, player=1\), actions \(-, 1\) \[worker \d, seed 5\]"
    with pytest.raises(GameError, match=r"play\(\) raised RuntimeError: the dog ate the board " + place):
        search(FailsLate(), iterations=100_000, backend=backend, workers=4, seed=5)


class Stumbling(Careless):
    """Raises under a lock."""

    def update(self, node: Any, action: Action, value: Value) -> None:
        if node.visits > 50:
            raise ArithmeticError("lost count")


@pytest.mark.parametrize("backend", ["threaded", "pool:locks=1"])
def test_an_algorithm_that_raises_under_a_lock_leaves_nobody_waiting(backend: str, eager_threads: None) -> None:
    with pytest.raises(AlgorithmError, match=r"Stumbling.*update\(\) raised ArithmeticError: lost count"):
        search(game("rps"), iterations=100_000, backend=backend, algorithm=Stumbling(), workers=4, seed=5)
