"""Boards of squares that players walk on: what `tron` and `pursuit` share. Nothing here is a game.

A board is a tuple of whole numbers, one for each line from the top; bit x of a line is set where square x, counted from
the left, is blocked. The first part stays within what the compiled engine understands; the second reads boards from
parameters, once, when a game is set up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from parallel_mcts.errors import ParameterError

from .parameters import whole_number

WAYS = ("up", "right", "down", "left")
DX = (0, 1, 0, -1)
DY = (-1, 0, 1, 0)
LONGEST = 60  # squares of a line, which is one machine word

Board: TypeAlias = tuple[int, ...]
Square: TypeAlias = tuple[int, int]


# ---------------------------------------------------------------------------------------------- walking
def is_free(board: Board, width: int, x: int, y: int) -> bool:
    """Whether a square is on the board and not blocked."""
    return 0 <= x < width and 0 <= y < len(board) and board[y] >> x & 1 == 0


def open_ways(board: Board, width: int, x: int, y: int) -> int:
    """The ways that lead from a square to a free one: bit k is set for the k-th of `WAYS`."""
    ways = 0
    for k in range(4):
        if is_free(board, width, x + DX[k], y + DY[k]):
            ways |= 1 << k
    return ways


def count(ways: int) -> int:
    """How many of the four ways are open."""
    return (ways & 1) + (ways >> 1 & 1) + (ways >> 2 & 1) + (ways >> 3)


def nth_way(ways: int, k: int) -> int:
    """The number of the k-th open way."""
    way = 0
    while k > 0 or ways >> way & 1 == 0:
        k -= ways >> way & 1
        way += 1
    return way


def names_of(ways: int) -> list[str]:
    return [name for k, name in enumerate(WAYS) if ways >> k & 1]


# ---------------------------------------------------------------------------------------------- setting up, showing
class Setting(NamedTuple):
    """A board, and where row and column start: (x, y), from the left and the top."""

    board: Board
    width: int
    row: Square
    col: Square


def read_setting(width: int | None, height: int | None, walls: str | Sequence[str] | None, usual: int) -> Setting:
    """The board of some size, with row at the top left and column at the bottom right, or the one drawn in `walls`.

    A drawing has one text for each line, or is one text with a slash between lines: `#` is a wall, `.` is free, and `R`
    and `C` are the starts, if they are not in the corners.
    """
    if walls is None:
        wide = usual if width is None else whole_number("width", width, 1, LONGEST)
        high = usual if height is None else whole_number("height", height, 1, LONGEST)
        lines = ["." * wide] * high
    else:
        lines = _drawn(walls)
        for name, given, found in (("width", width, len(lines[0])), ("height", height, len(lines))):
            if given is not None and whole_number(name, given, 1, LONGEST) != found:
                raise ParameterError(f"{name} is {given}, but the board drawn in walls has {found}: {'/'.join(lines)}")
    row = _start("R", lines, (0, 0))
    col = _start("C", lines, (len(lines[0]) - 1, len(lines) - 1))
    if row == col:
        raise ParameterError(f"both players start at {col} of {'/'.join(lines)}; give each a square of its own")
    board = tuple(sum(1 << x for x, sign in enumerate(line) if sign == "#") for line in lines)
    return Setting(board, len(lines[0]), row, col)


def _drawn(walls: str | Sequence[str]) -> list[str]:
    """The checked lines of a drawing."""
    lines = walls.split("/") if isinstance(walls, str) else list(walls)
    even = lines and all(isinstance(line, str) and len(line) == len(lines[0]) for line in lines)
    if not even or not 1 <= len(lines[0]) <= LONGEST or len(lines) > LONGEST:
        raise ParameterError(f"walls is {walls!r}; it must have 1 to {LONGEST} equally long lines, such as R../.#./..C")
    for y, line in enumerate(lines):
        for x, sign in enumerate(line):
            if sign not in "#.RC":
                raise ParameterError(f"walls has {sign!r} at {(x, y)}; a square is # (wall), . (free), R or C (starts)")
    return lines


def _start(sign: str, lines: Sequence[str], corner: Square) -> Square:
    """Where a player starts: where its sign is, or else in its corner."""
    places = [(x, y) for y, line in enumerate(lines) for x, found in enumerate(line) if found == sign]
    if len(places) > 1:
        raise ParameterError(f"walls has {sign} at {' and '.join(map(str, places))}; a player has one start")
    if places:
        return places[0]
    x, y = corner
    if lines[y][x] != ".":
        taken = "a wall" if lines[y][x] == "#" else lines[y][x]
        raise ParameterError(f"walls has {taken} at {corner}, where {sign} would start; draw {sign} where it is to start")
    return corner


def drawing(board: Board, width: int, row: Square, col: Square) -> str:
    """The board in lines: what is blocked, and where the players are; X where both are."""
    signs = [["#" if line >> x & 1 else "." for x in range(width)] for line in board]
    for (x, y), sign in ((row, "R"), (col, "C")):
        signs[y][x] = "X" if row == col else sign
    return "\n".join("".join(line) for line in signs)
