"""`check_model`: does a model judge positions as the search expects?"""

from __future__ import annotations

from random import Random
from typing import Any

from ..errors import CheckFailed, ParallelMCTSError
from ..models.base import has_policy, suited
from ..registry import MODELS
from ..state import show
from .common import check_distribution, require
from .states import GAMES, MAX_PLIES, check_payoff, random_game


def check_model(model: Any, state: Any, *, games: int = GAMES, seed: int = 0) -> None:
    """Asks a model (or the name of one) about the positions of random games from a state."""
    made = MODELS.make(model)
    model = suited(made, state)
    require(callable(getattr(model, "evaluate", None)), f"{model!r} has no method evaluate(state, rng)")
    for k in range(games):
        for position in random_game(state, Random(f"{seed}-{k}"), MAX_PLIES):
            if position.shape() != (0, 0):
                _check_judgement(model, position)


def _check_judgement(model: Any, state: Any) -> None:
    try:
        value, again = (model.evaluate(state, Random(1)) for _ in range(2))
    except ParallelMCTSError:
        raise
    except Exception as error:
        raise CheckFailed(f"{model!r}.evaluate() raised {type(error).__name__}: {error} at {show(state)}") from error
    check_payoff(state, value, f"{model!r}.evaluate()")
    require(
        value == again,
        f"{model!r}.evaluate() gave {value!r} and then {again!r} at {show(state)} with the same random numbers; "
        "chance must come from rng alone",
    )
    if has_policy(model):
        value, row, col = model.evaluate_with_policy(state, Random(1))
        check_payoff(state, value, f"{model!r}.evaluate_with_policy()")
        for player, policy, count in zip(("row", "column"), (row, col), state.shape(), strict=True):
            check_distribution(policy, count, f"{model!r} gives {player} the policy {list(policy)!r} at {show(state)}")
