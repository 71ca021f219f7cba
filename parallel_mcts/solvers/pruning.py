"""Alpha-beta for games in which both players move at once: leaves out positions that cannot change the value.

Every joint action has bounds on its value. The matrix of lower bounds has a value L and the matrix of upper bounds a value
H, and the position is worth something between. A position is done when H <= alpha, L >= beta or L = H. Until then there is
a joint action that is not settled, that row plays in the equilibrium x of the upper matrix and column in the equilibrium y
of the lower one: if all such were settled, H <= x·upper·y = x·lower·y <= L. That one is looked into next. It is given a
window outside of which its value does not matter, because an action that contains it is then dominated.

After Saffidine, Finnsson and Buro, "Alpha-beta pruning for games with simultaneous moves" (AAAI 2012), whose windows (here
for dominance by single actions) these are, and Bošanský, Lisý, Lanctot, Čermák and Winands, "Algorithms for computing
strategies in two-player simultaneous move games" (Artificial Intelligence 237, 2016), which solves only the actions that
matter. Chance is bounded as in Ballard's Star1 (1983). In a game of turns all this is plain alpha-beta. One call of
`solve` uses it, in one thread; visits are generators on a stack of their own, so depth is not limited.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Any, NamedTuple, TypeAlias

from ..errors import PayoffError
from ..state import payoff_range, show
from .arithmetic import Node, outcomes
from .memory import Memory

Bounds: TypeAlias = tuple[Any, Any]


class Request(NamedTuple):
    """A position to look into, and the window in which its value matters."""

    state: Any
    left: int | None
    alpha: Any
    beta: Any


Visit: TypeAlias = Generator[Request, Bounds, Bounds]


class PrunedTraversal(Memory):
    """Positions as they are needed. `nodes` holds those whose value is certain, `bounds` what is known of all others."""

    def run(self) -> None:
        self.bounds: dict[Hashable, Bounds] = {}
        low, high = payoff_range(self.root)
        self.lowest, self.highest = self.numbers.number(low), self.numbers.number(high)
        everything = Request(self.root, self.horizon.depth, self.lowest - 1, self.highest + 1)
        stack = [self.visit(everything)]
        answer: Bounds | None = None
        while stack:
            try:
                request = stack[-1].send(answer) if answer is not None else next(stack[-1])
            except StopIteration as done:
                answer = done.value
                stack.pop()
            else:
                stack.append(self.visit(request))
                answer = None

    def visit(self, request: Request) -> Visit:
        """Bounds on a position's value: equal, or at or beyond one end of the window."""
        state, left, alpha, beta = request
        place = self.place(state, left)
        low, high = self.known(place)
        if low == high or low >= beta or high <= alpha:
            return low, high
        settled = self.settle(state, left) if place not in self.bounds else None
        if settled is not None:
            return self.within_range(settled.value, state)
        table = _Table(self, state, None if left is None else left - 1)
        while True:
            lower, upper = self.numbers.zero_sum(table.low), self.numbers.zero_sum(table.high)
            cell = table.most_uncertain(upper[1], lower[2])
            if cell is None or lower[0] >= upper[0]:
                self.nodes[place] = Node(lower[0], None, lower[1], upper[2])
                return lower[0], lower[0]
            self.bounds[place] = low, high = max(low, lower[0]), min(high, upper[0])
            if low >= beta or high <= alpha:
                return low, high
            yield from table.look_into(*cell, alpha, beta)

    def known(self, place: Hashable) -> Bounds:
        node = self.nodes.get(place)
        return (node.value, node.value) if node is not None else self.bounds.get(place, (self.lowest, self.highest))

    def within_range(self, value: Any, state: Any) -> Bounds:
        if not self.lowest <= value <= self.highest:
            raise PayoffError(f"{show(state)} is worth {value}; pruning needs values from {self.lowest} to {self.highest}")
        return value, value


