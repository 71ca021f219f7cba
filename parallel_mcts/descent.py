"""The search itself: select down the tree, judge one new node, credit the way back.

One source for every backend and both engines: interpreted over Python objects, compiled over pointers that have the same
attributes. Threads may run it on one tree at once; then `locks.shared` is true, every read-and-write of a node's numbers
happens under that node's lock, and a new node is complete before anyone can see it. Nothing is judged under a lock: a slow
model must not stall the others. A thread holds one lock at a time; if something raises while it does, the engine finds and
frees that lock, so that no thread waits for one that is gone.

`visits` of a node counts the playouts that have begun to pass through it; its values are credited when they come back, and
`pending` counts those that have not. With no playout under way, visits = evaluations of the node + choices made at it.
"""

from __future__ import annotations

from typing import Any

from .rng import Rng


def run(
    tree: Any, root: Any, algorithm: Any, judge: Any, locks: Any, chance: Any, rng: Rng, count: int, path: Any
) -> tuple[int, int]:
    """Makes `count` playouts (fewer if the tree is full); returns how many, and how many nodes they added.

    `chance` is `rng` again where chance takes part in the game, else None. `path` is room for as many steps as a playout
    may go down; below that, positions are judged as if they were new.
    """
    shared, averages = locks.shared, tree.averages
    limit = len(path)
    created = 0
    for done in range(count):
        if tree.full:
            return done, created
        node, depth = root, 0
        while node.rows and depth < limit:
            if shared:
                locks.acquire(node)
            if not node.kids:
                node.open()
            node.visits += 1
            action = algorithm.select(node, rng)
            if shared:
                node.pending += 1
                locks.release(node)
            path[depth] = node, action
            depth += 1
            i, j, _, _ = action
            slot = i * node.cols + j
            if chance is None:
                child = node.kids[slot]
                if not child:
                    state = node.state.play(i, j)
            else:
                state = node.state.play(i, j, chance)
                child = tree.find(node, slot, state)
            if not child:
                leaf = tree.new(state)
                value = judge.value(leaf, rng)
                leaf.visits = 1
                leaf.row_value, leaf.col_value = value
                child = link(tree, node, slot, leaf, child, locks, chance)
                if child:  # another thread was first: its node is the one that counts
                    credit(child, value, locks)
                else:
                    created += 1
                break
            node = child
        else:
            value = judge.value(node, rng)
            credit(node, value, locks)
        for k in range(depth - 1, -1, -1):
            node, action = path[k]
            if shared:
                locks.acquire(node)
            node.row_value += value[0]
            node.col_value += value[1]
            algorithm.update(node, action, value)
            if shared:
                node.pending -= 1
            if averages:  # what a parent learns is the mean of the node below (arXiv 1804.09045, SM-MCTS-A)
                value = tree.mean(node)
            if shared:
                locks.release(node)
    return count, created


def link(tree: Any, node: Any, slot: int, leaf: Any, found: Any, locks: Any, chance: Any) -> Any:
    """Puts a new node where nothing was found, unless another thread has put one there meanwhile: then returns that."""
    shared = locks.shared
    if shared:
        locks.acquire(node)
        found = node.kids[slot] if chance is None else tree.find(node, slot, leaf.state)
    if not found:
        if chance is None:
            node.kids[slot] = leaf
        else:
            tree.add(node, slot, leaf)
    if shared:
        locks.release(node)
    return found


def credit(node: Any, value: Any, locks: Any) -> None:
    """Counts an evaluation of a node that is already in the tree."""
    if locks.shared:
        locks.acquire(node)
    node.visits += 1
    node.row_value += value[0]
    node.col_value += value[1]
    if locks.shared:
        locks.release(node)
