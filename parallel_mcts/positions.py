"""When two positions are the same: the key by which solvers and checkers remember positions they have met.

States that can be compared (records, frozen data classes, classes with `__eq__` and `__hash__`) are their own keys. An
ordinary object, which Python tells apart by identity, is known by its class and its attributes instead, so a newcomer's
game has transpositions too. Nothing is shared: any thread may call it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from .errors import GameError
from .state import name_of

Key = Callable[[Any], Hashable]


def key_for(state: Any) -> Key:
    """The function that gives the keys of all positions of a state's game."""
    cls: Any = type(state)
    plain = cls.__eq__ is object.__eq__ or cls.__hash__ is None
    return _by_attributes if plain and hasattr(state, "__dict__") else by_itself


def by_itself(state: Any) -> Hashable:
    found: Hashable = state
    return found


def _by_attributes(state: Any) -> Hashable:
    key = (type(state), *((name, _frozen(value)) for name, value in vars(state).items()))
    try:
        hash(key)
    except TypeError as error:
        raise GameError(
            f"positions of {name_of(state)} cannot be told apart: {error}; give the class __eq__ and __hash__"
        ) from error
    return key


def _frozen(value: Any) -> Any:
    """Boards of lists or arrays, as tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value
