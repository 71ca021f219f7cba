"""What a long benchmark shows on a terminal while it runs: the stage, what is being measured, how long it will take.

The thread that measures feeds it; rich draws it from a thread of its own, a few times a second, which is too little to
be seen in the figures.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

SLOWLY = 2
"""Drawn so many times a second."""


class Watching:
    """Draws progress that has a stage, what, done, total and seconds; one that is not enabled does nothing."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.live: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.live is not None:
            self.live.stop()

    def progress(self, progress: Any) -> None:
        if not self.enabled:
            return
        if self.live is None:
            from rich.live import Live

            self.live = Live(transient=True, refresh_per_second=SLOWLY)
            self.live.start()
        self.live.update(drawn(progress), refresh=True)


def drawn(progress: Any) -> Any:
    """Two lines: how far the stage is, and what is being measured."""
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
