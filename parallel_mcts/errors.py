"""Every exception the package raises on purpose, in one tree under `ParallelMCTSError`.

Leaf module: everything may import it. Exceptions carry one message, so they cross process boundaries unharmed; facts a
program may want to read (a worker's number, a seed) are attributes beside it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ParallelMCTSError(Exception):
    """The root of the tree: catch it to catch all."""


class InputError(ParallelMCTSError, ValueError):
    """Something given to the library is not acceptable; the message says what, where and what is allowed."""


class UnknownName(InputError):
    """No game, algorithm, model, backend or agent of that name."""


class ParameterError(InputError):
    """A parameter that does not exist, or a value it cannot take."""


class BudgetError(InputError):
    """A search without a limit, or with one that is not positive."""


class IllegalAction(InputError):
    """An action that is not legal in the position."""


class TerminalRoot(InputError):
    """A search was asked for at a position where the game is over."""


class UnknownPosition(InputError):
    """A solved game was asked for a position it does not hold."""


class TooManyPositions(InputError):
    """A game has more positions than the caller allowed to be kept."""


class MovesRanOut(InputError):
    """A file of moves ended before the match did."""


class OpponentLeft(ParallelMCTSError):
    """The program on the other side of a contest went away before the game was over."""


class NotPicklable(InputError):
    """Something that has to travel to another process cannot."""


class NotCompilable(InputError):
    """A search was to be compiled, and cannot be; the message says which method, which line and why."""


class MissingDependency(ParallelMCTSError, ImportError):
    """An optional package is not installed; the message says which and how to get it."""


class SearchFailed(ParallelMCTSError):
    """The game, the model or the algorithm failed while the search ran.

    `worker` is the worker it happened in, `seed` the seed of the search, `details` the original traceback as text.
    """

    worker: int | None = None
    seed: int | None = None
    details: str = ""

    def __str__(self) -> str:
        place = "" if self.worker is None else f" [worker {self.worker}, seed {self.seed}]"
        return super().__str__() + place


class GameError(SearchFailed):
    """A game raised, or broke a rule of the `State` interface."""


class PayoffError(GameError):
    """A payoff or a model's value outside the declared range."""


class EndlessGame(GameError):
    """A random game did not end within the allowed number of moves."""


class ModelError(SearchFailed):
    """A model raised, or returned something that is not a value."""


class AlgorithmError(SearchFailed):
    """An algorithm raised, or chose an action that does not exist."""


class WorkerDied(SearchFailed):
    """A worker was lost, and so was every replacement tried."""


class CheckFailed(ParallelMCTSError, AssertionError):
    """A check of `parallel_mcts.testing` found something wrong."""


class ThreadsCannotRunInParallel(UserWarning):
    """Threads were asked for where the interpreter runs one at a time."""


class WorkerReplaced(UserWarning):
    """A worker died during a search; its published statistics were kept and the rest was done by another."""


def unknown_name(kind: str, name: str, choices: Iterable[str]) -> UnknownName:
    """The error for a name that is not registered, with the nearest one that is."""
    known = sorted(choices)
    return UnknownName(f"unknown {kind} {name!r}{did_you_mean(name, known)}; choose from: {', '.join(known)}")


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A question in brackets about the nearest of the known names; nothing where none is near."""
    near = difflib.get_close_matches(given, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
