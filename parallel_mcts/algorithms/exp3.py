"""Exp3: exponential weights of importance-weighted gains, for each player apart.

Auer, Cesa-Bianchi, Freund & Schapire, "The nonstochastic multiarmed bandit problem", SIAM J. Comput. 32 (2002), section 3.
Both players' average policies approach an equilibrium where they move at once, up to an error that shrinks with gamma.
"""

from __future__ import annotations

from math import exp
from typing import Any

from ..rng import Rng
from ..snapshot import Snapshot
from ..stats import Node, PerCol, PerRow, scratch
from .base import Action, Algorithm, Policies, Value
from .common import average_policies, explore, meant, merge_averages, require_share


def exponential(gains: Any, eta: float, policy: Any) -> None:
    """Writes the policy proportional to exp(eta · gain)."""
    total = 0.0
    for k in range(len(gains)):
        weight = exp(eta * gains[k])
        policy[k] = weight
        total += weight
    scale = 1.0 / total
    for k in range(len(gains)):
        policy[k] *= scale


def choose(gains: Any, sums: Any, gamma: float, rng: Rng) -> tuple[int, float]:
    """One player's action and its probability."""
    count = len(gains)
    if count == 1:
        return 0, 1.0
    policy = scratch(count)
    exponential(gains, gamma / count, policy)
    return explore(policy, sums, gamma, rng.random())


def credit(gains: Any, k: int, gain: float) -> None:
    """Adds a gain, keeping the highest at or below zero: only differences matter, and exp must not overflow."""
    gains[k] += gain
    top = gains[k]
    if top > 0.0:
        for m in range(len(gains)):
            gains[m] -= top


class Exp3(Algorithm):
    """P(k) = (1 - gamma) · exp(eta · G(k)) / Σ exp(eta · G) + gamma / K, where eta = gamma / K and G sums gain / P.

    A gain is weighed by how far the other player meant its action (`common.meant`).
    `averages` learns from the mean of the child instead of the single playout (arXiv 1804.09045, SM-MCTS-A).
    """

    gamma: float = 0.1
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
        credit(node.row_gains, i, meant(q, node.cols, self.gamma) * value[0] / p)
        credit(node.col_gains, j, meant(p, node.rows, self.gamma) * value[1] / q)

    def strategies(self, node: Node) -> Policies:
        return average_policies(node)

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        merge_averages(into, other, "row_gains", "col_gains")

    def validate(self) -> None:
        require_share("exp3", "gamma", self.gamma)
