"""UCB: each player takes the upper confidence bound of its own actions, as if the other were part of nature.

Decoupled UCT. UCB1 is from Auer, Cesa-Bianchi & Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine
Learning 47 (2002); its use in trees from Kocsis & Szepesvári (2006). Playouts under way count as tries but not as values
(Liu et al., "Watch the unobserved", arXiv 1810.11755, eq. 4), which spreads threads over the tree. Right for games of
turns; where players move at once it need not converge: a deterministic rule can be exploited.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from ..rng import Rng
from ..snapshot import Snapshot, add_field, clear_field
from ..stats import Node, PerCol, PerRow, starts_at
from .base import Action, Algorithm, Policies, Value
from .common import merge_means, normalised, require_not_negative

WIDE = 32
"""From so many actions on, untried ones are taken in random order: few nodes live to try them all, and those that come
last in the game's own order would never be seen."""
UNTRIED = 1e9
"""The spread of an action nobody has taken: wider than any other, so that it is taken first."""


def any_untried(tries: Any, rng: Rng) -> int:
    """One of the actions that nobody has tried; there is one."""
    untried = 0
    for n in tries:
        if n == 0.0:
            untried += 1
    left = int(rng.random() * untried)
    for k in range(len(tries)):
        if tries[k] == 0.0:
            if left == 0:
                return k
            left -= 1
    return 0


def choose(means: Any, spreads: Any, tries: Any, width: float, rng: Rng) -> int:
    """Takes the action with the highest bound: untried ones first, in their order or (see `WIDE`) in any."""
    best = -1.0
    chosen = k = 0
    for mean in means:
        bound = mean + width * spreads[k]
        if bound > best:
            best = bound
            chosen = k
        k += 1
    if k >= WIDE and tries[chosen] == 0.0:
        chosen = any_untried(tries, rng)
    n = tries[chosen] + 1.0
    tries[chosen] = n
    spreads[chosen] = 1.0 / sqrt(n)
    return chosen


def learn(means: Any, visits: Any, k: int, value: float) -> None:
    """Adds a value to the mean of an action."""
    n = visits[k] + 1.0
    visits[k] = n
    means[k] += (value - means[k]) / n


class UCB(Algorithm):
    """mean + c · sqrt(ln N / n), for each player apart."""

    c: float = 0.7

    class Stats:
        row_visits: PerRow  # playouts that came back
        row_means: PerRow
        row_tries: PerRow  # playouts that set out
        row_spreads: PerRow = starts_at(
            UNTRIED
        )  # 1 / sqrt(tries): kept, so that selecting takes one root and not one an action
        col_visits: PerCol
        col_means: PerCol
        col_tries: PerCol
        col_spreads: PerCol = starts_at(UNTRIED)

    def select(self, node: Node, rng: Rng) -> Action:
        width = self.c * sqrt(log(node.visits))
        i = choose(node.row_means, node.row_spreads, node.row_tries, width, rng) if node.rows > 1 else 0
        j = choose(node.col_means, node.col_spreads, node.col_tries, width, rng) if node.cols > 1 else 0
        return i, j, 1.0, 1.0

    def update(self, node: Node, action: Action, value: Value) -> None:
        if node.rows > 1:
            learn(node.row_means, node.row_visits, action[0], value[0])
        if node.cols > 1:
            learn(node.col_means, node.col_visits, action[1], value[1])

    def strategies(self, node: Node) -> Policies:
        return normalised(node.row_visits), normalised(node.col_visits)

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        merge_means(into, other, "row_means", "row_visits")
        merge_means(into, other, "col_means", "col_visits")
        for name in ("row_visits", "row_tries", "col_visits", "col_tries"):
            add_field(into, other, name)
        clear_field(into, "row_spreads")
        clear_field(into, "col_spreads")

    def validate(self) -> None:
        require_not_negative("ucb", "c", self.c)
