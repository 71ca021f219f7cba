"""`parallel-mcts tournament GAME AGENT …`: everyone against everyone, a live table, a file to go on from."""

from __future__ import annotations

import argparse
import json
import re
from typing import Any

from . import options as shared
from .output import on_terminal
from .parsing import EXIT_CODES, argument

EXAMPLES = """examples:
  parallel-mcts tournament tictactoe random first mcts:iterations=200 --rounds 20
  parallel-mcts tournament tron quick=mcts:iterations=100 slow=mcts:iterations=1000 random --results tron.jsonl
  parallel-mcts tournament goofspiel mcts:iterations=500 random --sprt 0,50 --rounds 200

The same command with the same results file goes on where it stopped, also with more rounds.

"""
NAMED = re.compile(r"([^:=]+)=(.+)")


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "tournament",
        help="everyone against everyone, with ratings",
        description="Plays every agent against every other, two games a round with sides swapped, and rates them.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    argument(parser, "agents", metavar="AGENT", nargs="+", completes="agent", help="mcts:seconds=1, or name=mcts:seconds=1")
    parser.add_argument("--rounds", metavar="N", type=int, default=10, help="two games for each pair (default: 10)")
    kinds = "round_robin (default), or gauntlet: the first against the others"
    argument(parser, "--kind", metavar="NAME", default="round_robin", completes="round_robin gauntlet", help=kinds)
    parser.add_argument("--time-limit", metavar="S", type=float, help="seconds for a move; who takes longer loses")
    parser.add_argument("--seed", metavar="N", type=int, help="to repeat a tournament (default: a new one)")
    add_table_options(parser)
    parser.set_defaults(run=run)


def add_table_options(parser: Any) -> None:
    """What is the same for a match of several rounds."""
    argument(parser, "--results", metavar="FILE", completes="file", help="keep every game here, and go on from here")
    parser.add_argument("--workers", metavar="N", type=int, help="games at once (default: one for each processor)")
    parser.add_argument("--sprt", metavar="ELO0,ELO1", help="stop a pair when it is certain who is how much stronger")
    parser.add_argument("--confidence", metavar="P", type=float, default=0.95, help="of the intervals (default: 0.95)")
    shared.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Plays what is missing and prints the table."""
    from ..tournament import tournament
    from .live import LiveDrawing
    from .table import drawn
    from .things import is_file

    by_name = not options.moves and not is_file(options.game)
    start = options.game if by_name else shared.start_of(options)  # the results file calls it by its name
    with LiveDrawing(drawn, enabled=on_terminal() and not options.json) as table:
        standings = tournament(
            start,
            named_agents(options.agents),
            rounds=options.rounds,
            kind=options.kind,
            seed=options.seed,
            workers=options.workers,
            seconds=options.time_limit,
            sprt=sprt(options.sprt),
            confidence=options.confidence,
            results_file=options.results,
            on_progress=table.progress,
        )
    print(json.dumps(standings.to_dict()) if options.json else standings)
    return 130 if standings.interrupted else 0


def named_agents(specs: list[str]) -> dict[str, Any]:
    """The agents by name: `quick=mcts:seconds=1`, or called as they are written."""
    from ..errors import InputError
    from ..registry import AGENTS
    from .things import made

    agents: dict[str, Any] = {}
    for spec in specs:
        found = NAMED.fullmatch(spec)
        name, text = (found[1], found[2]) if found else (spec, spec)
        if name in agents:
            raise InputError(f"two agents are called {name!r}; give them names: one={text} other={text}")
        agents[name] = made(AGENTS, text)
    return agents


def sprt(text: str | None) -> Any:
    """The sequential test that `0,50` stands for."""
    from ..errors import ParameterError
    from ..ratings import Sprt

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"--sprt is {text!r}; give two numbers of Elo points, such as 0,50") from None
    return Sprt(low, high)
