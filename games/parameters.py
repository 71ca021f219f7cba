"""Checks of the parameters that the games share. Called once, when a game is set up."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index

from parallel_mcts.errors import ParameterError


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """The value as an int, if it is a whole number from `low` to `high`."""
    if not isinstance(value, bool):
        try:
            number = index(value)  # type: ignore[arg-type]  # also numpy's integers
        except TypeError:
            pass
        else:
            if low <= number <= high:
                return number
    raise ParameterError(f"{name} is {value!r}; it must be a whole number from {low} to {high}")


def one_of(name: str, value: object, choices: Iterable[str]) -> str:
    """The value, if it is one of the choices."""
    allowed = tuple(choices)
    if isinstance(value, str) and value in allowed:
        return value
    raise ParameterError(f"{name} is {value!r}; choose from: {', '.join(allowed)}")
