"""Zero-sum matrix games, solved exactly: the row player picks i, the column player j, and column pays row `matrix[i][j]`.

Leaf module. `solve_matrix` is for people and solvers. `solve` and `gap` run at every step of a search (`MatrixUCB`): they
write into what they are given, allocate nothing, and stay within the Python that numba compiles, over lists or arrays.
Nothing is shared, so any thread may call them.

`solve` takes the cheapest way that is exact: a saddle point, the closed form of 2 x 2, else the simplex method on the
condensed tableau (von Neumann's linear programme). The answer is checked against the matrix; where rounding errors have
spoilt it (rows that differ by a billionth), the simplex method runs once more with twice the digits. The number of pivots
is bounded, and nothing is divided by what can be zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from .errors import InputError

ACCURACY = 1e-11
"""The gap, of payoffs that differ by 1 at most, up to which a solution in ordinary precision is good enough."""

ROUNDING = 1e-14
"""How exactly a gap can be computed, beside the size of the payoffs."""

LARGEST = 1e300
"""Beyond it, differences of payoffs might overflow."""

STEEPNESS = 1e-12
"""A column enters the basis if it improves the objective by more than this."""


class MatrixSolution(NamedTuple):
    """An equilibrium of a matrix game: what row can be sure of, and a mixed strategy for each player."""

    value: float
    row: list[float]
    col: list[float]


def solve_matrix(matrix: Sequence[Sequence[float]] | Any) -> MatrixSolution:
    """The equilibrium of a matrix of payoffs for the row player (nested sequences, or a two-dimensional array)."""
    payoffs = [[_payoff(payoff, i, j) for j, payoff in enumerate(line)] for i, line in enumerate(matrix)]
    rows = len(payoffs)
    cols = len(payoffs[0]) if payoffs else 0
    if cols == 0:
        raise InputError(f"a matrix game needs at least one action for each player; got {rows} rows, {cols} columns")
    for i, line in enumerate(payoffs):
        if len(line) != cols:
            raise InputError(f"row {i} of the matrix has {len(line)} columns, row 0 has {cols}")
    x, y = [0.0] * rows, [0.0] * cols
    value = solve(payoffs, x, y, [[0.0] * (2 * cols + 3) for _ in range(rows + 2)])
    return MatrixSolution(value, x, y)


def _payoff(given: Any, i: int, j: int) -> float:
    try:
        number = float(given)
    except (TypeError, ValueError):
        raise InputError(f"the matrix holds {given!r} at row {i}, column {j}; it must be a number") from None
    except OverflowError:
        number = inf
    if not -LARGEST <= number <= LARGEST:
        shown = given if abs(number) < inf or number != number else number
        raise InputError(f"the matrix holds {shown} at row {i}, column {j}; allowed: {-LARGEST} to {LARGEST}")
    return number


def gap(matrix: Any, x: Any, y: Any) -> float:
    """How much both players together could gain by leaving the strategies x and y; zero at an equilibrium."""
    rows, cols = len(x), len(y)
    best = worst = 0.0
    for i in range(rows):
        line = matrix[i]
        payoff = 0.0
        for j in range(cols):
            payoff += line[j] * y[j]
        if i == 0 or payoff > best:
            best = payoff
    for j in range(cols):
        payoff = 0.0
        for i in range(rows):
            payoff += matrix[i][j] * x[i]
        if j == 0 or payoff < worst:
            worst = payoff
    return best - worst


def solve(matrix: Any, x: Any, y: Any, work: Any) -> float:
    """Writes an equilibrium of the matrix into x and y; returns the value.

    `work` is space of rows + 2 by 2 * cols + 3 numbers, whatever they are; the matrix is left as it is.
    """
    if saddle_point(matrix, x, y):
        pass
    elif len(x) == 2 and len(y) == 2:
        two_by_two(matrix, x, y)
    else:
        simplex(matrix, x, y, work)
    return expected(matrix, x, y)


def saddle_point(matrix: Any, x: Any, y: Any) -> bool:
    """Writes the pure solution, if there is one (as there always is when a player has one action)."""
    rows, cols = len(x), len(y)
    row = col = 0
    best = worst = 0.0
    for i in range(rows):
        line = matrix[i]
        low = line[0]
        for j in range(1, cols):
            if line[j] < low:
                low = line[j]
        if i == 0 or low > best:
            best = low
            row = i
    for j in range(cols):
        high = matrix[0][j]
        for i in range(1, rows):
            if matrix[i][j] > high:
                high = matrix[i][j]
        if j == 0 or high < worst:
            worst = high
            col = j
    if best < worst:
        return False
    for i in range(rows):
        x[i] = 0.0
    for j in range(cols):
        y[j] = 0.0
    x[row] = 1.0
    y[col] = 1.0
    return True


def two_by_two(matrix: Any, x: Any, y: Any) -> None:
    """Writes the solution of a 2 x 2 game without a saddle point."""
    a, b, c, d = matrix[0][0], matrix[0][1], matrix[1][0], matrix[1][1]
    # Without a saddle point a - b, d - c, a - c and d - b are all positive or all negative: no sum of two is zero.
    first, second = d - c, a - b
    x[0] = first / (first + second)
    x[1] = second / (first + second)
    first, second = d - b, a - c
    y[0] = first / (first + second)
    y[1] = second / (first + second)


def simplex(matrix: Any, x: Any, y: Any, work: Any) -> None:
    """Writes the solution by pivoting, in as much precision as it takes."""
    rows, cols = len(x), len(y)
    low, width = lowest_and_width(matrix, rows, cols)
    good_enough = ACCURACY * width + ROUNDING * (abs(low) + width)
    for precise in (False, True):
        fill(matrix, low, width, rows, cols, work)
        maximise(work, rows, cols, precise)
        extract(x, y, work)
        make_distribution(x)
        make_distribution(y)
        if gap(matrix, x, y) <= good_enough:
            return


def fill(matrix: Any, low: float, width: float, rows: int, cols: int, work: Any) -> None:
    """Writes the tableau before the first pivot.

    With all payoffs brought between 1 and 2, y / value maximises its sum under `matrix · y <= 1`, and x / value is the
    dual solution. `work` holds the tableau `[i][j]`, its right-hand side in column `cols`, its objective in row `rows`,
    and beside them, in the column and the row after those, the labels: row i of the game is i, column j is rows + j.
    The columns that follow hold what is too small for a double beside the numbers of the first.
    """
    for i in range(rows):
        line, source = work[i], matrix[i]
        for j in range(cols):
            line[j] = (source[j] - low) / width + 1.0
        line[cols] = 1.0
        line[cols + 1] = i
    objective, labels = work[rows], work[rows + 1]
    for j in range(cols):
        objective[j] = -1.0
        labels[j] = rows + j
    objective[cols] = 0.0
    for i in range(rows + 1):
        for j in range(cols + 2, 2 * cols + 3):
            work[i][j] = 0.0


def maximise(work: Any, rows: int, cols: int, precise: bool) -> None:
    """Pivots until no column improves the objective."""
    feasibility, smallest = (1e-22, 1e-20) if precise else (1e-12, 1e-11)
    patience = 4 * (rows + cols)
    for step in range(8 * patience):
        # Dantzig's rule is quick, Bland's cannot cycle: it takes over where the first does not come to an end.
        bland = step >= patience
        q = entering(work, rows, cols, bland)
        if q < 0:
            return
        p = leaving(work, rows, cols, q, bland, feasibility, smallest)
        if p < 0:
            return
        if precise:
            pivot_precisely(work, rows, cols, p, q)
        else:
            pivot(work, rows, cols, p, q)
        labels = work[rows + 1]
        work[p][cols + 1], labels[q] = labels[q], work[p][cols + 1]


def extract(x: Any, y: Any, work: Any) -> None:
    """Reads the solution, divided by the value, off the tableau."""
    rows, cols = len(x), len(y)
    for i in range(rows):
        x[i] = 0.0
    for j in range(cols):
        y[j] = 0.0
    objective, labels = work[rows], work[rows + 1]
    for j in range(cols):
        if labels[j] < rows:
            x[int(labels[j])] = objective[j]
    for i in range(rows):
        if work[i][cols + 1] >= rows:
            y[int(work[i][cols + 1]) - rows] = work[i][cols]


def lowest_and_width(matrix: Any, rows: int, cols: int) -> tuple[float, float]:
    """The lowest payoff, and how far above it the highest is (a constant matrix has a saddle point: never zero here)."""
    low = high = matrix[0][0]
    for i in range(rows):
        for j in range(cols):
            payoff = matrix[i][j]
            if payoff < low:
                low = payoff
            elif payoff > high:
                high = payoff
    return low, high - low


def entering(work: Any, rows: int, cols: int, bland: bool) -> int:
    """The column to bring into the basis: the steepest, or by Bland's rule that of the lowest label; -1 at the end."""
    objective, labels = work[rows], work[rows + 1]
    q = -1
    for j in range(cols):
        if objective[j] < -STEEPNESS and (q < 0 or (labels[j] < labels[q] if bland else objective[j] < objective[q])):
            q = j
    return q


