"""Trees of Python objects, grown by `descent.run` as ordinary Python.

A `Tree` is one search tree with its game, algorithm and model; `engines.base.SearchTree` says what it promises. One thread
may grow it, or several if its locks are shared. The children of a node sit in `kids`, one place for each joint action: the
node itself in a game without chance; in a game with chance a dictionary from observation to node, which is the chance node.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice
from random import Random
from threading import Lock
from typing import Any

from .. import descent
from ..locks import Sharing, locks_for
from ..models.base import suited
from ..scoring import judge_for
from ..snapshot import Snapshot
from ..state import has_chance, observation
from ..stats import Node, fields, node_class, uses_priors
from .base import Numbers, Step, TreeReader
from .collection import collection_paused
from .failures import explained, nodes_under_way

SAMPLED_NODES = 200
"""How many nodes are measured to tell how much memory all of them take."""


def make_stream(rng: Random) -> Random:
    """What a tree of this engine draws its random numbers from."""
    return rng


def make_tree(state: Any, algorithm: Any, model: Any, sharing: Sharing, *, max_depth: int, rng: Random) -> Tree:
    """A tree for a game with chance or without. `rng` is for a model that judges the root by chance."""
    kind = ChanceTree if has_chance(state) else Tree
    return kind(state, algorithm, model, locks_for(sharing), max_depth, rng)


class Tree(TreeReader):
    """The tree of a game without chance."""

    full = False

    def __init__(self, state: Any, algorithm: Any, model: Any, locks: Any, max_depth: int, rng: Random) -> None:
        self.algorithm, self.model, self.locks, self.max_depth = algorithm, model, locks, max_depth
        self.averages = bool(getattr(algorithm, "averages", False))
        self.judge = judge_for(state, algorithm, suited(model, state))
        cls: Any = type(algorithm)
        self.new = node_class(cls, locked=locks.shared)
        self.root: Node = None
        self.nodes = 0
        self._measured = 0, 0.0  # nodes when their size was last sampled, and bytes of each
        self._counting = Lock()
        self._paths: list[list[Any]] = []  # of threads that are not growing the tree just now
        self._plant(state, rng)

    def _plant(self, state: Any, rng: Random) -> None:
        try:
            self.root = self.new(state)
            self.nodes = 1
            if uses_priors(self.algorithm):
                self.judge.value(self.root, rng)  # for its priors; the root's visits are the playouts, and no more
        except Exception as error:
            raise explained(error, state, self.algorithm, self.model) from error

    # ------------------------------------------------------------------------ called by the descent
    def find(self, node: Node, slot: int, state: Any) -> Node:
        """The child of a joint action that chance led to `state`, if the tree has it (in games with chance)."""
        raise NotImplementedError

    def add(self, node: Node, slot: int, leaf: Node) -> None:
        """Makes a node the child of a joint action (in games with chance)."""
        raise NotImplementedError

    def mean(self, node: Node) -> tuple[float, float]:
        """The mean value of a node over the playouts that have come back."""
        back = self._back(node)
        return node.row_value / back, node.col_value / back

    def _back(self, node: Node) -> int:
        visits: int = node.visits - node.pending if self.locks.shared else node.visits
        return visits

    # ------------------------------------------------------------------------ called by the backends
    def _chance(self, rng: Random) -> Random | None:
        return None

    def grow(self, rng: Random, count: int) -> int:
        path = self._paths.pop() if self._paths else [None] * self.max_depth
        try:
            with collection_paused():
                done, created = descent.run(
                    self, self.root, self.algorithm, self.judge, self.locks, self._chance(rng), rng, count, path
                )
        except Exception as error:
            if self.locks.shared:
                for node in nodes_under_way(error):
                    self.locks.abandon(node)
            raise explained(error, self.root.state, self.algorithm, self.model) from error
        self._paths.append(path)
        with self._counting:
            self.nodes += created
        return done

    # ------------------------------------------------------------------------ read by `TreeReader`
    def numbers(self, node: Node) -> Numbers:
        return Numbers(node.rows, node.cols, self._back(node), node.row_value, node.col_value)

    def statistics(self, node: Node) -> dict[str, Any]:
        if not node.kids:
            return {}
        return {name: _plain(getattr(node, name)) for name in fields(self.algorithm)}

    def position(self, node: Node) -> Any:
        return node.state

    def outcomes(self, node: Node, slot: int) -> list[tuple[Hashable, Node]]:
        """The children of a joint action: (observation, node)."""
        child = node.kids[slot]
        return [] if child is None else [(None, child)]

    def children(self, node: Node) -> Iterator[tuple[Step, Node]]:
        for slot in range(len(node.kids or ())):
            i, j = divmod(slot, node.cols)
            for seen, child in self.outcomes(node, slot):
                yield Step(i, j, seen), child

    def snapshot_of(self, node: Node) -> Snapshot:
        if not self.locks.shared:
            return super().snapshot_of(node)
        self.locks.acquire(node)  # so that the statistics of one node belong together
        try:
            return super().snapshot_of(node)
        finally:
            self.locks.release(node)

    # ------------------------------------------------------------------------ moving on
    def advance(self, step: Step, state: Any, rng: Random) -> None:
        child = self.child(self.root, step)
        self._paths.clear()  # they still refer to nodes of the tree that is left behind
        if child is None:
            self._plant(state, rng)
        else:
            self.root = child
            self.nodes = sum(1 for _ in self.walk())

    def memory(self) -> int:
        sampled, each = self._measured
        if self.nodes >= 2 * sampled:  # a sample of nodes near the root is measured again each time the tree has doubled
            sizes = [_size(node, fields(self.algorithm)) for node in islice(self.walk(), SAMPLED_NODES)]
            each = sum(sizes) / len(sizes)
            self._measured = self.nodes, each
        return int(self.nodes * each)


class ChanceTree(Tree):
    """The tree of a game with chance: a joint action leads to a dictionary from observation to child."""

    def __init__(self, state: Any, *args: Any) -> None:
        self._observe = observation if hasattr(state, "observation") else None
        super().__init__(state, *args)

    def _chance(self, rng: Random) -> Random | None:
        return rng

    def find(self, node: Node, slot: int, state: Any) -> Node:
        outcomes = node.kids[slot]
        if outcomes is None:
            return None
        return outcomes.get(state if self._observe is None else self._observe(state))

    def add(self, node: Node, slot: int, leaf: Node) -> None:
        key = leaf.state if self._observe is None else self._observe(leaf.state)
        if node.kids[slot] is None:
            node.kids[slot] = {key: leaf}
        else:
            node.kids[slot][key] = leaf

    def outcomes(self, node: Node, slot: int) -> list[tuple[Hashable, Node]]:
        return list((node.kids[slot] or {}).items())


def _plain(value: Any) -> Any:
    """A statistic as numbers and lists, whatever it was kept in."""
    return [_plain(v) for v in value] if isinstance(value, list | array) else value


def _size(node: Node, names: Iterable[str]) -> int:
    """About how many bytes a node takes, with what only it refers to."""
    size = sys.getsizeof(node) + sys.getsizeof(node.state)
    if node.kids:
        size += sys.getsizeof(node.kids) + sum(sys.getsizeof(k) for k in node.kids if isinstance(k, dict))
        size += sum(_size_of_statistic(getattr(node, name)) for name in names)
    return size


def _size_of_statistic(value: Any) -> int:
    if isinstance(value, list):
        return sys.getsizeof(value) + sum(_size_of_statistic(v) for v in value)
    return sys.getsizeof(value)
