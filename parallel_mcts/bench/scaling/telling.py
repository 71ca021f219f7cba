"""A scaling report in words: tables for people, and one flat table for spreadsheets. Pure functions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...report.numbers import NOTHING, count, percent
from ...report.numbers import seconds as duration
from ..conditions import Conditions, mean_load, readings
from .figures import BASE, Cell, Quality, ScalingReport

BEYOND_CORES, SPOILED = "*", "!"
MOST_WARNINGS = 4
GAP, NAMES = 2, 2
MODE_WORDS = {
    "strong": "strong scaling: {iterations} iterations, shared by all workers",
    "weak": "weak scaling: {iterations} iterations for each worker",
}
SPEED_HEAD = (
    *("backend", "workers", "iterations/s", "±", "speed-up", "efficiency"),
    *("start-up", "first", "bytes/node", "load", "ping-pong"),
)


@dataclass(frozen=True)
class Table:
    """Lines of texts under a head. The first two columns name a figure, the last one holds marks."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    @property
    def widths(self) -> list[int]:
        return [max(map(len, column)) for column in zip(self.head, *self.lines, strict=True)]

    def pieces(self, width: int) -> list[Table]:
        """The table in as many as it takes for none to be wider; each has the names and the marks."""
        widths = [each + GAP for each in self.widths]
        ends = sum(widths[:NAMES]) + widths[-1]
        parts: list[list[int]] = [[]]
        for k in range(NAMES, len(widths) - 1):
            if parts[-1] and ends + sum(widths[j] for j in parts[-1]) + widths[k] > width:
                parts.append([])
            parts[-1].append(k)
        return [self._columns([*range(NAMES), *part, len(widths) - 1]) for part in parts]

    def _columns(self, chosen: Sequence[int]) -> Table:
        head, *lines = (tuple(line[k] for k in chosen) for line in (self.head, *self.lines))
        return Table(self.title, head, tuple(lines))

    def __str__(self) -> str:
        return "\n".join([self.title, *(_aligned(line, self.widths) for line in (self.head, *self.lines))])


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        text.rjust(width) if k else text.ljust(width) for k, (text, width) in enumerate(zip(line, widths, strict=True))
    ]
    return (" " * GAP).join(cells).rstrip()


def text(report: ScalingReport) -> str:
    """The whole report, for a pipe."""
    return "\n\n".join(["\n".join(heading(report)), *map(str, tables(report)), "\n".join(remarks(report))])


def heading(report: ScalingReport) -> list[str]:
    """What was measured, on what, and when."""
    cores = f"{report.cores} processors"
    if report.physical_cores is not None and report.physical_cores < report.cores:
        cores += f" on {report.physical_cores} cores"
    return [f"{report.game}, {report.model}, seed {report.seed}", f"{report.machine}; {cores}; {report.date}"]


def tables(report: ScalingReport) -> list[Table]:
    """Speed for each algorithm and mode, then quality for each algorithm."""
    speed = [
        speed_table(report, cells)
        for algorithm in report.algorithms
        for mode in report.modes
        if (cells := report.of(algorithm, mode))
    ]
    quality = [quality_table(report, cells) for algorithm in report.algorithms if (cells := report.judged(algorithm))]
    return speed + quality


# ---------------------------------------------------------------------------------------------- speed
def speed_table(report: ScalingReport, cells: Sequence[Cell]) -> Table:
    first = cells[0]
    per_mode = first.iterations if first.mode == "strong" else first.iterations // first.workers
    words = MODE_WORDS[first.mode].format(iterations=count(per_mode))
    title = f"{first.algorithm}, {first.engine}; {words}"
    return Table(title, (*SPEED_HEAD, ""), tuple(_speed_line(report, cell) for cell in cells))


def _speed_line(report: ScalingReport, cell: Cell) -> tuple[str, ...]:
    speed_up, efficiency = report.speed_up(cell), report.efficiency(cell)
    return (
        cell.backend,
        str(cell.workers),
        count(cell.rate),
        f"{cell.spread / 2:.0%}",
        NOTHING if speed_up is None else f"{speed_up:.2f} ×",
        NOTHING if efficiency is None else f"{efficiency:.0%}",
        duration(cell.start_up),
        duration(cell.first_start),
        count(cell.memory_per_node),
        *_control(cell.conditions),
        BEYOND_CORES * report.oversubscribed(cell) + SPOILED * bool(cell.warnings()),
    )


def _control(conditions: Iterable[Conditions]) -> tuple[str, str]:
    """The foreign load, and the quickest and the slowest hand-over of a cache line."""
    seen = list(conditions)
    spots = sorted(f"{seconds * 1e9:.0f}" for seconds in readings(seen))
    spots.sort(key=float)
    return percent(mean_load(seen)), f"{spots[0]}–{spots[-1]} ns" if spots else NOTHING


# ---------------------------------------------------------------------------------------------- quality
def quality_table(report: ScalingReport, cells: Sequence[Cell]) -> Table:
    measure = report.measure
    given = f"{report.quality_seconds:g} s"
    score = f"score of games against {BASE} at {given} a move, with the interval of 95%"
    exact = f"exploitability after {given}, median, least and most; the exact solution has {report.solved} positions"
    head = ("backend", "workers", str(measure), "from", "to", "games" if measure == "score" else "iterations")
    words = score if measure == "score" else exact
    lines = tuple(_quality_line(report, cell, cell.quality) for cell in cells if cell.quality is not None)
    return Table(f"{cells[0].algorithm}; {words}", (*head, "seconds", "load", "ping-pong", ""), lines)


