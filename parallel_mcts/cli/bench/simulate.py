"""`parallel-mcts bench simulate GAME`: what a search would do on 10 to 10,000 workers, and how far to believe it."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from .. import options as shared
from ..output import stage
from ..parsing import EXIT_CODES
from .files import add_files, check_files, plot_base, prints_table, write_csv, write_json, writing
from .tables import short_time, table

if TYPE_CHECKING:
    from ...bench.simulation.costs import Costs
    from ...bench.simulation.report import Check, Prediction, SimulationReport

EXAMPLES = """examples:
  parallel-mcts bench simulate goofspiel:cards=4
  parallel-mcts bench simulate goofspiel:cards=4 --latency 0.0005 --bandwidth 1e9
  parallel-mcts bench simulate connect_four --search-seconds 1 --json simulated.json --plot simulated

"""
ONE_CORE = 1e-6
"""Seconds of a hand-over that no two cores can be so slow at: the threads took turns on one."""


def add_to(commands: Any) -> None:
    """Declares the command and its options."""
    parser = commands.add_parser(
        "simulate",
        help="what 10 to 10,000 workers would do, from costs measured here",
        description="Measures what the parts of a parallel search cost on this machine and how good its answers are, "
        "simulates searches on many workers with that, and runs some here, to show how far the simulation can be believed.",
        epilog=EXAMPLES + EXIT_CODES,
    )
    shared.add_position(parser)
    group = parser.add_argument_group("the search")
    shared.add_thinking(group)
    shared.add_engine(group)
    group.add_argument("--search-seconds", metavar="S", type=float, help="how long a simulated search takes (default: 10)")
    group.add_argument("--seed", metavar="N", type=int, help="of all searches (default: a new one, which is printed)")
    group = parser.add_argument_group("the workers")
    group.add_argument("--workers", metavar="N,N,…", help="simulate so many (default: 1,10,30,100,300,1000,3000,10000)")
    group.add_argument("--latency", metavar="S", type=float, default=0.0, help="seconds to a worker, and back (default: 0)")
    group.add_argument("--bandwidth", metavar="B", type=float, help="bytes per second (default: no limit)")
    group = parser.add_argument_group("what is measured")
    group.add_argument("--checked", metavar="N,N,…", help="run with so many workers on this machine (default: 1,2,4,8,16)")
    group.add_argument("--seconds", metavar="S", type=float, help="that each worker searches, in each round (default: 0.5)")
    group.add_argument("--rounds", metavar="N", type=int, help="of the searches on this machine (default: 3)")
    add_files(parser, "json", "csv", "plot")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Simulates and prints."""
    from ...bench.simulation import Network, simulate

    check_files(options)
    given = {
        "seconds": options.seconds,
        "rounds": options.rounds,
        "search_seconds": options.search_seconds,
        "checked": counts(options.checked, "--checked"),
        "workers": counts(options.workers, "--workers"),
    }
    with stage(quiet=not prints_table(options)) as told:
        report = simulate(
            shared.start_of(options),
            **shared.thinking(options),
            engine=options.engine,
            network=Network(options.latency, options.bandwidth),
            seed=options.seed,
            on_progress=told,
            **{name: value for name, value in given.items() if value is not None},
        )
    if prints_table(options):
        print(text(report))
    write_json(options, report.to_dict())
    write_csv(options, rows_of(report))
    base = plot_base(options)
    if base is not None:
        from ...bench.simulation.plots import write_plots

        writing("--plot", lambda: write_plots(base, report))
    return 130 if report.interrupted else 0


def counts(listed: str | None, option: str) -> list[int] | None:
    """`1,2,4` as numbers."""
    if listed is None:
        return None
    try:
        return [int(part) for part in listed.split(",")]
    except ValueError:
        raise InputError(f"{option} is {listed!r}; write whole numbers with commas between them, such as 1,2,4") from None


def rows_of(report: SimulationReport) -> list[dict[str, Any]]:
    """What is simulated, a line each."""
    return [{**asdict(p), "efficiency": p.efficiency} for p in report.predictions]


