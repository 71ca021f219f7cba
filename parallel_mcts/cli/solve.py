"""`parallel-mcts solve GAME`: the exact value and the equilibrium of a small game, by visiting every position."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from . import options as shared
from .output import working
from .parsing import EXIT_CODES

EXAMPLES = """examples:
  parallel-mcts solve tictactoe
  parallel-mcts solve goofspiel:cards=4 --exact
  parallel-mcts solve nim:sticks=20 --moves "1 3" --json

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "solve",
        help="the exact value and equilibrium of a small game",
        description="Visits every position that can be reached, and prints the value and an equilibrium.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    parser.add_argument("--exact", action="store_true", help="work in fractions, not in floating-point numbers")
    parser.add_argument("--depth", metavar="N", type=int, help="look so many joint actions ahead, not to the end")
    parser.add_argument("--pruning", action="store_true", help="leave out what cannot change the value")
    shared.add_limit(parser)
    shared.add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Solves and prints."""
    from ..errors import TerminalRoot
    from ..solvers import solve
    from ..state import is_over, show
    from .drawing import position

    start = shared.start_of(options)
    if is_over(start):
        raise TerminalRoot(f"the game is over at {show(start)}: there is nothing to solve")
    began = time.perf_counter()
    with working("solving", quiet=options.json):
        solved = solve(start, depth=options.depth, exact=options.exact, pruning=options.pruning, limit=options.limit)
    seconds = time.perf_counter() - began
    if options.json:
        print(json.dumps({"position": position(start), **as_dict(solved), "seconds": seconds}))
    else:
        print("\n".join([position(start), "", *_lines(solved), "", _summary(solved, seconds)]))
    return 0


def as_dict(solved: Any) -> dict[str, Any]:
    """A solved game, ready for JSON; fractions are texts."""
    return {
        "row_value": _number(solved.value),
        "col_value": _number(solved.col_value),
        "row": {str(action): _number(p) for action, p in solved.row.items()},
        "col": {str(action): _number(p) for action, p in solved.col.items()},
        "positions": solved.positions,
        "complete": solved.complete,
        "exact": solved.exact,
        "unique_value": solved.unique_value,
    }


def _number(value: Any) -> Any:
    return value if isinstance(value, int | float) else str(value)


def _lines(solved: Any) -> list[str]:
    lines = [f"value: row {_shown(solved.value)}, column {_shown(solved.col_value)}"]
    for player, strategy in (("row", solved.row), ("column", solved.col)):
        lines.append("")
        if len(strategy) == 1:
            lines.append(f"{player:<7} {strategy.actions[0]} (no choice)")
            continue
        width = max(len(str(action)) for action in strategy.actions)
        names = [player] + [""] * (len(strategy) - 1)
        lines += [f"{n:<7} {a!s:<{width}}  {_shown(p)}" for n, (a, p) in zip(names, strategy.items(), strict=True)]
    return lines


def _shown(value: Any) -> str:
    """A number; a fraction also as a decimal."""
    whole = float(value).is_integer() or isinstance(value, float)
    return f"{float(value):.6g}" if whole else f"{value} ({float(value):.6g})"


def _summary(solved: Any, seconds: float) -> str:
    parts = [f"{solved.positions:,} positions in {seconds:.2f} s"]
    if not solved.complete:
        parts.append("not to the end of the game: the value is what the depth allows")
    if not solved.unique_value:
        parts.append("a general-sum game: one equilibrium of possibly many")
    return "; ".join(parts)
