"""The picture of a simulation: answers per second, and how wrong they are, by workers. Needs matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...report.numbers import short_count
from ..plotting import KINDS, require_matplotlib
from .report import Prediction, SimulationReport

BLUE, RED = "#0b6e99", "#c2410c"
STYLES: tuple[dict[str, Any], ...] = (
    {"color": BLUE},
    {"color": BLUE, "linestyle": (0, (4, 2)), "linewidth": 1.2},
    {"color": RED},
)
"""Of the ways to search, in their order."""
MEASURED = {"process": BLUE, "threaded": RED}
SHADES = ("#c9cdd2", "#a9afb7", "#7d848e", "#4b515a")
GREY = "#8a8f98"


def draw(report: SimulationReport) -> Any:
    """Speed-up to the left, error to the right: lines are the model's, dots were measured."""
    figure = require_matplotlib().Figure(figsize=(10.5, 4.2), layout="constrained")
    speed, error = figure.subplots(1, 2)
    _draw_speed(speed, report)
    _draw_error(error, report)
    for axes in (speed, error):
        axes.set_xlabel("workers")
        axes.xaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
        axes.grid(True, which="major", color="#e6e8eb", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
    figure.suptitle(
        f"{report.game}, a search of {report.search_seconds:g} s: lines are simulated, "
        f"dots measured on a machine with {report.costs.cores} processors",
        fontsize=11,
    )
    return figure


def _draw_speed(axes: Any, report: SimulationReport) -> None:
    counts = sorted({p.workers for p in report.predictions})
    axes.loglog(counts, counts, color=GREY, linestyle=":", linewidth=1, label="ideal")
    for (way, line), style in zip(_ways(report).items(), STYLES, strict=False):
        axes.loglog([p.workers for p in line], [p.speed_up for p in line], label=way, **style)
    for backend, colour in MEASURED.items():
        dots = [c for c in report.checks if c.backend == backend]
        workers = [c.workers for c in dots]
        here = [c.predicted_rate * report.costs.playout for c in dots]
        axes.loglog(workers, here, "o", color=colour, fillstyle="none", markersize=7, label=f"{backend}, simulated here")
        real = [c.measured_rate * report.costs.playout for c in dots]
        axes.loglog(workers, real, "o", color=colour, markersize=4, label=f"{backend}, measured")
    axes.set_ylabel("speed-up over one worker")
    axes.legend(frameon=False, fontsize=8)


def _draw_error(axes: Any, report: SimulationReport) -> None:
    for (way, line), style in zip(_ways(report).items(), STYLES, strict=False):
        known = [p for p in line if p.error]
        axes.loglog([p.workers for p in known], [p.error for p in known], label=way, **style)
    sizes = sorted({s.iterations for s in report.samples})
    for size, shade in zip(sizes, SHADES, strict=False):
        dots = [s for s in report.samples if s.iterations == size and s.mean_square > 0]
        label = f"{short_count(size)} playouts a worker, measured"
        axes.loglog([s.workers for s in dots], [s.error for s in dots], "o", color=shade, markersize=4, label=label)
    axes.set_ylabel(report.measure)
    axes.legend(frameon=False, fontsize=8)


def _ways(report: SimulationReport) -> dict[str, list[Prediction]]:
    """The predictions of each way to search."""
    ways: dict[str, list[Prediction]] = {}
    for prediction in report.predictions:
        ways.setdefault(prediction.way, []).append(prediction)
    return ways


def write_plots(base: str, report: SimulationReport) -> list[Path]:
    """`base.png` and `base.svg`."""
    figure, paths = draw(report), [Path(f"{base}.{kind}") for kind in KINDS]
    for path in paths:
        figure.savefig(path, dpi=150)
    return paths
