"""Exact solving: whole games, best responses, alpha-beta for both kinds of games, and matrix games in fractions."""

from .exact import solve
from .solution import SolvedGame, SolvedPosition

__all__ = ["SolvedGame", "SolvedPosition", "solve"]
