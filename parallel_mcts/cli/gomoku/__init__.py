"""`parallel-mcts gomoku`: the Gomoku engine against other programs."""

from __future__ import annotations

from typing import Any

from ..groups import add_group
from . import contest, pbrain

MEMBERS = (contest, pbrain)
EXAMPLES = """examples:
  parallel-mcts play gomoku --col gomoku:seconds=2          you against the engine
  parallel-mcts gomoku contest black --seconds 1            two programs, a move a line in each direction
  parallel-mcts gomoku pbrain                               the protocol of Gomocup, for Piskvork and other managers

"""


def add_to(commands: Any) -> None:
    """Declares the group."""
    add_group(
        commands,
        "gomoku",
        about="the Gomoku engine against other programs",
        description="Plays five in a row against other programs.",
        examples=EXAMPLES,
        members=MEMBERS,
    )
