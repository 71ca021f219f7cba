"""Solves a game by visiting every position: matrix games at each, chance averaged, transpositions met once.

`solve` is for people, tests and agents. The traversal keeps its own stack, so a game may be as deep as it likes. One call
runs in one thread and shares nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ..errors import GameError, ParameterError
from ..state import is_constant_sum, name_of, show
from .arithmetic import FLOATS, FRACTIONS, Floats, Node, outcomes
from .memory import Horizon, Memory
from .pruning import PrunedTraversal
from .solution import SolvedGame


def solve(
    state: Any,
    *,
    depth: int | None = None,
    model: Any = None,
    exact: bool = False,
    pruning: bool = False,
    limit: int | None = None,
    seed: int = 0,
) -> SolvedGame:
    """The equilibrium of a game, in the position given and in every position below it.

    `depth` is how many joint actions to look ahead; where the game goes on after them, `model` says what the position is
    worth (a model, or a function of the state). `exact` works in fractions. `pruning` leaves out positions that cannot
    change the value (see `pruning.py`). `limit` is how many positions may be kept; `seed` is for models that draw.
    """
    if depth is not None and depth < 0:
        raise ParameterError(f"depth is {depth!r}; it must be 0 or more, or None for the whole game")
    if pruning and not is_constant_sum(state):
        raise ParameterError(f"pruning needs a constant-sum game; {name_of(state)} is general-sum")
    numbers = FRACTIONS if exact else FLOATS
    horizon = Horizon(depth, model, numbers, seed)
    found = (PrunedTraversal if pruning else Traversal)(state, numbers, horizon, limit)
    found.run()
    return SolvedGame(
        state,
        numbers=numbers,
        lookup=found.lookup,
        states=found.states,
        complete=not horizon.reached,
        pruned=pruning,
    )


class Visit:
    """A position on the way: the outcomes of each joint action, and which of them are still to be looked into."""

    def __init__(self, memory: Memory, state: Any, left: int | None) -> None:
        self.state, self.place = state, memory.place(state, left)
        self.left = None if left is None else left - 1
        self.cells: list[list[list[tuple[Any, Hashable]]]] = []
        self.ahead: list[tuple[Hashable, Any]] = []
        rows, cols = self.actions()
        for i in rows:
            self.cells.append([])
            for j in cols:
                listed = [(p, memory.place(after, self.left), after) for p, after in outcomes(state, i, j, memory.numbers)]
                self.cells[-1].append([(p, place) for p, place, _ in listed])
                self.ahead.extend((place, after) for _, place, after in listed)
        self.ahead.reverse()

    def actions(self) -> tuple[Sequence[int], Sequence[int]]:
        """Those of each player that are to be looked into."""
        rows, cols = self.state.shape()
        return range(rows), range(cols)

    def row_values(self, memory: Memory) -> list[list[Any]]:
        """What each joint action is worth to row."""
        return [[_mean([(p, memory.nodes[place].value) for p, place in cell]) for cell in line] for line in self.cells]

    def col_values(self, memory: Memory) -> list[list[Any]]:
        """What each joint action is worth to column, where that is kept."""
        return [[_mean([(p, memory.nodes[place].col_value) for p, place in cell]) for cell in line] for line in self.cells]

    def solved(self, memory: Memory) -> Node:
        """The equilibrium, once everything below is known."""
        row = self.row_values(memory)
        if is_constant_sum(self.state):
            return zero_sum_node(row, memory.numbers)
        return general_sum_node(row, self.col_values(memory), memory.numbers)


def _mean(parts: list[tuple[Any, Any]]) -> Any:
    if len(parts) == 1:
        return parts[0][1]
    return sum(probability * value for probability, value in parts)


def zero_sum_node(matrix: list[list[Any]], numbers: Floats) -> Node:
    """The equilibrium of row's payoffs; where only one player has a choice, that is the best of them."""
    rows, cols = len(matrix), len(matrix[0])
    if cols == 1:
        i = max(range(rows), key=lambda k: matrix[k][0])
        return Node(matrix[i][0], None, numbers.pure(rows, i), numbers.pure(1, 0))
    if rows == 1:
        j = min(range(cols), key=lambda k: matrix[0][k])
        return Node(matrix[0][j], None, numbers.pure(1, 0), numbers.pure(cols, j))
    value, x, y = numbers.zero_sum(matrix)
    return Node(value, None, x, y)


def general_sum_node(row: list[list[Any]], col: list[list[Any]], numbers: Floats) -> Node:
    """One equilibrium of both players' payoffs."""
    rows, cols = len(row), len(row[0])
    if rows > 1 and cols > 1:
        return numbers.general_sum(row, col)
    i = max(range(rows), key=lambda k: row[k][0]) if rows > 1 else 0
    j = max(range(cols), key=lambda k: col[0][k]) if cols > 1 else 0
    return Node(row[i][j], col[i][j], numbers.pure(rows, i), numbers.pure(cols, j))


class Traversal(Memory):
    """Every position once, those below before the one above."""

    def run(self) -> None:
        stack: list[Visit] = []
        path: set[Hashable] = set()
        self.enter(self.root, self.horizon.depth, stack, path)
        while stack:
            visit = stack[-1]
            while visit.ahead and visit.ahead[-1][0] in self.nodes:
                visit.ahead.pop()
            if visit.ahead:
                place, state = visit.ahead.pop()
                if place in path:
                    raise GameError(f"{show(state)} can come again in the same game; such a game needs depth=…")
                self.enter(state, visit.left, stack, path)
            else:
                self.nodes[visit.place] = visit.solved(self)
                path.discard(visit.place)
                stack.pop()

    def enter(self, state: Any, left: int | None, stack: list[Visit], path: set[Hashable]) -> None:
        """Settles a position in which nothing is to be decided, and begins on any other."""
        if self.settle(state, left) is None:
            visit = self.begin(state, left)
            stack.append(visit)
            path.add(visit.place)

    def begin(self, state: Any, left: int | None) -> Visit:
        return Visit(self, state, left)
