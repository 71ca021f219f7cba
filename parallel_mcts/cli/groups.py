"""Commands that are groups of commands, such as `parallel-mcts bench scaling`. Only the program's own thread is here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .parsing import EXIT_CODES, Parser


def add_group(commands: Any, name: str, *, about: str, description: str, examples: str, members: Iterable[Any]) -> None:
    """Declares a group; each of its members is a module with `add_to`, like a command of its own."""
    parser = commands.add_parser(name, help=about, description=description, epilog=examples + EXIT_CODES)
    group = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for member in members:
        member.add_to(group)
