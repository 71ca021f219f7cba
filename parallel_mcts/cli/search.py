"""`parallel-mcts search GAME`: searches a game from its start and prints both players' strategies."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from .outputs import add_outputs, check_outputs, listening, recorder_for, write_outputs

EXAMPLES = """examples:
  parallel-mcts search goofspiel:cards=4 --iterations 20000
  parallel-mcts search connect_four --seconds 2 --backend process
  parallel-mcts search biased_rps --algorithm exp3:gamma=0.05 --seed 1
  parallel-mcts search goofspiel:cards=4 --seconds 5 --html goofspiel.html
"""
DEFAULT_ITERATIONS = 10_000


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "search",
        help="search a game and print both players' strategies",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="a game, with parameters: goofspiel:cards=4,prizes=random")
    parser.add_argument(
        "--algorithm", help="such as exp3:gamma=0.1 (default: ucb for games of turns, else regret_matching)"
    )
    parser.add_argument("--model", default="rollout", help="how to judge a new position (default: rollout)")
    parser.add_argument("--backend", default="single", help="where to search (default: single)")
    parser.add_argument("--workers", type=int, help="how many threads or processes (default: one for each processor)")
    parser.add_argument("--iterations", type=int, help=f"how many playouts (default: {DEFAULT_ITERATIONS})")
    parser.add_argument("--seconds", type=float, help="how long; with --iterations, whichever comes first")
    parser.add_argument("--engine", default="auto", help="python, compiled, or auto: whichever is quicker (default)")
    parser.add_argument("--seed", type=int, help="to repeat a search (default: a new one, which is printed)")
    add_outputs(parser)
    parser.set_defaults(run=run)


def tell_compiling(progress: Any) -> None:
    """Says why nothing happens for some seconds."""
    if progress.stage == "compiling":
        print("compiling the game and the algorithm, once; the next search starts at once …", file=sys.stderr)


def run(options: argparse.Namespace) -> bool:
    """Searches and prints; returns whether Ctrl-C cut it short."""
    from ..registry import game
    from ..search import Search

    check_outputs(options)
    iterations = options.iterations
    if iterations is None and options.seconds is None:
        iterations = DEFAULT_ITERATIONS
    start = game(options.game)
    recorder = recorder_for(options)
    session = Search(
        start,
        algorithm=options.algorithm,
        model=options.model,
        backend=options.backend,
        workers=options.workers,
        seed=options.seed,
        engine=options.engine,
    )
    with session:
        result = session.run(
            iterations=iterations,
            seconds=options.seconds,
            **listening(tell_compiling if sys.stderr.isatty() else None, recorder),
        )
        print(start, result, sep="\n\n")
        write_outputs(options, session, recorder)
    return result.interrupted
