"""Line charts as inline SVG: axes, a few ticks, a line for each series, a legend where there is more than one.

Made for small multiples: a chart is drawn for a width of about 360 pixels, so that its letters stay readable both three
to a row on a desk and alone on a phone. The page's script adds a readout under the pointer. Pure functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10

from . import numbers
from .markup import Markup, element, joined

WIDTH, HEIGHT = 360.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 10.0, 38.0
LOG_SPAN = 30.0
"""A scale is logarithmic where its largest number is so many times the smallest."""


@dataclass(frozen=True)
class Series:
    """A line: its name, the CSS class that colours it, and its points."""

    name: str
    style: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Scale:
    """Numbers from `low` to `high`, spread over pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high = self._measure(self.low), self._measure(self.high)
        part = (self._measure(value) - low) / (high - low) if high > low else 0.5
        return round(self.start + part * (self.end - self.start), 2)

    def _measure(self, value: float) -> float:
        return log10(value) if self.log else value

    def ticks(self) -> list[float]:
        ticks = numbers.log_ticks(self.low, self.high) if self.log else []
        return ticks if len(ticks) > 1 else numbers.linear_ticks(self.low, self.high)


@dataclass(frozen=True)
class Axis:
    """What is along the bottom: its name, and a number of it in words."""

    name: str
    text: Callable[[float], str]


def scale_for(values: Sequence[float], start: float, end: float, *, zero: bool = False, log: bool = True) -> Scale:
    """A scale that holds all values with a little air; `zero` keeps zero in sight where the scale is not logarithmic."""
    low, high = min(values), max(values)
    if log and low > 0 and high / low >= LOG_SPAN:
        return Scale(low, high, start, end, log=True)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    air = 0.06 * (high - low) or 0.05 * abs(high) or 0.5
    bottom = low if zero and low == 0 else low - air
    return Scale(bottom, high + air, start, end)


def line_chart(
    title: str,
    note: str,
    series: Sequence[Series],
    axis: Axis,
    *,
    zero: bool = False,
    log: bool = False,
    known: float | None = None,
    known_name: str = "solved",
    told: Callable[[float], str] = numbers.payoff,
) -> Markup:
    """A figure. `zero` keeps zero in sight, `log` allows a logarithmic scale, `known` is a dashed line across.

    `told` says a number in words, or rather in a word.
    """
    xs = [x for line in series for x, _ in line.points]
    ys = [y for line in series for _, y in line.points] + ([] if known is None else [known])
    across = _tight(scale_for(xs, LEFT, WIDTH - RIGHT))
    up = scale_for(ys, HEIGHT - BOTTOM, TOP, zero=zero, log=log)
    drawing = element(
        "svg",
        _rulers(up),
        _bottom(across, axis),
        _reference(up, known),
        *(_line(line, across, up, told) for line in series),
        element("line", class_="pointer", y1=TOP, y2=HEIGHT - BOTTOM, x1=0, x2=0, visibility="hidden"),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        aria_label=_spoken(title, series, axis, told),
    )
    caption = element("figcaption", element("h3", title), element("p", note, class_="note"))
    readout = element("p", _legend(series, known, known_name, told), class_="legend")
    return element("figure", caption, readout, drawing, class_="chart")


def _tight(scale: Scale) -> Scale:
    """Without air, from the first point to the last: time has no room before its beginning."""
    if scale.log:
        return scale
    air = 0.06 / 1.12 * (scale.high - scale.low)
    return Scale(scale.low + air, scale.high - air, scale.start, scale.end)


def _rulers(up: Scale) -> Markup:
    lines = []
    for tick in up.ticks():
        y = up.at(tick)
        lines.append(element("line", class_="ruler", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y))
        lines.append(element("text", numbers.tick_text(tick), class_="tick", x=LEFT - 6, y=y + 3.5, text_anchor="end"))
    return joined(*lines)


def _bottom(across: Scale, axis: Axis) -> Markup:
    base = HEIGHT - BOTTOM
    parts = [element("line", class_="axis", x1=LEFT, x2=WIDTH - RIGHT, y1=base, y2=base)]
    for tick in across.ticks():
        x = across.at(tick)
        anchor = "end" if x > WIDTH - RIGHT - 14 else "middle"
        parts.append(element("line", class_="axis", x1=x, x2=x, y1=base, y2=base + 4))
        parts.append(element("text", axis.text(tick), class_="tick", x=x, y=base + 16, text_anchor=anchor))
    middle = (LEFT + WIDTH - RIGHT) / 2
    name = axis.name + (", logarithmic" if across.log else "")
    parts.append(element("text", name, class_="name", x=middle, y=HEIGHT - 5, text_anchor="middle"))
    return joined(*parts)


def _reference(up: Scale, known: float | None) -> Markup:
    if known is None:
        return Markup("")
    return element("line", class_="known", x1=LEFT, x2=WIDTH - RIGHT, y1=up.at(known), y2=up.at(known))


def _line(line: Series, across: Scale, up: Scale, told: Callable[[float], str]) -> Markup:
    spots = [(across.at(x), up.at(max(y, up.low))) for x, y in line.points]
    words = [told(y) for _, y in line.points]
    end = spots[-1]
    return joined(
        element(
            "polyline",
            class_=f"line {line.style}",
            points=" ".join(f"{x:g},{y:g}" for x, y in spots),
            data_values=" ".join(words),
        ),
        element("circle", class_=f"dot {line.style}", cx=end[0], cy=end[1], r=3),
    )


def _legend(series: Sequence[Series], known: float | None, known_name: str, told: Callable[[float], str]) -> Markup:
    keys = [
        element(
            "span",
            element("i", class_=f"key {line.style}"),
            element("span", line.name, class_="series"),
            " ",
            element("b", told(line.points[-1][1])),
            class_="entry",
        )
        for line in series
    ]
    if known is not None:
        keys.append(element("span", element("i", class_="key known"), f"{known_name} {told(known)}", class_="entry"))
    return joined(*keys, element("span", class_="when"))


def _spoken(title: str, series: Sequence[Series], axis: Axis, told: Callable[[float], str]) -> str:
    """The chart for those who cannot see it."""
    parts = [f"{line.name} from {told(line.points[0][1])} to {told(line.points[-1][1])}" for line in series]
    return f"{title} by {axis.name}: {'; '.join(parts)}."
