"""A search used as a model: the value and the policies of a small tree grown at the position.

Lies above the engines, unlike the other models: it grows trees of its own, each in the thread that asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from ..algorithms.exp3 import Exp3
from ..engines.interpreted import make_tree
from ..errors import ParameterError
from ..locks import ALONE
from ..records import RecordType
from ..rng import Rng
from ..state import Payoff, is_constant_sum, payoff_range
from .rollout import Rollout

INNER_DEPTH = 10_000


class Searching(metaclass=RecordType):
    """So many iterations of an algorithm over another model, from scratch at each position."""

    iterations: int = 100
    algorithm: Any = Exp3()
    model: Any = Rollout()
    compiles: ClassVar[bool] = False  # it grows trees of Python objects

    def validate(self) -> None:
        if self.iterations < 1:
            raise ParameterError(f"searching: iterations is {self.iterations!r}; it must be at least 1")

    def evaluate(self, state: Any, rng: Rng) -> Payoff:
        return self.evaluate_with_policy(state, rng)[0]

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[Payoff, Sequence[float], Sequence[float]]:
        self.validate()
        own = Random(rng.random())  # a stream of its own, decided by the one that asks
        tree = make_tree(state, self.algorithm, self.model, ALONE, max_depth=INNER_DEPTH, rng=own)
        tree.grow(own, self.iterations)
        root = tree.snapshot()
        low, high = payoff_range(state)
        row = low + (high - low) * root.row_value / root.visits
        col = low + (high - low) * root.col_value / root.visits
        policies = self.algorithm.strategies(root)
        return (row if is_constant_sum(state) else (row, col)), *policies
