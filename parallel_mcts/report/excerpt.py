"""The most visited part of a search tree, copied out of a session: what pictures of the tree and the explorer draw.

Called by the writers of this package, in the thread that owns the session. A `Branch` is plain data.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from ..errors import ParameterError
from ..results import ChildView, Move, NodeView
from ..search import Search
from ..state import IDLE, show

DEPTH = 24
"""How deep a branch may go, whatever was asked: browsers give up on pages that are nested much deeper."""

OBSERVATION_LENGTH = 60


@dataclass(frozen=True)
class Branch:
    """A node with the part of its subtree that was copied, most visited first. The root has no move."""

    move: Move | None
    view: NodeView
    children: tuple[Branch, ...]

    @property
    def hidden(self) -> int:
        """How many children of the node were left out."""
        return len(self.view.children) - len(self.children)

    @property
    def hidden_visits(self) -> int:
        return sum(c.visits for c in self.view.children) - sum(b.view.visits for b in self.children)

    def walk(self) -> Iterator[Branch]:
        """The branch and everything below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


Path = tuple[Move, ...]


def most_visited(session: Search, nodes: int) -> Branch:
    """The root and the most visited nodes below it, as many as asked for; a node never comes without its parent."""
    if nodes < 1:
        raise ParameterError(f"nodes is {nodes!r}; it must be at least 1")
    root = session.node()
    assert root is not None
    views: dict[Path, NodeView] = {(): root}
    waiting: list[tuple[int, int, Path]] = []
    order = count()  # among equally visited ones, those that were met first

    def offer(path: Path, children: tuple[ChildView, ...]) -> None:
        for child in children:
            if child.visits > 0:
                heapq.heappush(waiting, (-child.visits, next(order), (*path, child.move)))

    offer((), root.children)
    while waiting and len(views) < nodes:
        _, _, path = heapq.heappop(waiting)
        view = session.node(*((move.row, move.col, move.observation) for move in path))
        if view is not None:
            views[path] = view
            if len(path) < DEPTH:
                offer(path, view.children)
    return _assembled(views)


def _assembled(views: dict[Path, NodeView]) -> Branch:
    """The views as a tree, from the leaves up: a path comes into `views` after those that begin it."""
    below: dict[Path, list[Branch]] = {path: [] for path in views}
    for path, view in reversed(views.items()):
        children = sorted(below[path], key=lambda branch: -branch.view.visits)
        branch = Branch(path[-1] if path else None, view, tuple(children))
        if path:
            below[path[:-1]].append(branch)
    return branch


# ---------------------------------------------------------------------------------------------- in words
def move_parts(move: Move) -> list[tuple[str, str]]:
    """Who did what: ("row", "4"), ("col", "7"), and ("chance", …) where it had a say."""
    parts = [(who, str(action)) for who, action in (("row", move.row), ("col", move.col)) if action != IDLE]
    if move.observation is not None:
        parts.append(("chance", observed(move.observation)))
    return parts or [("both", IDLE)]


def observed(observation: Any) -> str:
    """What chance did, on a short line."""
    text = show(observation)
    return text if len(text) <= OBSERVATION_LENGTH else text[: OBSERVATION_LENGTH - 1] + "…"


def drawn(state: Any) -> str:
    """A position as the game draws it for people."""
    cls: Any = type(state)
    if cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__:
        return show(state)
    return str(state).strip("\r\n")  # a page would drop the first line if it were empty
