"""What the root's joint actions are worth, and on whose word: the measure of how exploitable a strategy is.

A game small enough to be solved is measured exactly, others by the mean payoffs that the search itself ended with. Used
by the page; plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..checking import bfs_find
from ..errors import GameError, InputError
from ..results import SearchResult, Strategy, gain_of
from ..solvers import solve
from ..state import is_constant_sum

Cells = list[list[float]]


@dataclass(frozen=True)
class Yardstick:
    """The worth of each joint action at the root to row, and to column by column's actions (a line for each)."""

    for_row: Cells
    for_col: Cells
    source: str
    value: float | None = None
    """What the game is worth to row, where that is known."""

    def exploitability(self, row: Strategy, col: Strategy) -> float:
        """The mean of what each player could gain by leaving its strategy at the root, in payoff units."""
        return max(0.0, gain_of(self.for_row, row, col) + gain_of(self.for_col, col, row)) / 2.0


def by_solution(solved: Any) -> Yardstick:
    """Best play after the root, from a game that has been solved."""
    row_cells, col_cells = solved.matrices()
    known = float(solved.value) if solved.unique_value else None
    how = f"exact: the game was solved, {solved.positions:,} positions"
    return Yardstick(_floats(row_cells), _floats(zip(*col_cells, strict=True)), how, known)


def by_means(result: SearchResult) -> Yardstick | None:
    """What the search found, of a constant-sum game; None while some joint action has not been tried."""
    if any(value is None for line in result.cell_means for value in line):
        return None
    cells = _floats(result.cell_means)
    negated = [[-value for value in line] for line in zip(*cells, strict=True)]
    return Yardstick(cells, negated, "estimated: on the mean payoffs that the search ended with")


def yardstick(state: Any, result: SearchResult, solved: Any, limit: int) -> Yardstick | None:
    """The best measure there is: `solved` if given, else the solution of a game of at most `limit` positions, else means.

    Without the state (None) only a solved game can be measured by.
    """
    if solved is not None:
        return by_solution(solved)
    if state is None:
        return None
    if limit > 0 and is_small(state, limit):
        return by_solution(solve(state))
    return by_means(result) if is_constant_sum(state) else None


def is_small(state: Any, limit: int) -> bool:
    """Whether the whole game has at most so many positions, all of which can be listed.

    Breadth first, which tells a large game within a few moves; the solver, depth first, would take long to notice.
    """
    try:
        return bfs_find(state, lambda position: False, state_limit=limit).complete
    except (InputError, GameError):
        return False


def _floats(cells: Any) -> Cells:
    lines: Sequence[Sequence[Any]] = list(cells)
    return [[float(value) for value in line] for line in lines]
