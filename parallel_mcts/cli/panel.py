"""The live panel of a search on a terminal, and its answer in bars. rich is imported here, and only when it is drawn.

The thread that searches feeds the panel; rich draws it from a thread of its own, so that it also moves while a search is
being compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from rich.box import ROUNDED
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel as Frame
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from ..results import ActionReport, Progress, SearchResult
from .drawing import bar, board, megabytes, position

FIRST_SECONDS = 0.2
"""A search that is over sooner gets no panel: it would only flash."""
ROWS_ELSEWHERE = 14
"""Lines of the screen that are not for actions."""
NARROW = 76
"""On a screen that has fewer columns, the players' bars are one below the other."""
BAR_WIDTH = 16
FEWEST_ACTIONS = 3
MOST_SHOWN = 24
"""Actions in the table at the end."""


class Panel:
    """A teller for terminals."""

    def __init__(self, iterations: int | None, seconds: float | None, console: Console | None = None) -> None:
        self.iterations, self.seconds = iterations, seconds
        self.console = console or Console(highlight=False)
        self.live: Live | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live is not None:
            self.live.stop()

    def progress(self, progress: Progress) -> None:
        if self.live is None:
            if progress.stage == "searching" and (progress.seconds < FIRST_SECONDS or self._done(progress) >= 1.0):
                return
            self.live = Live(console=self.console, transient=True, refresh_per_second=8)
            self.live.start()
        self.live.update(self._drawn(progress), refresh=True)

    # ------------------------------------------------------------------------ while it runs
    def _done(self, progress: Progress) -> float:
        """How much of the budget is spent, from 0 to 1."""
        parts = [progress.iterations / self.iterations if self.iterations else 0.0]
        parts.append(progress.seconds / self.seconds if self.seconds else 0.0)
        return min(1.0, max(parts))

    def _drawn(self, progress: Progress) -> RenderableType:
        if progress.stage == "compiling":
            words = Spinner(
                "dots",
                Text(" compiling the game and the algorithm, once; the next search starts at once (Ctrl-C twice gives up)"),
            )
            return Frame(words, title="parallel-mcts", box=ROUNDED, width=self._width())
        narrow = self.console.width < NARROW
        room = max(FEWEST_ACTIONS, (self.console.height - ROWS_ELSEWHERE) // (2 if narrow else 1))
        done = self._done(progress)
        head = Table.grid(padding=(0, 1), expand=True)
        head.add_column(ratio=1)
        head.add_column(justify="right")
        head.add_row(ProgressBar(total=1.0, completed=done), Text(f"{done:4.0%}"))
        parts: list[RenderableType] = [head, Text(_pace(progress)), Text("")]
        sides = [_bars("row", progress.row, room), _bars("column", progress.col, room)]
        parts += sides if narrow else [_side_by_side(*sides)]
        parts += [Text(""), _facts(progress)]
        return Frame(Group(*parts), title="parallel-mcts · Ctrl-C for the answer so far", box=ROUNDED, width=self._width())

    def _width(self) -> int:
        return min(self.console.width, 96)

    # ------------------------------------------------------------------------ at the end
    def result(self, start: Any, result: SearchResult) -> None:
        out = self.console
        out.print(board(position(start), result.game))
        values = ["-" if value is None else f"{value:.3f}" for value in result.values]
        out.print(Text.assemble("value  ", (f"row {values[0]}", "cyan"), "  ", (f"column {values[1]}", "magenta")))
        for player, reports, colour in (("row", result.row_actions, "cyan"), ("column", result.col_actions, "magenta")):
            out.print()
            out.print(_table(player, reports, colour))
        if result.principal_line:
            out.print()
            out.print(Text("line " + " ".join(map(str, result.principal_line)), style="bold"))
        out.print()
        out.print(Text(str(result).splitlines()[-1], style="dim"))


def _pace(progress: Progress) -> str:
    return f"{progress.iterations:,} iterations · {progress.rate:,.0f}/s · {progress.seconds:.1f} s"


def _facts(progress: Progress) -> Text:
    values = ["-" if value is None else f"{value:.3f}" for value in (progress.row_value, progress.col_value)]
    line = " ".join(map(str, progress.principal_line)) or _best(progress)
    return Text(
        f"value  row {values[0]}  column {values[1]}\nline   {line}\n"
        f"nodes  {progress.nodes:,} · {megabytes(progress.memory)} · workers {progress.workers}"
    )


def _best(progress: Progress) -> str:
    """The likeliest joint action: what is known of the line while workers are busy with the rest of it."""
    choices = [str(s.best) for s in (progress.row, progress.col) if len(s) > 1]
    return "/".join(choices) + " …"


def _bars(player: str, strategy: Any, room: int) -> RenderableType:
    """A player's actions with bars; where there are many, the likeliest."""
    colour = "cyan" if player == "row" else "magenta"
    grid = Table.grid(padding=(0, 1))
    grid.add_column(max_width=18, no_wrap=True, overflow="ellipsis")
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(Text(player, style=f"bold {colour}"), "", "")
    if len(strategy) == 1:
        grid.add_row(Text(f"{strategy.actions[0]} (no choice)", style="dim"), "", "")
        return grid
    ordered = list(strategy.items())
    if len(ordered) > room:
        ordered.sort(key=lambda pair: -pair[1])
    for action, probability in ordered[:room]:
        grid.add_row(Text(str(action)), Text(bar(probability, BAR_WIDTH), style=colour), Text(f"{probability:.1%}"))
    if len(ordered) > room:
        grid.add_row(Text(f"… {len(ordered) - room} more", style="dim"), "", "")
    return grid


def _side_by_side(left: RenderableType, right: RenderableType) -> Table:
    grid = Table.grid(padding=(0, 4))
    grid.add_row(left, right)
    return grid


def _table(player: str, reports: Sequence[ActionReport], colour: str) -> RenderableType:
    """A player's actions at the end: probability with a bar, visits and value."""
    if len(reports) == 1:
        return Text.assemble((player, f"bold {colour}"), f"  {reports[0].action} (no choice)")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column(Text(player, style=f"bold not dim {colour}"), no_wrap=True)
    table.add_column("")
    for name in ("probability", "visits", "value"):
        table.add_column(name, justify="right", no_wrap=True)
    for r in _shown(reports):
        table.add_row(
            Text(str(r.action)),
            Text(bar(r.probability, BAR_WIDTH), style=colour),
            f"{r.probability:.3f}",
            f"{r.visits:,}",
            "-" if r.value is None else f"{r.value:.3f}",
        )
    if len(reports) > MOST_SHOWN:
        table.add_row(Text(f"… {len(reports) - MOST_SHOWN} more; --plain shows all", style="dim"))
    return table


def _shown(reports: Sequence[ActionReport]) -> Sequence[ActionReport]:
    """All actions; of a great many, those that were tried most."""
    if len(reports) <= MOST_SHOWN:
        return reports
    return sorted(reports, key=lambda report: -report.visits)[:MOST_SHOWN]
