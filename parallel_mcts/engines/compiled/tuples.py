"""`replaced` in machine code: a copy of a tuple on the stack, with one item changed. Imported for its effect on numba."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types

from ...state import replaced
from .builtins import teach
from .types import I64


def _typing(items: Any, k: Any, item: Any) -> Any:
    fits = isinstance(items, types.UniTuple) and isinstance(k, types.Integer)
    return (items, items, types.int64, items.dtype) if fits else None


@teach(replaced, _typing, types.UniTuple, types.Integer, types.Any)
def lower_replaced(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    items, k, item = args
    # unsigned, so that a negative number is too large
    with builder.if_then(builder.icmp_unsigned(">=", k, I64(sig.args[0].count)), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("no such item in the tuple",))
    copy = cgutils.alloca_once_value(builder, items)
    builder.store(item, cgutils.gep_inbounds(builder, copy, 0, k))
    return builder.load(copy)
