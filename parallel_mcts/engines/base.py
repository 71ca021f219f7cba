"""What an engine offers the backends: one search tree that can be grown, read and re-rooted.

`SearchTree` is that offer. `TreeReader` is the part of it that both engines share: everything that is read from a tree,
told in terms of a few things that only the engine knows of its nodes. A tree may be grown by several threads at once if
its locks are shared; everything else is called while nobody grows it, except `snapshot`, which progress reports use at
any time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from ..snapshot import Snapshot, empty_snapshot


class Step(NamedTuple):
    """One move of a line of play: a joint action by its numbers, and what chance did (None without chance)."""

    i: int
    j: int
    observation: Hashable = None


class Child(NamedTuple):
    """What a tree knows of one child of a node."""

    step: Step
    visits: int
    row_value: float
    col_value: float


class NodeReport(NamedTuple):
    """A node without its tree: its position, its numbers and its children."""

    state: Any
    snapshot: Snapshot
    children: list[Child]


class SearchTree(Protocol):
    """One tree and everything needed to grow it. `rng` is always a stream of the engine's own kind."""

    nodes: int

    def grow(self, rng: Any, count: int) -> int:
        """Makes `count` playouts; returns how many."""
        ...

    def snapshot(self) -> Snapshot:
        """The numbers of the root."""
        ...

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        """The node at the end of a path from the root, if the tree has it."""
        ...

    def line(self, first: tuple[int, int], limit: int) -> list[Step]:
        """The most visited line of play that starts with a joint action."""
        ...

    def advance(self, step: Step, state: Any, rng: Any) -> None:
        """Makes the child of a step the root; plants a new tree at `state` if there is no such child."""
        ...

    def memory(self) -> int:
        """About how many bytes the tree takes."""
        ...


class Numbers(NamedTuple):
    """What every node has: its shape, the playouts that came back, and what they were worth."""

    rows: int
    cols: int
    visits: int
    row_value: float
    col_value: float


class TreeReader(ABC):
    """Reads a tree whose nodes are whatever an engine makes them."""

    algorithm: Any
    root: Any

    @abstractmethod
    def numbers(self, node: Any) -> Numbers: ...

    @abstractmethod
    def statistics(self, node: Any) -> dict[str, Any]:
        """The algorithm's statistics as numbers and lists; none for a node that has not been opened."""

    @abstractmethod
    def position(self, node: Any) -> Any: ...

    @abstractmethod
    def children(self, node: Any) -> Iterator[tuple[Step, Any]]: ...

    def walk(self) -> Iterator[Any]:
        """Every node of the tree, parents first."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(child for _, child in self.children(node))

    def snapshot(self) -> Snapshot:
        return self.snapshot_of(self.root)

    def snapshot_of(self, node: Any) -> Snapshot:
        rows, cols, visits, row_value, col_value = self.numbers(node)
        taken = empty_snapshot(self.algorithm, rows, cols)
        taken.visits, taken.row_value, taken.col_value = visits, row_value, col_value
        for name, value in self.statistics(node).items():
            setattr(taken, name, value)
        for (i, j, _), child in self.children(node):
            below = self.numbers(child)
            taken.cell_visits[i][j] += below.visits
            taken.cell_row_values[i][j] += below.row_value
            taken.cell_col_values[i][j] += below.col_value
        return taken

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        node = self.root
        for step in path:
            node = self.child(node, step)
            if node is None:
                return None
        children = [Child(step, *self.numbers(child)[2:]) for step, child in self.children(node)]
        return NodeReport(self.position(node), self.snapshot_of(node), children)

    def child(self, node: Any, step: Step) -> Any:
        """The child of a step, or None."""
        return next((child for found, child in self.children(node) if found == step), None)

    def line(self, first: tuple[int, int], limit: int) -> list[Step]:
        steps: list[Step] = []
        choices = [(step, child) for step, child in self.children(self.root) if (step.i, step.j) == tuple(first)]
        while choices and len(steps) < limit:
            step, node = max(choices, key=lambda choice: self.numbers(choice[1]).visits)
            steps.append(step)
            choices = list(self.children(node))
        return steps
