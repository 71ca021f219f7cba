"""Ctrl-C during a search: the first one asks for the answer so far, the second one is an ordinary KeyboardInterrupt.

Leaf module. Only the main thread can receive signals; elsewhere, and where the program has a handler of its own, nothing
is changed.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Whether a search has been asked to stop."""

    requested = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def holding_interrupts_back() -> Iterator[None]:
    """While it lasts, Ctrl-C waits for this thread, and for a process started in it until `let_interrupts_through`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_interrupts_through() -> None:
    """For a process that was started while they were held back."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def catching_interrupts() -> Iterator[Interrupt]:
    """While it lasts, the first Ctrl-C only sets a flag."""
    interrupt = Interrupt()
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupt
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
