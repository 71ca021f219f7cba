"""`parallel-mcts bench scaling GAME`: iterations per second and quality, by backend and number of workers."""

from __future__ import annotations

import argparse
from typing import Any

from .. import options as shared
from ..live import LiveDrawing
from ..output import on_terminal
from ..parsing import EXIT_CODES, argument
from .files import add_files, check_files, plot_base, prints_table, write_json, write_text, writing
from .watching import drawn

EXAMPLES = """examples:
  parallel-mcts bench scaling connect_four --html scaling.html --plot scaling
  parallel-mcts bench scaling goofspiel:cards=4 --algorithms exp3,regret_matching --workers 1,2,4,8
  parallel-mcts bench scaling mygame.py:MyGame --backends process --mode strong --seconds 0.2 --rounds 3
  parallel-mcts bench scaling tron --json > tron.json

"""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "scaling",
        help="how much faster, and how much better, more workers are",
        description="Measures backends with more and more workers: iterations per second, speed-up beside `single`, "
        "start-up, memory, and how good the answers are at equal wall time.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    _add_plan(parser.add_argument_group("what is measured"))
    _add_effort(parser.add_argument_group("how long"))
    add_files(parser, "json", "csv", "plot", "html")
    parser.set_defaults(run=run)


def _add_plan(group: Any) -> None:
    everything = "all whose workers run at once"
    argument(
        group,
        "--backends",
        metavar="LIST",
        completes="backend",
        help=f"process,forest (default: {everything}); beside single",
    )
    group.add_argument("--workers", metavar="LIST", help="1,2,4 (default: up to the processors, and twice as many)")
    argument(group, "--algorithms", metavar="LIST", completes="algorithm", help="ucb,exp3:gamma=0.1 (default: the game's)")
    argument(
        group, "--model", metavar="SPEC", completes="model", default="rollout", help="rollout:times=32 has costly leaves"
    )
    choices = "auto python compiled"
    words = "python, compiled, or auto: compiled if the game can be (default)"
    argument(group, "--engine", metavar="NAME", completes=choices, default="auto", help=words)
    words = "strong: the budget is shared by all workers; weak: each has it; both (default)"
    argument(group, "--mode", metavar="NAME", completes="strong weak both", default="both", help=words)


def _add_effort(group: Any) -> None:
    group.add_argument("--seconds", metavar="S", type=float, default=1.0, help="of `single` in each round (default: 1)")
    group.add_argument(
        "--iterations", metavar="N", type=int, help="the budget, rather than what `single` does in that time"
    )
    group.add_argument("--rounds", metavar="N", type=int, default=5, help="how often everything is measured (default: 5)")
    words = "wall time of a search, or of a move in games against `single` (default: 0.1)"
    group.add_argument("--quality-seconds", metavar="S", type=float, default=0.1, help=words)
    words = "searches for each figure, or pairs of games (default: as many as rounds)"
    group.add_argument("--quality-rounds", metavar="N", type=int, help=words)
    words = "games of so many positions at most are solved and judged exactly (default: 50,000)"
    group.add_argument("--solve-limit", metavar="N", type=int, default=50_000, help=words)
    group.add_argument("--seed", metavar="N", type=int, help="of the searches (default: a new one, which is printed)")


def run(options: argparse.Namespace) -> int:
    """Measures, prints, writes."""
    from ...bench.scaling import measure_scaling
    from ...registry import ALGORITHMS, BACKENDS, MODELS
    from ..things import made

    check_files(options)
    with LiveDrawing(drawn, enabled=on_terminal() and prints_table(options)) as watching:
        report = measure_scaling(
            shared.start_of(options),
            backends=things(BACKENDS, options.backends),
            workers=counts(options.workers),
            algorithms=things(ALGORITHMS, options.algorithms),
            model=made(MODELS, options.model),
            engine=options.engine,
            mode=options.mode,
            iterations=options.iterations,
            seconds=options.seconds,
            rounds=options.rounds,
            quality_seconds=options.quality_seconds,
            quality_rounds=options.quality_rounds,
            solve_limit=options.solve_limit,
            seed=options.seed,
            title=options.game if not options.moves else f"{options.game} after {options.moves}",
            on_progress=watching.progress,
        )
    tell(options, report)
    return 130 if report.interrupted else 0


def tell(options: argparse.Namespace, report: Any) -> None:
    """The table first: whatever happens to the files, it has been seen."""
    from ...bench.scaling import write_page, write_plots
    from ...bench.scaling.telling import as_csv

    if prints_table(options):
        draw(report) if on_terminal() else print(report)
    write_json(options, report.to_dict())
    if options.csv is not None:
        write_text("--csv", options.csv, as_csv(report))
    if not report.cells:
        return
    if options.html is not None:
        writing("--html", lambda: write_page(report, options.html))
    base = plot_base(options)
    if base is not None:
        writing("--plot", lambda: write_plots(report, base))


def draw(report: Any) -> None:
    """The report on a terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ...bench.scaling.telling import GAP, heading, remarks, tables

    out = Console(highlight=False)
    for words in heading(report):
        out.print(Text(words, style="dim"))
    for table in (piece for whole in tables(report) for piece in whole.pieces(out.width)):
        title = Text(table.title, style="bold")
        grid = Table(title=title, title_justify="left", box=None, header_style="dim", padding=(0, GAP, 0, 0))
        for k, name in enumerate(table.head):
            grid.add_column(Text(name), justify="right" if k else "left", no_wrap=True)
        for line in table.lines:
            grid.add_row(*map(Text, line))
        out.print()
        out.print(grid)
    out.print()
    for words in remarks(report):
        out.print(Text(words, style="yellow" if words.startswith("!") else ""))


# ---------------------------------------------------------------------------------------------- lists
def things(registry: Any, text: str | None) -> list[Any] | None:
    """What `exp3:gamma=0.1,averages=yes,ucb` lists; those of the registry by name, those of a file themselves."""
    from ...errors import ParameterError
    from ..things import is_file, made

    if text is None:
        return None
    specs: list[str] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if "=" in part and ":" not in part and specs:  # a parameter of the one before
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    if not specs:
        raise ParameterError(f"--{registry.kind}s is {text!r}; give names parted by commas: {', '.join(registry.names())}")
    return [made(registry, spec) if is_file(spec) else spec for spec in specs]


def counts(text: str | None) -> list[int] | None:
    """The numbers that `1,2,4` lists."""
    from ...errors import ParameterError

    if text is None:
        return None
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"--workers is {text!r}; give whole numbers, such as 1,2,4") from None
