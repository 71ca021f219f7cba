"""Alpha-beta in machine code: `alphabeta.py`, compiled by numba for a game and a heuristic.

Loaded by `minimax` where it is wanted, because numba is slow to load. The search runs in a thread without the
interpreter's lock; the thread that asked watches the clock, and can be interrupted.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba import njit, typeof
from numba.core import types
from numba.core.errors import NumbaError
from numba.typed import Dict

from ..engines.compiled.cache import attach_cache, is_cached
from ..engines.compiled.compilation import plain_state, readable, require_state
from ..engines.compiled.methods import OWN, make_callable, references
from ..engines.compiled.watched import watched
from ..errors import NotCompilable
from ..state import has_chance, name_of
from . import alphabeta
from .alphabeta import Ends, Given, NoChance, entry_of
from .minimax import Clock, Interpreted

ENTRY = types.Tuple((types.int64, types.float64, types.int64, types.int64))
WATCH = types.Array(types.int64, 1, "C")

searching: Any = alphabeta.alpha_beta
for _, helper in references(searching):
    if isinstance(helper, FunctionType):
        make_callable(helper)
enter = njit(nogil=True, **OWN)(searching)


@njit(**OWN)
def choice_in(table: Any, state: Any) -> Any:
    return entry_of(table, state)[3]


attach_cache(enter)
attach_cache(choice_in)


class JudgeFields(NamedTuple):
    """What a named tuple must have at least one of."""

    nothing: int


@functools.cache
def _class_for(heuristic: FunctionType) -> Any:
    """A named tuple whose method is the heuristic: compiled code is found again by the classes of its arguments."""

    def value(self: Any, state: Any) -> Any:
        return heuristic(state)

    value.__module__ = heuristic.__module__  # the cache takes functions of this package for unchanging
    return type(
        f"Judge_{heuristic.__name__}", (JudgeFields,), {"value": value, "__module__": "heuristics", "__slots__": ()}
    )


def compilable(judge: Any) -> Any:
    """What judges positions, as machine code can use it."""
    if not isinstance(judge, Given):
        return judge
    if not isinstance(judge.value, FunctionType):
        raise NotCompilable(f"the heuristic {judge.value!r} cannot be compiled: it is no plain function")
    return _class_for(judge.value)(0)


def plain_ends(ends: Ends) -> Ends:
    return Ends(float(ends.alpha), float(ends.beta), ends.by_heuristic, ends.by_turns)


def _arguments(state: Any, judge: Any, ends: Ends) -> tuple[Any, ...]:
    """The types of what `enter` is called with."""
    kind = typeof(state)
    table = types.DictType(kind, ENTRY)
    return kind, types.int64, typeof(ends), typeof(judge), typeof(NoChance()), table, types.int64, WATCH


def is_ready(state: Any, judge: Any, ends: Ends) -> bool:
    """Whether a search has been compiled before, by this process or another."""
    try:
        require_state(state)
        return not has_chance(state) and is_cached(enter, _arguments(state, compilable(judge), plain_ends(ends)))
    except NotCompilable:
        return False


class Compiled(Interpreted):
    """The search in machine code."""

    engine = "compiled"

    def __init__(self, state: Any, judge: Any, ends: Ends, room: int) -> None:
        if has_chance(state):
            raise NotCompilable(f"{name_of(state)} cannot be searched by compiled alpha-beta: chance is listed in Python")
        judge = compilable(judge)
        super().__init__(plain_state(state), judge, plain_ends(ends), room)
        try:
            enter.compile(_arguments(self.state, self.judge, self.ends))
        except NumbaError as error:
            raise NotCompilable(f"alpha-beta over {name_of(state)} cannot be compiled: {readable(error)}") from error
        self.table = Dict.empty(typeof(self.state), ENTRY)

    def search(self, plies: int, deadline: float, clock: Clock) -> tuple[int, float, int, int, bool]:
        watch = np.zeros(1, dtype=np.int64)
        parts = self.judge, NoChance(), self.table, self.room, watch
        answer = watched(lambda: enter(self.state, plies, self.ends, *parts), watch, lambda: clock() >= deadline)
        status, value, choice, nodes, whole = answer
        return int(status), float(value), int(choice), int(nodes), bool(whole)

    def best_known(self, state: Any) -> int:
        return int(choice_in(self.table, state))
