"""Compiled threads on one tree: through several growths of its memory not a visit is lost; without locks, many are."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest

from parallel_mcts import game
from parallel_mcts.engines.compiled import memory
from parallel_mcts.engines.compiled.tree import CompiledTree, locks_for, make_stream
from parallel_mcts.locks import Sharing
from parallel_mcts.models import Rollout
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.rng import stream

ITERATIONS = 5_000
NODE_LOCKS, SMALL_POOL = Sharing(threads=True), Sharing(threads=True, pool=3)


class UselessLocks(NamedTuple):
    """What a search without locks would be."""

    shared: bool = True

    def acquire(self, node: Any) -> None:
        pass

    def release(self, node: Any) -> None:
        pass


def grown(name: str, algorithm: str, locks: Any, threads: int, iterations: int = ITERATIONS) -> CompiledTree:
    """A tree grown by so many threads at once."""
    rngs = [make_stream(stream(1, k)) for k in range(threads)]
    tree = CompiledTree(game(name), ALGORITHMS.make(algorithm), Rollout(), locks, 1000, rngs[0])
    with ThreadPoolExecutor(threads) as pool:
        shares = [iterations // threads + (k < iterations % threads) for k in range(threads)]
        assert sum(pool.map(tree.grow, rngs, shares)) == iterations
    return tree


def losses(tree: CompiledTree, iterations: int) -> list[str]:
    """Every way in which the numbers of a tree at rest do not add up."""
    found, nodes = [], 0
    for node in tree.walk():
        nodes += 1
        children = [child for _, child in tree.children(node)]
        below = sum(child.visits for child in children)
        if node.address == tree.root.address:
            if not node.visits == below == iterations:
                found.append(f"the root has {node.visits} visits and its children {below}, after {iterations} playouts")
            worth = sum(child.row_value for child in children)
            if abs(node.row_value - worth) > 1e-6:
                found.append(f"the root is worth {node.row_value} and its children {worth}")
        elif node.rows and node.visits < below + 1:
            found.append(f"a node has {node.visits} visits and its children {below}")
        if node.pending:
            found.append(f"{node.pending} playouts never came back")
        if abs(node.row_value + node.col_value - node.visits) > 1e-6:
            found.append(f"{node.visits} visits are worth {node.row_value} and {node.col_value}")
        counts_row = "row_visits" in tree.program.layout.statistics and node.rows > 1
        if counts_row and sum(node.statistic("row_visits")) != below:
            found.append(f"row chose {node.statistic('row_visits')}, and the children have {below} visits")
    if nodes != tree.nodes:
        found.append(f"{nodes} nodes, but {tree.nodes} were counted")
    return found


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that has to grow often."""
    monkeypatch.setattr(memory, "FIRST_WORDS", 1 << 14)
    monkeypatch.setattr(memory, "LARGEST_WORDS", 1 << 14)


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("sharing", [NODE_LOCKS, SMALL_POOL], ids=["threaded", "pool"])
@pytest.mark.parametrize(("name", "algorithm"), [("mold:depth=8", "exp3"), ("connect_four", "ucb")])
def test_no_visit_is_lost_while_the_memory_grows(
    name: str, algorithm: str, sharing: Sharing, threads: int, small_chunks: None
) -> None:
    tree = grown(name, algorithm, locks_for(sharing), threads)
    assert losses(tree, ITERATIONS) == []
    assert len(tree._memory._chunks) >= 4


@pytest.mark.parametrize("name", ["dice", "rps"])
def test_outcomes_of_chance_and_the_ends_of_games_lose_nothing(name: str) -> None:
    tree = grown(name, "regret_matching", locks_for(NODE_LOCKS), 4)
    assert losses(tree, ITERATIONS) == []
    for node in tree.walk():
        steps = [step for step, _ in tree.children(node)]
        assert len(steps) == len(set(steps))  # two threads never make two nodes of one outcome


def test_without_locks_visits_are_lost() -> None:
    rounds = (losses(grown("mold:depth=2", "exp3", UselessLocks(), 4, 200_000), 200_000) for _ in range(50))
    assert any(rounds)  # the first round, where two processors are free


def test_visits_in_flight_part_the_threads() -> None:
    """Alone, UCB takes each of seven untried columns once; two threads at once do not both take the first."""
    tree = grown("connect_four", "ucb", locks_for(NODE_LOCKS), 7, 7)
    assert [child.visits for _, child in tree.children(tree.root)] == [1] * 7
