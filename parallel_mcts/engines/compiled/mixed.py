"""The engine for games that cannot be compiled: the search is machine code, the game and the model stay in the interpreter.

Trees, descent and algorithms are those of the compiled engine; a node holds the number of its position, and the positions
themselves are Python objects that a `Host` keeps. What it compiles depends on the algorithm and on nothing of the game, so
one entry of the cache serves all games. A thread that grows such a tree holds the GIL, and no other thread may grow the
same tree.
"""

from __future__ import annotations

import sys
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numba import njit

from ...errors import NotCompilable, SearchFailed
from ...locks import ALONE, NoLocks, Sharing
from ...models.base import suited
from ...scoring import judge_for
from ...state import has_chance
from ...stats import uses_priors
from ..base import Step
from ..collection import collection_paused
from ..failures import explained
from .blocks import Block, write_statistic
from .cache import attach_cache, is_cached
from .callbacks import ChancePosition, Host, HostJudge, Position, PythonStream, came_from_python
from .compilation import Program, mixed_arguments, mixed_program_for
from .entry import enter_holding
from .layout import WORD, Layout
from .methods import OWN
from .moving import read_word
from .tree import CompiledTree, _Seat

SAMPLED_POSITIONS = 20
"""How many positions are measured to tell how much memory all of them take."""


def make_stream(rng: Random) -> PythonStream:
    """What a tree of this engine draws its random numbers from."""
    return PythonStream(rng)


def make_tree(state: Any, algorithm: Any, model: Any, sharing: Sharing, *, max_depth: int, rng: PythonStream) -> MixedTree:
    """A tree for a search whose algorithm can be compiled; raises `NotCompilable` for others."""
    _require_one_thread(sharing)
    return MixedTree(state, algorithm, model, NoLocks(), max_depth, rng)


def prepare(state: Any, algorithm: Any, model: Any, sharing: Sharing) -> None:
    """Compiles a search ahead of its start; raises `NotCompilable`."""
    _require_one_thread(sharing)
    mixed_program_for(state, _kind(state)(0, 0), algorithm, HostJudge(0), NoLocks())


def is_ready(state: Any, algorithm: Any, model: Any, sharing: Sharing) -> bool:
    """Whether such a search has been compiled before, by this process or another."""
    try:
        return is_cached(enter_holding, mixed_arguments(_kind(state)(0, 0), algorithm, HostJudge(0), NoLocks()))
    except Exception:  # which compiling it will tell of
        return False


def _require_one_thread(sharing: Sharing) -> None:
    if sharing != ALONE:
        raise NotCompilable(
            "engine 'mixed' grows a tree by one thread: the game holds the GIL; choose a backend that has a tree for each "
            "worker, such as 'process', or engine='python'"
        )


def _kind(state: Any) -> type[Position | ChancePosition]:
    return ChancePosition if has_chance(state) else Position


class MixedTree(CompiledTree):
    """One tree in arenas, whose positions are Python objects."""

    def _compiled(self, state: Any) -> tuple[Program, Any]:
        self.judge = judge_for(state, self.algorithm, suited(self.model, state))
        self.host = Host(state, self.judge, None)
        position, judge = _kind(state)(id(self.host), 0), HostJudge(id(self.host))
        program = mixed_program_for(state, position, self.algorithm, judge, self.locks)
        if uses_priors(self.algorithm):
            self.host.write_priors = partial(_write_priors, program.layout)
        return program, state

    def _plain(self, state: Any) -> Any:
        return state

    def _held(self, state: Any) -> Any:
        self.host.begin(state)
        return self.program.state

    def position(self, node: Block) -> Any:
        return self.host.states[node.state.number]

    def grow(self, rng: PythonStream, count: int) -> int:
        with collection_paused():
            return super().grow(rng, count)

    def _explained(self, error: Exception, seat: _Seat) -> SearchFailed:
        if not came_from_python(error):
            return super()._explained(error, seat)
        return explained(error, self._start, self.algorithm, self.model)

    def memory(self) -> int:
        states = self.host.states
        sample = [sys.getsizeof(state) for state in states[:: max(1, len(states) // SAMPLED_POSITIONS)]]
        known = sys.getsizeof(states) + sys.getsizeof(self.host.outcomes)
        return super().memory() + known + len(states) * sum(sample) // len(sample)

    def advance(self, step: Step, state: Any, rng: PythonStream) -> None:
        super().advance(step, state, rng)
        layout = self.program.layout
        numbers = np.zeros(self.nodes, np.int64)
        write_numbers(self._root, layout.state + 1, layout.fixed["shape"], *layout.size, numbers)
        self.host.keep(set(numbers.tolist()))


def _write_priors(layout: Layout, place: int, shape: tuple[int, int], row: list[float], col: list[float]) -> None:
    write_statistic(layout, place, shape, "row_prior", row)
    write_statistic(layout, place, shape, "col_prior", col)


@njit(nogil=True, **OWN)
def write_numbers(
    base: int, number: int, shape: int, fixed: int, per_row: int, per_col: int, per_cell: int, numbers: Any
) -> None:
    """Writes a word of each node, of as many as lie one after the other from an address on."""
    for k in range(len(numbers)):
        size = read_word(base + WORD * shape)
        rows, cols = size & 0xFFFFFFFF, size >> 32
        numbers[k] = read_word(base + WORD * number)
        base += WORD * (fixed + per_row * rows + per_col * cols + per_cell * rows * cols)


attach_cache(write_numbers)