def _quality_line(report: ScalingReport, cell: Cell, quality: Quality) -> tuple[str, ...]:
    low, high = quality.interval
    made = quality.games if quality.measure == "score" else quality.iterations
    return (
        cell.backend,
        str(cell.workers),
        *(worth(quality, each) for each in (quality.value, low, high)),
        count(made or 0),
        f"{quality.seconds:.3g}",
        *_control(quality.conditions),
        BEYOND_CORES * report.oversubscribed(cell) + SPOILED * bool(quality.warnings()),
    )


def worth(quality: Quality, value: float) -> str:
    """A figure of quality as people read it."""
    return percent(value) if quality.measure == "score" else f"{value:.2g}" if value < 0.001 else f"{value:.4f}"


# ---------------------------------------------------------------------------------------------- in sentences
def remarks(report: ScalingReport) -> list[str]:
    """What the figures say, what they mean, and what spoils them."""
    lines = [*findings(report), *report.notes]
    if any(report.oversubscribed(cell) for cell in report.cells):
        lines.append(f"{BEYOND_CORES} oversubscribed: more workers than the {report.cores} processors")
    if report.physical_cores is not None and report.physical_cores < report.cores:
        lines.append(f"beyond {report.physical_cores} workers, two share a core")
    spoiled = warnings(report)
    lines += spoiled[:MOST_WARNINGS]
    if len(spoiled) > MOST_WARNINGS:
        lines.append(f"{SPOILED} and {len(spoiled) - MOST_WARNINGS} more, at the figures marked {SPOILED}")
    if report.cells:
        lines.append(
            "start-up: until each worker has played once, with processes kept from before; first: without them. load: what "
            "other programs used. ping-pong: a cache line from core to core"
        )
    if report.interrupted:
        lines.append("interrupted: the figures so far" if report.cells else "interrupted before there was a figure")
    return lines


def warnings(report: ScalingReport) -> list[str]:
    """What spoils figures, each with the figure's name."""
    speed = [f"{SPOILED} {cell.algorithm}, {cell.name}, {cell.mode}: {w}" for cell in report.cells for w in cell.warnings()]
    judged = [cell for algorithm in report.algorithms for cell in report.judged(algorithm)]
    quality = [
        f"{SPOILED} {cell.algorithm}, {cell.name}, {cell.quality.measure}: {words}"
        for cell in judged
        if cell.quality is not None
        for words in cell.quality.warnings()
    ]
    return speed + quality


def findings(report: ScalingReport) -> list[str]:
    """For each algorithm, the fastest setting and the one with the best answers."""
    return [line for algorithm in report.algorithms for line in (*_fastest(report, algorithm), *_best(report, algorithm))]


def _fastest(report: ScalingReport, algorithm: str) -> Iterable[str]:
    for mode in report.modes:
        cells = [cell for cell in report.of(algorithm, mode) if report.speed_up(cell) is not None]
        if len(cells) > 1:
            fastest = max(cells, key=lambda cell: cell.rate)
            words = f"{fastest.name}, {report.speed_up(fastest):.2f} × {BASE}"
            yield f"{algorithm}, fastest ({mode}): {BASE if fastest.backend == BASE else words}{_doubt(fastest.warnings())}"


def _doubt(spoiled: Sequence[str]) -> str:
    return f", but {'; '.join(spoiled)}" if spoiled else ""


def _best(report: ScalingReport, algorithm: str) -> Iterable[str]:
    """The best answers at equal wall time, and whether they are certainly better than those of `single`."""
    judged = [(cell, cell.quality) for cell in report.judged(algorithm) if cell.quality is not None]
    if not judged:
        return
    if report.measure == "score":
        cell, quality = max(judged, key=lambda pair: pair[1].value)
        certain = quality.interval[0] > 0.5
        beside = f"against {BASE}"
    else:
        cell, quality = min(judged, key=lambda pair: pair[1].value)
        base = next((q for c, q in judged if c.backend == BASE), None)
        if base is None or cell.backend == BASE:
            words = f"{cell.name}, {quality.measure} {worth(quality, quality.value)}{_doubt(quality.warnings())}"
            yield f"{algorithm}, best answers at equal time: {words}"
            return
        certain = quality.interval[1] < base.interval[0]
        beside = f"beside {worth(base, base.value)} of {BASE}"
    doubt = _doubt(quality.warnings()) + ("" if certain else f"; not certain: it may be no better than {BASE}")
    yield (
        f"{algorithm}, best answers at equal time: {cell.name}, {quality.measure} "
        f"{worth(quality, quality.value)} {beside}{doubt}"
    )


# ---------------------------------------------------------------------------------------------- for spreadsheets
def as_csv(report: ScalingReport) -> str:
    """A line for each cell, with plain numbers; empty where nothing is known."""
    lines = [_flat(report, cell) for cell in report.cells]
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


OWN = (
    *("backend", "workers", "algorithm", "engine", "mode", "iterations", "seconds", "rate", "spread"),
    *(
        "start_up",
        "first_start",
        "nodes",
        "memory",
        "memory_per_node",
        "foreign_load",
        "ping_pong_before",
        "ping_pong_after",
    ),
)
OF_QUALITY = ("measure", "value", "low", "high", "games")
COLUMNS = ("game", *OWN, "speed_up", "efficiency", "oversubscribed", *OF_QUALITY, "warnings")


def _flat(report: ScalingReport, cell: Cell) -> dict[str, object]:
    quality = {} if cell.quality is None else cell.quality.to_dict()
    judged = {name: quality.get(name) for name in OF_QUALITY}
    own = {name: getattr(cell, name) for name in OWN}
    words = "; ".join([*cell.warnings(), *quality.get("warnings", [])])
    ratios = {"speed_up": report.speed_up(cell), "efficiency": report.efficiency(cell)}
    return {
        "game": report.game,
        **own,
        **ratios,
        "oversubscribed": report.oversubscribed(cell),
        **judged,
        "warnings": words,
    }
