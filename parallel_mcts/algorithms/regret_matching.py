"""Regret matching: each player plays its actions in proportion to how much it regrets not having played them.

Hart & Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium", Econometrica 68 (2000); as the selection
rule of a simultaneous-move tree search in Lanctot, Lisý & Winands, "Monte Carlo tree search in simultaneous move games with
applications to Goofspiel" (2013): what another action would have gained against the same action of the other player is
taken from the mean of that cell. Here a cell that nobody has played counts as the best there is, so that it is tried. The
average policies approach an equilibrium.
"""

from __future__ import annotations

from typing import Any

from ..rng import Rng
from ..snapshot import Snapshot, add_field
from ..stats import Node, PerCell, PerCol, PerRow, scratch
from .base import Action, Algorithm, Policies, Value
from .common import average_policies, explore, meant, merge_averages, require_share

BEST = 1.0
"""The highest value there is."""


def choose(regrets: Any, sums: Any, gamma: float, rng: Rng) -> tuple[int, float]:
    """One player's action and its probability."""
    count = len(regrets)
    if count == 1:
        return 0, 1.0
    policy = scratch(count)
    total = 0.0
    for k in range(count):
        if regrets[k] > 0.0:
            policy[k] = regrets[k]
            total += regrets[k]
    scale = 1.0 / total if total > 0.0 else 0.0
    even = 0.0 if total > 0.0 else 1.0 / count
    for k in range(count):
        policy[k] = policy[k] * scale + even
    return explore(policy, sums, gamma, rng.random())


def regret(regrets: Any, k: int, total: float, count: float, gain: float, weight: float) -> None:
    """Adds how much more action k would have gained, by the mean of its cell."""
    mean = total / count if count > 0.0 else BEST
    regrets[k] += weight * (mean - gain)


class RegretMatching(Algorithm):
    """P(k) = (1 - gamma) · R⁺(k) / Σ R⁺ + gamma / K, where R(k) sums what k would have gained less what was gained.

    A regret is weighed by how far the other player meant its action (`common.meant`).
    `averages` learns from the mean of the child instead of the single playout (arXiv 1804.09045, SM-MCTS-A).
    """

    gamma: float = 0.1
    averages: bool = False

    class Stats:
        counts: PerCell
        row_totals: PerCell
        col_totals: PerCell
        row_regrets: PerRow
        row_sums: PerRow  # of the policies played, without their exploration
        col_regrets: PerCol
        col_sums: PerCol

    def select(self, node: Node, rng: Rng) -> Action:
        i, p = choose(node.row_regrets, node.row_sums, self.gamma, rng)
        j, q = choose(node.col_regrets, node.col_sums, self.gamma, rng)
        return i, j, p, q

    def update(self, node: Node, action: Action, value: Value) -> None:
        i, j, p, q = action
        rows, cols, counts = node.rows, node.cols, node.counts
        row_totals, col_totals = node.row_totals, node.col_totals
        counts[i][j] += 1.0
        row_totals[i][j] += value[0]
        col_totals[i][j] += value[1]
        weight = meant(q, cols, self.gamma)
        for k in range(rows):
            if k != i:
                regret(node.row_regrets, k, row_totals[k][j], counts[k][j], value[0], weight)
        weight = meant(p, rows, self.gamma)
        for k in range(cols):
            if k != j:
                regret(node.col_regrets, k, col_totals[i][k], counts[i][k], value[1], weight)

    def strategies(self, node: Node) -> Policies:
        return average_policies(node)

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        for name in ("counts", "row_totals", "col_totals"):
            add_field(into, other, name)
        merge_averages(into, other, "row_regrets", "col_regrets")

    def validate(self) -> None:
        require_share("regret_matching", "gamma", self.gamma)
