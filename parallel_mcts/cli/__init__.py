"""The command line, `parallel-mcts`. The only part of the package that prints.

Exit codes: 0 done, 1 the search failed (a game that raised, a worker lost for good), 2 bad input, 130 stopped by Ctrl-C
(the answer so far is printed all the same).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ..errors import InputError, ParallelMCTSError
from . import search

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        interrupted: bool = options.run(options)
    except InputError as error:
        return _complain(error, BAD_INPUT)
    except ParallelMCTSError as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return INTERRUPTED
    return INTERRUPTED if interrupted else DONE


def _complain(error: Exception, code: int) -> int:
    print(f"parallel-mcts: {error}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    from .. import __version__

    parser = argparse.ArgumentParser(
        prog="parallel-mcts", description="Monte-Carlo tree search for games of two players, in parallel."
    )
    parser.add_argument("--version", action="version", version=f"parallel-mcts {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    search.add_to(commands)
    return parser
