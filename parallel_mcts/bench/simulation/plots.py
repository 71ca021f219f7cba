"""The picture of a simulation: answers per second, and how wrong they are, by workers. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import MissingDependency
from .report import SimulationReport

COLOURS = ("#0b6e99", "#5aa9c9", "#c2410c")
MEASURED = {"process": COLOURS[0], "threaded": COLOURS[2]}
FORMATS = ("png", "svg")
GREY = "#8a8f98"


def require_matplotlib() -> Any:
    """The part of matplotlib that draws without a screen."""
    try:
        import matplotlib.figure as figure
    except ImportError as error:
        raise MissingDependency("plots need matplotlib: pip install 'parallel-mcts[plot]'") from error
    return figure


def draw(report: SimulationReport) -> Any:
    """Speed-up to the left, error to the right: lines are the model's, dots were measured."""
    figure = require_matplotlib().Figure(figsize=(10.5, 4.2), layout="constrained")
    speed, error = figure.subplots(1, 2)
    _draw_speed(speed, report)
    _draw_error(error, report)
    for axes in (speed, error):
        axes.set_xlabel("workers")
        axes.grid(True, which="major", color="#e6e8eb", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
    figure.suptitle(
        f"{report.game}, a search of {report.search_seconds:g} s: lines are simulated, "
        f"dots measured on {report.costs.cores} processors",
        fontsize=11,
    )
    return figure


def _draw_speed(axes: Any, report: SimulationReport) -> None:
    counts = sorted({p.workers for p in report.predictions})
    axes.loglog(counts, counts, color=GREY, linestyle=":", linewidth=1, label="ideal")
    for way, colour in zip(_ways(report), COLOURS, strict=False):
        line = [p for p in report.predictions if p.way == way]
        axes.loglog([p.workers for p in line], [p.speed_up for p in line], color=colour, label=way)
    for backend, colour in MEASURED.items():
        dots = [c for c in report.checks if c.backend == backend]
        rates = [c.measured_rate * report.costs.playout for c in dots]
        axes.loglog([c.workers for c in dots], rates, "o", color=colour, markersize=4, label=f"{backend}, measured")
    axes.set_ylabel("speed-up over one worker")
    axes.legend(frameon=False, fontsize=8)


def _draw_error(axes: Any, report: SimulationReport) -> None:
    for way, colour in zip(_ways(report), COLOURS, strict=False):
        line = [p for p in report.predictions if p.way == way and p.error]
        axes.loglog([p.workers for p in line], [p.error for p in line], color=colour, label=way)
    most = max((s.iterations for s in report.samples), default=0)
    dots = [s for s in report.samples if s.iterations == most and s.mean_square > 0]
    label = f"{most:,} playouts a worker, measured"
    axes.loglog([s.workers for s in dots], [s.error for s in dots], "o", color=GREY, markersize=4, label=label)
    axes.set_ylabel(report.measure)
    axes.legend(frameon=False, fontsize=8)


def _ways(report: SimulationReport) -> list[str]:
    return list(dict.fromkeys(p.way for p in report.predictions))


def write_plots(base: str, report: SimulationReport) -> list[Path]:
    """`base.png` and `base.svg`."""
    figure, paths = draw(report), [Path(f"{base}.{kind}") for kind in FORMATS]
    for path in paths:
        figure.savefig(path, dpi=150)
    return paths