def leaving(work: Any, rows: int, cols: int, q: int, bland: bool, feasibility: float, smallest: float) -> int:
    """The row that limits column q; -1 if none does.

    Of all rows that limit it as much, give or take a little, the one with the largest pivot (Harris's ratio test): a
    small pivot would blow up rounding errors. By Bland's rule that of the lowest label.
    """
    limit = inf
    for i in range(rows):
        line = work[i]
        if line[q] > smallest:
            ratio = (line[cols] + feasibility) / line[q]
            if ratio < limit:
                limit = ratio
    p = -1
    for i in range(rows):
        line = work[i]
        if (
            line[q] > smallest
            and line[cols] / line[q] <= limit  # true of the row that set the limit, however it is rounded
            and (p < 0 or (line[cols + 1] < work[p][cols + 1] if bland else line[q] > work[p][q]))
        ):
            p = i
    return p


def pivot(work: Any, rows: int, cols: int, p: int, q: int) -> None:
    """Solves row p for what stood in column q, and puts it into all other rows."""
    chosen = work[p]
    inverse = 1.0 / chosen[q]
    for j in range(cols + 1):
        chosen[j] *= inverse
    for i in range(rows + 1):
        if i != p:
            line = work[i]
            factor = line[q]
            for j in range(cols + 1):
                line[j] -= factor * chosen[j]
            line[q] = -factor * inverse
    chosen[q] = inverse


