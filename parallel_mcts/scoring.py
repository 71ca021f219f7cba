"""Judges a node: asks the model, or the finished game, and puts the answer on the scale from 0 to 1.

Called by the descent, outside every lock. A judge is a named tuple of a model and a scale, so that the same source runs
in both engines. Games and models speak in payoff units; nodes and algorithms in [0, 1] for each player.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .errors import PayoffError
from .models.base import has_policy
from .rng import Rng
from .state import is_constant_sum, payoff_range
from .stats import Node, uses_priors


class BadPolicy(Exception):
    """A model's policy that does not fit the actions."""


class ConstantSum(NamedTuple):
    """Row's payoff on the scale; column gets the rest."""

    low: float
    width: float

    def score(self, payoff: Any) -> tuple[float, float]:
        row = (payoff - self.low) / self.width
        if not 0.0 <= row <= 1.0:
            raise PayoffError(payoff)
        return row, 1.0 - row


class GeneralSum(NamedTuple):
    """A payoff for each player, on the same scale."""

    low: float
    width: float

    def score(self, payoff: Any) -> tuple[float, float]:
        row, col = payoff
        row = (row - self.low) / self.width
        col = (col - self.low) / self.width
        if not (0.0 <= row <= 1.0 and 0.0 <= col <= 1.0):
            raise PayoffError(payoff)
        return row, col


class ValueJudge(NamedTuple):
    """A model that gives values only, or an algorithm that wants no more."""

    model: Any
    scale: Any

    def value(self, node: Node, rng: Rng) -> Any:
        """The value of a node for both players."""
        return self.scale.score(self.model.evaluate(node.state, rng) if node.rows else node.state.payoff())


class UniformPriorJudge(NamedTuple):
    """An algorithm that wants priors, and a model that has none: every action is as likely."""

    model: Any
    scale: Any

    def value(self, node: Node, rng: Rng) -> Any:
        if node.rows == 0:
            return self.scale.score(node.state.payoff())
        if node.visits == 0:
            for i in range(node.rows):
                node.row_prior[i] = 1.0 / node.rows
            for j in range(node.cols):
                node.col_prior[j] = 1.0 / node.cols
        return self.scale.score(self.model.evaluate(node.state, rng))


class PolicyJudge(NamedTuple):
    """A model with policies, which become the priors of a new node."""

    model: Any
    scale: Any

    def value(self, node: Node, rng: Rng) -> Any:
        if node.rows == 0:
            return self.scale.score(node.state.payoff())
        payoff, row, col = self.model.evaluate_with_policy(node.state, rng)
        if node.visits == 0:  # nobody else has seen it yet
            if len(row) != node.rows or len(col) != node.cols:
                raise BadPolicy("a policy must have one probability for each action")
            for i in range(node.rows):
                if not row[i] >= 0.0:  # which is so for no number, too
                    raise BadPolicy("a policy must have probabilities that are 0 or more")
                node.row_prior[i] = row[i]
            for j in range(node.cols):
                if not col[j] >= 0.0:
                    raise BadPolicy("a policy must have probabilities that are 0 or more")
                node.col_prior[j] = col[j]
        return self.scale.score(payoff)


def scale_of(state: Any) -> ConstantSum | GeneralSum:
    """The scale that the game of a state declares."""
    low, high = payoff_range(state)
    return (ConstantSum if is_constant_sum(state) else GeneralSum)(low, high - low)


def judge_for(state: Any, algorithm: Any, model: Any) -> Any:
    """The judge for a game, an algorithm and a model already suited to the game."""
    scale = scale_of(state)
    if not uses_priors(algorithm):
        return ValueJudge(model, scale)
    return (PolicyJudge if has_policy(model) else UniformPriorJudge)(model, scale)
