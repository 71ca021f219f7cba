"""Random streams in machine code: `rng.random()` calls numpy's Mersenne Twister through its address.

A `Stream` continues a `random.Random`: it draws the very doubles that the other would, so that interpreted and compiled
searches see the same numbers. A stream belongs to one thread. Imported for its effect on numba.
"""

from __future__ import annotations

import ctypes
from random import Random
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.extending import NativeValue, infer_getattr, lower_builtin, models, register_model, typeof_impl, unbox

from .types import F64, I64


class Stream:
    """Draws what a `random.Random` would draw next."""

    def __init__(self, rng: Random) -> None:
        _, state, _ = rng.getstate()
        self._generator = np.random.MT19937()
        self._generator.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(state[:-1], np.uint32), "pos": state[-1]},
        }
        interface = self._generator.ctypes
        self.state = int(interface.state_address)
        self._draw = interface.next_double
        self.next_double = int(ctypes.cast(self._draw, ctypes.c_void_p).value or 0)

    def random(self) -> float:
        """The next number, for Python."""
        return float(self._draw(self.state))


class StreamType(types.Type):
    """A stream: where its state is, and the function that draws from it."""

    def __init__(self) -> None:
        super().__init__("Stream")


STREAM = StreamType()


@register_model(StreamType)
class StreamModel(models.StructModel):
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, [("state", types.int64), ("next_double", types.int64)])


@typeof_impl.register(Stream)
def type_of_stream(stream: Stream, c: Any) -> Any:
    return STREAM


@unbox(StreamType)
def unbox_stream(typ: Any, stream: Any, c: Any) -> Any:
    value = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name in ("state", "next_double"):
        number = c.pyapi.object_getattr_string(stream, name)
        setattr(value, name, c.pyapi.long_as_longlong(number))
        c.pyapi.decref(number)
    return NativeValue(value._getvalue())


def _draw() -> None:
    """Stands for `Stream.random` in numba's tables."""


class RandomMethod(AbstractTemplate):
    key = _draw

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.float64, recvr=self.this) if not args and not kws else None


@infer_getattr
class StreamAttributes(AttributeTemplate):
    key = StreamType

    def generic_resolve(self, stream: StreamType, attribute: str) -> Any:
        return types.BoundFunction(RandomMethod, stream) if attribute == "random" else None


@lower_builtin(_draw, StreamType)
def lower_random(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    stream = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    kind = ir.FunctionType(F64, [I64])
    return builder.call(builder.inttoptr(stream.next_double, kind.as_pointer()), [stream.state])
