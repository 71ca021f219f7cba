"""What a long benchmark shows on a terminal while it runs: the stage, what is being measured, how long it will take.

Pure functions; rich is imported when something is drawn.
"""

from __future__ import annotations

from typing import Any


def drawn(progress: Any) -> Any:
    """Two lines, of progress that has a stage, what, done, total and seconds: how far it is, and what is being measured."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    head = Table.grid(padding=(0, 1))
    words = f"{progress.done} of {progress.total}{_rest(progress)} · Ctrl-C for the figures so far"
    head.add_row(Text(progress.stage), ProgressBar(total=progress.total, completed=progress.done, width=30), Text(words))
    return Group(head, Text(progress.what, style="dim"))


def _rest(progress: Any) -> str:
    """How long the rest of the stage takes, at the pace so far."""
    if not progress.done:
        return ""
    left = progress.seconds / progress.done * (progress.total - progress.done)
    return f" · {left / 60:.0f} min left" if left >= 90 else f" · {left:.0f} s left"
