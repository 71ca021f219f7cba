"""Best responses: what a player can get against a fixed policy of the other, over the whole game.

A policy is a function of a state that gives both players' probabilities (`solved.policy`, or any of yours), a solved game,
or a model with a policy. For games small enough to be visited whole. One call runs in one thread and shares nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from ..errors import InputError, ParameterError
from ..models.base import has_policy
from ..results import Strategy
from ..state import Label, is_over, labels, show
from .arithmetic import FLOATS, FRACTIONS, Floats, Node, rest_for_column
from .exact import Traversal, Visit
from .memory import Horizon, Memory

Policy: TypeAlias = Callable[[Any], tuple[Sequence[Any], Sequence[Any]]]
PLAYERS = ("row", "col")


class BestResponse:
    """The best that a player can do against the other's policy.

    `value` and `col_value` are what row and column get; `response[state]` is the action to take, wherever the other's
    policy and any play of one's own can lead; `policy` is the given one with the player's part replaced.
    """

    def __init__(self, root: Any, player: str, found: ResponseTraversal) -> None:
        self.root, self.player = root, player
        self._found = found
        node = self._node(root)
        self.value, self.col_value = node.value, node.col_value
        self.positions = len(found.states)

    @property
    def payoff(self) -> Any:
        """What the player gets."""
        return self.value if self.player == "row" else self.col_value

    def policy(self, state: Any) -> tuple[Sequence[Any], Sequence[Any]]:
        node = self._node(state)
        return node.row, node.col

    def __getitem__(self, state: Any) -> Label:
        who = PLAYERS.index(self.player)
        return Strategy(labels(state)[who], self.policy(state)[who]).best

    def _node(self, state: Any) -> Node:
        node = self._found.lookup(state)
        if node is None:
            raise InputError(f"the other's policy never leads to {show(state)}")
        return node


def best_response(state: Any, policy: Any, *, player: str = "row", exact: bool = False) -> BestResponse:
    """A best response of one player (`"row"` or `"col"`) to the other's part of a policy."""
    if player not in PLAYERS:
        raise ParameterError(f"player is {player!r}; it must be 'row' or 'col'")
    return BestResponse(state, player, _traversed(state, policy, player, exact))


def nash_conv(state: Any, policy: Any, *, exact: bool = False) -> Any:
    """What both players together could gain by leaving a policy, each alone; zero at an equilibrium. In payoff units."""
    kept = _traversed(state, policy, None, exact).lookup(state)
    row = _traversed(state, policy, "row", exact).lookup(state)
    col = _traversed(state, policy, "col", exact).lookup(state)
    assert kept is not None
    assert row is not None
    assert col is not None
    return (row.value - kept.value) + (col.col_value - kept.col_value)


def exploitability(state: Any, policy: Any, *, exact: bool = False) -> Any:
    """The mean of what each player could gain by leaving a policy: half of `nash_conv`."""
    return nash_conv(state, policy, exact=exact) / 2


def as_policy(given: Any) -> Policy:
    """The function that a policy is, however it was given."""
    if hasattr(given, "policy"):
        own: Policy = given.policy
        return own
    if has_policy(given):
        rng = Random(0)
        return lambda state: given.evaluate_with_policy(state, rng)[1:]
    if not callable(given):
        raise ParameterError(f"the policy is {given!r}; give a function of a state, a solved game or a model with a policy")
    return given  # type: ignore[no-any-return]


def _traversed(state: Any, policy: Any, player: str | None, exact: bool) -> ResponseTraversal:
    numbers = FRACTIONS if exact else FLOATS
    if is_over(state):
        raise InputError(f"the game is over in {show(state)}: there is nothing to respond to")
    found = ResponseTraversal(state, numbers, Horizon(None, None, numbers, 0), None)
    found.policy, found.player = as_policy(policy), player
    found.run()
    return found


class ResponseTraversal(Traversal):
    """Every position that a policy can lead to when one player, or neither, leaves it."""

    policy: Policy
    player: str | None

    def begin(self, state: Any, left: int | None) -> Visit:
        return ResponseVisit(self, state, left)

    def settle(self, state: Any, left: int | None) -> Node | None:
        node = super().settle(state, left)
        if node is not None and node.col_value is None:
            node = node._replace(col_value=rest_for_column(state, node.value, self.numbers))
            self.nodes[self.place(state, left)] = node
        return node


class ResponseVisit(Visit):
    """A position: the player may do anything, the other does what its policy says."""

    def __init__(self, memory: ResponseTraversal, state: Any, left: int | None) -> None:
        self.player = memory.player
        self.row, self.col = _checked(memory.policy(state), state, memory.numbers)
        super().__init__(memory, state, left)

    def actions(self) -> tuple[Sequence[int], Sequence[int]]:
        rows = [i for i, p in enumerate(self.row) if p > 0 or self.player == "row"]
        cols = [j for j, p in enumerate(self.col) if p > 0 or self.player == "col"]
        return rows, cols

    def solved(self, memory: Memory) -> Node:
        rows, cols = self.actions()
        row_cells, col_cells = self.row_values(memory), self.col_values(memory)
        row, col, pure = self.row, self.col, memory.numbers.pure
        if self.player == "row":
            gains = [sum(col[j] * value for j, value in zip(cols, line, strict=True)) for line in row_cells]
            row = pure(len(row), gains.index(max(gains)))
        elif self.player == "col":
            gains = [sum(row[i] * line[k] for i, line in zip(rows, col_cells, strict=True)) for k in range(len(cols))]
            col = pure(len(col), gains.index(max(gains)))
        chances = [[row[i] * col[j] for j in cols] for i in rows]
        return Node(_dot(chances, row_cells), _dot(chances, col_cells), row, col)


def _dot(chances: list[list[Any]], values: list[list[Any]]) -> Any:
    return sum(p * v for ps, vs in zip(chances, values, strict=True) for p, v in zip(ps, vs, strict=True))


def _checked(given: Any, state: Any, numbers: Floats) -> tuple[Sequence[Any], Sequence[Any]]:
    """A policy's word on a position, as probabilities."""
    strategies = []
    for player, count, strategy in zip(PLAYERS, state.shape(), given, strict=True):
        own = [numbers.number(p) for p in strategy]
        if len(own) != count or min(own) < 0 or not abs(sum(own) - 1) < 1e-6:
            raise InputError(
                f"the policy gives {player} {list(strategy)!r} in {show(state)}; "
                f"it must be {count} probabilities that sum to 1"
            )
        strategies.append(own)
    return strategies[0], strategies[1]
