"""What a stone on a square is worth in one line: a table of all lines of five squares on either side, made once.

A line is looked at as the eleven squares around a free one. Each of the ten others is free, the player's own, or blocked
(by the other player's stone or the edge), so there are 3^10 = 59,049 lines; `table` says of each what a stone in the middle
makes of it, and `powers` turns the bits of a window into the place in the table. Read by `board.py`; pure, any thread.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

REACH = 5
WINDOW = 2 * REACH + 1
WINDOW_MASK = (1 << WINDOW) - 1
LINES = 3 ** (2 * REACH)

# What a stone makes, from nothing to five; each is what one more stone turns into the next of its row.
NOTHING, ONE, OPEN_ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(10)

CLOSED = ((THREE, FOUR), (TWO, THREE), (ONE, TWO))
OPEN = ((OPEN_THREE, OPEN_FOUR), (OPEN_TWO, OPEN_THREE), (OPEN_ONE, OPEN_TWO))


def _place(bit: int) -> int:
    """The power of three that a bit of a window stands for; the middle stands for none."""
    if bit == REACH:
        return 0
    return int(3 ** (bit if bit < REACH else bit - 1))


@functools.cache
def powers() -> NDArray[Any]:
    """For the bits of a window, the sum of their powers of three: `powers[own] + 2 * powers[blocked]` is a line."""
    bits = np.arange(1 << WINDOW)
    return sum(((bits >> bit & 1) * _place(bit) for bit in range(WINDOW)), np.zeros_like(bits)).astype(np.int32)


@functools.cache
def table(exact: bool) -> NDArray[Any]:
    """What a stone in the middle makes of every line; with `exact`, six or more in a row are no five."""
    lines = np.arange(LINES)
    digits = np.stack([lines // _place(bit) % 3 if bit != REACH else np.ones_like(lines) for bit in range(WINDOW)])
    made = np.where(_fives(digits == 1, exact), FIVE, NOTHING).astype(np.uint8)
    ends = sum(((after == FIVE).astype(int) for after in _after_one_more(made, digits)), np.zeros(LINES, int))
    _mark(made, ends >= 2, OPEN_FOUR)
    _mark(made, ends == 1, FOUR)
    for (open_now, open_next), (closed_now, closed_next) in zip(OPEN, CLOSED, strict=True):
        for now, following in ((open_now, open_next), (closed_now, closed_next)):
            _mark(made, np.any([after == following for after in _after_one_more(made, digits)], axis=0), now)
    made.setflags(write=False)
    return made


def _fives(own: NDArray[Any], exact: bool) -> NDArray[Any]:
    """Where the middle is part of five in a row."""
    found = np.zeros(own.shape[1], bool)
    for first in range(1, REACH + 1):
        five = own[first : first + 5].all(axis=0)
        if exact:
            five &= ~own[first - 1] & ~(own[first + 5] if first + 5 < WINDOW else False)
        found |= five
    return found


def _after_one_more(made: NDArray[Any], digits: NDArray[Any]) -> list[NDArray[Any]]:
    """What each line becomes with one more stone, on each of its free squares; nothing where that is taken."""
    lines = np.arange(LINES)
    after = []
    for bit in range(WINDOW):
        if bit != REACH:
            free = digits[bit] == 0
            after.append(np.where(free, made[np.where(free, lines + _place(bit), lines)], NOTHING))
    return after


def _mark(made: NDArray[Any], where: NDArray[Any], what: int) -> None:
    """Notes what a line makes, unless it makes something better."""
    made[where & (made == NOTHING)] = what
