"""Models judge a position: by playing it out, by a function, by knowing the answer, or by searching.

`base.py` says what a model is. The descent calls one outside every lock.
"""

from .base import Model, PolicyModel
from .heuristic import Heuristic
from .rollout import Rollout
from .solved import Solved, SolvedMonteCarlo

__all__ = ["Heuristic", "Model", "PolicyModel", "Rollout", "Solved", "SolvedMonteCarlo"]
