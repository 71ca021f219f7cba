"""What a search keeps at a node: statistics declared by shape, and the class of node made from them.

An algorithm declares its statistics in a nested class,

    class Stats:
        row_gains: PerRow
        col_spreads: PerCol = starts_at(1e9)

and reads and writes `node.row_gains[i]` beside what every node has: `rows`, `cols`, `visits`, and the sums `row_value` and
`col_value` of what its playouts were worth, each in [0, 1]. A number starts at zero unless the declaration says otherwise.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from functools import lru_cache
from threading import RLock
from typing import Any, TypeAlias, get_type_hints

from .errors import AlgorithmError

Node: TypeAlias = Any
"""A node has the attributes its algorithm declares, so no static type describes it."""


class PerNode(float):
    """One number."""


class PerRow(list[float]):
    """One number for each action of the row player."""


class PerCol(list[float]):
    """One number for each action of the column player."""


class PerCell(list[list[float]]):
    """One number for each joint action: `field[i][j]`."""


def starts_at(number: float) -> Any:
    """Declares what a statistic of a new node is set to."""
    return number


SHAPES: tuple[type, ...] = (PerNode, PerRow, PerCol, PerCell)


class BadShape(Exception):
    """A position in which one player has actions and the other has none."""


def scratch(count: int) -> Any:
    """Zeros to work with inside one method of an algorithm; gone when it returns."""
    return [0.0] * count


def scratch_cells(rows: int, cols: int) -> Any:
    """The same, addressed `[i][j]`."""
    return [[0.0] * cols for _ in range(rows)]


# ---------------------------------------------------------------------------------------------- declarations
def fields(algorithm: Any) -> dict[str, type]:
    """The declared statistics of an algorithm (or its class): {name: shape}."""
    return _fields_of(algorithm if isinstance(algorithm, type) else type(algorithm))


@lru_cache(maxsize=256)
def _fields_of(cls: Any) -> dict[str, type]:
    declared = getattr(cls, "Stats", None)
    if declared is None:
        return {}
    try:
        hints = get_type_hints(declared)
    except NameError:  # annotations as text, of a class made inside a function
        own = {shape.__name__: shape for shape in SHAPES}
        hints = {name: own.get(str(text)) for name, text in declared.__annotations__.items()}
    for name, shape in hints.items():
        if shape not in SHAPES:
            allowed = ", ".join(s.__name__ for s in SHAPES)
            raise AlgorithmError(f"{cls.__name__}.Stats.{name} is declared {shape!r}; choose from: {allowed}")
        if name in COMMON:
            raise AlgorithmError(f"{cls.__name__}.Stats.{name}: every node has {name!r} already; choose another name")
    return hints


def initial_values(algorithm: Any) -> dict[str, float]:
    """What each statistic of a new node is set to."""
    declared = getattr(algorithm, "Stats", None)
    return {name: float(getattr(declared, name, 0.0)) for name in fields(algorithm)}


def uses_priors(algorithm: Any) -> bool:
    """Whether an algorithm wants the model's policies at its nodes."""
    return "row_prior" in fields(algorithm) or "col_prior" in fields(algorithm)


# ---------------------------------------------------------------------------------------------- nodes of Python objects
def gil_enabled() -> bool:
    """Whether this interpreter runs one thread at a time."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


COMMON = ("state", "rows", "cols", "kids", "visits", "row_value", "col_value", "pending", "lock")
"""What every node has."""

_BOXED = {
    PerNode: "{0!r}",
    PerRow: "[{0!r}] * rows",
    PerCol: "[{0!r}] * cols",
    PerCell: "[[{0!r}] * cols for _ in range(rows)]",
}
# Without the GIL, every float in a list is an object whose reference count the threads fight over: numbers are kept
# unboxed there. With it, lists are faster.
_UNBOXED = {
    PerNode: "{0!r}",
    PerRow: "array('d', [{0!r}]) * rows",
    PerCol: "array('d', [{0!r}]) * cols",
    PerCell: "[array('d', [{0!r}]) * cols for _ in range(rows)]",
}


@lru_cache(maxsize=256)
def node_class(cls: Any, *, locked: bool = False, unboxed: bool | None = None) -> Callable[[Any], Node]:
    """The class of the nodes of an interpreted search with an algorithm of this class.

    A new node has no children and no statistics yet: most nodes are never visited again, and `open` gives them to those
    that are. The methods are written out line by line, because making nodes is a good part of a cheap playout.
    """
    if unboxed is None:
        unboxed = not gil_enabled()
    kind, declared, start = _UNBOXED if unboxed else _BOXED, _fields_of(cls), initial_values(cls)
    opened = [
        "self.kids = [None] * (rows * cols)",
        *(f"self.{name} = {kind[shape].format(start[name])}" for name, shape in declared.items()),
    ]
    made = [
        "self.rows, self.cols = rows, cols = state.shape()",
        "self.state = state",
        "self.visits = 0",
        "self.row_value = self.col_value = 0.0",
        "self.kids = None",
        *(["self.lock, self.pending = RLock(), 0"] if locked else []),
        "if rows < 1 or cols < 1:",
        "    if rows or cols: raise BadShape(rows, cols)",
        *(["else: self.open()"] if uses_priors(cls) else []),  # they are written when the node is judged
    ]
    body = {"__slots__": (*COMMON, *declared)}
    names: dict[str, Any] = {"RLock": RLock, "array": array, "BadShape": BadShape}
    for signature, lines in (
        ("__init__(self, state)", made),
        ("open(self)", ["rows, cols = self.rows, self.cols", *opened]),
    ):
        exec("\n    ".join([f"def {signature}:", *lines]), names)
        name = signature.partition("(")[0]
        body[name] = names[name]
    return type("Node", (), body)
