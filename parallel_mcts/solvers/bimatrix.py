"""General-sum matrix games: one equilibrium of possibly many, found exactly by the method of Lemke and Howson.

"Equilibrium points of bimatrix games" (1964), with integer pivots and the lexicographic ratio test of von Stengel,
"Equilibrium computation for two-player games in strategic and extensive form" (2007), which ends on degenerate games
too. Called by the solvers at general-sum positions; nothing is shared, so any thread may call it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..errors import InputError
from .rational import fraction, positive


class Equilibrium(NamedTuple):
    """A strategy for each player that neither gains by leaving, and what each then gets; without rounding."""

    row: list[Fraction]
    col: list[Fraction]
    row_value: Fraction
    col_value: Fraction


def find_equilibrium(row_payoffs: Sequence[Sequence[Any]], col_payoffs: Sequence[Sequence[Any]]) -> Equilibrium:
    """One equilibrium of a general-sum game; others may give the players more or less."""
    a, b = ([[fraction(x) for x in line] for line in payoffs] for payoffs in (row_payoffs, col_payoffs))
    sizes = {len(line) for line in (*a, *b)}
    if len(a) != len(b) or len(sizes) != 1 or 0 in sizes:
        raise InputError(f"both players need a matrix of one size; got {_size(a)} and {_size(b)}")
    row, col = _lemke_howson(positive(a)[0], positive(b)[0])
    return Equilibrium(row, col, _expected(a, row, col), _expected(b, row, col))


def _size(matrix: list[list[Fraction]]) -> str:
    return f"rows of {[len(line) for line in matrix]}"


def _expected(matrix: list[list[Fraction]], row: list[Fraction], col: list[Fraction]) -> Fraction:
    parts = (x * y * payoff for x, line in zip(row, matrix, strict=True) for y, payoff in zip(col, line, strict=True))
    return sum(parts, Fraction(0))


class _Polytope:
    """The best-response polytope of one player as a tableau in whole numbers.

    Variables are numbered 0 … rows - 1 for row's actions and rows … rows + cols - 1 for column's: the same number is a
    probability in one polytope and the slack of a best response in the other.
    """

    def __init__(self, matrix: list[list[int]], slacks: list[int], variables: list[int]) -> None:
        self.slacks = slacks
        self.basis = list(slacks)
        self.column = {label: k for k, label in enumerate([*slacks, *variables])}
        unit = range(len(slacks))
        self.lines = [[*(int(i == k) for k in unit), *matrix[i], 1] for i in unit]
        self.denominator = 1

    def bring_in(self, label: int) -> int:
        """Makes a variable basic; the number of the one that leaves."""
        q = self.column[label]
        order = [-1, *(self.column[slack] for slack in self.slacks)]

        def ratios(i: int) -> list[Fraction]:
            return [Fraction(self.lines[i][k], self.lines[i][q]) for k in order]

        p = min((i for i in range(len(self.lines)) if self.lines[i][q] > 0), key=ratios)
        chosen, before = self.lines[p], self.denominator
        element = chosen[q]
        for i, line in enumerate(self.lines):
            if i != p:
                factor = line[q]
                self.lines[i] = [(x * element - factor * y) // before for x, y in zip(line, chosen, strict=True)]
        self.denominator = element
        leaving, self.basis[p] = self.basis[p], label
        return leaving

    def strategy(self, labels: range) -> list[Fraction]:
        """The values of some variables, made to sum to one."""
        values = {label: self.lines[i][-1] for i, label in enumerate(self.basis)}
        total = sum(values.get(label, 0) for label in labels)
        return [Fraction(values.get(label, 0), total) for label in labels]


def _lemke_howson(a: list[list[int]], b: list[list[int]]) -> tuple[list[Fraction], list[Fraction]]:
    """The equilibrium at the end of the path that drops the first label."""
    rows, cols = len(a), len(a[0])
    row_labels, col_labels = range(rows), range(rows, rows + cols)
    transposed = [list(line) for line in zip(*b, strict=True)]
    over_x = _Polytope(transposed, list(col_labels), list(row_labels))
    over_y = _Polytope(a, list(row_labels), list(col_labels))
    here, there, entering = over_x, over_y, 0
    while True:
        entering = here.bring_in(entering)
        if entering == 0:
            break
        here, there = there, here
    return over_x.strategy(row_labels), over_y.strategy(col_labels)
