"""Algorithms: what each player does at a node, and what it learns. One file each.

An algorithm is a frozen value: a named tuple of parameters with

    class Stats                     the numbers it keeps at a node, declared by shape (see `stats.py`)
    select(node, rng)               -> (i, j, p, q): the joint action, and the probability of each half
    update(node, action, value)     learns what it led to, once that is known: value = (row, column), each in [0, 1]
    strategies(node)                -> (row, column): what to play, at the end
    merge(into, other)              where summing the statistics of two searches is not right
    validate()                      raises `ParameterError` for parameters that make no sense

It knows nothing of locks, threads or processes.
"""

from .base import Algorithm
from .exp3 import Exp3
from .exp3p import Exp3P
from .matrix_ucb import MatrixUCB
from .puct import PUCT
from .regret_matching import RegretMatching
from .ucb import UCB
from .uniform import Uniform

__all__ = ["PUCT", "UCB", "Algorithm", "Exp3", "Exp3P", "MatrixUCB", "RegretMatching", "Uniform"]
