"""The three stones that the opening rule Swap2 asks for: as even as can be, since the other side takes the colour it likes.

Pure functions; the protocol brings the judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .position import SMALLEST, Square

NUMBERS_OF_STONES = (0, 3, 5)
"""On the board when a player is asked for its part of the opening."""
SHAPES = (((2, 2), (3, 2), (4, 4)), ((0, 1), (2, 3), (4, 0)), ((0, 0), (3, 3), (4, 1)))
"""Black, white, black, in a square of five by five: from close to loose."""


def stones_to_offer(width: int, height: int, worth: Callable[[Sequence[Square], float], float]) -> Sequence[Square]:
    """The candidate that is worth least to either side; `worth` judges one in a share of the time."""
    listed = list(candidates(width, height))
    return min(listed, key=lambda stones: abs(worth(stones, 1 / len(listed))))


def candidates(width: int, height: int) -> Iterator[Sequence[Square]]:
    """Every shape in a corner and in the middle of a board, once."""
    corners = {(0, 0), ((width - SMALLEST) // 2, (height - SMALLEST) // 2)}
    for left, top in sorted(corners):
        for shape in SHAPES:
            yield tuple((left + x, top + y) for x, y in shape)
