"""`parallel-mcts check GAME`: model checking. What can happen, what cannot, and a line of play that shows it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from . import options as shared
from .output import working
from .parsing import argument

EXAMPLES = """examples:
  parallel-mcts check nim:sticks=5 --find "state.sticks == 1 and state.player == 1"
  parallel-mcts check tictactoe --never "is_over(state) and state.moves > 0"
  parallel-mcts check kalah:holes=3,beans=2 --always "sum(state.pits) == 12"
  parallel-mcts check tictactoe --path "state.moves == 5" "payoff(state) == 1" --depth 9
  parallel-mcts check mygame.py:MyGame --never mygame.py:stuck

A predicate is a Python expression over `state`, in which is_over, payoff, labels and shape may be called too, or
file.py:function. Every joint action and every outcome of chance is tried.

exit codes:
  0    found, or the rule holds
  1    not found, or the rule is broken; the line of play that breaks it is printed
  2    bad input, or more positions than --limit
"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "check",
        help="model checking: what can happen in a game, and what cannot",
        description="Looks at every position that can be reached, the nearest first.",
        epilog=EXAMPLES,
    )
    shared.add_position(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    argument(what, "--find", metavar="PREDICATE", completes="file", help="is there a position of which this is true?")
    argument(what, "--never", metavar="PREDICATE", completes="file", help="is this true of no position?")
    argument(what, "--always", metavar="PREDICATE", completes="file", help="is this true of every position?")
    argument(
        what,
        "--path",
        metavar="PREDICATE",
        nargs="+",
        completes="file",
        help="is there one line of play on which these come true, one after the other?",
    )
    parser.add_argument("--depth", metavar="N", type=int, help="go no further than so many joint actions")
    shared.add_limit(parser)
    shared.add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Checks and prints; the exit code is the answer."""
    start = shared.start_of(options)
    with working("checking", quiet=options.json):
        good, verdict, play, facts = _checked(options, start)
    if options.json:
        told = None if play is None else [str(move) for move in play.moves]
        print(json.dumps({"answer": good, "moves": told, **facts}))
    else:
        print("\n".join(_lines(verdict, play, facts)))
    return 0 if good else 1


def _checked(options: argparse.Namespace, start: Any) -> tuple[bool, str, Any, dict[str, Any]]:
    """Whether the answer is the one hoped for, in words, the line of play that shows it, and how much was seen."""
    from ..checking import bfs_find, check_invariant, path_exists

    limits = {"depth_limit": options.depth, "state_limit": options.limit}
    if options.path is not None:
        play = path_exists(start, [predicate(text) for text in options.path], **limits)
        return play is not None, "there is such a line" if play else "there is no such line", play, {}
    if options.find is not None:
        found = bfs_find(start, predicate(options.find), **limits)
        facts = {"explored": found.explored, "complete": found.complete}
        return bool(found), "found" if found else "there is no such position", found.play, facts
    rule = predicate(options.always if options.always is not None else options.never)
    holds = rule if options.always is not None else lambda state: not rule(state)
    checked = check_invariant(start, holds, **limits)
    facts = {"explored": checked.explored, "complete": checked.complete}
    return bool(checked), "it holds" if checked else "it does not hold", checked.counter_example, facts


def _lines(verdict: str, play: Any, facts: dict[str, Any]) -> list[str]:
    from .drawing import position

    lines = [verdict if play is None else f"{verdict}, after {len(play)} moves: {play}"]
    if play is not None:
        lines += ["", position(play.end)]
    if facts:
        seen = "every position within reach" if facts["complete"] else "not every position"
        lines += [
            "",
            f"{facts['explored']:,} positions explored, {seen}" if play is None else f"{facts['explored']:,} explored",
        ]
    return lines


def predicate(text: str) -> Callable[[Any], object]:
    """The function of a state that a text stands for."""
    from ..errors import InputError, ParameterError
    from ..state import is_over, labels, payoffs, show
    from .things import function, is_file

    if is_file(text):
        test = function(text)
    else:
        try:
            code = compile(text.strip(), "<predicate>", "eval")
        except (SyntaxError, ValueError) as error:
            raise ParameterError(f"cannot read the predicate {text!r}: {error}") from None
        names = {
            "is_over": is_over,
            "labels": labels,
            "shape": lambda state: state.shape(),
            "payoff": lambda state: payoffs(state)[0] if is_over(state) else None,
        }

        def test(state: Any) -> object:
            return eval(code, {**names, "state": state})

    def tried(state: Any) -> object:
        try:
            return test(state)
        except Exception as error:
            raise InputError(f"the predicate {text!r} raised {type(error).__name__}: {error} at {show(state)}") from error

    return tried
