"""`parallel-mcts bench`: how far a search scales, what to choose for a game, and how it does beside other packages."""

from __future__ import annotations

from typing import Any

from ..groups import add_group
from . import advise, peers, scaling, simulate

MEMBERS: tuple[Any, ...] = (scaling, advise, peers, simulate)
EXAMPLES = """examples:
  parallel-mcts bench scaling connect_four --html scaling.html --plot scaling
  parallel-mcts bench advise connect_four           backend, engine and workers for a game, and why
  parallel-mcts bench peers strength --on kalah     against other packages, at equal time
  parallel-mcts bench simulate goofspiel:cards=4    what 10 to 10,000 workers would do

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
