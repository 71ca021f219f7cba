"""Exp3.P: Exp3 whose estimates carry a bonus for actions that are rarely played, so that its regret is small not only on
average but with high probability.

Auer, Cesa-Bianchi, Freund & Schapire (2002), section 6, in the form of Bubeck & Cesa-Bianchi, "Regret analysis of
stochastic and nonstochastic multi-armed bandit problems" (2012), section 3.2: a playout adds
(gain · [k was played] + beta) / P(k) to the gains of every action k.
"""

from __future__ import annotations

from typing import Any

from ..rng import Rng
from ..snapshot import Snapshot
from ..stats import Node, PerCol, PerRow, scratch
from .base import Action, Algorithm, Policies, Value
from .common import (
    average_policies,
    meant,
    merge_averages,
    require_not_negative,
    require_share,
)
from .exp3 import choose, exponential


def credit_all(gains: Any, gamma: float, beta: float, chosen: int, gain: float) -> None:
    """Adds the estimated gain of the action played and the bonus of every action; keeps the highest total at zero."""
    count = len(gains)
    policy = scratch(count)
    exponential(gains, gamma / count, policy)
    gains[chosen] += gain
    top = gains[chosen]
    for k in range(count):
        gains[k] += beta / ((1.0 - gamma) * policy[k] + gamma / count)
        if gains[k] > top:
            top = gains[k]
    for k in range(count):
        gains[k] -= top


class Exp3P(Algorithm):
    """The policy of Exp3, over gains to which every playout adds beta / P(k) for each action k."""

    gamma: float = 0.1
    beta: float = 0.001
    averages: bool = False

    class Stats:
        row_gains: PerRow
        row_sums: PerRow  # of the policies played, without their exploration
        col_gains: PerCol
        col_sums: PerCol

    def select(self, node: Node, rng: Rng) -> Action:
        i, p = choose(node.row_gains, node.row_sums, self.gamma, rng)
        j, q = choose(node.col_gains, node.col_sums, self.gamma, rng)
        return i, j, p, q

    def update(self, node: Node, action: Action, value: Value) -> None:
        i, j, p, q = action
        credit_all(node.row_gains, self.gamma, self.beta, i, meant(q, node.cols, self.gamma) * value[0] / p)
        credit_all(node.col_gains, self.gamma, self.beta, j, meant(p, node.rows, self.gamma) * value[1] / q)

    def strategies(self, node: Node) -> Policies:
        return average_policies(node)

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        merge_averages(into, other, "row_gains", "col_gains")

    def validate(self) -> None:
        require_share("exp3p", "gamma", self.gamma)
        require_not_negative("exp3p", "beta", self.beta)
