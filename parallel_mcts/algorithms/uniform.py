"""Uniform: both players choose at random, whatever they have seen. The baseline, and the least a search can cost."""

from __future__ import annotations

from ..rng import Rng
from ..stats import Node
from .base import Action, Algorithm, Policies, Value


class Uniform(Algorithm):
    """P(k) = 1 / K."""

    averages: bool = False  # a record without fields cannot be compiled

    def select(self, node: Node, rng: Rng) -> Action:
        rows, cols = node.rows, node.cols
        i = int(rng.random() * rows) if rows > 1 else 0
        j = int(rng.random() * cols) if cols > 1 else 0
        return i, j, 1.0 / rows, 1.0 / cols

    def update(self, node: Node, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Node) -> Policies:
        return [1.0 / node.rows] * node.rows, [1.0 / node.cols] * node.cols
