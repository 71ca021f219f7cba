"""`parallel-mcts bench advise GAME`: which backend, engine and number of workers to choose, and why."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from .. import options as shared
from ..output import stage
from ..parsing import EXIT_CODES
from .files import add_files, check_files, prints_table, write_json
from .tables import short_time, table

if TYPE_CHECKING:
    from ...bench.advice import Advice, Candidate

EXAMPLES = """examples:
  parallel-mcts bench advise connect_four
  parallel-mcts bench advise goofspiel:cards=5 --search-seconds 60 --algorithm exp3
  parallel-mcts bench advise mygame.py:MyGame --seconds 5

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "advise",
        help="which backend, engine and number of workers to choose",
        description="Searches a game for some seconds in every way that comes into question, and says which to choose.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    group = parser.add_argument_group("the search that is meant")
    shared.add_thinking(group)
    group.add_argument("--search-seconds", metavar="S", type=float, help="how long it is going to take (default: 10)")
    parser.add_argument("--seconds", metavar="S", type=float, help="how long to measure, beside compiling (default: 15)")
    parser.add_argument("--seed", metavar="N", type=int, help="of the searches")
    add_files(parser, "json")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures and prints."""
    from ...bench.advice import advise

    check_files(options)
    given = {"seconds": options.seconds, "search_seconds": options.search_seconds}
    with stage(quiet=not prints_table(options)) as told:
        advice = advise(
            shared.start_of(options),
            **shared.thinking(options),
            seed=options.seed,
            on_progress=told,
            **{name: value for name, value in given.items() if value is not None},
        )
    if prints_table(options):
        print(text(options, advice))
    write_json(options, {**advice.to_dict(), "command": command(options, advice), "call": call(options, advice)})
    return 130 if advice.interrupted else 0


# ---------------------------------------------------------------------------------------------- to be pasted
def command(options: argparse.Namespace, advice: Advice) -> str:
    """The search that is advised, for a shell."""
    words = ["parallel-mcts", "search", options.game]
    for name, value in _given(options):
        words += [f"--{name}", value]
    words += ["--seconds", f"{advice.facts.search_seconds:g}", "--backend", advice.backend]
    words += [] if advice.backend == "single" else ["--workers", str(advice.workers)]
    return shlex.join([*words, "--engine", advice.engine])


def call(options: argparse.Namespace, advice: Advice) -> str:
    """The same for Python; what a user's own file brings is left to the user."""
    from ..things import is_file

    own = is_file(options.game) or bool(options.moves)
    start = "state" if own else f'game("{options.game}")'
    words = [start, f"seconds={advice.facts.search_seconds:g}"]
    for name, value in _given(options):
        if name != "moves":
            words.append(f"{name}={name}" if is_file(value) else f'{name}="{value}"')
    words += [f'backend="{advice.backend}"']
    words += [] if advice.backend == "single" else [f"workers={advice.workers}"]
    return f'search({", ".join(words)}, engine="{advice.engine}")'


def _given(options: argparse.Namespace) -> list[tuple[str, str]]:
    """What the user said of the search that is meant, beside the game."""
    model = None if options.model == "rollout" else options.model
    said = {"moves": options.moves, "algorithm": options.algorithm, "model": model}
    return [(name, value) for name, value in said.items() if value]


# ---------------------------------------------------------------------------------------------- as text
def text(options: argparse.Namespace, advice: Advice) -> str:
    """The advice, how to follow it, and what it rests on."""
    from ...bench.measuring import header
    from ...bench.ping_pong import described

    facts = advice.facts
    heads = ("", "engine", "playouts/s", "±", "start-up", f"playouts in {facts.search_seconds:g} s", "memory")
    leaves = ", ".join(f"{short_time(took)} ({engine})" for engine, took in facts.leaf_seconds.items())
    before, after = (described(took) for took in advice.ping_pong)
    return "\n".join(
        [
            f"{facts.game}: {advice.backend} × {advice.workers}, {advice.engine}"
            + (" (stopped by Ctrl-C: on what was measured before)" if advice.interrupted else ""),
            "",
            advice.reason[:1].upper() + advice.reason[1:],
            *(
                ["Other programs kept the processors busy meanwhile: ask again on a quiet machine."]
                if advice.doubtful
                else []
            ),
            "",
            f"  {command(options, advice)}",
            f"  {call(options, advice)}",
            "",
            table(heads, [_row(c, advice) for c in advice.candidates], left=2),
            *(f"not measured: {what}: {why}" for what, why in advice.ruled_out),
            "",
            f"a new position is judged in {leaves}",
            header(advice.foreign_load),
            f"before: {before}; after: {after}",
        ]
    )


def _row(candidate: Candidate, advice: Advice) -> list[str]:
    from ...report.numbers import short_count, size

    playouts = candidate.playouts(advice.facts.search_seconds)
    spread = (max(candidate.rates) - min(candidate.rates)) / candidate.rate if candidate.rate else 0.0
    return [
        candidate.name,
        candidate.engine,
        f"{candidate.rate:,.0f}",
        f"{spread / 2:.0%}",
        f"{candidate.start_up:.1f} s",
        short_count(playouts),
        size(playouts * candidate.playout_bytes),
    ]
