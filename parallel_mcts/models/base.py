"""What a model is: something that judges a position that is not the end of the game.

A model is a frozen value (usually a named tuple) with `evaluate`; one that also has a policy for each player gives
`evaluate_with_policy`. Values are in the game's payoff units. Called outside every lock, by any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ..rng import Rng
from ..state import Payoff


class Model(Protocol):
    """Judges positions."""

    def evaluate(self, state: Any, rng: Rng) -> Payoff:
        """Row's expected payoff (column gets the rest of the range), or one for each player where the game says so."""
        ...


class PolicyModel(Model, Protocol):
    """Judges positions and suggests how to play them."""

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[Payoff, Sequence[float], Sequence[float]]:
        """The value, and a probability for each action of row and of column."""
        ...


def has_policy(model: Any) -> bool:
    return hasattr(model, "evaluate_with_policy")


def suited(model: Any, state: Any) -> Any:
    """The model as it is best run on the game of a state; most models are what they are."""
    choose = getattr(model, "suited", None)
    return choose(state) if choose is not None else model
