"""How a search is told: a live panel on a terminal, plain text on a pipe, or JSON. One object of each kind per command.

A teller is a context manager; `progress` is called while the search runs, `result` once at the end, both by the thread
that runs the program.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from ..results import Progress, SearchResult, Strategy
from .drawing import position
from .options import add_json

LINE_SECONDS = 0.5
COMPILING = "compiling the game and the algorithm, once; the next search starts at once …"


class Teller(Protocol):
    """Whoever tells the user of a search."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def progress(self, progress: Progress) -> None: ...

    def result(self, start: Any, result: SearchResult) -> None: ...


class Silent:
    """Says nothing until the end; the base of the others."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def progress(self, progress: Progress) -> None:
        pass


class Plain(Silent):
    """Text for a pipe; if somebody watches the messages, they hear why nothing happens for some seconds."""

    def progress(self, progress: Progress) -> None:
        if progress.stage == "compiling" and sys.stderr.isatty():
            print(COMPILING, file=sys.stderr)

    def result(self, start: Any, result: SearchResult) -> None:
        print(position(start), result, sep="\n\n")


class Json(Silent):
    """One object, at the end."""

    def result(self, start: Any, result: SearchResult) -> None:
        print(json.dumps({"position": position(start), **result.to_dict()}))


class JsonLines(Silent):
    """A line every half second, as game engines do it; the last one is the result."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.latest = clock()

    def progress(self, progress: Progress) -> None:
        now = self.clock()
        if progress.stage == "compiling" or now - self.latest >= LINE_SECONDS:
            self.latest = now
            print(json.dumps({"type": "info", **progress_dict(progress)}), flush=True)

    def result(self, start: Any, result: SearchResult) -> None:
        print(json.dumps({"type": "result", "position": position(start), **result.to_dict()}), flush=True)


def progress_dict(progress: Progress) -> dict[str, Any]:
    """How a search is doing, ready for JSON."""
    return {
        "stage": progress.stage,
        "iterations": progress.iterations,
        "seconds": progress.seconds,
        "rate": progress.rate,
        "row_value": progress.row_value,
        "col_value": progress.col_value,
        "row": _probabilities(progress.row),
        "col": _probabilities(progress.col),
        "principal_line": [str(move) for move in progress.principal_line],
        "nodes": progress.nodes,
        "memory": progress.memory,
        "workers": progress.workers,
    }


def _probabilities(strategy: Strategy) -> dict[str, float]:
    return {str(action): probability for action, probability in strategy.items()}


def add_output(parser: Any) -> None:
    """The options that say how to tell; without one, a terminal gets a live panel and a pipe plain text."""
    group = parser.add_argument_group("output (a live panel on a terminal, plain text on a pipe)")
    one = group.add_mutually_exclusive_group()
    add_json(one)
    one.add_argument("--json-lines", action="store_true", help="a JSON object each half second, then the result")
    one.add_argument("--plain", action="store_true", help="plain text, on a terminal too")


def on_terminal() -> bool:
    """Whether somebody looks at the output, on something that can be drawn on."""
    return sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown", "")


def forget_output() -> None:
    """After nobody reads the output any more, so that nothing complains when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def working(what: str, *, quiet: bool) -> Iterator[None]:
    """Shows on a terminal that something is being done, where nothing can be told of how far it is."""
    with stage(quiet=quiet) as told:
        told(what)
        yield


@contextmanager
def stage(*, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Shows on a terminal what is being done: whatever the function was last told that it gives."""
    if quiet or not on_terminal():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console().status("") as status:
        yield lambda what: status.update(Text(f"{what} … (Ctrl-C stops)"))


def teller(options: argparse.Namespace, budget: dict[str, Any]) -> Teller:
    """Who tells, as the options say."""
    if options.json:
        return Json()
    if options.json_lines:
        return JsonLines()
    if options.plain or not on_terminal():
        return Plain()
    from .panel import Panel

    return Panel(**budget)
