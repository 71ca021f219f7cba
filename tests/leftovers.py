"""What a search may leave behind when something is wrong: processes, and names in shared memory."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from parallel_mcts.backends.board import SHARED_FOLDER


def left_in_shared_memory(owner: int | None = None) -> list[str]:
    """The names that a process (this one, unless another is given) has there."""
    return [path.name for path in Path(SHARED_FOLDER).glob(f"parallel_mcts-{owner or os.getpid()}-*")]


def worker_processes() -> list[psutil.Process]:
    """The processes of this one in which playouts are made."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            command = " ".join(process.cmdline())
            if "loky" in command and "resource_tracker" not in command and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.NoSuchProcess:  # it has just ended
            continue
    return found
