"""The page's section on convergence: value, entropy and exploitability, by time and by iterations. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import numbers
from .charts import Axis, Series, line_chart
from .markup import Markup, element, joined
from .recorder import Point
from .yardstick import Yardstick

BY_SECONDS = Axis("seconds", numbers.tick_text)
BY_ITERATIONS = Axis("iterations", numbers.short_count)


def convergence(points: Sequence[Point], measure: Yardstick | None, *, constant_sum: bool) -> Markup:
    """All charts twice, by time and by iterations; a pair of radio buttons says which are seen."""
    points = [point for point in points if point.row_value is not None and point.col_value is not None]
    if len(points) < 2:
        return element("p", "Too short a search to draw: fewer than two moments of it were recorded.", class_="note")
    switch = joined(_choice("seconds", "by seconds", checked=False), _choice("iterations", "by iterations", checked=True))
    return element(
        "div",
        element("fieldset", element("legend", "Along the bottom", class_="unseen"), switch, class_="switch"),
        _charts(points, measure, BY_SECONDS, lambda point: point.seconds, constant_sum),
        _charts(points, measure, BY_ITERATIONS, lambda point: point.iterations, constant_sum),
        class_="convergence",
    )


def _choice(value: str, words: str, *, checked: bool) -> Markup:
    button = element("input", type="radio", name="along", value=value, checked=checked)
    return element("label", button, words)


def _charts(
    points: Sequence[Point],
    measure: Yardstick | None,
    axis: Axis,
    along: Callable[[Point], float],
    constant_sum: bool,
) -> Markup:
    def series(name: str, style: str, up: Callable[[Point], float]) -> Series:
        return Series(name, style, [(along(point), up(point)) for point in points])

    values = [series("row", "row", lambda point: point.row_value or 0.0)]
    if not constant_sum:
        values.append(series("column", "col", lambda point: point.col_value or 0.0))
    mixing = []
    if len(points[-1].row) > 1:
        mixing.append(series("row", "row", lambda point: point.row_entropy))
    if len(points[-1].col) > 1:
        mixing.append(series("column", "col", lambda point: point.col_entropy))
    known = measure.value if measure is not None and constant_sum else None
    whose = "What the position is worth to row" if constant_sum else "What the position is worth to each player"
    charts = [line_chart("Value", f"{whose}, in payoff units.", values, axis, known=known)]
    if mixing:
        note = "How mixed each strategy is, in bits; 0 is a single action."
        charts.append(line_chart("Entropy", note, mixing, axis, zero=True))
    if measure is not None:
        gain = series("exploitability", "gap", lambda p: measure.exploitability(p.row, p.col))
        note = f"What a player could gain by leaving the strategies at the root ({measure.source})."
        charts.append(line_chart("Exploitability", note, [gain], axis, zero=True, log=True))
    whens = " ".join(f"{along(point):.6g}" for point in points)
    return element("div", *charts, class_=f"charts by-{axis.name}", data_along=whens, data_unit=axis.name)
