"""Engines by name. Each is a module with `make_stream` and `make_tree`; the compiled ones are loaded when they are used."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

from ..errors import unknown_name
from ..locks import Sharing
from .base import SearchTree

PLACES = {
    "python": "parallel_mcts.engines.interpreted",
    "compiled": "parallel_mcts.engines.compiled.tree",
    "mixed": "parallel_mcts.engines.compiled.mixed",
}


class Engine(Protocol):
    """What an engine's module offers."""

    def make_stream(self, rng: Random) -> Any:
        """What its trees draw random numbers from: the same numbers as `rng`."""
        ...

    def make_tree(
        self, state: Any, algorithm: Any, model: Any, sharing: Sharing, *, max_depth: int, rng: Any
    ) -> SearchTree: ...


def engine_named(name: str) -> Engine:
    if name not in PLACES:
        raise unknown_name("engine", name, PLACES)
    return cast(Engine, import_module(PLACES[name]))
