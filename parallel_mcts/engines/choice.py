"""Which engine a search runs on, where the user leaves that open: the fastest that can, if that is worth it.

"compiled" is all machine code; "mixed" is a compiled search whose game and model stay in the interpreter; "python" compiles
nothing. All give the same answer, so the choice is about time alone. A search with a time limit is worth compiling if the
limit is long beside what compiling takes. One that counts iterations begins in the interpreter; if it turns out to take
long, it is compiled and begun again, which changes nothing but the time. What cannot be compiled is remembered, and is not
tried again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..budget import Budget
from ..errors import unknown_name
from ..locks import Sharing

ENGINES = ("auto", "python", "mixed", "compiled")

FASTEST_FIRST = {"compiled": "parallel_mcts.engines.compiled.tree", "mixed": "parallel_mcts.engines.compiled.mixed"}
"""The engines that compile, and their modules."""

LOADING_SECONDS = 0.6
"""What it takes to load numba and a search from the cache."""

COMPILING_SECONDS = 4.0
"""What it takes to compile a search, on a slow day."""

TRIAL_SECONDS = 0.3
"""How long a search runs in the interpreter before it is asked how long it will take."""

_refused: set[tuple[Any, ...]] = set()


def check_engine(engine: str) -> str:
    if engine not in ENGINES:
        raise unknown_name("engine", str(engine), ENGINES)
    return engine


class Choice:
    """The choice of an engine for one search."""

    def __init__(self, engine: str, state: Any, algorithm: Any, model: Any, sharing: Sharing) -> None:
        self.engine = engine
        self.announce: Callable[[], None] = lambda: None
        """Called when something is about to be compiled that was not compiled before."""
        self._parts = state, algorithm, model
        self._sharing = sharing

    def at_start(self, budget: Budget | None) -> str:
        """The engine to begin with."""
        if self.engine in FASTEST_FIRST:
            self._compile(self.engine)
        if self.engine != "auto":
            return self.engine
        seconds = budget.seconds if budget is not None and budget.iterations is None else None
        return self.compiled() if self._pays(seconds or 0.0) else "python"

    def is_open(self) -> bool:
        """Whether compiling has not been ruled out."""
        return bool(self._open())

    def after_trial(self, seconds_left: float) -> bool:
        """Whether a search that began in the interpreter is worth compiling and beginning again."""
        return self.engine == "auto" and self._pays(seconds_left)

    def compiled(self) -> str:
        """Compiles the search for the fastest engine that can run it, and names that."""
        for engine in self._open():
            try:
                self._compile(engine)
            except Exception:  # of whatever kind: what is wrong with the game itself, the interpreter tells
                _refused.add((engine, *self._kinds()))
            else:
                return engine
        return "python"

    def _open(self) -> list[str]:
        """The engines that might run the search, the fastest first."""
        whole = all(may_compile(part) for part in self._parts)
        mixed = may_compile(self._parts[1]) and not self._sharing.threads
        might = {"compiled": whole, "mixed": mixed}
        return [engine for engine in FASTEST_FIRST if might[engine] and (engine, *self._kinds()) not in _refused]

    def _pays(self, seconds: float) -> bool:
        """Whether compiling (or loading) takes less than the search would in the interpreter."""
        engines = self._open()
        if not engines:
            return False
        if seconds > COMPILING_SECONDS + LOADING_SECONDS:
            return True
        if seconds < LOADING_SECONDS and "numba" not in sys.modules:
            return False
        return self._is_ready(engines[0])

    def _is_ready(self, engine: str) -> bool:
        return bool(import_module(FASTEST_FIRST[engine]).is_ready(*self._parts, self._sharing))

    def _compile(self, engine: str) -> None:
        if not self._is_ready(engine):
            self.announce()
        import_module(FASTEST_FIRST[engine]).prepare(*self._parts, self._sharing)

    def _kinds(self) -> tuple[type, ...]:
        return tuple(type(part) for part in self._parts)


def may_compile(thing: Any) -> bool:
    """Whether something is at least of the form that can be compiled; models that cannot say so."""
    return isinstance(thing, tuple) and bool(getattr(thing, "_fields", ())) and getattr(thing, "compiles", True)
