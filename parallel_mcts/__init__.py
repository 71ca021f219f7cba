"""Monte-Carlo tree search in Python, sound and parallel: for games where players move at once, in turn, or with chance.

    from parallel_mcts import game, search
    print(search(game("goofspiel", cards=4), iterations=10_000, backend="process"))

Everything a user needs is here; the conformance kit for authors is in `parallel_mcts.testing`.
"""

from .algorithms import PUCT, UCB, Algorithm, Exp3, Exp3P, MatrixUCB, RegretMatching, Uniform
from .backends import Forest, Inline, Pool, Process, Single, Threaded
from .budget import Budget
from .checking import Checked, Found, Play, bfs_find, check_invariant, path_exists
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
    TooManyPositions,
    UnknownName,
    UnknownPosition,
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
from .solvers import (
    BestResponse,
    MinimaxResult,
    SolvedGame,
    SolvedPosition,
    best_response,
    exploitability,
    minimax,
    nash_conv,
    solve,
)
from .state import Solution, State, TurnState, replaced
from .stats import PerCell, PerCol, PerNode, PerRow, scratch, scratch_cells, starts_at
from .tournament import Standings, tournament

__all__ = [
    "PUCT",
    "UCB",
    "Algorithm",
    "AlgorithmError",
    "BestResponse",
    "Budget",
    "BudgetError",
    "CheckFailed",
    "Checked",
    "EndlessGame",
    "Exp3",
    "Exp3P",
    "Forest",
    "Found",
    "GameError",
    "Heuristic",
    "IllegalAction",
    "Inline",
    "InputError",
    "MatrixUCB",
    "MinimaxResult",
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
    "Play",
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
    "SolvedGame",
    "SolvedMonteCarlo",
    "SolvedPosition",
    "Sprt",
    "Standings",
    "State",
    "Strategy",
    "TerminalRoot",
    "Threaded",
    "ThreadsCannotRunInParallel",
    "TooManyPositions",
    "TurnState",
    "Uniform",
    "UnknownName",
    "UnknownPosition",
    "WorkerDied",
    "WorkerReplaced",
    "best_response",
    "bfs_find",
    "check_invariant",
    "exploitability",
    "game",
    "match",
    "minimax",
    "nash_conv",
    "path_exists",
    "register",
    "replaced",
    "run_match",
    "scratch",
    "scratch_cells",
    "search",
    "solve",
    "starts_at",
    "tournament",
]
__version__ = "0.1.0"
