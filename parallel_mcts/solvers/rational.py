"""Zero-sum matrix games in exact arithmetic: what `matrix.py` does with doubles, done with fractions.

The simplex method on von Neumann's linear programme, by Bland's rule, in whole numbers: the tableau is kept over one
common denominator, the last pivot, and every division comes out even (Edmonds, "Systems of distinct representatives and
linear algebra", 1967). Called by the solvers; nothing is shared, so any thread may call it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from ..errors import InputError


class RationalSolution(NamedTuple):
    """An equilibrium of a matrix game, without rounding."""

    value: Fraction
    row: list[Fraction]
    col: list[Fraction]


def solve_rational(matrix: Sequence[Sequence[Any]]) -> RationalSolution:
    """The equilibrium of a matrix of row's payoffs: whole numbers, fractions, or doubles taken at their exact value."""
    payoffs = [[fraction(payoff) for payoff in line] for line in matrix]
    if not payoffs or not payoffs[0] or any(len(line) != len(payoffs[0]) for line in payoffs):
        sizes = [len(line) for line in payoffs]
        raise InputError(f"a matrix game needs rows of one size, and at least one action a player; got rows of {sizes}")
    whole, scale, lowest = positive(payoffs)
    tableau = Tableau(whole)
    tableau.maximise()
    return tableau.solution(scale, lowest)


def fraction(number: Any) -> Fraction:
    """A number as it is, without rounding."""
    if isinstance(number, Fraction | int):
        return Fraction(number)
    try:
        return Fraction(float(number))
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{number!r} has no exact value; exact solving needs finite numbers") from None


def positive(payoffs: list[list[Fraction]]) -> tuple[list[list[int]], int, Fraction]:
    """The payoffs as whole numbers of at least 1: `(payoff - lowest) * scale + 1`."""
    lowest = min(map(min, payoffs))
    scale = lcm(*(payoff.denominator for line in payoffs for payoff in line), lowest.denominator)
    return [[int((payoff - lowest) * scale) + 1 for payoff in line] for line in payoffs], scale, lowest


class Tableau:
    """The condensed tableau of `matrix · y <= 1, y >= 0, maximise the sum of y`, over a common denominator."""

    def __init__(self, matrix: list[list[int]]) -> None:
        self.rows, self.cols = len(matrix), len(matrix[0])
        self.lines = [[*line, 1] for line in matrix]
        self.lines.append([-1] * self.cols + [0])
        self.denominator = 1
        self.left = list(range(self.rows))  # row i of the game is i, column j is rows + j
        self.top = list(range(self.rows, self.rows + self.cols))

    def maximise(self) -> None:
        """Pivots by Bland's rule, which cannot cycle, until no column improves the objective."""
        while True:
            improving = [j for j in range(self.cols) if self.lines[-1][j] < 0]
            if not improving:
                return
            q = min(improving, key=lambda j: self.top[j])
            limiting = [i for i in range(self.rows) if self.lines[i][q] > 0]
            p = min(limiting, key=lambda i: (Fraction(self.lines[i][-1], self.lines[i][q]), self.left[i]))
            self.pivot(p, q)

    def pivot(self, p: int, q: int) -> None:
        """Solves row p for what stood in column q, and puts it into all other rows."""
        chosen, before = self.lines[p], self.denominator
        element = chosen[q]
        for i, line in enumerate(self.lines):
            if i != p:
                factor = line[q]
                self.lines[i] = [(line[j] * element - factor * chosen[j]) // before for j in range(self.cols + 1)]
                self.lines[i][q] = -factor
        chosen[q] = before
        self.denominator = element
        self.left[p], self.top[q] = self.top[q], self.left[p]

    def solution(self, scale: int, lowest: Fraction) -> RationalSolution:
        """Strategies and value, in the payoffs that the tableau was made of."""
        total = self.lines[-1][-1]  # over the denominator: the sum of y, and 1 / value
        row, col = [Fraction(0)] * self.rows, [Fraction(0)] * self.cols
        for j, label in enumerate(self.top):
            if label < self.rows:
                row[label] = Fraction(self.lines[-1][j], total)
        for i, label in enumerate(self.left):
            if label >= self.rows:
                col[label - self.rows] = Fraction(self.lines[i][-1], total)
        return RationalSolution((Fraction(self.denominator, total) - 1) / scale + lowest, row, col)
