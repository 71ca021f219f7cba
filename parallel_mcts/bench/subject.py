"""What a benchmark is about: a position, how it is searched, and whether that can be machine code.

Used by `bench advise` and `bench simulate`; one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..engines.base import SearchTree
from ..engines.choice import check_engine
from ..engines.engine import engine_named
from ..errors import NotCompilable
from ..locks import ALONE, Sharing
from ..registry import ALGORITHMS, MODELS
from ..rng import stream
from ..search import MAX_DEPTH, default_algorithm, require_live_state
from ..state import name_of


@dataclass(frozen=True)
class Subject:
    """A position, an algorithm and a model, made already."""

    state: Any
    algorithm: Any
    model: Any

    @staticmethod
    def of(state: Any, algorithm: Any = None, model: Any = "rollout") -> Subject:
        """Names become what they stand for, as in `search`."""
        require_live_state(state)
        chosen = algorithm if algorithm is not None else default_algorithm(state)
        return Subject(state, ALGORITHMS.make(chosen), MODELS.make(model))

    @property
    def game(self) -> str:
        return name_of(self.state)

    def options(self) -> dict[str, Any]:
        """The arguments of `search` that it stands for."""
        return {"algorithm": self.algorithm, "model": self.model}

    def plant(
        self, engine: str, seed: int, worker: int = 0, max_depth: int = MAX_DEPTH, sharing: Sharing = ALONE
    ) -> tuple[SearchTree, Any]:
        """A tree as a worker of a search would have it, and its stream."""
        made = engine_named(engine)
        rng = made.make_stream(stream(seed, worker))
        tree = made.make_tree(self.state, self.algorithm, self.model, sharing, max_depth=max_depth, rng=rng)
        return tree, rng


@dataclass(frozen=True)
class Compiled:
    """What came of compiling a search: `refusal` says why it is none, `kept` that its machine code was there already."""

    seconds: float = 0.0
    kept: bool = False
    refusal: str | None = None


def compiled(subject: Subject, clock: Callable[[], float] = time.perf_counter) -> Compiled:
    """Compiles a search, unless that has been done before."""
    parts = subject.state, subject.algorithm, subject.model
    from ..engines.compiled.tree import is_ready, prepare

    kept, began = is_ready(*parts, ALONE), clock()
    try:
        prepare(*parts, ALONE)
    except NotCompilable as error:
        return Compiled(clock() - began, refusal=str(error).splitlines()[0])
    return Compiled(clock() - began, kept)


def engine_for(subject: Subject, engine: str) -> str:
    """The engine to measure on: the one asked for, or machine code where that is possible."""
    if check_engine(engine) == "python":
        return engine
    if engine == "compiled":
        from ..engines.compiled.tree import prepare

        prepare(subject.state, subject.algorithm, subject.model, ALONE)  # raises what is wrong with it
        return engine
    return "python" if compiled(subject).refusal else "compiled"
