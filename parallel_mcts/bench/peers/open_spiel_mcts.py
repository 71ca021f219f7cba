"""OpenSpiel's `MCTSBot`, in C++ and in Python, each on OpenSpiel's own C++ games. Called by one thread.

Both judge a position by one random game and take a proven win, as in its example programs. Their c is 1.4, which on payoffs
from -1 to 1 is what 0.7 is on ours: the same search with the same constant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..measuring import Run
from .base import LEAST, Mind, Pace, needed

NAMES = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "kalah": "mancala",
    "gomoku": "gomoku(size=15)",
}
EXPLORATION = 1.4
MEGABYTES = 4000
ENDLESS = 1_000_000_000
LARGEST_SEED = 2**31 - 1


def loaded(game: str) -> Any:
    return needed("pyspiel").load_game(NAMES[game])


def legal(game: str, state: Any) -> list[int]:
    """Its actions, in the order of our moves: its mancala counts the holes of the second player from the right."""
    actions: list[int] = state.legal_actions()
    return actions[::-1] if game == "kalah" and state.current_player() == 1 else actions


class OpenSpielMind:
    """A bot, and the position as OpenSpiel has it."""

    def __init__(self, game: str, choose: Callable[[Any], int]) -> None:
        self.game, self.choose = game, choose
        self.state = loaded(game).new_initial_state()

    def follow(self, number: int) -> None:
        self.state.apply_action(legal(self.game, self.state)[number])

    def think(self) -> int:
        return legal(self.game, self.state).index(self.choose(self.state))


@dataclass(frozen=True)
class OpenSpielCpp:
    """The C++ bot, which has a clock."""

    name: str = "open_spiel_cpp"
    title: str = "OpenSpiel C++"
    module: str = "pyspiel"
    in_python: bool = False

    def bot(
        self, game: str, *, simulations: int = ENDLESS, seconds: float = -1.0, seed: int = 1, solve: bool = True
    ) -> Any:
        spiel, seed = needed("pyspiel"), seed & LARGEST_SEED
        evaluator = spiel.RandomRolloutEvaluator(1, seed)
        limits = (simulations, MEGABYTES)
        clock = {} if seconds < 0 else {"max_wall_clock_time": seconds}
        return spiel.MCTSBot(loaded(game), evaluator, EXPLORATION, *limits, solve, seed, False, **clock)

    def run(self, game: str) -> Run:
        # without proofs, which end a search before all simulations are made
        return lambda count: self.bot(game, simulations=count, solve=False).mcts_search(loaded(game).new_initial_state())

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        in_time, hurried = self.bot(game, seconds=seconds, seed=seed), self.bot(game, simulations=LEAST, seed=seed)

        def choose(state: Any) -> int:
            root = in_time.mcts_search(state)
            if not root.children:  # the time was up at once; its `step` would end this process
                root = hurried.mcts_search(state)
            action: int = root.best_child().action
            return action

        return OpenSpielMind(game, choose)


@dataclass(frozen=True)
class OpenSpielPython:
    """The Python bot, which is told a number of simulations before each move."""

    name: str = "open_spiel_python"
    title: str = "OpenSpiel Python"
    module: str = "open_spiel.python.algorithms.mcts"
    in_python: bool = True

    def bot(self, game: str, simulations: int, seed: int = 1, *, solve: bool = True) -> Any:
        import numpy as np

        mcts, random = needed(self.module), np.random.RandomState(seed)
        evaluator = mcts.RandomRolloutEvaluator(1, random)
        return mcts.MCTSBot(loaded(game), EXPLORATION, simulations, evaluator, solve=solve, random_state=random)

    def run(self, game: str) -> Run:
        return lambda count: self.bot(game, count, solve=False).mcts_search(loaded(game).new_initial_state())

    def mind(self, game: str, seconds: float, seed: int) -> Mind:
        bot, pace = self.bot(game, 1, seed), Pace(seconds)

        def choose(state: Any) -> int:
            action: int = pace.search(lambda count: step(state, count))
            return action

        def step(state: Any, count: int) -> Any:
            bot.max_simulations = count
            return bot.step(state)

        pace.warm_up(lambda count: step(loaded(game).new_initial_state(), count))
        return OpenSpielMind(game, choose)


def cpp_playouts(game: str) -> Run:
    """Runs so many random games in C++.

    Python is not shown the evaluator's own method, but a search of one simulation judges the root by all of them.
    """
    spiel, start = needed("pyspiel"), loaded(game)

    def run(count: int) -> object:
        evaluator = spiel.RandomRolloutEvaluator(count, 1)
        bot = spiel.MCTSBot(start, evaluator, EXPLORATION, 1, 1000, False, 1, False)
        return bot.mcts_search(start.new_initial_state())

    return run
