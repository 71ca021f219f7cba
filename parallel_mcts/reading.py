"""Reads the numbers of nodes for people: strategies by label, values in the game's payoff units.

Used by a search session for its root and for any node that is looked at; nothing here is changed, and nothing is shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .engines.base import NodeReport, Step
from .results import ActionReport, ChildView, Move, NodeView, Strategy
from .snapshot import Snapshot
from .state import labels, payoff_range


@dataclass(frozen=True)
class Reader:
    """Reads the nodes of one search."""

    algorithm: Any
    low: float
    width: float

    @staticmethod
    def of(state: Any, algorithm: Any) -> Reader:
        low, high = payoff_range(state)
        return Reader(algorithm, low, high - low)

    def payoff(self, total: float, visits: float) -> float | None:
        """The mean of values in [0, 1], as a payoff; None where there is no value yet."""
        return self.low + self.width * total / visits if visits else None

    def values(self, taken: Snapshot) -> tuple[float | None, float | None]:
        return self.payoff(taken.row_value, taken.visits), self.payoff(taken.col_value, taken.visits)

    def strategies(self, state: Any, taken: Snapshot) -> tuple[Strategy, Strategy]:
        """Both players' strategies; empty where the game is over."""
        if taken.rows == 0:
            return Strategy((), ()), Strategy((), ())
        row, col = self.algorithm.strategies(taken)
        row_names, col_names = labels(state)
        return Strategy(row_names, row), Strategy(col_names, col)

    def row_actions(self, strategy: Strategy, taken: Snapshot) -> tuple[ActionReport, ...]:
        return self._actions(strategy, taken.cell_visits, taken.cell_row_values)

    def col_actions(self, strategy: Strategy, taken: Snapshot) -> tuple[ActionReport, ...]:
        return self._actions(strategy, _turned(taken.cell_visits), _turned(taken.cell_col_values))

    def _actions(
        self, strategy: Strategy, visits: Sequence[Sequence[float]], totals: Sequence[Sequence[float]]
    ) -> tuple[ActionReport, ...]:
        return tuple(
            ActionReport(action, probability, int(sum(counts)), self.payoff(sum(sums), sum(counts)))
            for (action, probability), counts, sums in zip(strategy.items(), visits, totals, strict=True)
        )

    def cell_means(self, taken: Snapshot) -> tuple[tuple[float | None, ...], ...]:
        """Row's mean payoff of each joint action."""
        return tuple(
            tuple(self.payoff(total, visits) for total, visits in zip(totals, counts, strict=True))
            for totals, counts in zip(taken.cell_row_values, taken.cell_visits, strict=True)
        )

    def view(self, report: NodeReport) -> NodeView:
        """A node, for looking at."""
        taken, state = report.snapshot, report.state
        row, col = self.strategies(state, taken)
        row_value, col_value = self.values(taken)
        names = labels(state)
        children = tuple(
            ChildView(
                named(names, child.step),
                child.visits,
                self.payoff(child.row_value, child.visits),
                self.payoff(child.col_value, child.visits),
            )
            for child in report.children
        )
        return NodeView(state, taken.visits, row_value, col_value, row, col, children)


def named(names: tuple[Sequence[Any], Sequence[Any]], step: Step) -> Move:
    """A step in the game's own words."""
    return Move(names[0][step.i], names[1][step.j], step.observation)


def _turned(cells: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    return list(zip(*cells, strict=True))
