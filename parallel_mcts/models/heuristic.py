"""A function of the user's as a model: a position in, a value out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..errors import ParameterError
from ..records import RecordType
from ..rng import Rng
from ..state import Payoff


class Heuristic(metaclass=RecordType):
    """`function(state)` is the expected payoff for row, or one for each player where the game is general-sum."""

    function: Callable[[Any], Payoff]
    compiles: ClassVar[bool] = False  # any function of Python's

    def validate(self) -> None:
        if not callable(self.function):
            raise ParameterError(f"heuristic: function is {self.function!r}; it must be a function of a state")

    def evaluate(self, state: Any, rng: Rng) -> Payoff:
        return self.function(state)
