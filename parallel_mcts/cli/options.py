"""Options that several commands share, and what they stand for: the position to start from, the search, its limits."""

from __future__ import annotations

import argparse
from typing import Any

from ..results import Move
from .parsing import argument

DEFAULT_ITERATIONS = 10_000
MOST_POSITIONS = 2_000_000
GAME_HELP = "a game with parameters, goofspiel:cards=4,prizes=random, or of your own, mygame.py:MyGame:sticks=12"
MOVES_HELP = "start after these moves: '4 0 8', 'rock/paper' where both choose, 'roll@3' to say what chance did"


def add_position(parser: Any) -> None:
    """The game, and a line of play to start after."""
    argument(parser, "game", metavar="GAME", completes="game", help=GAME_HELP)
    parser.add_argument("--moves", metavar="LINE", default="", help=MOVES_HELP)


def add_search(parser: Any) -> None:
    """How to search."""
    group = parser.add_argument_group("the search")
    add_thinking(group)
    argument(
        group, "--backend", metavar="SPEC", completes="backend", default="single", help="where to search (default: single)"
    )
    group.add_argument("--workers", metavar="N", type=int, help="threads or processes (default: one for each processor)")
    add_engine(group)
    group.add_argument("--iterations", metavar="N", type=int, help=f"how many playouts (default: {DEFAULT_ITERATIONS})")
    group.add_argument("--seconds", metavar="S", type=float, help="how long; with --iterations, whichever comes first")
    group.add_argument("--seed", metavar="N", type=int, help="to repeat a search (default: a new one, which is printed)")
    group.add_argument("--max-depth", metavar="N", type=int, help="the deepest a playout may go down the tree")


def add_thinking(group: Any) -> None:
    """What decides at a node, and what judges a new one."""
    default = "(default: ucb for games of turns, else regret_matching)"
    argument(group, "--algorithm", metavar="SPEC", completes="algorithm", help=f"such as exp3:gamma=0.1 {default}")
    argument(
        group,
        "--model",
        metavar="SPEC",
        completes="model",
        default="rollout",
        help="how to judge a new position (default: rollout); file.py:function is a heuristic",
    )


def add_engine(group: Any) -> None:
    """Interpreted or compiled."""
    argument(
        group,
        "--engine",
        metavar="NAME",
        completes="auto python mixed compiled",
        default="auto",
        help="python, compiled, mixed (a Python game in a compiled search), or auto: the quickest (default); same answer",
    )


def add_json(parser: Any) -> None:
    """Whether to answer as JSON."""
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")


def add_limit(parser: Any) -> None:
    """How many positions a command that visits all of them may visit."""
    parser.add_argument(
        "--limit",
        metavar="N",
        type=int,
        default=MOST_POSITIONS,
        help=f"give up beyond so many positions ({MOST_POSITIONS:,})",
    )


def add_match(parser: Any) -> None:
    """How to play one game."""
    parser.add_argument("--seed", metavar="N", type=int, help="of chance and of the agents, to repeat a game")
    parser.add_argument("--time-limit", metavar="S", type=float, help="seconds for a move; who takes longer loses")
    argument(
        parser,
        "--transcript",
        metavar="FILE",
        completes="file",
        help="save the moves; the agent file:path=FILE plays either side of them again",
    )


def start_and_moves(options: argparse.Namespace) -> tuple[Any, tuple[Move, ...]]:
    """The position that the options name, and the moves that led to it."""
    from .moves import after_moves
    from .things import game

    return after_moves(game(options.game), options.moves)


def start_of(options: argparse.Namespace) -> Any:
    """The position that the options name."""
    return start_and_moves(options)[0]


def limits(options: argparse.Namespace) -> dict[str, Any]:
    """The budget, which is never without a limit."""
    iterations = options.iterations
    if iterations is None and options.seconds is None:
        iterations = DEFAULT_ITERATIONS
    return {"iterations": iterations, "seconds": options.seconds}


def thinking(options: argparse.Namespace) -> dict[str, Any]:
    """The algorithm and the model that the options name."""
    from ..registry import ALGORITHMS, MODELS
    from .things import made

    return {
        "algorithm": None if options.algorithm is None else made(ALGORITHMS, options.algorithm),
        "model": made(MODELS, options.model),
    }


def session_options(options: argparse.Namespace) -> dict[str, Any]:
    """What a `Search` is made with."""
    from ..registry import BACKENDS
    from .things import made

    found = {
        **thinking(options),
        "backend": made(BACKENDS, options.backend),
        "workers": options.workers,
        "seed": options.seed,
        "engine": options.engine,
    }
    return found if options.max_depth is None else {**found, "max_depth": options.max_depth}
