"""The live table of a tournament on a terminal. The thread that runs the tournament feeds it."""

from __future__ import annotations

from typing import Any

from ..tournament import TournamentProgress


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