def pivot_precisely(work: Any, rows: int, cols: int, p: int, q: int) -> None:
    """The same, where a number is the sum of two doubles: `line[j] + line[j + low]`."""
    low = cols + 2
    chosen = work[p]
    inverse, inverse_low = reciprocal(chosen[q], chosen[q + low])
    for j in range(cols + 1):
        chosen[j], chosen[j + low] = product(chosen[j], chosen[j + low], inverse, inverse_low)
    for i in range(rows + 1):
        if i != p:
            line = work[i]
            factor, factor_low = -line[q], -line[q + low]
            for j in range(cols + 1):
                high, rest = product(factor, factor_low, chosen[j], chosen[j + low])
                line[j], line[j + low] = total(line[j], line[j + low], high, rest)
            line[q], line[q + low] = product(factor, factor_low, inverse, inverse_low)
    chosen[q], chosen[q + low] = inverse, inverse_low


def total(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """a + b in twice the digits (Dekker, "A floating-point technique for extending the available precision", 1971)."""
    high = a + b
    part = high - a
    rest = (a - (high - part)) + (b - part) + a_low + b_low
    return high + rest, rest - ((high + rest) - high)


def product(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """a * b in twice the digits."""
    high = a * b
    a_top = 134217729.0 * a - (134217729.0 * a - a)  # the upper half of its digits: 2 ** 27 + 1
    b_top = 134217729.0 * b - (134217729.0 * b - b)
    a_end, b_end = a - a_top, b - b_top
    rest = ((a_top * b_top - high) + a_top * b_end + a_end * b_top) + a_end * b_end + a * b_low + a_low * b
    return high + rest, rest - ((high + rest) - high)


def reciprocal(a: float, a_low: float) -> tuple[float, float]:
    """1 / a in twice the digits: one step of Newton's method from the quotient of doubles."""
    guess = 1.0 / a
    high, low = product(a, a_low, guess, 0.0)
    rest = guess * ((1.0 - high) - low)
    return guess + rest, rest - ((guess + rest) - guess)


def make_distribution(weights: Any) -> None:
    """Takes away what is negative, and makes the rest sum to one."""
    total = 0.0
    for k in range(len(weights)):
        if weights[k] > 0.0:
            total += weights[k]
        else:
            weights[k] = 0.0
    for k in range(len(weights)):
        weights[k] = weights[k] / total if total > 0.0 else 1.0 / len(weights)


def expected(matrix: Any, x: Any, y: Any) -> float:
    """What row gets on average."""
    value = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            line = matrix[i]
            for j in range(len(y)):
                value += x[i] * line[j] * y[j]
    return value
