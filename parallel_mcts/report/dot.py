"""The most visited part of a tree in the language of Graphviz: `dot -Tpdf tree.dot -o tree.pdf` draws it.

`write_dot` is for people and for the command line's `--dot`; the thread that owns the session calls it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..search import Search
from . import numbers
from .excerpt import Branch, drawn, most_visited, move_parts
from .markup import clean

NODES = 60
WIDEST = 6.0
WHO = {"row": "row ", "col": "column ", "chance": "chance ", "both": ""}


def write_dot(path: str | os.PathLike[str], session: Search, *, nodes: int = NODES) -> None:
    """Writes the most visited part of the tree for Graphviz."""
    Path(path).write_text(dot(most_visited(session, nodes)), encoding="utf-8")


def dot(root: Branch) -> str:
    """A directed graph: positions with visits and row's value, moves on the edges, much visited ones thicker."""
    lines = [
        "digraph tree {",
        '  graph [rankdir="LR"];',
        '  node [shape="box", style="rounded", fontname="monospace", fontsize="10"];',
        '  edge [fontname="sans-serif", fontsize="10", arrowsize="0.6"];',
        *_statements(root),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _statements(root: Branch) -> Iterator[str]:
    numbered = {id(branch): f"n{k}" for k, branch in enumerate(root.walk())}
    for branch in root.walk():
        name = numbered[id(branch)]
        facts = f"{numbers.count(branch.view.visits)} visits, value {numbers.payoff(branch.view.row_value)}"
        yield f"  {name} [label={quoted(drawn(branch.view.state) + chr(10) + facts)}];"
        for child in branch.children:
            part = child.view.visits / max(root.view.visits, 1)
            width = f"{0.5 + WIDEST * part:.2f}"
            yield f"  {name} -> {numbered[id(child)]} [label={quoted(_move(child))}, penwidth={quoted(width)}];"


def _move(branch: Branch) -> str:
    assert branch.move is not None
    return "\n".join(WHO[who] + text for who, text in move_parts(branch.move))


def quoted(text: str) -> str:
    """A text between quotes; its lines are set flush left. (Graphviz reads entities in labels, as HTML does.)"""
    plain = clean(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    lines = plain.split("\n")
    return '"' + ("\\l".join(lines) + "\\l" if len(lines) > 1 else plain) + '"'
