"""Players for matches and tournaments, one file for each kind; their names are in `parallel_mcts.registry.AGENTS`."""

from .base import Agent, Player, Resigned, Seat, TakeBack
from .file import File
from .gomoku import Gomoku
from .human import Human
from .mcts import Mcts
from .minimax import AlphaBeta, Minimax, Smart
from .simple import First, RandomMoves
from .solver import Solver

__all__ = [
    "Agent",
    "AlphaBeta",
    "File",
    "First",
    "Gomoku",
    "Human",
    "Mcts",
    "Minimax",
    "Player",
    "RandomMoves",
    "Resigned",
    "Seat",
    "Smart",
    "Solver",
    "TakeBack",
]
