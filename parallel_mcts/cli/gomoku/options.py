"""The option that the commands of the engine share: who plays."""

from __future__ import annotations

from typing import Any

from ...gomoku.players import DEFAULT, NAMES
from ..parsing import argument


def add_player(parser: Any) -> None:
    """Which player of the engine."""
    about = f"who plays: {', '.join(NAMES)} (default: {DEFAULT})"
    argument(parser, "--player", metavar="NAME", choices=NAMES, default=DEFAULT, help=about)
