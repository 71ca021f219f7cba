"""Lines from another program, whatever it sends: any bytes, line ends and lengths. Used by the contest and the protocol.

Read straight from the descriptor: a thread that waits in a buffered stream cannot be left behind when the program ends.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

LONGEST = 4096
"""Of a line: what goes beyond is not kept."""
AT_ONCE = 65536
END = re.compile(rb"[\r\n]")
SHOWN = 60


def lines_of(descriptor: int) -> Iterator[str]:
    """The lines of a pipe or a terminal, as they come."""
    return lines(lambda: os.read(descriptor, AT_ONCE))


def lines(read: Callable[[], bytes]) -> Iterator[str]:
    """The lines that are not blank, without blanks around them; `read` gives the next bytes, none at the end."""
    rest = b""
    while got := read():
        *whole, rest = END.split(rest + got)
        rest = rest[:LONGEST]
        yield from filter(None, map(_text, whole))
    if last := _text(rest):
        yield last


def _text(line: bytes) -> str:
    return line[:LONGEST].decode("ascii", errors="replace").strip()


def shown(text: str) -> str:
    """What another program sent, in quotation marks, fit for a message of one line."""
    return ascii(text if len(text) <= SHOWN else f"{text[:SHOWN]}...")
