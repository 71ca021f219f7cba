"""A worker's notice board: a few numbers in memory that the worker writes and its owner reads while it runs.

The owner sees how far the worker is, takes partial results, finds the remains of one that died, and asks it to stop. A
board is a row of doubles, in this process's memory or in a file mapped by two processes. One process writes each part: the
owner the stop flag, the worker everything else.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from ..errors import ParallelMCTSError

SEQUENCE, STOP, ITERATIONS, NODES, MEMORY, NUMBERS = range(6)
WORD = 8
SHARED_FOLDER = "/dev/shm"
READ_ATTEMPTS = 1000


class Notice(NamedTuple):
    """What a worker last published; `numbers` is its root, flattened (empty before the first time)."""

    iterations: int
    nodes: int
    memory: int
    numbers: list[float]


class Board:
    """A board over any buffer."""

    def __init__(self, buffer: Any) -> None:
        self._buffer = buffer
        self._words = memoryview(buffer).cast("B").cast("d")

    def publish(self, iterations: int, nodes: int, memory: int, numbers: Sequence[float]) -> None:
        """Writes between two odd-even steps of a counter, so that a reader can tell a notice it caught half-written."""
        words = self._words
        words[SEQUENCE] += 1.0
        words[ITERATIONS], words[NODES], words[MEMORY] = iterations, nodes, memory
        words[NUMBERS : NUMBERS + len(numbers)] = memoryview(array("d", numbers))
        words[SEQUENCE] += 1.0

    def read(self) -> Notice:
        """The last whole notice; what a worker left that died while writing is better than nothing."""
        for _ in range(READ_ATTEMPTS):
            before = self._words[SEQUENCE]
            got: list[Any] = self._words.tolist()
            if before % 2.0 == 0.0 and self._words[SEQUENCE] == before:
                break
        numbers: list[float] = got[NUMBERS:] if before else []
        return Notice(int(got[ITERATIONS]), int(got[NODES]), int(got[MEMORY]), numbers)

    def start(self) -> None:
        """The owner's, before it sends the worker off."""
        self._words[STOP] = 0.0
        self._words[ITERATIONS] = 0.0

    def stop(self) -> None:
        self._words[STOP] = 1.0

    def stopping(self) -> bool:
        return self._words[STOP] != 0.0

    def close(self) -> None:
        self._words.release()
        if isinstance(self._buffer, mmap.mmap):
            self._buffer.close()


class BoardAddress(Protocol):
    """How a worker finds its board."""

    def open(self) -> Board: ...


class LocalAddress(NamedTuple):
    """In the same process: the board itself."""

    board: Board

    def open(self) -> Board:
        return self.board


class FileAddress(NamedTuple):
    """In another process: a file to map. The owner removes its name as soon as the worker has opened it."""

    path: str

    def open(self) -> Board:
        with open(self.path, "r+b") as file:
            return Board(mmap.mmap(file.fileno(), 0))


def local_board(numbers: int) -> tuple[Board, LocalAddress]:
    board = Board(bytearray(WORD * (NUMBERS + numbers)))
    return board, LocalAddress(board)


def file_board(numbers: int) -> tuple[Board, FileAddress]:
    size = WORD * (NUMBERS + numbers)
    folder = SHARED_FOLDER if os.access(SHARED_FOLDER, os.W_OK) else None
    handle, path = tempfile.mkstemp(prefix=f"parallel_mcts-{os.getpid()}-", dir=folder)
    try:
        # Reserved, not just declared: on a full disk this fails here, where it can be said, and not by a signal later.
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(handle, 0, size)
        else:
            os.truncate(handle, size)
        return Board(mmap.mmap(handle, size)), FileAddress(path)
    except OSError as error:
        os.unlink(path)
        raise ParallelMCTSError(
            f"no room for {size} bytes of shared memory in {folder or 'the temporary folder'}: {error}"
        ) from error
    finally:
        os.close(handle)


def forget_name(address: Any) -> None:
    """Removes the name of a board that its worker has opened: the memory lives as long as the two processes map it."""
    if isinstance(address, FileAddress):
        try:
            os.unlink(address.path)
        except FileNotFoundError:
            pass
