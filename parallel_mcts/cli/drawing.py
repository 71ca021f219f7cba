"""Bars, boards and sizes for terminals. Pure functions; rich is imported only where something is drawn with it."""

from __future__ import annotations

import re
from typing import Any

from ..state import show

EIGHTHS = " ▏▎▍▌▋▊▉█"
SQUARES = re.compile(r"(?<!\S)[A-Z._#|]+(?!\S)")
"""A square, or several without a blank between them: `X`, `TT_FF`, `R...`."""
WORDS = re.compile("[a-z]{2}")
COLOURS = ("bold cyan", "bold magenta", "bold yellow", "bold green")


def bar(share: float, width: int) -> str:
    """A bar whose length is a share of the width, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(width)


def megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def position(state: Any) -> str:
    """A position as its game draws it; of a class that does not say how, its attributes."""
    cls: Any = type(state)
    return show(state) if cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__ else str(state)


def board(text: str, title: str = "", before: str = "") -> Any:
    """A position in a frame, its pieces in colours: one for each letter that stands on a square.

    Those that the position `before` did not have are marked: so one sees at a glance what was played last.
    """
    from rich.box import ROUNDED
    from rich.panel import Panel as Frame
    from rich.text import Text

    drawn = Text(text.rstrip("\n"))
    pieces = [(row.start() + k, sign) for row in SQUARES.finditer(text) for k, sign in enumerate(row[0]) if sign.isalpha()]
    kinds = sorted({sign for _, sign in pieces}, reverse=True)  # X before O, T before F, R before C: row's come first
    fresh = changed(before, text)
    for at, sign in pieces:
        style = COLOURS[kinds.index(sign) % len(COLOURS)]
        drawn.stylize(f"{style} reverse" if at in fresh else style, at, at + 1)
    return Frame.fit(drawn, title=Text(title) if title else None, box=ROUNDED, padding=(0, 2))


def changed(before: str, text: str) -> set[int]:
    """Where a picture differs from an earlier one that has as many lines; lines of words do not count."""
    found: set[int] = set()
    at, old, new = 0, before.splitlines(), text.splitlines()
    for was, line in zip(old, new, strict=True) if len(old) == len(new) else ():
        if len(was) == len(line) and not WORDS.search(line):
            found |= {at + k for k, (a, b) in enumerate(zip(was, line, strict=True)) if a != b}
        at += len(line) + 1
    return found
