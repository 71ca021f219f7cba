"""The live table of a tournament on a terminal. The thread that runs the tournament feeds it."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from ..tournament import TournamentProgress


class LiveTable:
    """Draws where a tournament stands after every game; one that is not enabled does nothing."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.live: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live is not None:
            self.live.stop()

    def progress(self, progress: TournamentProgress) -> None:
        if not self.enabled:
            return
        if self.live is None:
            from rich.live import Live

            self.live = Live(transient=True, auto_refresh=False)
            self.live.start()
        self.live.update(drawn(progress), refresh=True)


def drawn(progress: TournamentProgress) -> Any:
    """The table, how far it is, and the last game."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table(header_style="bold", title=f"{progress.done} of {progress.total} games · Ctrl-C for the table so far")
    table.add_column("agent")
    for head in ("games", "wins", "draws", "losses", "rate", "Elo", "±", "s/move"):
        table.add_column(head, justify="right")
    for row in progress.standings.rows:
        counts = [str(count) for count in (row.games, row.wins, row.draws, row.losses)]
        reach = f"{(row.elo_high - row.elo_low) / 2:.0f}"
        table.add_row(Text(row.name), *counts, f"{row.rate:.1%}", f"{row.elo:+.0f}", reach, f"{row.seconds_per_move:.3f}")
    last = progress.record
    words = "" if last is None else f"round {last.round}: {last.row} against {last.col}: {last.reason}"
    bar = Table.grid()
    bar.add_row(ProgressBar(total=progress.total, completed=progress.done, width=40))
    return Group(table, bar, Text(words, style="dim"))
