"""A game that has been solved: its value, its strategies, and every position that was met on the way.

Made by `solve`; plain data, which any thread may read. It can serve as a state that knows its solution, as a model for a
search, and as the policy whose exploitability is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import UnknownPosition
from ..records import RecordType
from ..results import Strategy
from ..rng import Rng
from ..state import ChanceControlled, Payoff, Solution, is_constant_sum, is_over, labels, play, show
from .arithmetic import Floats, Node, outcomes, rest_for_column

Lookup = Callable[[Any], Node | None]


@dataclass(frozen=True)
class SolvedPosition:
    """A position of a solved game: what it is worth to each player, and how to play it."""

    value: Any
    col_value: Any
    row: Strategy
    col: Strategy


class SolvedGame:
    """What `solve` gives back. Values are in the game's payoff units; `solved[state]` looks up a position.

    `positions` is how many different positions were met; `complete` says that no line of play was cut short by `depth`.
    `unique_value` is True of a constant-sum game, all equilibria of which are worth the same. In a general-sum game it is
    False: the equilibrium found is one of possibly many, and others may be worth more or less to either player.
    """

    def __init__(
        self, root: Any, *, numbers: Floats, lookup: Lookup, states: dict[Hashable, Any], complete: bool, pruned: bool
    ) -> None:
        self.root = root
        self.exact = numbers.exact
        self.complete = complete
        self.pruned = pruned
        self.unique_value = is_constant_sum(root)
        self._numbers, self._lookup, self._states = numbers, lookup, states
        known = self[root]
        self.value, self.col_value, self.row, self.col = known.value, known.col_value, known.row, known.col

    @property
    def positions(self) -> int:
        return len(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[Any]:
        """The states that were met."""
        return iter(self._states.values())

    def __contains__(self, state: Any) -> bool:
        return self._lookup(state) is not None

    def __getitem__(self, state: Any) -> SolvedPosition:
        node = self._node(state)
        row, col = labels(state) if not is_over(state) else ([], [])
        return SolvedPosition(node.value, self._col_value(state, node), Strategy(row, node.row), Strategy(col, node.col))

    def _node(self, state: Any) -> Node:
        node = self._lookup(state)
        if node is None:
            pruned = " or was pruned before its value was certain" if self.pruned else ""
            raise UnknownPosition(
                f"the solved game holds no value of {show(state)}: it cannot be reached from {show(self.root)}{pruned}"
            )
        return node

    def _col_value(self, state: Any, node: Node) -> Any:
        return rest_for_column(state, node.value, self._numbers) if node.col_value is None else node.col_value

    # ------------------------------------------------------------------------------------------ what it is good for
    def policy(self, state: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        """Both players' strategies in a position."""
        node = self._node(state)
        return node.row, node.col

    def solution(self, state: Any) -> Solution:
        """The same with the values, as a solved state gives it; in doubles."""
        node = self._node(state)
        row, col = [float(p) for p in node.row], [float(p) for p in node.col]
        return Solution(row, col, float(node.value), float(self._col_value(state, node)))

    def matrices(self, state: Any = None) -> tuple[list[list[Any]], list[list[Any]]]:
        """What each joint action is worth to row and to column under best play after it; at the root unless said."""
        at = self.root if state is None else state
        rows, cols = at.shape()
        cells = [[self._cell(at, i, j) for j in range(cols)] for i in range(rows)]
        return [[row for row, _ in line] for line in cells], [[col for _, col in line] for line in cells]

    def _cell(self, state: Any, i: int, j: int) -> tuple[Any, Any]:
        row = col = self._numbers.number(0)
        for probability, after in outcomes(state, i, j, self._numbers):
            node = self._node(after)
            row += probability * node.value
            col += probability * self._col_value(after, node)
        return row, col

    def as_state(self, state: Any = None) -> KnownState:
        """A position (the root, unless said) as a state that knows its solution."""
        return known_state(self, self.root if state is None else state)

    def as_model(self) -> KnownValues:
        """A model that looks positions up."""
        return KnownValues(self)

    def __repr__(self) -> str:
        return f"SolvedGame(value={self.value}, row={self.row}, col={self.col}, positions={self.positions:,})"


class KnownValues(metaclass=RecordType):
    """A model: the values and the policies of a solved game."""

    game: SolvedGame
    compiles: ClassVar[bool] = False  # a dictionary of Python's

    def evaluate(self, state: Any, rng: Rng) -> Payoff:
        known = self.game.solution(state)
        return known.row_value if is_constant_sum(state) else (known.row_value, known.col_value)

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[Payoff, Sequence[float], Sequence[float]]:
        known = self.game.solution(state)
        return self.evaluate(state, rng), known.row, known.col


# ---------------------------------------------------------------------------------------------- solved states
class KnownState:
    """A position of another game that knows its solution; in all else it is that position."""

    __slots__ = ("game", "state")

    def __init__(self, game: SolvedGame, state: Any) -> None:
        self.game, self.state = game, state

    def __getattr__(self, name: str) -> Any:
        if name in KnownState.__slots__ or name.startswith("__"):  # while it is being unpickled
            raise AttributeError(name)
        return getattr(self.state, name)

    def solution(self) -> Solution:
        return self.game.solution(self.state)

    def shape(self) -> tuple[int, int]:
        shape: tuple[int, int] = self.state.shape()
        return shape

    def payoff(self) -> Any:
        return self.state.payoff()

    def play(self, i: int, j: int) -> KnownState:
        return type(self)(self.game, self.state.play(i, j))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __str__(self) -> str:
        return str(self.state)


class KnownChanceState(KnownState):
    """The same for games with chance."""

    __slots__ = ()

    def play(self, i: int, j: int, rng: Rng) -> KnownChanceState:  # type: ignore[override]
        return type(self)(self.game, play(self.state, i, j, rng))

    def outcomes(self, i: int, j: int) -> list[tuple[Any, KnownChanceState]]:
        return [(probability, type(self)(self.game, after)) for probability, after in self.state.outcomes(i, j)]


def known_state(game: SolvedGame, state: Any) -> KnownState:
    return (KnownChanceState if isinstance(state, ChanceControlled) else KnownState)(game, state)
