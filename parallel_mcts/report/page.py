"""The page that tells a search: one HTML file that needs no network, with its own style and a little script.

`write_html` is for people and for the command line's `--html`. It reads the session it is given, in the thread that owns
it, and changes nothing. The page's security policy lets no other script run and nothing be loaded.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..results import SearchResult
from ..search import Search
from ..state import is_constant_sum, payoff_range
from . import numbers
from .convergence import convergence
from .document import document, footer, section, tile
from .excerpt import drawn, most_visited
from .explorer import explorer
from .heatmap import heat_map, is_drawable
from .markup import Markup, element, joined
from .recorder import Recorder
from .scaling import Scaling, scaling_section
from .strategies import both_strategies
from .yardstick import Yardstick, yardstick

NODES = 200
SOLVE_LIMIT = 2_000


def write_html(
    path: str | os.PathLike[str],
    source: Search | SearchResult,
    *,
    recorder: Recorder | None = None,
    solved: Any = None,
    nodes: int = NODES,
    solve_limit: int = SOLVE_LIMIT,
    title: str | None = None,
    scaling: Scaling | None = None,
) -> None:
    """Writes a search as one self-contained page: strategies, payoffs, convergence, the tree, parameters.

    `source` is a session, or a result alone, whose page has no tree and no position. `recorder` was the search's
    `on_progress`. `nodes` bounds the tree. Exploitability is measured on `solved` (see `solve`) if given, else the game
    is solved if it has at most `solve_limit` positions, else the search's own mean payoffs must do. `scaling` is what a
    benchmark found (`parallel_mcts.bench.scaling.figures_of`), for a section of its own.
    """
    page = html_page(
        source, recorder=recorder, solved=solved, nodes=nodes, solve_limit=solve_limit, title=title, scaling=scaling
    )
    Path(path).write_text(page, encoding="utf-8")


def html_page(
    source: Search | SearchResult,
    *,
    recorder: Recorder | None = None,
    solved: Any = None,
    nodes: int = NODES,
    solve_limit: int = SOLVE_LIMIT,
    title: str | None = None,
    scaling: Scaling | None = None,
) -> str:
    """The text that `write_html` writes."""
    session = source if isinstance(source, Search) else None
    result = source.result() if isinstance(source, Search) else source
    state = session.state if session is not None else None
    measure = yardstick(state, result, solved, solve_limit) if _has_choice(result) else None
    sections = [section("Strategies", both_strategies(result))]
    if len(result.row) > 1 and len(result.col) > 1:
        sections.append(section("Payoffs", _payoffs(result, state)))
    if recorder is not None:
        constant_sum = state is None or is_constant_sum(state)
        sections.append(section("Convergence", convergence(recorder.points, measure, constant_sum=constant_sum)))
    if session is not None:
        sections.append(section("Tree", explorer(most_visited(session, nodes))))
    if scaling is not None:
        sections.append(scaling_section(scaling))
    sections.append(section("Parameters", _parameters(result)))
    heading = _header(title or result.game, result, state, measure)
    return document(title or result.game, joined(heading, element("main", *sections), footer()))


def _has_choice(result: SearchResult) -> bool:
    return len(result.row) > 1 or len(result.col) > 1


# ---------------------------------------------------------------------------------------------- the head of the page
def _header(title: str, result: SearchResult, state: Any, measure: Yardstick | None) -> Markup:
    how = f"{result.algorithm!r} · {result.backend} × {result.workers} · {result.engine} · seed {result.seed}"
    lead = [element("h1", title), element("p", how, class_="how"), *_warnings(result), _tiles(result, measure)]
    return element("header", *lead, _start(result, state), class_="top")


def _warnings(result: SearchResult) -> list[Markup]:
    said = []
    if result.interrupted:
        said.append("The search was interrupted: this is the answer so far.")
    if result.lost_workers:
        said.append(f"{result.lost_workers} workers died and were replaced; what they last published is in the answer.")
    return [element("p", text, class_="warning", role="note") for text in said]


def _tiles(result: SearchResult, measure: Yardstick | None) -> Markup:
    tiles = [("Row's value", numbers.payoff(result.row_value), f"column's {numbers.payoff(result.col_value)}")]
    for name, strategy in (("Row plays", result.row), ("Column plays", result.col)):
        if len(strategy) > 1:
            tiles.append((name, str(strategy.best), numbers.percent(max(strategy))))
    if measure is not None:
        gap = numbers.payoff(measure.exploitability(result.row, result.col))
        tiles.append(("Exploitability", gap, measure.source.partition(":")[0]))
    pace = f"{numbers.seconds(result.seconds)}, {numbers.short_count(result.rate)}/s"
    tiles.append(("Iterations", numbers.count(result.iterations), pace))
    return element("dl", *(tile(*each) for each in tiles), class_="tiles")


def _start(result: SearchResult, state: Any) -> Markup:
    parts = []
    if state is not None:
        parts.append(element("pre", drawn(state), class_="position"))
    if result.principal_line:
        moves = [element("li", move, class_="label") for move in result.principal_line]
        parts.append(element("div", element("h2", "Expected line"), element("ol", *moves, class_="line-of-play")))
    return element("div", *parts, class_="start")


# ---------------------------------------------------------------------------------------------- smaller sections
def _payoffs(result: SearchResult, state: Any) -> Markup:
    if not is_drawable(result):
        size = f"{len(result.row)} × {len(result.col)} joint actions are too many to draw."
        return element("p", size, class_="note")
    note = "Row's mean payoff of each joint action, as the search met it; beside the actions, how likely they are played."
    if state is not None:
        middle = sum(payoff_range(state)) / 2
    else:
        known = [value for line in result.cell_means for value in line if value is not None]
        middle = (min(known) + max(known)) / 2 if known else 0.0
    constant_sum = state is None or is_constant_sum(state)
    return joined(element("p", note, class_="note"), heat_map(result, middle, constant_sum=constant_sum))


def _parameters(result: SearchResult) -> Markup:
    facts: Sequence[tuple[str, Any]] = [
        ("game", result.game),
        ("algorithm", repr(result.algorithm)),
        ("model", repr(result.model)),
        ("backend", result.backend),
        ("workers", result.workers),
        ("engine", result.engine),
        ("seed", result.seed),
        ("iterations", numbers.count(result.iterations)),
        ("time", numbers.seconds(result.seconds)),
        ("iterations per second", numbers.count(result.rate)),
        ("visits of the root", numbers.count(result.visits)),
        ("nodes", numbers.count(result.nodes)),
        ("memory", numbers.size(result.memory)),
    ]
    return element("dl", *(element("div", element("dt", k), element("dd", v)) for k, v in facts), class_="facts-list")
