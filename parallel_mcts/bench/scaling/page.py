"""A scaling report as the figures of an HTML page or of a section of one. Pure functions, but for `write_page`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ...report.numbers import count
from ...report.numbers import seconds as duration
from ...report.scaling import Chart, FigureTable, Line, Panel, Scaling, scaling_page
from . import telling
from .figures import BASE, Cell, ScalingReport

MODE_NOTES = {"strong": "the same iterations, shared by all workers", "weak": "the same iterations for each worker"}


def write_page(report: ScalingReport, path: str | os.PathLike[str]) -> None:
    """Writes the report as one HTML page that needs no network."""
    Path(path).write_text(scaling_page(figures_of(report)), encoding="utf-8")


def figures_of(report: ScalingReport) -> Scaling:
    """What `write_html(…, scaling=…)` of a search shows in its section on scaling."""
    spoiled = telling.warnings(report)
    return Scaling(
        game=report.game,
        how=tuple(telling.heading(report)),
        tiles=tuple(_tiles(report)),
        panels=tuple(_panel(report, algorithm) for algorithm in report.algorithms),
        tables=tuple(FigureTable(table.title, table.head, table.lines) for table in telling.tables(report)),
        remarks=tuple(words for words in telling.remarks(report) if not words.startswith(telling.SPOILED)),
        warnings=(f"{len(spoiled)} warnings; the first: {spoiled[0]}",) if spoiled else (),
    )


def _tiles(report: ScalingReport) -> list[tuple[str, str, str]]:
    """`single`, and the fastest of the settings in each mode, for the first algorithm."""
    found: list[tuple[str, str, str]] = []
    for mode in report.modes:
        cells = report.of(report.algorithms[0], mode)
        base = report.base(cells[0])
        if base is None:
            continue
        if not found:
            found.append((f"{BASE}, {base.engine}", count(base.rate), "iterations per second"))
        fastest = max(cells, key=lambda cell: cell.rate)
        found.append((f"Fastest, {mode}", f"{fastest.rate / base.rate:.2f} ×", fastest.name))
        if len(found) == 2:
            found.append(("Start-up", duration(fastest.start_up), f"first {duration(fastest.first_start)}"))
    return found


# ---------------------------------------------------------------------------------------------- charts
def _panel(report: ScalingReport, algorithm: str) -> Panel:
    """Charts of the backends that were measured with every number of workers."""
    charts: list[Chart] = []
    for mode in report.modes:
        backends = _whole_lines(report, report.of(algorithm, mode))
        if backends:
            charts += _speed_charts(report, mode, backends)
    judged = _whole_lines(report, report.judged(algorithm))
    if judged:
        charts.append(_quality_chart(report, algorithm, judged))
    return Panel(algorithm, tuple(report.workers), tuple(charts))


def _whole_lines(report: ScalingReport, cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each backend that has one for every number of workers."""
    names = dict.fromkeys(cell.backend for cell in cells)
    lines = {name: [cell for cell in cells if cell.backend == name] for name in names}
    return {name: line for name, line in lines.items() if [cell.workers for cell in line] == report.workers}


def _speed_charts(report: ScalingReport, mode: str, backends: dict[str, list[Cell]]) -> list[Chart]:
    base = report.base(next(iter(backends.values()))[0])
    rates = {name: [cell.rate for cell in cells] for name, cells in backends.items()}
    note = f"{mode} scaling: {MODE_NOTES[mode]}"
    by_rate = Chart(f"Iterations per second, {mode}", f"{note}.", _lines(rates), None if base is None else base.rate)
    if base is None:
        return [by_rate]
    ratios = {name: [rate / base.rate for rate in each] for name, each in rates.items()}
    return [Chart(f"Speed-up, {mode}", f"Beside {BASE}; {note}.", _lines(ratios), ideal=True), by_rate]


def _quality_chart(report: ScalingReport, algorithm: str, backends: dict[str, list[Cell]]) -> Chart:
    values = {name: [c.quality.value for c in cells if c.quality is not None] for name, cells in backends.items()}
    if report.measure == "score":
        note = f"Of games against {BASE}, {report.quality_seconds:g} s a move; half is even."
        return Chart("Score at equal time", note, _lines(values), 0.5, kind="percent")
    own = [c.quality.value for c in report.judged(algorithm) if c.backend == BASE and c.quality is not None]
    note = f"What a player could gain by leaving the strategies found in {report.quality_seconds:g} s."
    return Chart("Exploitability at equal time", note, _lines(values), own[0] if own else None, kind="small")


def _lines(figures: dict[str, list[float]]) -> tuple[Line, ...]:
    return tuple(Line(name, tuple(each)) for name, each in figures.items())
