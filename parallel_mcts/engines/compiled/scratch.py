"""`scratch` and `scratch_cells` in machine code: space on the stack, in the frame of the method that asks.

A line that asks again in the same call gets the same space again. Imported for its effect on numba.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
from numba.core import cgutils, types

from ... import stats
from ...stats import PerCell, PerRow
from .builtins import teach
from .layout import WORD
from .nodes import array_type, make_view
from .types import F64, I64

RESERVED = 64
"""Numbers for which every line that asks has room without asking the stack."""

CLEARED = 4
"""Numbers that are cleared in any case: for as few, that costs less than a call."""

LARGEST = 1 << 16
"""Numbers that one request may be for: half a megabyte, of a stack of several."""


def _teach(function: Callable[..., Any], shape: type) -> None:
    """Teaches numba one of the two functions."""
    arguments = (types.int64,) * (2 if shape is PerCell else 1)
    result = array_type(shape)

    def typing(*args: Any) -> Any:
        return (result, *arguments) if all(isinstance(arg, types.Integer) for arg in args) else None

    @teach(function, typing, *arguments)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        count = args[0] if len(args) == 1 else builder.mul(*args)
        numbers = _reserve(context, builder, count)
        _clear(builder, numbers, count)
        return make_view(context, builder, shape, numbers, list(args))


def _reserve(context: Any, builder: Any, count: Any) -> Any:
    """A pointer to room for so many numbers."""
    room = cgutils.alloca_once(builder, F64, size=I64(RESERVED))
    place = cgutils.alloca_once_value(builder, room)
    with builder.if_then(builder.icmp_signed(">", count, I64(RESERVED)), likely=False):
        with builder.if_then(builder.icmp_signed(">", count, I64(LARGEST)), likely=False):
            message = f"scratch space is for {LARGEST} numbers at most"
            context.call_conv.return_user_exc(builder, MemoryError, (message,))
        builder.store(builder.alloca(F64, size=count), place)  # given back when the method returns
    return builder.load(place)


def _clear(builder: Any, numbers: Any, count: Any) -> None:
    few = ir.ArrayType(F64, CLEARED)
    builder.store(ir.Constant(few, None), builder.bitcast(numbers, few.as_pointer()))
    with builder.if_then(builder.icmp_signed(">", count, I64(CLEARED)), likely=False):
        rest = builder.gep(numbers, [I64(CLEARED)])
        cgutils.memset(builder, rest, builder.mul(builder.sub(count, I64(CLEARED)), I64(WORD)), 0)


_teach(stats.scratch, PerRow)
_teach(stats.scratch_cells, PerCell)
