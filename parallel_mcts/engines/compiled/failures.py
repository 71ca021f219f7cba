"""Says what went wrong in a compiled search, which leaves no frames to look at: by doing it again in the interpreter.

The path of the playout says where it was. From there the same action is played and judged a few hundred times as ordinary
Python; what raises then is explained as in an interpreted search. What does not come again is told without its place.
"""

from __future__ import annotations

import traceback
from random import Random
from typing import Any

from ...algorithms.base import Action, Algorithm, Policies, Value
from ...errors import AlgorithmError, EndlessGame, GameError, ModelError, ParallelMCTSError, PayoffError, SearchFailed
from ...locks import ALONE
from ...rng import Rng
from ...scoring import BadPolicy
from ...state import action_names, name_of, payoff_range, show
from ...stats import BadShape, Node
from .. import interpreted
from .paths import WrongAction

TRIES = 300


class Forced(Algorithm):
    """Always the same action."""

    i: int
    j: int

    def select(self, node: Node, rng: Rng) -> Action:
        return self.i, self.j, 1.0, 1.0

    def update(self, node: Node, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Any) -> Policies:
        return [1.0 / node.rows] * node.rows, [1.0 / node.cols] * node.cols


def reproduced(state: Any, i: int, j: int, model: Any) -> SearchFailed | None:
    """The failure of an action, if it fails in the interpreter too."""
    rng = Random(0)
    try:
        interpreted.make_tree(state, Forced(i, j), model, ALONE, max_depth=1, rng=rng).grow(rng, TRIES)
    except SearchFailed as error:
        return error
    except ParallelMCTSError:
        return None
    return None


def failure_of(error: Exception, state: Any, algorithm: Any, model: Any, last: tuple[Any, int, int] | None) -> SearchFailed:
    """A failure that does not come again; `last` is the step that the playout was at or had just made, if any."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    where = f"in a compiled search of {name_of(state)}"
    if last is not None:
        where += f", last at {show(last[0])}, actions {action_names(*last)}"
    found: SearchFailed
    if isinstance(error, WrongAction):
        found = AlgorithmError(f"{algorithm!r} chose an action that does not exist {where}")
    elif isinstance(error, PayoffError):
        found = PayoffError(f"a payoff of {error.args[0]!r} {where}; the declared payoff_range is {payoff_range(state)}")
    elif isinstance(error, EndlessGame):
        found = EndlessGame(
            f"{name_of(state)} did not end within {error.args[0]} random moves; does it ever? (max_plies={error.args[0]})"
        )
    elif isinstance(error, BadShape):
        over = "a player without actions means that the game is over: (0, 0)"
        found = GameError(f"shape() gave {error.args} {where}; {over}")
    elif isinstance(error, BadPolicy):
        found = ModelError(f"{model!r} raised {said} {where}")
    elif isinstance(error, MemoryError):
        found = SearchFailed(f"out of memory {where}: {error}")
    elif type(algorithm).__module__.startswith("parallel_mcts."):  # which raises nothing: it was the game or the model
        found = GameError(f"{said}, {where}")
    else:
        found = AlgorithmError(f"{algorithm!r}, or the game, raised {said} {where}; engine='python' tells where")
    found.details = "".join(traceback.format_exception(error))
    return found
