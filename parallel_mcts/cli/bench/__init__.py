"""`parallel-mcts bench`: how far a search scales, what to choose for a game, and how it does beside other packages."""

from __future__ import annotations

from typing import Any

from ..groups import add_group
from . import peers

MEMBERS: tuple[Any, ...] = (peers,)
EXAMPLES = """examples:
  parallel-mcts bench peers strength --on kalah --games 40   against other packages, at equal time

"""


def add_to(commands: Any) -> None:
    """Declares the group."""
    add_group(
        commands,
        "bench",
        about="measure: scaling, advice, other packages",
        description="Measures how fast and how good a search is, on this machine.",
        examples=EXAMPLES,
        members=MEMBERS,
    )