class _Table:
    """Bounds on every joint action of a position; one is played only when it is looked into."""

    def __init__(self, memory: PrunedTraversal, state: Any, left: int | None) -> None:
        self.memory, self.state, self.left = memory, state, left
        rows, cols = state.shape()
        self.low = [[memory.lowest] * cols for _ in range(rows)]
        self.high = [[memory.highest] * cols for _ in range(rows)]
        self.cells = [[self.cell(i, j) for j in range(cols)] for i in range(rows)]

    def cell(self, i: int, j: int) -> _Cell:
        """A joint action; where it leads to positions met before, their bounds are its own."""
        memory = self.memory
        cell = _Cell(
            [(p, state, memory.place(state, self.left)) for p, state in outcomes(self.state, i, j, memory.numbers)]
        )
        self.update(i, j, cell)
        return cell

    def most_uncertain(self, x: Any, y: Any) -> tuple[int, int] | None:
        """The joint action that may change most, of those that both strategies play; None if all are settled."""
        best, found = 0, None
        for i, p in enumerate(x):
            for j, q in enumerate(y):
                weight = p * q * (self.high[i][j] - self.low[i][j])
                if weight > best:
                    best, found = weight, (i, j)
        return found

    def look_into(self, i: int, j: int, alpha: Any, beta: Any) -> Generator[Request, Bounds, None]:
        """Tightens the bounds of a joint action, until it is settled or outside its window."""
        memory, before = self.memory, (self.low[i][j], self.high[i][j])
        cell = _Cell(
            [(p, state, memory.place(state, self.left)) for p, state in outcomes(self.state, i, j, memory.numbers)]
        )
        if self.update(i, j, cell) != before:
            return  # met before, by another way
        a, b = self.window(i, j, alpha, beta)
        everything = memory.lowest - 1, memory.highest + 1
        for whole in (a >= b, True):  # once more if rounding hid what was learnt, or nothing was to be learnt
            for k in range(len(cell.outcomes)):
                low, high = self.low[i][j], self.high[i][j]
                if not whole and (low >= b or high <= a):
                    return
                own = everything if whole else cell.window(k, low, high, a, b)
                yield Request(cell.outcomes[k][1], self.left, *own)
                self.update(i, j, cell)
            if (self.low[i][j], self.high[i][j]) != before:
                return

    def update(self, i: int, j: int, cell: _Cell) -> Bounds:
        """Takes over what is known of the outcomes."""
        self.low[i][j], self.high[i][j] = cell.mean([self.memory.known(place) for _, _, place in cell.outcomes])
        return self.low[i][j], self.high[i][j]

    def window(self, i: int, j: int, alpha: Any, beta: Any) -> Bounds:
        """Below the first, row need not play i or the position is worth alpha at most; and so for the second and column."""
        low, high = self.low, self.high
        rows, cols = len(low), len(low[0])
        others_i, others_j = [k for k in range(rows) if k != i], [k for k in range(cols) if k != j]
        a, b = low[i][j], high[i][j]
        if all(high[i][k] <= alpha for k in others_j) or all(high[k][j] <= alpha for k in others_i):
            a = max(a, alpha)
        if all(low[k][j] >= beta for k in others_i) or all(low[i][k] >= beta for k in others_j):
            b = min(b, beta)
        for other in others_i:
            if all(low[other][k] >= high[i][k] for k in others_j):
                a = max(a, low[other][j])
        for other in others_j:
            if all(high[k][other] <= low[k][j] for k in others_i):
                b = min(b, high[i][other])
        return a, b


class _Cell:
    """The outcomes of a joint action: (probability, state, place)."""

    def __init__(self, listed: list[tuple[Any, Any, Hashable]]) -> None:
        self.outcomes = listed
        self.bounds: list[Bounds] = []

    def mean(self, bounds: list[Bounds]) -> Bounds:
        """Bounds on the action, of bounds on its outcomes."""
        self.bounds = bounds
        if len(bounds) == 1:
            return bounds[0]
        chances = [p for p, _, _ in self.outcomes]
        low = sum(p * low for p, (low, _) in zip(chances, bounds, strict=True))
        high = sum(p * high for p, (_, high) in zip(chances, bounds, strict=True))
        return low, high

    def window(self, k: int, low: Any, high: Any, a: Any, b: Any) -> Bounds:
        """Where the value of outcome k must lie for that of the action to lie between a and b (Star1)."""
        if len(self.outcomes) == 1:
            return a, b
        p, (own_low, own_high) = self.outcomes[k][0], self.bounds[k]
        return own_high - (high - a) / p, own_low + (b - low) / p
