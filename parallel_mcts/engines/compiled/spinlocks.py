"""Spin locks in machine code: `acquire` and `release`, in a node's own word or in a pool with a cache line for each.

A lock is held for some dozens of instructions, so waiting for it in a loop is cheaper than asking the system; who waits
longer gives its time slice away, since the holder may have lost the processor. A taken lock holds the number of its
owner, so that it can be freed if the owner fails. Imported for its effect on numba.
"""

from __future__ import annotations

import operator
import platform
from typing import Any, NamedTuple

import llvmlite.ir as ir
import numpy as np
from numba.core import cgutils, types
from numba.extending import NativeValue, intrinsic, overload_method, typeof_impl, unbox

from .builtins import teach
from .layout import LINE
from .types import I32, I64, LOCK, LOCK_POOL, LockPoolType, LockType, word

SPINS_BEFORE_YIELDING = 64
_PAUSES = {
    "x86_64": ("llvm.x86.sse2.pause", []),
    "AMD64": ("llvm.x86.sse2.pause", []),
    "aarch64": ("llvm.aarch64.hint", [I32(1)]),
    "arm64": ("llvm.aarch64.hint", [I32(1)]),
}
"""How a processor is told that this is a loop that waits: by machine, an intrinsic and its arguments."""


def _state_of(builder: Any, lock: Any) -> Any:
    return builder.bitcast(lock, I32.as_pointer())


@intrinsic
def take(typingctx: Any, lock: Any, owner: Any) -> Any:
    """Makes a lock the owner's if it is free; gives whether it was."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        owner_value = builder.trunc(args[1], I32)
        result = builder.cmpxchg(_state_of(builder, args[0]), I32(0), owner_value, "acquire", "monotonic")
        return builder.extract_value(result, 1)

    return types.boolean(lock, types.int64), codegen


@intrinsic
def peek(typingctx: Any, lock: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load_atomic(_state_of(builder, args[0]), "monotonic", 4)

    return types.int32(lock), codegen


@intrinsic
def let_go(typingctx: Any, lock: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store_atomic(I32(0), _state_of(builder, args[0]), "release", 4)
        return context.get_dummy_value()

    return types.void(lock), codegen


@intrinsic
def pause(typingctx: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        known = _PAUSES.get(platform.machine())
        if known is not None:
            name, arguments = known
            kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)
        return context.get_dummy_value()

    return types.void(), codegen


yield_processor = types.ExternalFunction("sched_yield", types.int32())


@overload_method(LockType, "acquire", strict=False)
def lock_acquire(lock: Any, owner: Any) -> Any:
    def acquire(lock: Any, owner: Any) -> None:
        spins = 0
        while not take(lock, owner):
            while peek(lock) != 0:
                spins += 1
                pause()
                if spins % SPINS_BEFORE_YIELDING == 0:
                    yield_processor()

    return acquire


@overload_method(LockType, "release", strict=False)
def lock_release(lock: Any) -> Any:
    def release(lock: Any) -> None:
        let_go(lock)

    return release


class SpinLocks(NamedTuple):
    """A lock in each node."""

    owner: int = 1
    shared: bool = True

    def acquire(self, node: Any) -> None:
        node.lock.acquire(self.owner)

    def release(self, node: Any) -> None:
        node.lock.release()


# ---------------------------------------------------------------------------------------------- a pool of them
class SpinLockPool:
    """Spin locks, each in a cache line of its own; the line before the first holds how many there are."""

    def __init__(self, count: int) -> None:
        self._words = np.zeros((count + 2) * LINE, np.int64)
        start = -(self._words.ctypes.data // 8) % LINE
        self._words[start] = count
        self.address = self._words.ctypes.data + 8 * start

    def free(self, owner: int) -> None:
        """Opens what an owner holds."""
        first = (self.address - self._words.ctypes.data) // 8 + LINE
        locks = self._words[first::LINE]
        locks[locks == owner] = 0


@typeof_impl.register(SpinLockPool)
def type_of_pool(pool: SpinLockPool, c: Any) -> Any:
    return LOCK_POOL


@unbox(LockPoolType)
def unbox_pool(typ: Any, pool: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(pool, "address")
    pointer = c.builder.inttoptr(c.pyapi.long_as_longlong(number), cgutils.voidptr_t)
    c.pyapi.decref(number)
    return NativeValue(pointer)


def _get(pool: Any, k: Any) -> Any:
    return (LOCK, pool, types.int64) if isinstance(pool, LockPoolType) else None


@teach(operator.getitem, _get, LockPoolType, types.Integer)
def lock_of_pool(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    line = builder.mul(builder.add(args[1], I64(1)), I64(LINE))
    return builder.bitcast(word(builder, args[0], line), args[0].type)


@teach(len, lambda pool: (types.intp, pool) if isinstance(pool, LockPoolType) else None, LockPoolType)
def count_of_pool(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(word(builder, args[0], 0))


class SpinPoolLocks(NamedTuple):
    """A few locks for all nodes."""

    pool: Any
    owner: int = 1
    shared: bool = True

    def acquire(self, node: Any) -> None:
        self.pool[(id(node) >> 6) % len(self.pool)].acquire(self.owner)

    def release(self, node: Any) -> None:
        self.pool[(id(node) >> 6) % len(self.pool)].release()
