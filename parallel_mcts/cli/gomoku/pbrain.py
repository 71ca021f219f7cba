"""`parallel-mcts gomoku pbrain`: the engine as a brain of the Gomocup (Piskvork) protocol, over stdin and stdout.

Managers of that protocol start a program by its file, whose name has to begin with `pbrain-`: `pbrain-parallel-mcts` is
this command by that name.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .options import add_player

EXAMPLES = """examples:
  parallel-mcts gomoku pbrain                               then type: START 15, BEGIN, TURN 7,8, END
  pbrain-parallel-mcts                                      the same, by the name that a manager looks for

exit codes:
  0    after END, or at the end of the input
  2    bad options
  130  stopped by Ctrl-C
  141  the manager went away
"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "pbrain",
        help="speak the protocol of Gomocup, for Piskvork and other managers",
        description="Answers a manager of games in the protocol of Gomocup: boards of 5 to 20, free or exactly five.",
        epilog=EXAMPLES,
    )
    add_player(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answers until END or the end of the input."""
    from ... import __version__
    from ...gomoku.lines import lines_of
    from ...gomoku.pbrain import serve
    from ...gomoku.players import player

    about = f'name="parallel-mcts", version="{__version__}"'
    lines = lines_of(sys.stdin.fileno())
    serve(lambda memory: player(options.player, memory=memory), lines, sys.stdout, about=about)
    return 0


def main() -> int:
    """The program `pbrain-parallel-mcts`."""
    from .. import main as command_line

    return command_line(["gomoku", "pbrain", *sys.argv[1:]])
