"""`parallel-mcts bench peers`: other packages beside this one, in speed, in strength, and in what answers give away."""

from __future__ import annotations

import argparse
import csv
import io
import shlex
import sys
from typing import Any, NamedTuple

from ..live import LiveDrawing
from ..output import on_terminal
from ..parsing import EXIT_CODES, argument
from .files import OUTPUT, add_files, check_files, path_of, prints_table, write_json, write_text
from .tables import table

EXAMPLES = """examples:
  parallel-mcts bench peers                                      everything: takes hours
  parallel-mcts bench peers speed --on connect_four --rounds 3
  parallel-mcts bench peers strength --on kalah,gomoku --against open_spiel_cpp --games 40
  parallel-mcts bench peers exploitability --on goofspiel_5 --times 1,10 --json goofspiel.json

parts:
  speed            simulations per second from the start of a game, all in turn in one run
  strength         matches at equal time for a move, sides swapped, from random openings of two plies
  exploitability   games in which both move at once: what the strategies found in equal time still give away

"""

# Written out, since importing what they name would make every command slow to start; a test keeps them as they are there.
PARTS = ("speed", "strength", "exploitability")
GAMES = ("tictactoe", "connect_four", "kalah", "gomoku", "goofspiel_4", "goofspiel_5", "oshi_zumo")
PEERS = (
    *("open_spiel_cpp", "open_spiel_python", "multimcts", "monte_carlo_tree_search", "mctspy", "mcts_simple"),
    *("mccfr_outcome", "mccfr_external", "cfr", "cfr_plus"),
)


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "peers",
        help="how this package does beside others",
        description="Compares this package with others on the same rules, in the same run, for the same time.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    argument(
        parser, "parts", metavar="PART", nargs="*", completes=" ".join(PARTS), help=f"{', '.join(PARTS)} (default: all)"
    )
    argument(parser, "--on", metavar="GAMES", default="", completes=" ".join(GAMES), help=f"some of {', '.join(GAMES)}")
    argument(
        parser, "--against", metavar="PEERS", default="", completes=" ".join(PEERS), help=f"some of {', '.join(PEERS)}"
    )
    speed = parser.add_argument_group("speed")
    speed.add_argument(
        "--rounds", metavar="N", type=int, default=5, help="each candidate runs in each of them (default: 5)"
    )
    each = "of each candidate in a round (default: 1)"
    speed.add_argument("--round-seconds", metavar="S", type=float, default=1.0, help=each)
    strength = parser.add_argument_group("strength")
    number = "for each game and peer, an even number (default: 20)"
    strength.add_argument("--games", metavar="N", type=int, default=20, help=number)
    strength.add_argument("--seconds", metavar="S", type=float, default=0.2, help="for each move (default: 0.2)")
    argument(strength, "--algorithm", metavar="SPEC", default="ucb", completes="algorithm", help="of ours (default: ucb)")
    engine = "of ours: compiled (default) or python"
    argument(strength, "--engine", metavar="NAME", default="compiled", completes="compiled python", help=engine)
    strength.add_argument("--workers", metavar="N", type=int, help="a second row: ours with N processes")
    exploitability = parser.add_argument_group("exploitability")
    exploitability.add_argument("--times", metavar="S,S", default="1,10", help="read after so many seconds (default: 1,10)")
    exploitability.add_argument("--seeds", metavar="N", type=int, default=5, help="runs, one a seed (default: 5)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of openings and runs (default: 1)")
    add_files(parser, "json", "csv")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures, shows what is done, and prints the tables; Ctrl-C prints those so far."""
    from ...bench.peers.comparison import Comparison, compare

    asked, comparison = request(options), Comparison(command=shlex.join(["parallel-mcts", *sys.argv[1:]]))
    asked.validate()
    check_files(options)
    try:
        with LiveDrawing(_watched, enabled=on_terminal() and prints_table(options)) as live:

            def tell(words: str) -> None:
                save(options, comparison)
                live.progress((comparison, words))

            compare(asked, comparison, tell)
    except KeyboardInterrupt:
        comparison.interrupted = True
    if prints_table(options):
        show(comparison)
    save(options, comparison, done=True)
    return 130 if comparison.interrupted else 0


def request(options: argparse.Namespace) -> Any:
    """What the options ask for."""
    from ...agents.mcts import Mcts
    from ...bench.peers.comparison import Request
    from ...bench.peers.strength import Plan
    from ...engines.choice import check_engine

    ours = Mcts(algorithm=options.algorithm, engine=check_engine(options.engine), reuse=False)
    return Request(
        parts=options.parts or PARTS,
        games=listed(options.on),
        against=listed(options.against),
        rounds=options.rounds,
        round_seconds=options.round_seconds,
        plan=Plan(options.games, options.seconds, options.seed, ours),
        workers=options.workers,
        times=numbers(options.times),
        seeds=options.seeds,
    )


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def numbers(text: str) -> list[float]:
    from ...errors import ParameterError

    try:
        return [float(part) for part in listed(text)]
    except ValueError:
        raise ParameterError(f"--times is {text!r}; give numbers of seconds, such as 1,10") from None


# ---------------------------------------------------------------------------------------------- files
def save(options: argparse.Namespace, comparison: Any, *, done: bool = False) -> None:
    """Writes what there is to the files that are asked for, while it comes in; prints it only once all is done."""
    if done or path_of(options, "json") != OUTPUT:
        write_json(options, comparison.to_dict())
    sheet = path_of(options, "csv")
    if sheet is not None and (done or sheet != OUTPUT):
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(comparison.csv_rows())
        write_text("--csv", sheet, text.getvalue())


# ---------------------------------------------------------------------------------------------- tables
class Table(NamedTuple):
    """A title and cells, the first line being the head; the first two columns are texts."""

    title: str
    lines: list[tuple[str, ...]]


def tables(comparison: Any) -> list[Table]:
    """Those that have lines."""
    made = [_speed_table(comparison.speed), _strength_table(comparison.strength)]
    made += [_exploitability_table(comparison.exploitability), _target_table(comparison.targets())]
    return [each for each in made if len(each.lines) > 1]


def _speed_table(rows: Any) -> Table:
    head = ("game", "search", "simulations/s", "±", "compiled is", "mixed is", "interpreted is", "load")
    lines = [
        (
            row.game,
            row.candidate,
            f"{row.rate:,.0f}",
            f"{row.spread / 2:.0%}",
            *(f"{ratio:.2f} ×" for ratio in row.ratios.values()),
            f"{row.foreign_load:.0%}",
        )
        for row in rows
    ]
    return Table("Speed, one thread", [head, *lines])


def _strength_table(rows: Any) -> Table:
    head = ("game", "against", "ours", "wins", "draws", "losses", "score", "95%", "s/move", "theirs", "load")
    lines = []
    for row in rows:
        ours = f"{row.algorithm}, {row.engine}, {row.backend} × {row.workers}"
        if row.trouble:
            lines.append((row.game, row.peer, ours, f"broken off after {row.games} games: {row.trouble}", *[""] * 7))
            continue
        low, high = row.interval
        counts = [str(count) for count in (row.wins, row.draws, row.losses)]
        seconds = [f"{row.own_seconds:.3f}", f"{row.peer_seconds:.3f}"]
        lines.append(
            (
                row.game,
                row.peer,
                ours,
                *counts,
                f"{row.score:.1%}",
                f"{low:.0%}–{high:.0%}",
                *seconds,
                f"{row.foreign_load:.0%}",
            )
        )
    return Table("Strength at equal time", [head, *lines])


def _exploitability_table(rows: Any) -> Table:
    head = ("game", "search", "seconds", "exploitability", "±", "runs", "iterations", "load")
    lines = [
        (
            row.game,
            row.candidate,
            f"{row.seconds:g}",
            f"{row.mean:.5f}",
            f"{row.reach:.5f}",
            str(len(row.values)),
            f"{sum(row.iterations) / len(row.iterations):,.0f}",
            f"{row.foreign_load:.0%}",
        )
        for row in rows
    ]
    return Table("Exploitability of the strategies at the root after equal time", [head, *lines])


def _target_table(targets: Any) -> Table:
    lines = [(target.words, target.found, "reached" if target.reached else "NOT reached") for target in targets]
    return Table("Targets", [("target", "found", ""), *lines])


def notes(comparison: Any) -> list[str]:
    """What stands below the tables."""
    absent = [f"{title}: {why}" for title, why in comparison.missing.items()]
    how = [f"{comparison.machine}; {comparison.date}; {comparison.command}"]
    if comparison.speed or comparison.strength or comparison.exploitability:
        how.append("load: the share of the processors that other programs took; compare ratios only where it is high")
    return [*absent, *how] + ["interrupted: what there was so far"] * comparison.interrupted


def show(comparison: Any) -> None:
    """Prints everything."""
    if on_terminal():
        from rich.console import Console

        Console().print(_drawn(comparison), *notes(comparison), sep="\n", highlight=False, markup=False)
        return
    for each in tables(comparison):
        print(_plain(each), end="\n\n")
    print("\n".join(notes(comparison)))


def _plain(told: Table) -> str:
    head, *lines = told.lines
    return "\n".join([told.title, *(f"  {line}" for line in table(head, lines, left=2).splitlines())])


def _drawn(comparison: Any) -> Any:
    """The tables for a terminal."""
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = []
    for title, (head, *lines) in tables(comparison):
        each = RichTable(title=title, header_style="bold", title_justify="left")
        for k, name in enumerate(head):
            each.add_column(name, justify="left" if k < 2 else "right")
        for line in lines:
            each.add_row(*(Text(cell) for cell in line))
        drawn.append(each)
    return Group(*drawn)


def _watched(told: tuple[Any, str]) -> Any:
    """The tables so far, and what is being done."""
    from rich.console import Group
    from rich.text import Text

    comparison, words = told
    return Group(_drawn(comparison), Text(f"{words} · Ctrl-C for the tables so far", style="dim"))
