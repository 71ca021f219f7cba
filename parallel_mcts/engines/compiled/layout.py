"""Where the numbers of a compiled node lie: the one description by which both machine code and Python read nodes.

A node is one block of 8-byte words in an arena:

    [lock, pending]  [next]  rows, cols  visits  row_value  col_value  state…  kids[rows · cols]  statistics…

The lock and the count of pending playouts share a word, and are there only if threads share the tree; `next`, which links
the outcomes of one joint action, only if chance takes part; rows and cols share a word. Where a part begins that depends on
the shape is a sum of constants times 1, rows, cols and rows · cols: an `Extent`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...stats import PerCell, PerCol, PerNode, PerRow

WORD = 8
"""Bytes in a word."""

LINE = 8
"""Words in a cache line."""


class Extent(NamedTuple):
    """A number of words: fixed + per_row · rows + per_col · cols + per_cell · rows · cols."""

    fixed: int = 0
    per_row: int = 0
    per_col: int = 0
    per_cell: int = 0

    def plus(self, other: Extent) -> Extent:
        return Extent(*(a + b for a, b in zip(self, other, strict=True)))

    def at(self, rows: int, cols: int) -> int:
        return self.fixed + self.per_row * rows + self.per_col * cols + self.per_cell * rows * cols


EXTENTS: dict[type, Extent] = {
    PerNode: Extent(1),
    PerRow: Extent(per_row=1),
    PerCol: Extent(per_col=1),
    PerCell: Extent(per_cell=1),
}


class Layout:
    """The layout of the nodes of one search. Places are in words from the start of a node."""

    def __init__(self, state_words: int, statistics: Iterable[tuple[str, type]], *, chance: bool, shared: bool) -> None:
        self.chance, self.shared = chance, shared
        header = ["lock"] * shared + ["next"] * chance + ["shape", "visits", "row_value", "col_value"]
        self.fixed = {name: place for place, name in enumerate(header)}
        self.state = len(header)
        self.kids = self.state + state_words
        place = Extent(self.kids, per_cell=1)
        self.statistics: dict[str, tuple[Extent, type]] = {}
        for name, shape in statistics:
            self.statistics[name] = place, shape
            place = place.plus(EXTENTS[shape])
        self.size = place
