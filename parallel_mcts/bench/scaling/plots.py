"""Plots of a scaling report as PNG and SVG: speed-up beside the ideal, iterations per second, quality by workers.

matplotlib is loaded when something is drawn. `write_plots` needs no screen and leaves matplotlib's own state alone.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...report.numbers import short_count
from ..plotting import KINDS, require_matplotlib
from .figures import BASE, Cell, Quality, ScalingReport
from .telling import warnings

COLOURS = ("#2a78d6", "#d9622b", "#2f8f5b", "#5b4bb8", "#b8860b", "#a03060")
INK, QUIET, RULE, PAPER = "#1c1c1a", "#63625c", "#e3e2da", "#ffffff"
MOST_ACROSS = 9
PANEL_WIDTH, PANEL_HEIGHT, HEAD = 4.4, 3.5, 0.85
"""Inches; the head holds the title and the legend."""
LINES: dict[str, Any] = {"strong": "-", "weak": (0, (4, 2))}
MARKS = {"strong": "o", "weak": "s"}
SMOOTH = 40
AIR = 0.035
"""How far apart backends are drawn at the same number of workers, so that their error bars can be told apart."""


def write_plots(report: ScalingReport, base: str | os.PathLike[str]) -> list[Path]:
    """Writes `base`.png and `base`.svg; returns their paths."""
    drawing = figure(report)
    paths = [Path(f"{os.fspath(base)}.{kind}") for kind in KINDS]
    for path in paths:
        drawing.savefig(path, dpi=150, facecolor=PAPER, metadata={"Date": None} if path.suffix == ".svg" else {})
    return paths


def figure(report: ScalingReport) -> Any:
    """The drawing: a row of panels for each algorithm."""

    rows, across = max(1, len(report.algorithms)), 3 if report.measure else 2
    drawing = require_matplotlib().Figure(figsize=(PANEL_WIDTH * across, PANEL_HEIGHT * rows + HEAD), facecolor=PAPER)
    grid = drawing.subplots(rows, across, squeeze=False)
    for algorithm, panels in zip(report.algorithms, grid, strict=False):
        _speed_up(panels[0], report, algorithm)
        _rates(panels[1], report, algorithm)
        if report.measure:
            _quality(panels[2], report, algorithm)
    _finish(drawing, report)
    return drawing


# ---------------------------------------------------------------------------------------------- panels
def _speed_up(panel: Any, report: ScalingReport, algorithm: str) -> None:
    _prepare(panel, report, f"{algorithm}: speed-up beside {BASE}")
    most = max(report.workers, default=1)
    steps = [most ** (k / SMOOTH) for k in range(SMOOTH + 1)]  # a straight line is none where workers are logarithmic
    panel.plot(steps, steps, color=QUIET, linewidth=1, linestyle=":", label="ideal")
    highest = 1.0
    for cells, style in _lines(report, algorithm):
        base = report.base(cells[0])
        if base is None:
            continue
        points = [[rate / base.rate for rate in cell.rates] for cell in cells]
        _draw(panel, report, cells, [cell.rate / base.rate for cell in cells], _extremes(points), style)
        highest = max(highest, *(max(each) for each in points))
    panel.set_ylim(0, 1.08 * max(highest, min(most, report.cores)))  # beyond the processors the ideal is out of reach


def _rates(panel: Any, report: ScalingReport, algorithm: str) -> None:
    _prepare(panel, report, "iterations per second")
    for cells, style in _lines(report, algorithm, base=True):
        _draw(panel, report, cells, [cell.rate for cell in cells], _extremes([cell.rates for cell in cells]), style)
    panel.set_ylim(bottom=0)
    panel.yaxis.set_major_formatter(lambda value, _: short_count(value))


def _quality(panel: Any, report: ScalingReport, algorithm: str) -> None:
    """Error bars are the extremes of all trials, or the interval of the score."""
    measure, given = str(report.measure), f"{report.quality_seconds:g} s"
    words = f"score against {BASE}, {given} a move" if measure == "score" else f"exploitability after {given}"
    _prepare(panel, report, words)
    judged = report.judged(algorithm)
    for k, backend in enumerate(_backends(report)):
        cells = [cell for cell in judged if cell.backend == backend]
        found = [cell.quality for cell in cells if cell.quality is not None]
        if found:
            style = {"color": _colour(report, backend), "marker": "o", "linestyle": "-", "label": backend}
            _draw(panel, report, cells, [q.value for q in found], [q.interval for q in found], style, shift=k)
    if measure == "score":
        panel.axhline(0.5, color=QUIET, linewidth=1, linestyle=":")
        panel.set_ylim(-0.04, 1.04)
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    else:
        _base_band(panel, judged)
        panel.set_ylim(bottom=0)


def _base_band(panel: Any, judged: Sequence[Cell]) -> None:
    """A line across at what `single` reaches, since it has one worker only."""
    base: Quality | None = next((cell.quality for cell in judged if cell.backend == BASE), None)
    if base is not None:
        panel.axhline(base.value, color=QUIET, linewidth=1, linestyle=":")


def _lines(report: ScalingReport, algorithm: str, *, base: bool = False) -> list[tuple[list[Cell], dict[str, Any]]]:
    """The cells of each backend in each mode, and how they are drawn; those of `single` where asked for."""
    found = []
    for mode in report.modes:
        for backend in _backends(report):
            cells = [cell for cell in report.of(algorithm, mode) if cell.backend == backend]
            if cells and (base or backend != BASE):
                label = f"{backend}, {mode}"
                style = {"color": _colour(report, backend), "linestyle": LINES[mode], "marker": MARKS[mode], "label": label}
                found.append((cells, style))
    return found


def _draw(
    panel: Any,
    report: ScalingReport,
    cells: Sequence[Cell],
    heights: Sequence[float],
    reaches: Sequence[tuple[float, float]],
    style: dict[str, Any],
    shift: int | None = None,
) -> None:
    """A line with error bars from the lowest to the highest; hollow points are oversubscribed."""
    k = _backends(report).index(cells[0].backend) if shift is None else shift
    middle = (len(_backends(report)) - 1) / 2
    xs = [cell.workers * (1 + AIR * (k - middle)) for cell in cells]
    below = [max(0.0, height - low) for height, (low, _) in zip(heights, reaches, strict=True)]
    above = [max(0.0, high - height) for height, (_, high) in zip(heights, reaches, strict=True)]
    panel.errorbar(xs, heights, yerr=[below, above], capsize=2.5, elinewidth=1, linewidth=1.7, markersize=5, **style)
    hollow = [(x, height) for x, height, cell in zip(xs, heights, cells, strict=True) if report.oversubscribed(cell)]
    if hollow:
        across, up = zip(*hollow, strict=True)
        marks = {"marker": style["marker"], "markersize": 5, "markeredgecolor": style["color"]}
        panel.plot(across, up, linestyle="none", markerfacecolor=PAPER, zorder=5, **marks)


def _extremes(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    return [(min(each), max(each)) for each in points]


def _backends(report: ScalingReport) -> list[str]:
    return list(dict.fromkeys(cell.backend for cell in report.cells))


def _colour(report: ScalingReport, backend: str) -> str:
    others = [name for name in _backends(report) if name != BASE]
    return QUIET if backend == BASE else COLOURS[others.index(backend) % len(COLOURS)]


# ---------------------------------------------------------------------------------------------- around the panels
def _prepare(panel: Any, report: ScalingReport, title: str) -> None:
    panel.set_title(title, fontsize=10.5, loc="left", color=INK)
    panel.set_xscale("log", base=2)
    panel.set_xticks(report.workers, [str(n) for n in report.workers])
    panel.minorticks_off()
    panel.set_xlim(0.8 * min(report.workers, default=1), 1.25 * max(report.workers, default=1))
    panel.set_xlabel("workers", fontsize=9, color=QUIET)
    panel.grid(axis="y", color=RULE, linewidth=0.8)
    panel.set_axisbelow(True)
    panel.tick_params(colors=QUIET, labelsize=9, length=3)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        panel.spines[side].set_color(RULE)
    if max(report.workers, default=1) > report.cores:
        panel.axvspan(report.cores * 1.19, 1.25 * max(report.workers), color=RULE, alpha=0.35, linewidth=0)


def _finish(drawing: Any, report: ScalingReport) -> None:
    """Title, legend, and a line that says what the signs mean."""
    height = drawing.get_figheight()
    drawing.suptitle(f"Scaling of {report.game}", x=0.012, y=1 - 0.12 / height, ha="left", va="top", fontsize=13)
    below = f"{report.machine}; {report.date}. Medians, with the lowest and the highest"
    below += "; scores with their interval of 95%" if report.measure == "score" else ""
    below += "; hollow: more workers than processors." if any(map(report.oversubscribed, report.cells)) else "."
    below += " Measured on a busy machine." if warnings(report) else ""
    drawing.text(0.012, 0.08 / height, below, fontsize=8, color=QUIET, va="bottom")
    handles = _legend(report)
    across = min(len(handles), MOST_ACROSS)
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (0.004, 1 - 0.36 / height), "ncols": across}
    drawing.legend(handles=handles, frameon=False, fontsize=9, **place)
    lines = -(-len(handles) // across)
    drawing.tight_layout(rect=(0, 0.25 / height, 1, 1 - (0.35 + 0.2 * lines) / height))


def _legend(report: ScalingReport) -> list[Any]:
    """Colours for backends; with two modes, how the lines of each are drawn."""
    from matplotlib.lines import Line2D

    backends = [
        Line2D([], [], color=_colour(report, name), marker="o", markersize=5, linewidth=1.7, label=name)
        for name in _backends(report)
    ]
    modes = [
        Line2D(
            [],
            [],
            color=INK,
            linestyle=LINES[mode],
            marker=MARKS[mode],
            markersize=5,
            linewidth=1.2,
            label=f"{mode} scaling",
        )
        for mode in report.modes
    ]
    ideal = Line2D([], [], color=QUIET, linestyle=":", linewidth=1, label=f"ideal, or {BASE}")
    return [*backends, *(modes if len(modes) > 1 else []), ideal]
