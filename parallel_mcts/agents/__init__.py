"""Players for matches and tournaments, one file for each kind; their names are in `parallel_mcts.registry.AGENTS`."""

from .base import Agent, Player, Resigned, Seat, TakeBack
from .file import File
from .human import Human
from .mcts import Mcts
from .simple import First, RandomMoves

__all__ = ["Agent", "File", "First", "Human", "Mcts", "Player", "RandomMoves", "Resigned", "Seat", "TakeBack"]
