"""`parallel-mcts explore GAME`: the tree after a search, as indented text, without the twigs that were hardly visited."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ..results import Move, NodeView
from . import options as shared
from .output import working
from .parsing import EXIT_CODES

EXAMPLES = """examples:
  parallel-mcts explore tictactoe --iterations 20000
  parallel-mcts explore goofspiel:cards=4 --depth 2 --min-visits 50 --algorithm exp3
  parallel-mcts explore connect_four --moves "3 3" --seconds 2 --width 2 --depth 8

Each line is a move, how often it was tried, its share of the tries above it, and what it is worth to row.

"""
DEFAULT_DEPTH, DEFAULT_WIDTH = 3, 8


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "explore",
        help="look into the tree after a search",
        description="Searches a game and prints its tree, the most visited moves first.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    shared.add_search(parser)
    group = parser.add_argument_group("what to show")
    group.add_argument(
        "--depth", metavar="N", type=int, default=DEFAULT_DEPTH, help=f"moves deep (default: {DEFAULT_DEPTH})"
    )
    group.add_argument(
        "--width", metavar="N", type=int, default=DEFAULT_WIDTH, help=f"moves at each node (default: {DEFAULT_WIDTH})"
    )
    group.add_argument("--min-visits", metavar="N", type=int, help="leave out what was tried less (default: 1%% of all)")
    shared.add_json(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Searches, and prints the tree."""
    from ..errors import ParameterError
    from ..search import Search
    from .drawing import position

    for name in ("depth", "width"):
        if getattr(options, name) < 1:
            raise ParameterError(f"--{name} is {getattr(options, name)}; it must be at least 1")
    start = shared.start_of(options)
    with Search(start, **shared.session_options(options)) as session:
        with working("searching", quiet=options.json):
            result = session.run(**shared.limits(options))
        least = max(1, result.visits // 100) if options.min_visits is None else options.min_visits
        tree = _Tree(session, least, options.depth, options.width).below(())
    if options.json:
        print(json.dumps({**result.to_dict(), "position": position(start), "children": tree}))
    else:
        lines = [position(start), "", f"{result.visits:,} visits, value {_value(result.row_value)}", *_lines(tree)]
        print("\n".join([*lines, "", str(result).splitlines()[-1]]))
    return 130 if result.interrupted else 0


class _Tree:
    """Reads the tree of a search from the top, as far as it is to be shown."""

    def __init__(self, session: Any, least: int, depth: int, width: int) -> None:
        self.session, self.least, self.depth, self.width = session, least, depth, width

    def below(self, path: tuple[Any, ...]) -> list[dict[str, Any]]:
        """The children of the node at the end of a path, each with its own."""
        node: NodeView | None = self.session.node(*path)
        if node is None:
            return []
        ordered = sorted(node.children, key=lambda child: -child.visits)
        shown = [child for child in ordered if child.visits >= self.least][: self.width]
        found = []
        for child in shown:
            told: dict[str, Any] = {"move": _named(child.move), "visits": child.visits, "row_value": child.row_value}
            told["share"] = child.visits / node.visits if node.visits else 0.0
            told["children"] = self.below((*path, _step(child.move))) if len(path) + 1 < self.depth else []
            found.append(told)
        return found


def _step(move: Move) -> tuple[Any, ...]:
    return (move.row, move.col) if move.observation is None else (move.row, move.col, move.observation)


def _named(move: Move) -> str:
    """A move as it can be given to --moves."""
    from ..state import show

    return str(move) if move.observation is None else f"{move}@{show(move.observation)}"


def _lines(tree: list[dict[str, Any]]) -> list[str]:
    """The tree with its numbers in columns."""
    rows = list(_flat(tree, 0))
    if not rows:
        return ["nothing was tried often enough to be shown; see --min-visits"]
    width = max(len(text) for text, _ in rows)
    return [
        f"{text:<{width}}  {node['visits']:>10,}  {node['share']:>6.1%}  {_value(node['row_value']):>7}"
        for text, node in rows
    ]


def _flat(tree: list[dict[str, Any]], level: int) -> Any:
    for node in tree:
        yield "  " * (level + 1) + node["move"], node
        yield from _flat(node["children"], level + 1)


def _value(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
