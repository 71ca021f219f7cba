"""The least that a UCT search can be: one function for games of turns, no options. What generality may cost is measured
against it."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any


class Node:
    __slots__ = ("children", "moves", "over", "player", "state", "total", "visits")

    def __init__(self, state: Any) -> None:
        rows, cols = state.shape()
        self.state = state
        self.over = rows == 0
        self.player = 0 if cols == 1 else 1
        self.moves = rows * cols
        self.children: list[Node] = []
        self.visits = 0
        self.total = 0.0  # of the player who moved here


def uct(state: Any, iterations: int, c: float = 0.7, seed: int = 1) -> list[int]:
    """Visits of each move of the root."""
    rng = Random(seed)
    root = Node(state)
    for _ in range(iterations):
        node = root
        path = [root]
        while not node.over and len(node.children) == node.moves:
            spread = c * sqrt(log(node.visits))
            best = -1.0
            for child in node.children:
                bound = child.total / child.visits + spread / sqrt(child.visits)
                if bound > best:
                    best = bound
                    chosen = child
            node = chosen
            path.append(node)
        if not node.over:
            k = len(node.children)
            child = Node(node.state.play(k, 0) if node.player == 0 else node.state.play(0, k))
            node.children.append(child)
            node = child
            path.append(node)
        value = node.state.payoff() if node.over else node.state.rollout(rng)
        root.visits += 1
        for k in range(1, len(path)):
            node = path[k]
            node.visits += 1
            node.total += value if path[k - 1].player == 0 else 1.0 - value
    return [child.visits for child in root.children]
