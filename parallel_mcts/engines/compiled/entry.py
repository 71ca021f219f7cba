"""What Python calls in machine code: `enter` runs the search on an arena.

Each is one function of this module; numba compiles it anew for every combination of state, algorithm, model and locks.
There is no search code here: `enter` calls `descent.run`. `enter_holding` is the same function for games that stay in the
interpreter: it keeps the GIL.
"""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.extending import register_jitable

from ... import descent
from . import arenas, nodes, paths, scratch, spinlocks, streams, tuples  # noqa: F401 — for their effect on numba
from .arenas import node_at, tree_of
from .methods import OWN
from .paths import path_of

register_jitable(**OWN)(descent.link)
register_jitable(**OWN)(descent.credit)
run = njit(**OWN)(descent.run)


@njit(nogil=True, **OWN)
def enter(
    words: Any, root: Any, state: Any, algorithm: Any, judge: Any, locks: Any, chance: Any, rng: Any, count: Any, steps: Any
) -> Any:
    """Runs the search on an arena."""
    tree = tree_of(words, state, algorithm, locks)
    path = path_of(steps, tree)
    return run(tree, node_at(tree, root), algorithm, judge, locks, chance, rng, count, path)


enter_holding = njit(**OWN)(enter.py_func)
