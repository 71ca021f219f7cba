"""Monte-Carlo tree search in Python, sound and parallel: for games where players move at once, in turn, or with chance.

    from parallel_mcts import game, search
    print(search(game("goofspiel", cards=4), iterations=10_000, backend="process"))

Everything a user needs is here; the conformance kit for authors is in `parallel_mcts.testing`.
"""

from .algorithms import PUCT, UCB, Algorithm, Exp3, Exp3P, MatrixUCB, RegretMatching, Uniform
from .backends import Forest, Inline, Pool, Process, Single, Threaded
from .budget import Budget
from .errors import (
    AlgorithmError,
    BudgetError,
    CheckFailed,
    EndlessGame,
    GameError,
    IllegalAction,
    InputError,
    MissingDependency,
    ModelError,
    MovesRanOut,
    NotCompilable,
    NotPicklable,
    ParallelMCTSError,
    ParameterError,
    PayoffError,
    SearchFailed,
    TerminalRoot,
    ThreadsCannotRunInParallel,
    UnknownName,
    WorkerDied,
    WorkerReplaced,
)
from .match import Results, match, run_match
from .models import Heuristic, Rollout, Solved, SolvedMonteCarlo
from .models.searching import Searching
from .ratings import Sprt
from .registry import game, register
from .results import Move, NodeView, Progress, SearchResult, Strategy
from .search import Search, search
from .state import Solution, State, TurnState, replaced
from .stats import PerCell, PerCol, PerNode, PerRow, scratch, scratch_cells, starts_at
from .tournament import Standings, tournament

__all__ = [
    "PUCT",
    "UCB",
    "Algorithm",
    "AlgorithmError",
    "Budget",
    "BudgetError",
    "CheckFailed",
    "EndlessGame",
    "Exp3",
    "Exp3P",
    "Forest",
    "GameError",
    "Heuristic",
    "IllegalAction",
    "Inline",
    "InputError",
    "MatrixUCB",
    "MissingDependency",
    "ModelError",
    "Move",
    "MovesRanOut",
    "NodeView",
    "NotCompilable",
    "NotPicklable",
    "ParallelMCTSError",
    "ParameterError",
    "PayoffError",
    "PerCell",
    "PerCol",
    "PerNode",
    "PerRow",
    "Pool",
    "Process",
    "Progress",
    "RegretMatching",
    "Results",
    "Rollout",
    "Search",
    "SearchFailed",
    "SearchResult",
    "Searching",
    "Single",
    "Solution",
    "Solved",
    "SolvedMonteCarlo",
    "Sprt",
    "Standings",
    "State",
    "Strategy",
    "TerminalRoot",
    "Threaded",
    "ThreadsCannotRunInParallel",
    "TurnState",
    "Uniform",
    "UnknownName",
    "WorkerDied",
    "WorkerReplaced",
    "game",
    "match",
    "register",
    "replaced",
    "run_match",
    "scratch",
    "scratch_cells",
    "search",
    "starts_at",
    "tournament",
]
__version__ = "0.1.0"
