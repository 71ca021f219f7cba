"""Exact solving: whole games, best responses, alpha-beta for games of turns, and matrix games in fractions."""

from .exact import solve
from .minimax import MinimaxResult, minimax
from .response import BestResponse, best_response, exploitability, nash_conv
from .solution import SolvedGame, SolvedPosition

__all__ = [
    "BestResponse",
    "MinimaxResult",
    "SolvedGame",
    "SolvedPosition",
    "best_response",
    "exploitability",
    "minimax",
    "nash_conv",
    "solve",
]
