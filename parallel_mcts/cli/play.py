"""`parallel-mcts play GAME`: a person against any agent, or any two agents, on a board that is drawn after every move."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from . import options as shared
from .output import on_terminal
from .parsing import EXIT_CODES, argument
from .transcripts import Transcript

EXAMPLES = """examples:
  parallel-mcts play tictactoe                               you against a search of two seconds a move
  parallel-mcts play gomoku                                  you against the engine
  parallel-mcts play kalah --row mcts:iterations=5000 --col human --transcript game.txt
  parallel-mcts play kalah --row file:path=game.txt --col file:path=game.txt     see it again

Type a move, or undo, hint, moves, help, quit.

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "play",
        help="play against an agent, or watch two of them",
        description="Plays one game on a board that is drawn after every move. Row begins where somebody begins.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    argument(parser, "--row", metavar="AGENT", completes="agent", default="human", help="who plays row (default: human)")
    col_help = "who plays column (default: mcts:seconds=2, or the engine of its own that a game has)"
    argument(parser, "--col", metavar="AGENT", completes="agent", help=col_help)
    shared.add_match(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plays the game to its end."""
    from ..agents import Human
    from ..match import Finished, Match, Played
    from ..registry import AGENTS
    from .things import made

    start, opening = shared.start_and_moves(options)
    strongest = strongest_agent(start)
    agents = [made(AGENTS, spec) for spec in (options.row, options.col or f"{strongest}:seconds=2")]
    hint = f"{strongest}:seconds=1"
    agents = [replace(a, hint=hint) if isinstance(a, Human) and a.hint == Human.hint else a for a in agents]
    watched = not any(isinstance(agent, Human) for agent in agents)

    def draw(state: Any) -> str:
        return drawn(state, game.history[-1][0] if game.history else None)

    agents = [replace(agent, draw=draw) if isinstance(agent, Human) else _seen(agent) for agent in agents]
    game = Match(start, *agents, seconds=options.time_limit, seed=options.seed)
    with Transcript(options, opening, game) as transcript:
        for event in game.events():
            if isinstance(event, Finished):
                transcript.finished = event.results
            elif watched:
                words = "" if not isinstance(event, Played) else f"\n{event.number}. {event.moves}"
                print(f"{words}\n{draw(event.state if isinstance(event, Played) else event)}")
    assert transcript.finished is not None
    if watched:
        print(f"\n{transcript.finished.reason}")
    return 0


def strongest_agent(start: Any) -> str:
    """The name of the agent that plays a game best: its own engine, or a search."""
    from ..errors import InputError
    from ..gomoku.position import Position

    try:
        Position.of(start)
    except InputError:
        return "mcts"
    return "gomoku"


def _seen(agent: Any) -> Any:
    from .thinking import Thinking

    return Thinking(agent) if on_terminal() else agent


def drawn(state: Any, before: Any) -> str:
    """A position as text; in a frame and in colours where it can be, and what is new since the one before marked."""
    from .drawing import board, position

    if not on_terminal():
        return position(state)
    from rich.console import Console

    console = Console(highlight=False)
    with console.capture() as captured:
        console.print(board(position(state), before="" if before is None else position(before)))
    return captured.get().rstrip("\n")
