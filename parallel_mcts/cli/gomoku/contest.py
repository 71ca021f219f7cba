"""`parallel-mcts gomoku contest COLOUR`: one side of a game, moves on the input and on the output, a line each."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ...gomoku.contest import COLOURS, contest, outcome
from ...gomoku.position import RULES
from ..parsing import argument
from .options import add_player

EXAMPLES = """examples:
  mkfifo moves                                              the engine against itself, joined by a pipe and a FIFO
  parallel-mcts gomoku contest white < moves | parallel-mcts gomoku contest black | tee moves
  parallel-mcts gomoku contest black --size 9               type the moves of white: h8

Black begins. Who sees the end of the game says so on stderr.

exit codes:
  0    the game was played to its end
  1    the other side went away
  2    bad input, such as a move of the other side that is not legal
  130  stopped by Ctrl-C
"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "contest",
        help="one side of a game against another program, over stdin and stdout",
        description="Plays one side: writes its moves to the output and reads the other's from the input, a line each.",
        epilog=EXAMPLES,
    )
    argument(parser, "colour", metavar="COLOUR", choices=COLOURS, help="black, which begins, or white")
    add_player(parser)
    parser.add_argument("--seconds", metavar="S", type=float, default=2.0, help="for each of its moves (default: 2)")
    parser.add_argument("--size", metavar="N", type=int, default=15, help="of the board, 5 to 20 (default: 15)")
    argument(parser, "--rule", metavar="NAME", choices=RULES, default=RULES[0], help=f"{', '.join(RULES)} (default: free)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays the game to its end."""
    from ...budget import Budget
    from ...errors import OpponentLeft
    from ...gomoku.lines import lines_of
    from ...gomoku.players import player
    from ...gomoku.position import Position
    from ...registry import GAMES
    from ..output import forget_output

    start = GAMES.make("gomoku", size=options.size, rule=options.rule)
    limit = Budget(seconds=options.seconds).seconds
    assert limit is not None
    engine = player(options.player, board=Position.of(start))
    try:
        moves = lines_of(sys.stdin.fileno())
        end = contest(options.colour, start, engine, seconds=limit, lines=moves, writes=sys.stdout)
    except OpponentLeft:
        forget_output()
        raise
    finally:
        engine.close()
    print(f"{outcome(end)}\n", end="", file=sys.stderr)  # in one piece: both sides may write to one terminal at once
    return 0
