"""`parallel-mcts match GAME AGENT AGENT`: one game between two agents, or many, of which the table is kept."""

from __future__ import annotations

import argparse
import json
from typing import Any

from . import options as shared
from . import tournament
from .parsing import EXIT_CODES, argument
from .transcripts import Transcript

EXAMPLES = """examples:
  parallel-mcts match connect_four mcts:iterations=2000 random            one game, move by move
  parallel-mcts match tictactoe mcts:iterations=500 random --rounds 20    forty games, sides swapped
  parallel-mcts match nim mcts first --rounds 50 --results nim.jsonl      to be stopped and gone on with

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "match",
        help="one game between two agents, or many with sides swapped",
        description="Plays one game between two agents, move by move; with --rounds, many, of which the table is kept.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    argument(parser, "row", metavar="AGENT", completes="agent", help="such as mcts:seconds=1; row of a single game")
    argument(parser, "col", metavar="AGENT", completes="agent", help="its opponent")
    shared.add_match(parser)
    parser.add_argument("--rounds", metavar="N", type=int, help="play so many rounds of two games, sides swapped")
    tournament.add_table_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays one game and prints its moves, or many and prints the table."""
    from ..errors import InputError

    if options.rounds is None:
        if options.results is not None:
            raise InputError("--results keeps the games of a match of several rounds; give --rounds too")
        return _one_game(options)
    if options.transcript is not None:
        raise InputError("--transcript is for a single game; with --rounds give --results")
    options.agents, options.kind = [options.row, options.col], "round_robin"
    return tournament.run(options)


def _one_game(options: argparse.Namespace) -> int:
    from ..match import Finished, Match, Played
    from ..registry import AGENTS
    from .drawing import position
    from .things import made

    start, opening = shared.start_and_moves(options)
    agents = [made(AGENTS, spec) for spec in (options.row, options.col)]
    game = Match(start, *agents, seconds=options.time_limit, seed=options.seed)
    with Transcript(options, opening, game) as transcript:
        for event in game.events():
            if isinstance(event, Finished):
                transcript.finished = event.results
            elif isinstance(event, Played) and not options.json:
                print(f"{event.number:>3}  {event.moves}", flush=True)
    results = transcript.finished
    assert results is not None
    if options.json:
        print(json.dumps(_as_dict(results)))
    else:
        print(f"\n{position(game.state)}\n\n{results.reason}: {results.row:g} to {results.col:g}, seed {results.seed}")
    return 0


def _as_dict(results: Any) -> dict[str, Any]:
    return {
        "row": results.row,
        "col": results.col,
        "winner": results.winner,
        "reason": results.reason,
        "moves": [str(move) for move in results.moves],
        "agents": list(results.agents),
        "forfeit": list(results.forfeit),
        "seconds": list(results.seconds),
        "seed": results.seed,
    }
