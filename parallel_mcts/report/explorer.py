"""The tree explorer: nested lists that open on a click, a node with its position and strategies. Pure functions.

It is made of `details` elements, so it opens without a script, by keyboard too, and for those who listen to it.
"""

from __future__ import annotations

from ..results import NodeView
from ..state import is_over
from . import numbers
from .excerpt import Branch, drawn, move_parts
from .markup import Markup, element, joined
from .strategies import small_bars

WHO = {"row": "row", "col": "column", "chance": "chance", "both": ""}


def explorer(root: Branch) -> Markup:
    """The whole tree, its root open."""
    buttons = element(
        "p",
        *(
            element("button", words, type="button", data_do=do)
            for words, do in (("Main line", "line"), ("Expand all", "expand"), ("Collapse all", "collapse"))
        ),
        class_="buttons",
    )
    shown = sum(1 for _ in root.walk())
    which = f"The {numbers.count(shown)} most visited positions." if shown > 1 else "Only the start."
    note = f"{which} Numbers are visits and row's value."
    head = element("div", element("p", note, class_="note"), buttons, class_="bar-line")
    return joined(head, element("div", _node(root, root.view.visits, is_open=True), class_="tree"))


def _node(branch: Branch, of: int, *, is_open: bool = False) -> Markup:
    summary = element("summary", _name(branch), _numbers(branch.view, of))
    body = element("div", _inside(branch.view), _children(branch), class_="inside")
    return element("details", summary, body, open=is_open, class_="node")


def _name(branch: Branch) -> Markup:
    if branch.move is None:
        return element("span", "the start", class_="move")
    chips = [
        element(
            "span",
            element("span", WHO[who], class_="who"),
            " ",
            element("span", text, class_="label"),
            class_=f"chip {who}",
        )
        for who, text in move_parts(branch.move)
    ]
    return element("span", *chips, class_="move")


def _numbers(view: NodeView, of: int) -> Markup:
    part = f"--part:{100 * view.visits / of if of else 0:.2f}%"
    return element(
        "span",
        element("span", element("span", class_="fill", style=part), class_="track", aria_hidden="true"),
        element("span", numbers.count(view.visits), element("span", " visits", class_="unseen"), class_="figure"),
        element("span", element("span", "value ", class_="unseen"), numbers.payoff(view.row_value), class_="figure"),
        class_="facts",
    )


def _inside(view: NodeView) -> Markup:
    over = is_over(view.state)
    end = element("p", f"The game is over: row gets {numbers.payoff(view.row_value)}.", class_="note") if over else ""
    bars = element("div", end, small_bars("row", view.row), small_bars("col", view.col), class_="minis")
    return element("div", element("pre", drawn(view.state), class_="position"), bars, class_="view")


def _children(branch: Branch) -> Markup:
    items = [element("li", _node(child, branch.view.visits)) for child in branch.children]
    if branch.hidden > 0:
        less = (
            f"{numbers.count(branch.hidden)} {'more' if items else 'below'}, {numbers.count(branch.hidden_visits)} visits"
        )
        items.append(element("li", f"{less}, not shown", class_="note rest"))
    return element("ul", *items) if items else Markup("")
