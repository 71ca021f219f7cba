"""The most visited part of a tree as one SVG picture: the root on the left, thick edges where many playouts went.

`write_svg` is for people and for the command line's `--svg`; the thread that owns the session calls it. The picture
carries its own style, for light and dark, and needs nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..search import Search
from . import numbers
from .excerpt import Branch, drawn, most_visited, move_parts
from .markup import Markup, element

NODES = 60
BOX, TALL = 168.0, 40.0
ACROSS, DOWN = 224.0, 50.0
MARGIN = 16.0
WIDEST = 10.0
LETTERS = 25
WHO = {"row": "row ", "col": "col ", "chance": "", "both": ""}

STYLE = """
svg { color-scheme: light dark; background: #fcfcfb }
text { font: 12px system-ui, sans-serif; fill: #1c1c1a }
.facts { font-size: 11px; fill: #63625c; font-variant-numeric: tabular-nums }
.edge { fill: none; stroke: #c9c8c0; stroke-linecap: round }
.box { fill: #ffffff; stroke: #d8d7cf }
.stripe { fill: #8a897f } .stripe.row { fill: #2a78d6 } .stripe.col { fill: #d9622b }
@media (prefers-color-scheme: dark) {
  svg { background: #1a1a19 }
  text { fill: #f2f1ec }
  .facts { fill: #a9a8a0 }
  .edge { stroke: #4a4a46 }
  .box { fill: #242422; stroke: #3d3d3a }
  .stripe.row { fill: #4a94ec } .stripe.col { fill: #e2713c }
}
"""


@dataclass(frozen=True)
class Placed:
    """A node and where it goes."""

    branch: Branch
    x: float
    y: float
    parent: Placed | None


def write_svg(path: str | os.PathLike[str], session: Search, *, nodes: int = NODES) -> None:
    """Draws the most visited part of the tree."""
    Path(path).write_text(svg(most_visited(session, nodes)), encoding="utf-8")


def svg(root: Branch) -> str:
    """The picture as a text."""
    placed = list(layout(root))
    width = max(node.x for node in placed) + BOX + MARGIN
    height = max(node.y for node in placed) + TALL + MARGIN
    visits = max(root.view.visits, 1)
    picture = element(
        "svg",
        element("title", f"The {len(placed)} most visited positions"),
        element("style", Markup(STYLE)),
        *(_edge(node, node.parent, visits) for node in placed if node.parent is not None),
        *(_box(node) for node in placed),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'


def layout(root: Branch) -> Iterator[Placed]:
    """Every node and its place, parents first: a line for each leaf, a parent level with its first child."""
    leaves = 0

    def place(branch: Branch, depth: int, parent: Placed | None) -> Iterator[Placed]:
        nonlocal leaves
        node = Placed(branch, MARGIN + depth * ACROSS, MARGIN + leaves * DOWN, parent)
        yield node
        for child in branch.children:
            yield from place(child, depth + 1, node)
        leaves += not branch.children

    yield from place(root, 0, None)


def _edge(node: Placed, parent: Placed, visits: int) -> Markup:
    x1, y1, x2, y2 = parent.x + BOX, parent.y + TALL / 2, node.x, node.y + TALL / 2
    bend = (x1 + x2) / 2
    width = 1 + (WIDEST - 1) * node.branch.view.visits / visits
    return element(
        "path",
        class_="edge",
        d=f"M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}",
        stroke_width=f"{width:.1f}",
    )


def _box(node: Placed) -> Markup:
    view, who = node.branch.view, _movers(node.branch)
    facts = f"{numbers.short_count(view.visits)} visits · {numbers.payoff(view.row_value)}"
    name = _name(node.branch)
    text_x = node.x + 14
    return element(
        "g",
        element("title", f"{name}\n{drawn(view.state)}\n{facts}"),
        element("rect", class_="box", x=node.x, y=node.y, width=BOX, height=TALL, rx=6),
        element("rect", class_=f"stripe {who}", x=node.x, y=node.y + 6, width=4, height=TALL - 12, rx=2),
        element("text", _short(name), x=text_x, y=node.y + 17),
        element("text", facts, class_="facts", x=text_x, y=node.y + 32),
    )


def _name(branch: Branch) -> str:
    if branch.move is None:
        return "the start"
    return ", ".join(WHO[who] + text for who, text in move_parts(branch.move))


def _movers(branch: Branch) -> str:
    """Whose move led to a node, if it was one player's."""
    movers = [who for who, _ in move_parts(branch.move) if who in ("row", "col")] if branch.move else []
    return movers[0] if len(movers) == 1 else "both"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LETTERS else line[: LETTERS - 1] + "…"
