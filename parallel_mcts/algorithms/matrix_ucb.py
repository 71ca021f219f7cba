"""MatrixUCB: each player solves the matrix game of its own optimistic bounds, and plays the solution.

O'Donoghue, Lattimore & Osband, "Matrix games with bandit feedback", arXiv 2006.05145, algorithm 1. A cell's bound is the
mean of what it led to plus c · sqrt(2 ln N / n). A solution is kept until the players could gain more than `slack` by
leaving it. The final answer is the equilibrium of the means alone.

A player solves the game against an opponent who wants the opposite. That is an equilibrium where the payoffs have a
constant sum; elsewhere it is what each player can be sure of.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from ..matrix import gap, solve
from ..rng import Rng
from ..snapshot import Snapshot, add_field, clear_field
from ..stats import Node, PerCell, PerCol, PerNode, PerRow, scratch_cells
from .base import Action, Algorithm, Policies, Value
from .common import draw, require_not_negative


def untried(counts: Any, rows: int, cols: int) -> int:
    """The number of the first cell nobody has played, or -1."""
    for i in range(rows):
        line = counts[i]
        for j in range(cols):
            if line[j] == 0.0:
                return i * cols + j
    return -1


def bounds(totals: Any, counts: Any, width: float, sign: float, bound: Any) -> None:
    """Writes sign · (mean + width / sqrt(n)) of every cell: the game as its optimistic player sees it.

    `sign` is -1 for column, whose gains are what row pays.
    """
    for i in range(len(bound)):
        row_totals, row_counts, line = totals[i], counts[i], bound[i]
        for j in range(len(line)):
            n = row_counts[j]
            line[j] = sign * (row_totals[j] / n + width / sqrt(n))


class MatrixUCB(Algorithm):
    """Solves the matrix of mean + c · sqrt(2 ln N / n), once for each player."""

    c: float = 0.5
    slack: float = 0.01

    class Stats:
        counts: PerCell
        row_totals: PerCell
        col_totals: PerCell
        row_policy: PerRow  # row's part of the solution of its own game ...
        row_expects: PerCol  # ... and what it expects of column there
        col_policy: PerCol
        col_expects: PerRow
        solved: PerNode

    def select(self, node: Node, rng: Rng) -> Action:
        rows, cols = node.rows, node.cols
        cell = untried(node.counts, rows, cols)
        if cell >= 0:
            return cell // cols, cell % cols, 1.0, 1.0
        width = self.c * sqrt(2.0 * log(node.visits))
        bound = scratch_cells(rows, cols)
        bounds(node.row_totals, node.counts, width, 1.0, bound)
        if node.solved == 0.0 or gap(bound, node.row_policy, node.row_expects) > self.slack:
            solve(bound, node.row_policy, node.row_expects, scratch_cells(rows + 2, 2 * cols + 3))
        bounds(node.col_totals, node.counts, width, -1.0, bound)
        if node.solved == 0.0 or gap(bound, node.col_expects, node.col_policy) > self.slack:
            solve(bound, node.col_expects, node.col_policy, scratch_cells(rows + 2, 2 * cols + 3))
        node.solved = 1.0
        i = draw(node.row_policy, rng.random()) if rows > 1 else 0
        j = draw(node.col_policy, rng.random()) if cols > 1 else 0
        return i, j, node.row_policy[i], node.col_policy[j]

    def update(self, node: Node, action: Action, value: Value) -> None:
        i, j, _, _ = action
        node.counts[i][j] += 1.0
        node.row_totals[i][j] += value[0]
        node.col_totals[i][j] += value[1]

    def strategies(self, node: Node) -> Policies:
        row, col = means(node, node.row_totals, 1.0), means(node, node.col_totals, -1.0)
        work = scratch_cells(node.rows + 2, 2 * node.cols + 3)
        x, y, unused_x, unused_y = [0.0] * node.rows, [0.0] * node.cols, [0.0] * node.rows, [0.0] * node.cols
        solve(row, x, unused_y, work)
        solve(col, unused_x, y, work)
        return x, y

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        for name in ("counts", "row_totals", "col_totals"):
            add_field(into, other, name)
        for name in ("row_policy", "row_expects", "col_policy", "col_expects", "solved"):
            clear_field(into, name)

    def validate(self) -> None:
        require_not_negative("matrix_ucb", "c", self.c)
        require_not_negative("matrix_ucb", "slack", self.slack)


def means(node: Node, totals: Any, sign: float) -> list[list[float]]:
    """The mean of each cell; one that nobody has played counts as the mean of all."""
    played = sum(map(sum, node.counts))
    typical = sum(map(sum, totals)) / played if played else 0.5
    return [
        [sign * (total / n if n else typical) for total, n in zip(line, counts, strict=True)]
        for line, counts in zip(totals, node.counts, strict=True)
    ]
