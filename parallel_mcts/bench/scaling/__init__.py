"""How far a search scales on this machine, in iterations per second and in quality at equal wall time.

    from parallel_mcts.bench.scaling import measure_scaling

    report = measure_scaling("connect_four", backends=["process", "forest"], workers=[1, 2, 4], rounds=3)
    print(report)

`parallel-mcts bench scaling` is the same on the command line. The thread that measures comes here.
"""

from .figures import Cell, Quality, Round, ScalingReport, Trial
from .page import figures_of, write_page
from .plan import Plan, Setting, plan_for
from .plots import write_plots
from .running import ScalingProgress, measure_scaling

__all__ = [
    "Cell",
    "Plan",
    "Quality",
    "Round",
    "ScalingProgress",
    "ScalingReport",
    "Setting",
    "Trial",
    "figures_of",
    "measure_scaling",
    "plan_for",
    "write_page",
    "write_plots",
]
