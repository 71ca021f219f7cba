"""The numbers of one node without its tree: what is read at the end, sent, published in shared memory, and merged.

Algorithms read a `Snapshot` as they read a node. Plain data; whoever holds one may change it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .stats import PerCell, PerCol, PerNode, PerRow, fields

NODE_FIELDS: dict[str, type] = {
    "visits": PerNode,
    "row_value": PerNode,
    "col_value": PerNode,
    "cell_visits": PerCell,
    "cell_row_values": PerCell,
    "cell_col_values": PerCell,
}
"""What every snapshot has beside its shape and the algorithm's statistics; all of it adds up over several searches."""


class Snapshot:
    """The numbers of a node.

    `cell_visits[i][j]` counts the playouts of a joint action; `cell_row_values` and `cell_col_values` sum what they
    were worth.
    """

    rows: int
    cols: int
    visits: int
    row_value: float
    col_value: float
    cell_visits: list[list[float]]
    cell_row_values: list[list[float]]
    cell_col_values: list[list[float]]

    def __init__(self, **numbers: Any) -> None:
        self.__dict__.update(numbers)

    def __getattr__(self, name: str) -> Any:  # tells type checkers that statistics are attributes too
        raise AttributeError(f"the snapshot has no statistic {name!r}; it has {', '.join(self.__dict__)}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Snapshot({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"

    def copy(self) -> Snapshot:
        return Snapshot(**{name: _copied(value) for name, value in self.__dict__.items()})


def empty_snapshot(algorithm: Any, rows: int, cols: int) -> Snapshot:
    """A node that has not been visited."""
    return unflatten([0.0] * flat_size(algorithm, rows, cols), algorithm, rows, cols)


# ---------------------------------------------------------------------------------------------- as a row of numbers
def _shapes(algorithm: Any) -> Iterator[tuple[str, type]]:
    """Every number of a snapshot but its shape, in the order in which they are written."""
    yield from NODE_FIELDS.items()
    yield from fields(algorithm).items()


def flat_size(algorithm: Any, rows: int, cols: int) -> int:
    """How many numbers `flatten` gives."""
    count = {PerNode: 1, PerRow: rows, PerCol: cols, PerCell: rows * cols}
    return sum(count[shape] for _, shape in _shapes(algorithm))


def flatten(snapshot: Snapshot, algorithm: Any) -> list[float]:
    """All numbers of a snapshot in a row, for shared memory."""
    numbers: list[float] = []
    for name, shape in _shapes(algorithm):
        value = getattr(snapshot, name)
        if shape is PerNode:
            numbers.append(value)
        elif shape is PerCell:
            for line in value:
                numbers.extend(line)
        else:
            numbers.extend(value)
    return numbers


def unflatten(numbers: Sequence[float], algorithm: Any, rows: int, cols: int) -> Snapshot:
    """The inverse of `flatten`."""
    left = iter(numbers)

    def take(count: int) -> list[float]:
        return [next(left) for _ in range(count)]

    read: dict[type, Callable[[], Any]] = {
        PerNode: lambda: next(left),
        PerRow: lambda: take(rows),
        PerCol: lambda: take(cols),
        PerCell: lambda: [take(cols) for _ in range(rows)],
    }
    got = {name: read[shape]() for name, shape in _shapes(algorithm)}
    return Snapshot(rows=rows, cols=cols, **{**got, "visits": int(got["visits"])})


# ---------------------------------------------------------------------------------------------- merging
def merge(snapshots: Sequence[Snapshot], algorithm: Any) -> Snapshot:
    """The snapshots of roots that were searched apart, as one.

    What every node has is summed. The algorithm's statistics are merged by its own `merge(into, other)`; without one
    they are summed too, which is right for counts and totals.
    """
    total = snapshots[0].copy()
    own = getattr(algorithm, "merge", None)
    for other in snapshots[1:]:
        # The algorithm first: a mean is weighted by the visits of both sides, before they are added up.
        if own is not None:
            own(total, other)
        else:
            for name in fields(algorithm):
                add_field(total, other, name)
        for name in NODE_FIELDS:
            add_field(total, other, name)
    return total


def add_field(into: Snapshot, other: Snapshot, name: str) -> None:
    """Adds a statistic of one snapshot to that of another."""
    setattr(into, name, _sum(getattr(into, name), getattr(other, name)))


def clear_field(into: Snapshot, name: str) -> None:
    """Zeroes a statistic that means nothing once searches are merged."""
    setattr(into, name, _zero(getattr(into, name)))


def _copied(value: Any) -> Any:
    return [_copied(v) for v in value] if isinstance(value, list) else value


def _sum(a: Any, b: Any) -> Any:
    return [_sum(x, y) for x, y in zip(a, b, strict=True)] if isinstance(a, list) else a + b


def _zero(value: Any) -> Any:
    return [_zero(v) for v in value] if isinstance(value, list) else 0.0
