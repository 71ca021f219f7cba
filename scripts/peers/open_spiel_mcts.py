"""OpenSpiel's MCTS: the Python one and the C++ one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NAMES = {"tictactoe": "tic_tac_toe", "connect_four": "connect_four"}


def python_bot(game: str) -> Callable[[int], object]:
    """Runs its Python search; the last argument of the evaluator is the number of rollouts."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    loaded = pyspiel.load_game(NAMES[game])

    def run(iterations: int) -> object:
        random = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        bot = mcts.MCTSBot(loaded, 1.4, iterations, evaluator, random_state=random, solve=False)
        return bot.mcts_search(loaded.new_initial_state())

    return run


def cpp_bot(game: str) -> Callable[[int], object]:
    import pyspiel

    loaded: Any = pyspiel.load_game(NAMES[game])

    def run(iterations: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(loaded, evaluator, 1.4, iterations, 10_000, False, 1, False)
        return bot.mcts_search(loaded.new_initial_state())

    return run


def cpp_playouts(open_spiel_name: str) -> Callable[[int], object]:
    """Runs so many random games in C++.

    Python is not shown the evaluator's own method, but a search of one simulation judges the root by all of them.
    """
    import pyspiel

    loaded: Any = pyspiel.load_game(open_spiel_name)

    def run(count: int) -> object:
        evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
        bot = pyspiel.MCTSBot(loaded, evaluator, 1.4, 1, 1000, False, 1, False)
        return bot.mcts_search(loaded.new_initial_state())

    return run
