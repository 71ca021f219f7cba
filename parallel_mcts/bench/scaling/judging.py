"""How good the answers are at equal wall time, which iterations alone do not say: more trees are not a deeper tree.

A game that can be solved is judged by the exploitability of the strategies at its root, others by games against `single`
with the same time for a move, sides swapped, one game at a time so that nobody competes for processors. `running.py` asks;
the thread that measures comes here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ...agents.mcts import Mcts
from ...errors import GameError, InputError, SearchFailed
from ...match import Results, run_match
from ...report.yardstick import is_small
from ...solvers import solve
from ...state import IDLE
from ..conditions import Instruments
from .figures import BASE, Trial

PLAYER_OF = ("row", "col")


class Judge(Protocol):
    """Whoever says how good a setting is."""

    measure: str

    def judges(self, backend: str) -> bool:
        """Whether there is something to find out about a backend."""
        ...

    def trial(self, search: Search, seed: int) -> Trial: ...


@dataclass(frozen=True)
class Search:
    """A setting as a judge needs it: what a search is made with, and how it is opened with all its workers at the ready."""

    options: dict[str, Any]
    opened: Callable[[int], Any]


@dataclass(frozen=True)
class ByExploitability:
    """On the exact solution of the game."""

    solved: Any
    seconds: float
    instruments: Instruments
    measure: str = "exploitability"

    def judges(self, backend: str) -> bool:
        return True

    def trial(self, search: Search, seed: int) -> Trial:
        with search.opened(seed) as session:
            result, conditions = self.instruments.observing(lambda: session.run(seconds=self.seconds))
        if result.interrupted:
            raise KeyboardInterrupt
        return Trial(result.exploitability(self.solved), 0, result.iterations, result.seconds, conditions)


@dataclass(frozen=True)
class ByMatches:
    """Two games against `single`, one on each side."""

    start: Any
    seconds: float
    instruments: Instruments
    measure: str = "score"

    def judges(self, backend: str) -> bool:
        return backend != BASE  # which would score half against itself

    def trial(self, search: Search, seed: int) -> Trial:
        played, conditions = self.instruments.observing(lambda: self._both_games(search, seed))
        score = sum(_score(results, side) for side, results in enumerate(played)) / len(played)
        moves = sum(_moves(results, side) for side, results in enumerate(played))
        thought = sum(results.seconds[side] for side, results in enumerate(played))
        return Trial(score, len(played), None, thought / max(moves, 1), conditions)

    def _both_games(self, search: Search, seed: int) -> list[Results]:
        """The setting as row, then as column."""
        one = Mcts(**search.options, seconds=self.seconds)
        other = Mcts(**{**search.options, "backend": BASE, "workers": 1}, seconds=self.seconds)
        return [self._game(*pair, seed) for pair in ((one, other), (other, one))]

    def _game(self, row: Mcts, col: Mcts, seed: int) -> Results:
        results = run_match(self.start, row, col, seed=seed).results
        if results.forfeit:  # nobody loses by a rule here, so a search has failed
            raise SearchFailed(f"a game that was to tell how good the answers are broke off: {results.reason}")
        return results


def _score(results: Results, side: int) -> float:
    if results.winner is None:
        return 0.5
    return float(results.winner == PLAYER_OF[side])


def _moves(results: Results, side: int) -> int:
    """How often a player was asked."""
    own = [getattr(move, PLAYER_OF[side]) for move in results.moves]
    return sum(action != IDLE for action in own)


def judge_of(start: Any, seconds: float, solve_limit: int, instruments: Instruments) -> ByExploitability | ByMatches:
    """The judge that suits a game: exact, if all its positions can be listed and are not more than the limit."""
    solved = _solution(start, solve_limit)
    if solved is None:
        return ByMatches(start, seconds, instruments)
    return ByExploitability(solved, seconds, instruments)


def _solution(start: Any, limit: int) -> Any:
    if limit < 1 or not is_small(start, limit):
        return None
    try:
        return solve(start)
    except (InputError, GameError):  # such as a game whose positions can come again
        return None
