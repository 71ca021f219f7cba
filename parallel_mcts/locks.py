"""Who may touch a node: the only thing in which the searches of one thread and of many differ.

A backend says by a `Sharing` how threads share a tree; each engine makes the locks for it. The descent asks them
`shared`, whether it needs to ask at all, then `acquire(node)` and `release(node)`. The locks here are those of
interpreted nodes; those of compiled ones have the same methods. Algorithms know nothing of locks.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any, NamedTuple

from .stats import Node


class Sharing(NamedTuple):
    """Whether several threads grow one tree, and if so, how many locks all nodes have together (0: each has its own)."""

    threads: bool = False
    pool: int = 0


ALONE = Sharing()


class NoLocks(NamedTuple):
    """One thread: nothing to guard."""

    shared: bool = False

    def acquire(self, node: Node) -> None:
        pass

    def release(self, node: Node) -> None:
        pass


class NodeLocks(NamedTuple):
    """A lock in each node: the least contention, the most memory."""

    shared: bool = True

    def acquire(self, node: Node) -> None:
        node.lock.acquire()

    def release(self, node: Node) -> None:
        node.lock.release()

    def abandon(self, node: Node) -> None:
        """Frees what this thread held when something raised."""
        free(node.lock)


class PoolLocks(NamedTuple):
    """A few locks for all nodes: little memory, and two nodes may have to share one."""

    pool: Sequence[Any]
    shared: bool = True

    def acquire(self, node: Node) -> None:
        self.pool[(id(node) >> 6) % len(self.pool)].acquire()

    def release(self, node: Node) -> None:
        self.pool[(id(node) >> 6) % len(self.pool)].release()

    def abandon(self, node: Node) -> None:
        free(self.pool[(id(node) >> 6) % len(self.pool)])


def free(lock: Any) -> None:
    """Opens a lock if this thread holds it: for this alone are they locks that know their owner."""
    try:
        lock.release()
    except RuntimeError:
        pass


def locks_for(sharing: Sharing) -> NoLocks | NodeLocks | PoolLocks:
    """The locks of a tree of Python objects."""
    if not sharing.threads:
        return NoLocks()
    return PoolLocks([RLock() for _ in range(sharing.pool)]) if sharing.pool else NodeLocks()
