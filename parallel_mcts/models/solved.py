"""Models for games that know their equilibria: exact ones, and rollouts whose policies are as good as one likes.

They serve to test searches and priors. A state they judge must have `solution()` (see `state.SolvedState`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..errors import ModelError, ParameterError
from ..records import RecordType
from ..rng import Rng
from ..state import Payoff, Solution, SolvedState, is_constant_sum, name_of
from .rollout import Rollout


def solution_of(state: Any) -> Solution:
    if not isinstance(state, SolvedState):
        raise ModelError(f"{name_of(state)} does not know its equilibria; a solved model needs a state with solution()")
    return state.solution()


class Solved(metaclass=RecordType):
    """The exact value and the equilibrium policies."""

    exact: bool = True  # a named tuple has a field, or it is the empty tuple
    compiles: ClassVar[bool] = False  # solutions are worked out in Python

    def evaluate(self, state: Any, rng: Rng) -> Payoff:
        known = solution_of(state)
        return known.row_value if is_constant_sum(state) else (known.row_value, known.col_value)

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[Payoff, Sequence[float], Sequence[float]]:
        known = solution_of(state)
        return self.evaluate(state, rng), known.row, known.col


class SolvedMonteCarlo(metaclass=RecordType):
    """The value of a rollout, and the equilibrium policies raised to a power.

    A power above 1 sharpens a policy, one below 1 blurs it, and 0 makes it uniform.
    """

    power: float = 1.0
    rollout: Rollout = Rollout()
    compiles: ClassVar[bool] = False  # solutions are worked out in Python

    def validate(self) -> None:
        if not self.power >= 0.0:
            raise ParameterError(f"solved_monte_carlo: power is {self.power!r}; it must be 0 or more")

    def suited(self, state: Any) -> SolvedMonteCarlo:
        self.validate()
        return SolvedMonteCarlo(self.power, self.rollout.suited(state))

    def evaluate(self, state: Any, rng: Rng) -> Any:
        return self.rollout.evaluate(state, rng)

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[Any, Sequence[float], Sequence[float]]:
        known = solution_of(state)
        value = self.rollout.evaluate(state, rng)
        return value, powered(known.row, self.power), powered(known.col, self.power)


def powered(policy: Sequence[float], power: float) -> list[float]:
    """A policy with each probability raised to a power, and normalised again."""
    raised = [p**power if p > 0.0 or power == 0.0 else 0.0 for p in policy]
    total = sum(raised)
    return [r / total for r in raised]
