"""The types that numba is taught: nodes, their children, locks, trees and paths, all of them bare pointers.

Nothing here is counted or freed: the memory belongs to the arena of a tree, which outlives every call.
"""

from __future__ import annotations

import math
from typing import Any

import llvmlite.ir as ir
from numba.core import types
from numba.extending import models, register_model

from ...state import has_chance
from ...stats import fields, initial_values
from .layout import WORD, Extent, Layout

I32, I64, F64 = ir.IntType(32), ir.IntType(64), ir.DoubleType()

ACTION = types.Tuple((types.int64, types.int64, types.float64, types.float64))
"""What `select` gives: (i, j, p, q)."""


class NodeType(types.Opaque):
    """A node, whose layout follows from the state's type, the algorithm's statistics, chance and sharing."""

    def __init__(self, state: Any, algorithm: Any, *, chance: bool, shared: bool) -> None:
        self.state, self.chance, self.shared = state, chance, shared
        self.statistics = tuple(fields(algorithm).items())
        self.starts = tuple((name, start) for name, start in initial_values(algorithm).items() if start != 0.0)
        names = ", ".join(f"{name}:{shape.__name__}" for name, shape in self.statistics)
        super().__init__(f"Node({state}, {names}, {self.starts}, chance={chance}, shared={shared})")

    @property
    def key(self) -> Any:  # not the name: two classes of states may be called the same
        return self.state, self.statistics, self.starts, self.chance, self.shared

    def layout(self, context: Any) -> Layout:
        size = context.get_abi_sizeof(context.get_data_type(self.state))
        return Layout(math.ceil(size / WORD), self.statistics, chance=self.chance, shared=self.shared)


def node_type(state: Any, algorithm: Any, locks: Any) -> NodeType:
    """The type of the nodes of a search, from the numba types of its parts."""
    game, bandit = state.instance_class, algorithm.instance_class
    shared = bool(locks.instance_class._field_defaults["shared"])
    return NodeType(state, bandit, chance=has_chance(game), shared=shared)


class AboutNodes(types.Opaque):
    """Something that deals in nodes of one type."""

    def __init__(self, node: NodeType) -> None:
        self.node = node
        super().__init__(f"{type(self).__name__}({node})")

    @property
    def key(self) -> Any:
        return self.node.key


class KidsType(AboutNodes):
    """The children of a node, one for each joint action."""


class TreeType(AboutNodes):
    """An arena that hands out nodes."""


class PathType(AboutNodes):
    """The nodes and actions of a playout."""


class LockType(types.Opaque):
    """A spin lock: half a word, 0 when it is free."""


class LockPoolType(types.Opaque):
    """A row of spin locks."""


LOCK = LockType("SpinLock")
LOCK_POOL = LockPoolType("SpinLockPool")

for _cls in (NodeType, KidsType, TreeType, PathType, LockType, LockPoolType):
    register_model(_cls)(models.OpaqueModel)


# ---------------------------------------------------------------------------------------------- addresses
def word(builder: Any, pointer: Any, place: Any, kind: Any = I64) -> Any:
    """A pointer to a word of a block; `place` is a number or a value of the program."""
    base = builder.bitcast(pointer, I64.as_pointer())
    index = I64(place) if isinstance(place, int) else place
    return builder.bitcast(builder.gep(base, [index]), kind.as_pointer())


def half(builder: Any, pointer: Any, place: int, second: bool) -> Any:
    """A pointer to a half of a word."""
    base = builder.bitcast(pointer, I32.as_pointer())
    return builder.gep(base, [I64(2 * place + second)])


def measure(builder: Any, extent: Extent, rows: Any, cols: Any) -> Any:
    """An extent, for a shape that is known when the program runs."""
    total = I64(extent.fixed)
    for factor, count in ((extent.per_row, rows), (extent.per_col, cols)):
        if factor:
            total = builder.add(total, builder.mul(I64(factor), count))
    if extent.per_cell:
        total = builder.add(total, builder.mul(I64(extent.per_cell), builder.mul(rows, cols)))
    return total
