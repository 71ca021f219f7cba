"""Matrix games: both players choose once, at the same time, and a table says what each of them gets. With one table
row gets its entry and column the opposite (zero-sum); with two tables each player has its own (general-sum).
Rock-paper-scissors, matching pennies, the prisoner's dilemma and chicken are here by name. Small games run in the compiled
engine; in a large one the tables, which every position holds, would take longer to compile than any search of a single
decision takes in the interpreter, so it asks not to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import Label, Solution, State

from .words import name_meant

Matrix: TypeAlias = tuple[tuple[float, ...], ...]

MOST_COMPILED = 100
"""Entries of all tables together up to which a game is compiled."""

LARGEST = 1e300
"""Beyond it, differences of payoffs might overflow."""

LONGEST_QUOTE = 100

NUMBERED, ROCK_PAPER_SCISSORS, COIN, DILEMMA, CHICKEN = range(5)
ACTION_NAMES: tuple[tuple[str, ...], ...] = (
    (),
    ("rock", "paper", "scissors"),
    ("heads", "tails"),
    ("cooperate", "defect"),
    ("swerve", "straight"),
)
"""A position holds the number of its entry: the compiled engine has no room for words."""


class MatrixGame(State):
    """A zero-sum game; once it is over, `row` and `col` are what was played."""

    payoffs: Matrix
    names: int = NUMBERED
    row: int = -1
    col: int = -1

    @property
    def compiles(self) -> bool:
        return len(self.payoffs) * len(self.payoffs[0]) <= MOST_COMPILED

    @property
    def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
        """Symmetric about 0, so that column's share of it is the opposite of row's."""
        most = max(abs(entry) for line in self.payoffs for entry in line)
        return (-most, most) if most else (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        if self.row >= 0:
            return 0, 0
        return len(self.payoffs), len(self.payoffs[0])

    def play(self, i: int, j: int) -> MatrixGame:
        return MatrixGame(self.payoffs, self.names, i, j)

    def payoff(self) -> float:
        return self.payoffs[self.row][self.col]

    def solution(self) -> Solution:
        """An equilibrium; of a finished game, what it paid."""
        if self.row >= 0:
            return Solution((), (), self.payoff(), 0.0 - self.payoff())
        from parallel_mcts.matrix import solve_matrix  # only who asks needs the solver

        value, row, col = solve_matrix([list(line) for line in self.payoffs])
        return Solution(row, col, value, 0.0 - value)  # 0.0 - 0.0 has no sign

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        rows, cols = self.shape()
        return _labels(self.names, rows), _labels(self.names, cols)

    def parse(self, text: str) -> Label:
        """An action by its name, or how it begins, or by its number."""
        return _meant(self.names, text)

    def __str__(self) -> str:
        if self.row >= 0:
            return _played(self.names, self.row, self.col, f"{self.payoff():g}")
        return _table(self.names, [[f"{entry:g}" for entry in line] for line in self.payoffs])


class BimatrixGame(State):
    """A general-sum game; once it is over, `row` and `col` are what was played."""

    row_payoffs: Matrix
    col_payoffs: Matrix
    names: int = NUMBERED
    row: int = -1
    col: int = -1

    constant_sum = False

    @property
    def compiles(self) -> bool:
        return 2 * len(self.row_payoffs) * len(self.row_payoffs[0]) <= MOST_COMPILED

    @property
    def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
        """One range for both players."""
        entries = [entry for matrix in (self.row_payoffs, self.col_payoffs) for line in matrix for entry in line]
        low, high = min(entries), max(entries)
        return (low, high) if low < high else (low - 1.0, high + 1.0)

    def shape(self) -> tuple[int, int]:
        if self.row >= 0:
            return 0, 0
        return len(self.row_payoffs), len(self.row_payoffs[0])

    def play(self, i: int, j: int) -> BimatrixGame:
        return BimatrixGame(self.row_payoffs, self.col_payoffs, self.names, i, j)

    def payoff(self) -> tuple[float, float]:
        return self.row_payoffs[self.row][self.col], self.col_payoffs[self.row][self.col]

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        rows, cols = self.shape()
        return _labels(self.names, rows), _labels(self.names, cols)

    def parse(self, text: str) -> Label:
        """An action by its name, or how it begins, or by its number."""
        return _meant(self.names, text)

    def __str__(self) -> str:
        if self.row >= 0:
            row, col = self.payoff()
            return _played(self.names, self.row, self.col, f"{row:g}, {col:g}")
        rows, cols = self.shape()
        pairs = [[f"{self.row_payoffs[i][j]:g},{self.col_payoffs[i][j]:g}" for j in range(cols)] for i in range(rows)]
        return _table(self.names, pairs)


# ---------------------------------------------------------------------------------------------- for people
def _labels(names: int, count: int) -> Sequence[Label]:
    return ACTION_NAMES[names][:count] if names else range(count)


def _meant(names: int, text: str) -> Label:
    if names:
        return name_meant(text, ACTION_NAMES[names])
    if not text.isascii() or not text.isdigit():
        raise ValueError("actions are numbered from 0 on")
    return int(text)


def _played(names: int, row: int, col: int, payoff: str) -> str:
    actions = ACTION_NAMES[names] or range(max(row, col) + 1)
    return f"{actions[row]} against {actions[col]}: {payoff}"


def _table(names: int, entries: list[list[str]]) -> str:
    """Entries in columns, with row's actions on the left and column's above."""
    head = ["", *(str(label) for label in _labels(names, len(entries[0])))]
    sides = [str(label) for label in _labels(names, len(entries))]
    lines = [head, *([side, *line] for side, line in zip(sides, entries, strict=True))]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    return "\n".join(" ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


# ---------------------------------------------------------------------------------------------- factories
def matrix(payoffs: Any = ((2, -1, 0), (-1, 1, 3))) -> MatrixGame | BimatrixGame:
    """The zero-sum game of a matrix of row's payoffs, or the general-sum game of a pair (row's matrix, column's).

    A matrix is a nested list or tuple, or a numpy array.
    """
    nested = _plain(payoffs)
    if _depth(nested) < 3:
        return MatrixGame(_matrix(nested))
    if len(nested) != 2:
        raise ParameterError(f"payoffs has {len(nested)} matrices; give one, or a pair (row's, column's)")
    row, col = _matrix(nested[0]), _matrix(nested[1])
    if (len(row), len(row[0])) != (len(col), len(col[0])):
        sizes = f"{len(row)}x{len(row[0])} and {len(col)}x{len(col[0])}"
        raise ParameterError(f"payoffs has matrices of {sizes}; both players' must be of one size")
    return BimatrixGame(row, col)


def rps() -> MatrixGame:
    """Rock-paper-scissors."""
    return MatrixGame(_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]), ROCK_PAPER_SCISSORS)


def biased_rps() -> MatrixGame:
    """Rock-paper-scissors whose three wins pay 50, 25 and 5: to be played 1 : 10 : 5."""
    return MatrixGame(_matrix([[0, -25, 50], [25, 0, -5], [-50, 5, 0]]), ROCK_PAPER_SCISSORS)


def matching_pennies() -> MatrixGame:
    """Row wants both coins to show the same, column wants them to differ."""
    return MatrixGame(_matrix([[1, -1], [-1, 1]]), COIN)


def prisoners_dilemma() -> BimatrixGame:
    """Defecting always pays more, and both defecting pays less than both cooperating."""
    return BimatrixGame(_matrix([[3, 0], [5, 1]]), _matrix([[3, 5], [0, 1]]), DILEMMA)


def chicken() -> BimatrixGame:
    """Going straight pays best against one who swerves, and worst against one who does not."""
    return BimatrixGame(_matrix([[6, 2], [7, 0]]), _matrix([[6, 7], [2, 0]]), CHICKEN)


def _plain(payoffs: Any) -> Any:
    """Nested lists, of whatever mixture of arrays, lists and tuples."""
    if hasattr(payoffs, "tolist"):
        payoffs = payoffs.tolist()
    return [_plain(item) for item in payoffs] if isinstance(payoffs, list | tuple) else payoffs


def _depth(nested: Any) -> int:
    return 1 + max((_depth(item) for item in nested), default=0) if isinstance(nested, list) else 0


def _matrix(nested: Any) -> Matrix:
    """The checked matrix."""
    even = _depth(nested) == 2 and all(isinstance(line, list) and len(line) == len(nested[0]) for line in nested)
    if not even or not nested[0]:
        raise ParameterError(f"payoffs has {_quoted(nested)}; a matrix is a list of equally long, non-empty rows")
    return tuple(tuple(_entry(entry, i, j) for j, entry in enumerate(line)) for i, line in enumerate(nested))


def _entry(entry: Any, i: int, j: int) -> float:
    try:
        number = float(entry)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not -LARGEST <= number <= LARGEST:
        allowed = f"numbers from {-LARGEST:g} to {LARGEST:g}"
        raise ParameterError(f"payoffs has the entry {entry!r} at row {i}, column {j}; entries must be {allowed}")
    return number


def _quoted(given: Any) -> str:
    """What was given, cut short."""
    text = repr(given)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
