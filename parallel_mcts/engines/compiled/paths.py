"""Paths in machine code: the way a playout took, as entries of node and action in an array of words.

The first word says how many entries there is room for, the second how many the last playout has written: that tells
where it was when something went wrong. Imported for its effect on numba.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from .builtins import teach
from .nodes import shape_of
from .types import ACTION, I64, PathType, word

ROOM, LENGTH, HEADER = 0, 1, 2
ENTRY = 5
"""Words of an entry: node, i, j, p, q."""


class WrongAction(Exception):
    """An algorithm chose what is not there."""


class Entry(NamedTuple):
    """The last step of a path."""

    node: int
    i: int
    j: int


def empty_path(entries: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    words = np.zeros(HEADER + ENTRY * entries)
    words.view(np.int64)[ROOM] = entries
    return words


def entries(words: np.ndarray[Any, np.dtype[np.float64]]) -> list[Entry]:
    """The steps that the last playout has written."""
    numbers = words.view(np.int64)
    length = int(numbers[LENGTH])
    return [Entry(*numbers[HEADER + ENTRY * k :][:3].tolist()) for k in range(length)]


def last_entry(words: np.ndarray[Any, np.dtype[np.float64]]) -> Entry | None:
    """Where the last playout was."""
    return next(reversed(entries(words)), None)


def forget(words: np.ndarray[Any, np.dtype[np.float64]]) -> None:
    """Makes a path empty."""
    words.view(np.int64)[LENGTH] = 0


@intrinsic
def path_of(typingctx: Any, words: Any, tree: Any) -> Any:
    """The path kept in an array of words."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = make_array(sig.args[0])(context, builder, args[0]).data
        return builder.bitcast(data, cgutils.voidptr_t)

    return PathType(tree.node)(words, tree), codegen


def _entry(builder: Any, path: Any, k: Any) -> Any:
    return word(builder, path, builder.add(builder.mul(k, I64(ENTRY)), I64(HEADER)))


def _set(path: Any, k: Any, entry: Any) -> Any:
    fits = isinstance(path, PathType) and isinstance(entry, types.BaseTuple)
    return (types.void, path, types.int64, types.Tuple((path.node, ACTION))) if fits else None


@teach(operator.setitem, _set, PathType, types.Integer, types.BaseTuple)
def store_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    path, k, entry = args
    node, action = cgutils.unpack_tuple(builder, entry)
    parts = cgutils.unpack_tuple(builder, action)
    rows, cols = shape_of(context, builder, sig.args[0].node, node)
    # unsigned, so that a negative number is too large; what is not there would be a step into foreign memory
    there = builder.and_(builder.icmp_unsigned("<", parts[0], rows), builder.icmp_unsigned("<", parts[1], cols))
    with builder.if_then(builder.not_(there), likely=False):
        context.call_conv.return_user_exc(builder, WrongAction, ("an action that does not exist",))
    place = _entry(builder, path, k)
    builder.store(builder.add(k, I64(1)), word(builder, path, LENGTH))
    builder.store(builder.ptrtoint(node, I64), place)
    for n, part in enumerate(parts):
        builder.store(part, word(builder, place, n + 1, part.type))
    return context.get_dummy_value()


def _get(path: Any, k: Any) -> Any:
    return (types.Tuple((path.node, ACTION)), path, types.int64) if isinstance(path, PathType) else None


@teach(operator.getitem, _get, PathType, types.Integer)
def load_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place = _entry(builder, *args)
    builder.store(args[1], word(builder, args[0], LENGTH))  # the way back is over when it is empty
    node = builder.inttoptr(builder.load(place), args[0].type)
    kinds = [context.get_value_type(kind) for kind in ACTION.types]
    parts = [builder.load(word(builder, place, n + 1, kind)) for n, kind in enumerate(kinds)]
    return context.make_tuple(builder, sig.return_type, [node, context.make_tuple(builder, ACTION, parts)])


@teach(len, lambda path: (types.intp, path) if isinstance(path, PathType) else None, PathType)
def room_of(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(word(builder, args[0], ROOM))
