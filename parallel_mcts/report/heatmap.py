"""The root's payoff matrix as a heat map: a table whose cells are tinted by row's mean payoff. Pure functions."""

from __future__ import annotations

from ..results import SearchResult
from . import numbers
from .markup import Markup, element

MOST = 16
"""Nodes with more actions than this are not drawn: nobody reads such a table."""

STRONGEST = 62
"""How much of a player's colour the extreme cells take, in percent: letters must stay readable on it."""


def is_drawable(result: SearchResult) -> bool:
    """Whether both players choose, and not among too many."""
    return 2 <= len(result.row) <= MOST and 2 <= len(result.col) <= MOST


def heat_map(result: SearchResult, middle: float, *, constant_sum: bool) -> Markup:
    """The matrix; cells above the middle of the payoffs take row's colour, those below it column's.

    Where the sum is not constant, what is bad for row need not be good for column, and the key does not say so.
    """
    known = [abs(value - middle) for line in result.cell_means for value in line if value is not None]
    reach = max(known, default=0.0) or 1.0
    heads = [
        element("th", element("span", action, class_="label"), _share(p), scope="col") for action, p in result.col.items()
    ]
    lines = [
        element(
            "tr",
            element("th", element("span", action, class_="label"), _share(p), scope="row"),
            *(_cell(value, middle, reach) for value in means),
        )
        for (action, p), means in zip(result.row.items(), result.cell_means, strict=True)
    ]
    table = element(
        "table",
        element("caption", "Row's mean payoff of each joint action", class_="unseen"),
        element("thead", element("tr", element("td", "row ↓ column →", class_="note"), *heads)),
        element("tbody", *lines),
        class_="heat",
    )
    return element(
        "div",
        element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Payoff matrix"),
        _key(middle, reach, "better for column" if constant_sum else "worse for row"),
    )


def _share(probability: float) -> Markup:
    return element("span", numbers.percent(probability), class_="share")


def _cell(value: float | None, middle: float, reach: float) -> Markup:
    if value is None:
        return element("td", numbers.NOTHING, title="never tried")
    part = (value - middle) / reach
    style = f"--tint:{STRONGEST * abs(part):.1f}%"
    return element("td", numbers.payoff(value), class_="row" if part >= 0 else "col", style=style)


def _key(middle: float, reach: float, low: str) -> Markup:
    ends = [element("span", numbers.payoff(value)) for value in (middle - reach, middle, middle + reach)]
    return element(
        "div",
        element("span", low),
        element("div", element("div", class_="ramp"), element("div", *ends, class_="ends"), class_="ramps"),
        element("span", "better for row"),
        class_="heat-key",
        style=f"--strongest:{STRONGEST}%",
    )
