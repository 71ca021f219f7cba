"""`parallel-mcts search GAME`: searches a game from its start and prints both players' strategies."""

from __future__ import annotations

import argparse
from typing import Any

from . import options as shared
from .output import add_output, teller
from .parsing import EXIT_CODES
from .pictures import add_pictures, check_pictures, listening, recorder_for, write_pictures

EXAMPLES = """examples:
  parallel-mcts search goofspiel:cards=4 --iterations 20000
  parallel-mcts search connect_four --seconds 2 --backend process
  parallel-mcts search biased_rps --algorithm exp3:gamma=0.05 --seed 1
  parallel-mcts search tictactoe --moves "4 0" --json
  parallel-mcts search mygame.py:MyGame:sticks=12 --seconds 2
  parallel-mcts search goofspiel:cards=4 --seconds 5 --html goofspiel.html

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "search",
        help="search a game and print both players' strategies",
        description="Searches a game from its start, or after a line of play, and prints both players' strategies.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    shared.add_search(parser)
    add_output(parser)
    add_pictures(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Searches and prints; Ctrl-C cuts it short."""
    from ..search import Search

    check_pictures(options)
    start, budget = shared.start_of(options), shared.limits(options)
    recorder = recorder_for(options)
    with Search(start, **shared.session_options(options)) as session:
        told = teller(options, budget)
        with told:
            result = session.run(**budget, **listening(told.progress, recorder))
        told.result(start, result)
        write_pictures(options, session, recorder)
    return 130 if result.interrupted else 0
