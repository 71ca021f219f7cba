"""Nodes and positions in memory, read and written from Python: by the layout that machine code uses.

Only plain data lies in an arena: whole numbers of 64 bits, doubles, truth values, and tuples of them. `encode` and `decode`
are exact, so a position is the same before and after.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from typing import Any

import llvmlite.ir as ir
from numba.core import types
from numba.core.registry import cpu_target

from ...stats import PerCell, PerCol, PerNode, PerRow
from .layout import WORD, Layout
from .types import NodeType

LIMITS = -(2**63), 2**63 - 1


class NotPlain(Exception):
    """A field of a state that cannot lie in an arena: (what it is, where)."""


# ---------------------------------------------------------------------------------------------- values
def require_plain(typ: Any, where: str) -> None:
    """Raises `NotPlain` unless a type is a number or a tuple of plain types."""
    if isinstance(typ, types.BaseTuple):
        names = getattr(typ, "fields", range(len(typ.types)))
        for name, part in zip(names, typ.types, strict=True):
            require_plain(part, f"{where}.{name}" if isinstance(name, str) else f"{where}[{name}]")
    elif not isinstance(typ, types.Boolean) and typ not in (types.int64, types.float64):
        raise NotPlain(f"{where} is of type {typ}; positions hold whole numbers, floats, truth values and tuples of them")


@functools.cache
def _places(typ: Any) -> tuple[tuple[int, Any], ...]:
    """The parts of a tuple: how many bytes into it each lies, and its type. numba takes its time to say so."""
    context = cpu_target.target_context
    data = context.get_data_type(typ)
    if isinstance(data, ir.ArrayType):  # all parts are of one type
        size = int(context.get_abi_sizeof(data.element))
        return tuple((k * size, part) for k, part in enumerate(typ.types))
    return tuple((int(data.get_element_offset(context.target_data, k)), part) for k, part in enumerate(typ.types))


def encode(value: Any, typ: Any, address: int) -> None:
    """Writes a value of a plain type."""
    if isinstance(typ, types.BaseTuple):
        for part, (place, kind) in zip(value, _places(typ), strict=True):
            encode(part, kind, address + place)
    elif isinstance(typ, types.Boolean):
        ctypes.c_byte.from_address(address).value = bool(value)
    elif isinstance(typ, types.Float):
        ctypes.c_double.from_address(address).value = value
    else:
        ctypes.c_int64.from_address(address).value = value


def decode(typ: Any, address: int) -> Any:
    """The value of a plain type at an address."""
    if isinstance(typ, types.BaseTuple):
        parts = [decode(kind, address + place) for place, kind in _places(typ)]
        return typ.instance_class(*parts) if isinstance(typ, types.BaseNamedTuple) else tuple(parts)
    if isinstance(typ, types.Boolean):
        return bool(ctypes.c_byte.from_address(address).value)
    kind = ctypes.c_double if isinstance(typ, types.Float) else ctypes.c_int64
    return kind.from_address(address).value


# ---------------------------------------------------------------------------------------------- nodes
class Block:
    """A node at an address, as it is at the moment it is read."""

    def __init__(self, typ: NodeType, layout: Layout, address: int) -> None:
        self.type, self.layout, self.address = typ, layout, address
        self.rows, self.cols = self._read("ii", layout.fixed["shape"])
        self._words = ctypes.string_at(address, WORD * layout.size.at(self.rows, self.cols))

    def _read(self, form: str, place: int) -> tuple[Any, ...]:
        return struct.unpack(form, ctypes.string_at(self.address + WORD * place, struct.calcsize(form)))

    def _unpack(self, form: str, place: int) -> tuple[Any, ...]:
        return struct.unpack_from(form, self._words, WORD * place)

    @property
    def visits(self) -> int:
        """Of playouts that came back."""
        (begun,) = self._unpack("q", self.layout.fixed["visits"])
        return int(begun) - self.pending

    @property
    def pending(self) -> int:
        """Playouts under way."""
        return int(self._unpack("ii", self.layout.fixed["lock"])[1]) if self.layout.shared else 0

    @property
    def row_value(self) -> float:
        return float(self._unpack("d", self.layout.fixed["row_value"])[0])

    @property
    def col_value(self) -> float:
        return float(self._unpack("d", self.layout.fixed["col_value"])[0])

    @property
    def state(self) -> Any:
        return decode(self.type.state, self.address + WORD * self.layout.state)

    @property
    def next(self) -> int:
        """The address of the next outcome of the same joint action; 0 for none."""
        return int(self._unpack("q", self.layout.fixed["next"])[0]) if self.layout.chance else 0

    def kids(self) -> tuple[int, ...]:
        """The addresses of the children; 0 where there is none."""
        return self._unpack(f"{self.rows * self.cols}q", self.layout.kids)

    def statistic(self, name: str) -> Any:
        """A number or lists of numbers."""
        extent, shape = self.layout.statistics[name]
        counts = {PerNode: 1, PerRow: self.rows, PerCol: self.cols, PerCell: self.rows * self.cols}
        numbers = list(self._unpack(f"{counts[shape]}d", extent.at(self.rows, self.cols)))
        if shape is PerNode:
            return numbers[0]
        if shape is PerCell:
            return [numbers[i * self.cols : (i + 1) * self.cols] for i in range(self.rows)]
        return numbers


def write_node(typ: NodeType, layout: Layout, address: int, state: Any, shape: tuple[int, int]) -> None:
    """Makes a block of zeros a node that has not been visited."""
    rows, cols = shape
    place = address + WORD * layout.fixed["shape"]
    (ctypes.c_int32 * 2).from_address(place)[:] = [rows, cols]
    encode(state, typ.state, address + WORD * layout.state)
    for name, start in typ.starts:
        write_statistic(layout, address, shape, name, start)


def write_statistic(layout: Layout, address: int, shape: tuple[int, int], name: str, numbers: Any) -> None:
    """Writes a statistic: one number for all of it, or a list of numbers."""
    rows, cols = shape
    extent, kind = layout.statistics[name]
    count = {PerNode: 1, PerRow: rows, PerCol: cols, PerCell: rows * cols}[kind]
    values = [float(numbers)] * count if isinstance(numbers, int | float) else list(numbers)
    (ctypes.c_double * count).from_address(address + WORD * extent.at(rows, cols))[:] = values
