"""Speaks the Gomocup protocol over a pair of streams. A thread of its own reads, so that a thought can be cut short.

`serve` is called by the command `gomoku pbrain`; the thread that calls it thinks and writes, the other one only fills the
inbox. Answers come in the order of the commands, one after the other. END, and commands that give up the game as it is,
make a thought under way stop at once; so does the end of the input, after which what was asked before is still answered.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TextIO

from .brain import Brain, MakePlayer, parted

URGENT = {"START", "RECTSTART", "RESTART", "BOARD", "SWAP2BOARD", "TAKEBACK", "END"}
"""Who sends one of these has no more use for a move that is being thought about."""


class Inbox:
    """Lines that have been read and not been taken, with the time they came. One thread fills it, one takes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lines: deque[tuple[str, str, float]] = deque()
        """Keyword, line, time."""
        self._urgent = 0
        self._ending = self._closed = False
        self._changed = threading.Condition()

    def fill(self, lines: Iterable[str]) -> None:
        """Reads up to END or to the end of the lines."""
        try:
            for line in lines:
                if self._put(parted(line)[0], line) == "END":
                    return
        except OSError:  # whoever wrote is gone
            pass
        finally:
            with self._changed:
                self._closed = True
                self._changed.notify()

    def _put(self, keyword: str, line: str) -> str:
        with self._changed:
            self._lines.append((keyword, line, self._clock()))
            self._urgent += keyword in URGENT
            self._ending = self._ending or keyword == "END"
            self._changed.notify()
        return keyword

    def take(self) -> tuple[str, float] | None:
        """The next line and when it came, once there is one; None after the last."""
        with self._changed:
            while not self._lines and not self._closed:
                self._changed.wait()
            if not self._lines:
                return None
            keyword, line, arrived = self._lines.popleft()
            self._urgent -= keyword in URGENT
        return line, arrived

    # ------------------------------------------------------------------------ asked while a thought is under way
    def settings(self) -> list[str]:
        taken = []
        with self._changed:
            while self._lines and self._lines[0][0] == "INFO":
                taken.append(self._lines.popleft()[1])
        return taken

    def is_urgent(self) -> bool:
        with self._changed:
            return self._closed or self._urgent > 0

    def has_end(self) -> bool:
        with self._changed:
            return self._ending


def serve(
    make: MakePlayer,
    lines: Iterable[str],
    writes: TextIO,
    *,
    about: str,
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Answers lines until END, or until there are no more."""
    inbox = Inbox(clock)
    brain = Brain(make, about=about, waiting=inbox, clock=clock)
    threading.Thread(target=inbox.fill, args=(lines,), name="pbrain-reader", daemon=True).start()
    try:
        while not brain.ended and (taken := inbox.take()) is not None:
            for answer in brain.answers(*taken):
                writes.write(f"{answer}\n")
                writes.flush()
    finally:
        brain.close()
