"""PUCT: like UCB, but the model's policy says where to look first.

Rosin, "Multi-armed bandits with episode context" (2011), with the bound of Silver et al., "A general reinforcement
learning algorithm that masters chess, shogi and Go through self-play", Science 362 (2018). Each player chooses for itself.
Playouts under way count as tries without a value, as in UCB. An action that has no value yet counts as the mean of those
that have.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..rng import Rng
from ..snapshot import Snapshot, add_field
from ..stats import Node, PerCol, PerRow
from .base import Action, Algorithm, Policies, Value
from .common import normalised, require_not_negative


def choose(totals: Any, visits: Any, tries: Any, prior: Any, width: float) -> int:
    """Takes the action with the highest bound; of equal ones the first."""
    count = len(totals)
    total = known = 0.0
    for k in range(count):
        total += totals[k]
        known += visits[k]
    first_play = total / known if known > 0.0 else 0.5
    best = -1.0
    chosen = 0
    for k in range(count):
        mean = totals[k] / visits[k] if visits[k] > 0.0 else first_play
        bound = mean + width * prior[k] / (1.0 + tries[k])
        if bound > best:
            best = bound
            chosen = k
    tries[chosen] += 1.0
    return chosen


class PUCT(Algorithm):
    """mean + c · P · sqrt(N) / (1 + n), for each player apart."""

    c: float = 1.5

    class Stats:
        row_prior: PerRow  # filled by the model, or uniform
        row_visits: PerRow  # playouts that came back
        row_totals: PerRow
        row_tries: PerRow  # playouts that set out
        col_prior: PerCol
        col_visits: PerCol
        col_totals: PerCol
        col_tries: PerCol

    def select(self, node: Node, rng: Rng) -> Action:
        width = self.c * sqrt(node.visits)
        i = choose(node.row_totals, node.row_visits, node.row_tries, node.row_prior, width) if node.rows > 1 else 0
        j = choose(node.col_totals, node.col_visits, node.col_tries, node.col_prior, width) if node.cols > 1 else 0
        return i, j, 1.0, 1.0

    def update(self, node: Node, action: Action, value: Value) -> None:
        i, j, _, _ = action
        node.row_visits[i] += 1.0
        node.row_totals[i] += value[0]
        node.col_visits[j] += 1.0
        node.col_totals[j] += value[1]

    def strategies(self, node: Node) -> Policies:
        return normalised(node.row_visits), normalised(node.col_visits)

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        """Counts and totals add up; the priors are the model's, and those of the first search will do."""
        for name in ("row_visits", "row_totals", "row_tries", "col_visits", "col_totals", "col_tries"):
            add_field(into, other, name)

    def validate(self) -> None:
        require_not_negative("puct", "c", self.c)
