"""What an algorithm (a bandit) is: what both players do at a node, and what they learn from where it led.

An algorithm is a frozen value: parameters as fields, statistics declared by shape. It knows nothing of locks, threads or
processes: the descent calls `select` and `update` when it may touch the node. `select` notes that a playout sets out (if
that matters to it); `update` is called when it came back, which may be after other playouts have set out. Any object with
these methods is an algorithm; the base class only saves writing the optional ones.

One that has a true `averages` learns the mean of the child below instead of the single playout (SM-MCTS-A of arXiv
1804.09045).
"""

from __future__ import annotations

from typing import Any, TypeAlias

from ..records import RecordType
from ..rng import Rng
from ..snapshot import Snapshot, add_field
from ..stats import Node, fields

Action: TypeAlias = tuple[int, int, float, float]
"""A joint action: the number of row's half and of column's, and the probability with which each was chosen."""

Value: TypeAlias = tuple[float, float]
"""What a playout was worth to row and to column, each in [0, 1]."""

Policies: TypeAlias = tuple[list[float], list[float]]
"""A probability for each action of row, and of column."""


class Algorithm(metaclass=RecordType):
    """Subclass it and give `Stats`, `select`, `update` and `strategies`."""

    __slots__ = ()

    class Stats:
        """The numbers kept at a node (see `stats.py`)."""

    def select(self, node: Node, rng: Rng) -> Action:
        """Chooses a joint action; a player with a single action takes it, with probability 1."""
        raise NotImplementedError(f"{type(self).__name__} needs select()")

    def update(self, node: Node, action: Action, value: Value) -> None:
        """Learns what an action, as `select` gave it, led to."""
        raise NotImplementedError(f"{type(self).__name__} needs update()")

    def strategies(self, node: Any) -> Policies:
        """What both players should play, at the end; `node` may be a snapshot."""
        raise NotImplementedError(f"{type(self).__name__} needs strategies()")

    def merge(self, into: Snapshot, other: Snapshot) -> None:
        """Adds the statistics of a search of the same position to those of another: sums, unless overridden."""
        for name in fields(self):
            add_field(into, other, name)

    def validate(self) -> None:
        """Raises `ParameterError` for parameters that make no sense."""
