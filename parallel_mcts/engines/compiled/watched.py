"""Runs machine code in a thread of its own while the thread that asked watches the clock, and can be interrupted.

The code looks at `watch[0]` as it goes, and ends soon after that is no longer zero. Whatever it raises is raised where it
was asked for; nothing goes on behind the caller's back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

Answer = TypeVar("Answer")
TICK = 0.002
"""How often the clock is looked at, in seconds."""


def watched(call: Callable[[], Answer], watch: Any, over: Callable[[], bool]) -> Answer:
    """The answer of `call`, which is told by `watch` once `over()` is true."""
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # to be raised where it was asked for
            errors.append(error)

    watch[0] = 0
    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(TICK)
            if over():
                watch[0] = 1
    finally:
        watch[0] = 1
        worker.join()
    if errors:
        raise errors[0]
    return answers[0]
