"""What a search would do on more workers than this machine has: a small discrete-event model, fed with measured costs.

`parallel-mcts bench simulate` calls `simulate`. The model itself is pure and repeatable; only `probing` and `checking` look
at a clock. One thread runs all of it.
"""

from .costs import Costs, Network
from .report import SimulationReport
from .running import simulate

__all__ = ["Costs", "Network", "SimulationReport", "simulate"]
