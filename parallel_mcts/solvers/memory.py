"""What a solver remembers while it visits positions, and where it stops looking ahead.

Shared by the plain traversal and the one that prunes. Each belongs to one call of `solve`, in one thread.
"""

from __future__ import annotations

from collections.abc import Hashable
from random import Random
from typing import Any

from ..errors import InputError, ModelError, TooManyPositions
from ..models.heuristic import Heuristic
from ..positions import key_for
from ..state import is_constant_sum, name_of, show
from .arithmetic import Floats, Node, final_payoffs


class Horizon:
    """Where looking ahead ends, and what a position there is worth."""

    def __init__(self, depth: int | None, model: Any, numbers: Floats, seed: int) -> None:
        self.depth = depth
        self.reached = False
        self._model = Heuristic(model) if callable(model) and not hasattr(model, "evaluate") else model
        self._numbers, self._rng = numbers, Random(seed)

    def judge(self, state: Any) -> Node:
        """The model's word on a position in which the game goes on."""
        if self._model is None:
            raise InputError(
                f"{name_of(state)} goes on after depth={self.depth} in {show(state)}; "
                "give model=…, which says what such a position is worth, or a greater depth"
            )
        self.reached = True
        number = self._numbers.number
        given: Any = self._model.evaluate(state, self._rng)
        if isinstance(given, tuple) == is_constant_sum(state):
            raise ModelError(
                f"{self._model!r} gives {given!r} in {show(state)}; it must be row's value, or a pair if general-sum"
            )
        value, col_value = (given, None) if is_constant_sum(state) else (number(given[0]), number(given[1]))
        rows, cols = state.shape()
        return Node(number(value), col_value, [number(1) / rows] * rows, [number(1) / cols] * cols)


class Memory:
    """The positions that a traversal has met: by key, and by how far it still looks ahead where that is limited."""

    def __init__(self, root: Any, numbers: Floats, horizon: Horizon, limit: int | None) -> None:
        self.root, self.numbers, self.horizon, self.limit = root, numbers, horizon, limit
        self.key = key_for(root)
        self.nodes: dict[Hashable, Node] = {}
        self.states: dict[Hashable, Any] = {}

    def place(self, state: Any, left: int | None) -> Hashable:
        """Where a position is kept."""
        return self.key(state) if left is None else (self.key(state), left)

    def meet(self, state: Any) -> None:
        self.states.setdefault(self.key(state), state)
        if self.limit is not None and len(self.states) > self.limit:
            raise TooManyPositions(
                f"{name_of(self.root)} has more than limit={self.limit} positions below {show(self.root)}"
            )

    def settle(self, state: Any, left: int | None) -> Node | None:
        """Meets a position; what it is worth, where nothing is to be decided in it or looking ahead ends."""
        self.meet(state)
        if state.shape()[0] == 0:
            node = Node(*final_payoffs(state, self.numbers), (), ())
        elif left == 0:
            node = self.horizon.judge(state)
        else:
            return None
        self.nodes[self.place(state, left)] = node
        return node

    def lookup(self, state: Any) -> Node | None:
        """What is known of a position, from looking ahead as far as it was done."""
        if self.horizon.depth is None:
            return self.nodes.get(self.key(state))
        key = self.key(state)
        places = ((key, left) for left in range(self.horizon.depth, -1, -1))
        return next((self.nodes[place] for place in places if place in self.nodes), None)
