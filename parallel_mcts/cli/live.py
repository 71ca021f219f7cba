"""Something that is drawn on a terminal while a long command runs, and wiped away at its end.

The thread that works feeds it, and it is drawn then and only then: it takes nothing from what is being done between.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self


class LiveDrawing:
    """Draws every progress it is told; one that is not enabled does nothing. rich is loaded when it first draws."""

    def __init__(self, drawn: Callable[[Any], Any], *, enabled: bool) -> None:
        self.drawn, self.enabled = drawn, enabled
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

            self.live = Live(transient=True, auto_refresh=False)
            self.live.start()
        self.live.update(self.drawn(progress), refresh=True)