# ---------------------------------------------------------------------------------------------- as text
def text(report: SimulationReport) -> str:
    """The costs, the checks, the predictions."""
    from ...bench.measuring import header

    load = sum(c.foreign_load for c in report.checks) / len(report.checks) if report.checks else 0.0
    costs = report.costs
    lines = [
        f"{report.game}, {report.algorithm}, {report.engine}, seed {report.seed}",
        header(load),
        "",
        *_costs(costs),
        "",
        f"On this machine ({costs.cores} processors), {report.iterations:,} playouts a worker"
        + (", stopped by Ctrl-C" if report.interrupted else ""),
        *_checks(report),
        "",
        f"Simulated: a search of {report.search_seconds:g} s, a processor for each worker, {_network(report)}",
        _predictions(report),
        "",
        f"{report.measure}, {report.source}",
    ]
    if costs.hand_over > ONE_CORE:
        lines.append("The ping-pong found no two processors free: what is said of the shared tree means nothing.")
    if any(p.guessed for p in report.predictions):
        lines.append("~ beyond the numbers of playouts at which errors were measured: a guess")
    return "\n".join(lines)


def _costs(costs: Costs) -> list[str]:
    playout = f"A playout takes {short_time(costs.playout)} and passes {costs.path:.1f} nodes"
    lock = f"{short_time(costs.step)} at each under its lock, and {short_time(costs.locking)} to take it"
    line = f"a cache line changes cores in {short_time(costs.hand_over)}."
    parent = f"The parent sends a worker off in {short_time(costs.dispatch)}, merges its root of {costs.numbers} numbers in"
    start = f"starts its process in {short_time(costs.spawn)}; that is ready {short_time(costs.boot)} later."
    return [f"{playout}, {lock}; {line}", f"{parent} {short_time(costs.merge)}, {start}"]


def _network(report: SimulationReport) -> str:
    if not report.latency and report.bandwidth is None:
        return "no network between them"
    speed = "" if report.bandwidth is None else f", {report.bandwidth:,.0f} bytes per second"
    return f"{report.latency:g} s away{speed}"


def _checks(report: SimulationReport) -> list[str]:
    if not report.checks:
        return ["nothing was measured"]
    heads = (
        "backend",
        "workers",
        "predicted/s",
        "measured/s",
        "±",
        "ratio",
        "error predicted",
        "measured",
        "load",
        "ping-pong",
    )
    lines = [table(heads, [_check(check) for check in report.checks])]
    off = [f"{c.backend} × {c.workers}" for c in report.checks if c.off]
    if off:
        lines.append(f"Predicted more than a quarter too high or too low: {', '.join(off)}.")
    if any(c.oversubscribed for c in report.checks):
        lines.append("* more workers than processors")
    return lines


def _check(check: Check) -> list[str]:
    return [
        check.backend,
        f"{check.workers}{'*' if check.oversubscribed else ' '}",
        f"{check.predicted_rate:,.0f}",
        f"{check.measured_rate:,.0f}",
        f"{check.spread / 2:.0%}",
        f"{check.ratio:.2f}",
        _error(check.predicted_error),
        _error(check.measured_error),
        f"{check.foreign_load:.0%}",
        f"{check.ping_pong * 1e9:.0f} ns",
    ]


def _predictions(report: SimulationReport) -> str:
    heads = ("way", "workers", "playouts/s", "speed-up", "efficiency", "answer after", "start-up", "error")
    return table(heads, [_prediction(p) for p in report.predictions])


def _prediction(p: Prediction) -> list[str]:
    return [
        p.way,
        f"{p.workers:,}",
        f"{p.rate:,.0f}",
        f"{p.speed_up:,.1f}",
        f"{p.efficiency:.0%}",
        f"{p.seconds:.2f} s",
        f"{p.start_up:.1f} s",
        ("~" if p.guessed else "") + _error(p.error),
    ]


def _error(error: float | None) -> str:
    return "–" if error is None else f"{error:.2g}"
