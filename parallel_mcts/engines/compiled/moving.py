"""Moves a subtree to memory of its own when the game goes on, so that all the rest can be freed.

A copying collector after Cheney (1970): nodes are copied in the order in which they are found, and what has been copied
is the queue of what has still to be looked at. It needs the layout's numbers and no types, so it is compiled once for
all games.
"""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.core import types
from numba.extending import intrinsic

from .arenas import HEADER, USED, write_word
from .cache import attach_cache
from .layout import LINE, WORD
from .memory import Memory, header
from .methods import OWN
from .types import I64


@intrinsic
def read_word(typingctx: Any, place: Any) -> Any:
    """The number at an address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], I64.as_pointer()))

    return types.int64(types.int64), codegen


@njit(nogil=True, **OWN)
def copy_subtree(
    root: int,
    base: int,
    shape: int,
    following: int,
    kids: int,
    fixed: int,
    per_row: int,
    per_col: int,
    per_cell: int,
    grain: int,
) -> tuple[int, int]:
    """Copies the nodes below one to the words from `base` on; returns how many nodes, and how many words they take."""
    scanned = 0
    used = 0
    nodes = 0
    found = root
    pointer = 0  # the word that refers to what was found; none for the root
    place = 0  # of the next reference to look at, in the node that is being scanned
    last = -1
    while True:
        if found != 0:
            size = read_word(found + WORD * shape)
            rows, cols = size & 0xFFFFFFFF, size >> 32
            words = fixed + per_row * rows + per_col * cols + per_cell * rows * cols
            target = base + WORD * used
            for k in range(words):
                write_word(target + WORD * k, read_word(found + WORD * k))
            if pointer != 0:
                write_word(pointer, target)
            elif following >= 0:
                write_word(target + WORD * following, 0)
            used += (words + grain - 1) & -grain
            nodes += 1
            found = 0
        if last < 0:  # a node not looked at yet: the references in it are its children and, at -1, the next outcome
            if scanned >= used:
                return nodes, used
            size = read_word(base + WORD * (scanned + shape))
            last = (size & 0xFFFFFFFF) * (size >> 32)
            place = 0 if following < 0 else -1
        if place < last:
            pointer = base + WORD * (scanned + (following if place < 0 else kids + place))
            found = read_word(pointer)
            place += 1
        else:
            size = read_word(base + WORD * (scanned + shape))
            rows, cols = size & 0xFFFFFFFF, size >> 32
            words = fixed + per_row * rows + per_col * cols + per_cell * rows * cols
            scanned += (words + grain - 1) & -grain
            last = -1


attach_cache(copy_subtree)


def moved(root: int, program: Any, memory: Memory) -> tuple[Memory, int, int]:
    """New memory with the subtree of a node, its root, and how many nodes there are."""
    layout = program.layout
    grain = LINE if layout.shared else 1
    fresh = memory.sibling(memory.used() // WORD + LINE)
    chunk = fresh.take()
    base = int(chunk.ctypes.data) + WORD * HEADER
    following = layout.fixed.get("next", -1)
    nodes, used = copy_subtree(root, base, layout.fixed["shape"], following, layout.kids, *layout.size, grain)
    header(chunk)[USED] = HEADER + used
    fresh.give_back(chunk)
    return fresh, base, nodes
