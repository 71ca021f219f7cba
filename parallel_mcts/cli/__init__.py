"""The command line, `parallel-mcts`. The only part of the package that prints.

Exit codes: 0 done, 1 failed (a game that raised, a worker lost for good, a rule that does not hold), 2 bad input, 130
stopped by Ctrl-C (the answer so far is printed all the same), 141 nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from ..errors import InputError, ParallelMCTSError
from . import bench, check, completion, explore, gomoku, listing, match, play, search, solve, tournament
from .output import forget_output
from .parsing import EXIT_CODES, Parser, commands_of

DONE, FAILED, BAD_INPUT, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141
COMMANDS = (search, play, match, tournament, solve, check, explore, gomoku, bench, listing, completion)
EXAMPLES = """examples:
  parallel-mcts games                                         what can be played, with parameters
  parallel-mcts search goofspiel:cards=4 --iterations 20000   both players' strategies
  parallel-mcts search mygame.py:MyGame --seconds 2           a game of your own
  parallel-mcts play kalah --row human --col mcts:seconds=2   you against a search
  parallel-mcts tournament tictactoe random mcts:seconds=0.1  who is stronger

"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    options = build_parser().parse_args(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = _tell_warning
        try:
            code: int = options.run(options)
            sys.stdout.flush()
        except BrokenPipeError:
            forget_output()
            return UNREAD
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
            return INTERRUPTED
        except Exception as error:
            if options.debug:
                raise
            return _complain(error)
    return code


def _complain(error: Exception) -> int:
    """Says what went wrong in a line; the exit code says whose fault it was."""
    if isinstance(error, OSError) and error.filename is not None:
        print(f"parallel-mcts: {error.filename}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    if not isinstance(error, ParallelMCTSError):
        print(f"parallel-mcts: {type(error).__name__}: {error} (--debug shows where)", file=sys.stderr)
        return FAILED
    first, *rest = str(error).splitlines() or [""]
    print(f"parallel-mcts: {first}" + (f" … ({len(rest)} more lines with --debug)" if rest else ""), file=sys.stderr)
    return BAD_INPUT if isinstance(error, InputError) else FAILED


def _tell_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"parallel-mcts: {message}", file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """The parser with all its commands."""
    from .. import __version__

    parser = Parser(
        prog="parallel-mcts",
        description="Monte-Carlo tree search for games of two players, in parallel.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    parser.add_argument("--version", action="version", version=f"parallel-mcts {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for command in COMMANDS:
        command.add_to(commands)
    _allow_debug(parser)
    return parser


def _allow_debug(parser: argparse.ArgumentParser) -> None:
    """Lets `--debug` stand behind a command as well as before it."""
    for command in set(commands_of(parser).values()):
        command.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        _allow_debug(command)
