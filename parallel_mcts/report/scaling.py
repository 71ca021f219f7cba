"""The section on how a search scales, and a page that has it alone: charts by workers, tables, what they say.

Takes plain figures, made by `parallel_mcts.bench.scaling`; knows nothing of how they were measured. Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import numbers
from .charts import Axis, Series, line_chart
from .document import document, footer, section, tile
from .markup import Markup, element, joined

HUES = 6
"""So many colours are told apart; after that they begin anew."""


@dataclass(frozen=True)
class Line:
    """The figures of a backend, one for each number of workers."""

    name: str
    figures: tuple[float, ...]


@dataclass(frozen=True)
class Chart:
    """Figures by workers: a line for each backend. `base` is what `single` reaches; `ideal` adds the full speed-up."""

    title: str
    note: str
    lines: tuple[Line, ...]
    base: float | None = None
    ideal: bool = False
    kind: str = "figure"
    """How numbers are told: "figure", "percent" or "small"."""


@dataclass(frozen=True)
class Panel:
    """What belongs to one algorithm."""

    title: str
    workers: tuple[int, ...]
    charts: tuple[Chart, ...]


@dataclass(frozen=True)
class FigureTable:
    """Lines of texts under a head; the first column holds names."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Scaling:
    """All that is shown. `tiles` are the few figures at the top of a page: a name, a figure, a note."""

    game: str
    how: tuple[str, ...]
    tiles: tuple[tuple[str, str, str], ...]
    panels: tuple[Panel, ...]
    tables: tuple[FigureTable, ...]
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]


def scaling_page(scaling: Scaling) -> str:
    """A page of the section alone."""
    lead = [element("h1", scaling.game), *(element("p", words, class_="how") for words in scaling.how)]
    tiles = element("dl", *(tile(*each) for each in scaling.tiles), class_="tiles")
    heading = element("header", *lead, tiles, class_="top")
    return document(f"Scaling of {scaling.game}", joined(heading, element("main", scaling_section(scaling)), footer()))


def scaling_section(scaling: Scaling) -> Markup:
    """The section, for a page of a search as well."""
    remarks = element("ul", *(element("li", words, class_="note") for words in scaling.remarks), class_="remarks")
    warnings = [element("p", words, class_="warning", role="note") for words in scaling.warnings]
    panels = [_panel(panel) for panel in scaling.panels]
    return section("Scaling", remarks, *warnings, *panels, *map(_table, scaling.tables))


def _panel(panel: Panel) -> Markup:
    charts = [_chart(chart, panel.workers) for chart in panel.charts]
    along = " ".join(map(str, panel.workers))
    return joined(
        element("h3", panel.title),
        element("div", *charts, class_="charts", data_along=along, data_unit="workers"),
    )


def _chart(chart: Chart, workers: Sequence[int]) -> Markup:
    lines = [_series(k, line, workers) for k, line in enumerate(chart.lines)]
    if chart.ideal:
        lines.append(Series("ideal", "ideal", [(float(n), float(n)) for n in workers]))
    told = {"figure": numbers.payoff, "percent": numbers.percent, "small": _small}[chart.kind]
    axis = Axis("workers", _whole)
    return line_chart(chart.title, chart.note, lines, axis, zero=True, known=chart.base, known_name="single", told=told)


def _series(k: int, line: Line, workers: Sequence[int]) -> Series:
    return Series(line.name, f"hue-{k % HUES}", [(float(n), y) for n, y in zip(workers, line.figures, strict=True)])


def _whole(value: float) -> str:
    """There are no half workers."""
    return f"{value:.0f}" if float(value).is_integer() else ""


def _small(value: float) -> str:
    return f"{value:.2g}" if 0 < value < 0.001 else numbers.payoff(value)


def _table(table: FigureTable) -> Markup:
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in table.head)))
    lines = [
        element("tr", element("th", name, scope="row"), *(element("td", figure) for figure in figures))
        for name, *figures in table.lines
    ]
    drawn = element("div", element("table", head, element("tbody", *lines)), class_="scroll")
    return element("article", element("h3", table.title), drawn, class_="measured")
