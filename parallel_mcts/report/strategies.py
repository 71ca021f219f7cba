"""Strategies as bars: the tables of both players at the root, the small bars at the nodes of the tree. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..results import ActionReport, SearchResult, Strategy
from ..state import IDLE, Label
from . import numbers
from .markup import Markup, element, joined

SHOWN = 14
"""A player with more actions than this sees the likeliest first, and the rest on request."""

SHOWN_AT_NODES = 5
NAMES = {"row": "Row", "col": "Column"}


def both_strategies(result: SearchResult) -> Markup:
    return element(
        "div",
        _player("row", result.row_actions, result.row_value),
        _player("col", result.col_actions, result.col_value),
        class_="players",
    )


def _player(who: str, reports: Sequence[ActionReport], value: float | None) -> Markup:
    heading = element("h3", element("i", class_=f"key {who}"), NAMES[who])
    worth = element("span", f"value {numbers.payoff(value)}", class_="note")
    title = element("header", heading, worth)
    if len(reports) == 1:
        return element("article", title, _only(reports[0].action), class_="idle")
    if len(reports) <= SHOWN:
        return element("article", title, _table(who, reports))
    likely = sorted(reports, key=lambda report: (-report.probability, -report.visits))
    rest = likely[SHOWN:]
    more = element("details", element("summary", f"{len(rest)} more actions"), _table(who, rest))
    return element("article", title, _table(who, likely[:SHOWN]), more)


def _only(action: Label) -> Markup:
    if action == IDLE:
        return element("p", "Waits: no choice in this position.", class_="note")
    return element("p", "No choice but ", element("span", action, class_="label"), ".", class_="note")


def _table(who: str, reports: Iterable[ActionReport]) -> Markup:
    heads = [element("th", text, scope="col") for text in ("action", "probability", "visits", "value")]
    return element(
        "table",
        element("caption", f"Strategy of {NAMES[who].lower()}", class_="unseen"),
        element("thead", element("tr", *heads)),
        element("tbody", *(_line(who, report) for report in reports)),
        class_="strategy",
    )


def _line(who: str, report: ActionReport) -> Markup:
    return element(
        "tr",
        element("th", element("span", report.action, class_="label"), scope="row"),
        element("td", element("div", bar(who, report.probability), class_="bar")),
        element("td", numbers.count(report.visits)),
        element("td", numbers.payoff(report.value)),
    )


def bar(who: str, probability: float) -> Markup:
    """A bar with its number after it."""
    width = f"--part:{100 * min(max(float(probability), 0.0), 1.0):.2f}%"
    track = element("span", element("span", class_=f"fill {who}", style=width), class_="track", aria_hidden="true")
    return joined(track, element("span", numbers.percent(probability), class_="figure"))


def small_bars(who: str, strategy: Strategy) -> Markup:
    """A node's strategy: its likeliest actions."""
    if len(strategy) < 2:
        return Markup("")
    likely = sorted(strategy.items(), key=lambda item: -item[1])
    lines = [
        element("li", element("span", action, class_="label"), bar(who, probability))
        for action, probability in likely[:SHOWN_AT_NODES]
    ]
    rest = sum(probability for _, probability in likely[SHOWN_AT_NODES:])
    if len(likely) > SHOWN_AT_NODES:
        text = f"{len(likely) - SHOWN_AT_NODES} more, together {numbers.percent(rest)}"
        lines.append(element("li", text, class_="note"))
    return element("div", element("h4", NAMES[who]), element("ul", *lines), class_="mini")
