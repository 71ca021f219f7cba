"""The memory of a compiled tree: chunks that never move, handed to the threads that grow it, freed as a whole.

A thread takes a chunk for as long as it plays and gives it back with what room is left in it. A node too large for any
chunk was a block of its own, asked from the system by machine code; those are freed here as well. Any thread may take
and give back.
"""

from __future__ import annotations

import ctypes
import weakref
from threading import Lock
from typing import Any, TypeAlias

import numpy as np

from .arenas import AVERAGES, CAPACITY, HEADER, LARGE_BLOCKS, LARGE_WORDS, MARGIN, USED
from .layout import LINE, WORD

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

FIRST_WORDS = 1 << 17
LARGEST_WORDS = 1 << 25
"""A chunk has from one megabyte to 256: each twice as large as the last."""


class Memory:
    """All chunks of one tree."""

    def __init__(self, *, averages: bool, least_words: int = 0) -> None:
        self._averages, self._next_words = averages, max(FIRST_WORDS, least_words + 2 * MARGIN)
        self._chunks: list[Words] = []
        self._free: list[Words] = []
        self._lock = Lock()
        weakref.finalize(self, _free_large_blocks, self._chunks)

    def take(self) -> Words:
        """A chunk with room for a playout, for the caller alone."""
        with self._lock:
            while self._free:
                chunk = self._free.pop()
                if room(chunk) >= MARGIN:
                    return chunk
            chunk = new_chunk(self._next_words, self._averages)
            self._next_words = min(max(2 * self._next_words, FIRST_WORDS), LARGEST_WORDS)
            self._chunks.append(chunk)
            return chunk

    def give_back(self, chunk: Words) -> None:
        with self._lock:
            self._free.append(chunk)

    def sibling(self, words: int) -> Memory:
        """Empty memory for a tree of the same kind, with room for so many words in its first chunk."""
        return Memory(averages=self._averages, least_words=words)

    def used(self) -> int:
        """Bytes that nodes take."""
        return WORD * sum(int(header(chunk)[USED] + header(chunk)[LARGE_WORDS]) for chunk in list(self._chunks))


def header(chunk: Words) -> Any:
    return chunk[:HEADER].view(np.int64)


def room(chunk: Words) -> int:
    """Words that are left."""
    return int(header(chunk)[CAPACITY] - header(chunk)[USED])


def new_chunk(words: int, averages: bool) -> Words:
    """A chunk that begins on a cache line; the system gives its pages as they are touched."""
    raw = np.zeros(words + LINE)
    chunk = raw[-(raw.ctypes.data // WORD) % LINE :][:words]
    numbers = header(chunk)
    numbers[USED], numbers[CAPACITY], numbers[AVERAGES] = HEADER, words, averages
    return chunk


def reserve(chunk: Words, words: int) -> int:
    """Takes words of a chunk from Python; gives their address."""
    numbers = header(chunk)
    place = int(numbers[USED])
    numbers[USED] += (words + LINE - 1) // LINE * LINE
    return int(chunk.ctypes.data) + WORD * place


def _free_large_blocks(chunks: list[Words]) -> None:
    release = ctypes.CDLL(None).free
    release.argtypes = [ctypes.c_void_p]
    for chunk in chunks:
        block = int(header(chunk)[LARGE_BLOCKS])
        while block:
            following = ctypes.c_int64.from_address(block).value
            release(block)
            block = following
