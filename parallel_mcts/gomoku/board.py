"""The engine's board: lines of bits in four directions, and what a stone of either colour would make on any free square.

`put` and `take` keep all of it up to date as stones come and go, in about a microsecond each, so a search may ask any time
whether there is a five, a four or a three to be had and where. Compiled by numba over plain arrays; a board belongs to the
thread that searches with it. Used by `threats.py`, `alphabeta.py` and `model.py`.

A square is a number, `row * SIDE + column`. Whoever is to move is not part of a board.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from . import patterns
from .patterns import FIVE, FOUR, OPEN_FOUR, OPEN_THREE, REACH, WINDOW_MASK
from .position import EXACT, RENJU_FREE, Square

SIDE = 20
SQUARES = SIDE * SIDE
DIRECTIONS = 4
LINES = 2 * SIDE
STEPS = (1, SIDE, SIDE + 1, SIDE - 1)  # along a row, a column, a rising and a falling diagonal
FREE, OUTSIDE = -1, -2
NEAR = 2
"""How far from a stone a square may be to be thought of."""

# What a player can make of a free square, the four directions together. From FOUR_KIND on the other player has to answer at
# once; two of a kind count as the better one.
QUIET, THREE_KIND, DOUBLE_THREE, FOUR_KIND, FOUR_THREE, WINNING_FOUR, FIVE_KIND = range(7)
KINDS = 7

WEIGHTS = (0, 1, 3, 4, 13, 15, 55, 60, 400, 3000)
"""What a square is worth for each class of its four lines."""


class Board(NamedTuple):
    """Arrays that `put` and `take` keep in step."""

    stones: Any  # bits by colour, direction and line; bit REACH + k is the line's k-th square
    walls: Any  # bits outside the board, by direction and line
    owner: Any  # who holds a square
    near: Any  # how many stones are within NEAR of a square
    classes: Any  # of a free square, by colour and direction
    kinds: Any  # of a free square, by colour
    worth: Any  # of a free square, by colour
    counts: Any  # how many free squares there are of each kind, by colour
    totals: Any  # the sum of all worths, by colour
    squares: Any  # the numbers of all squares of the board
    hash: Any  # of the stones on the board: the random numbers of all of them
    exact: Any  # by colour: 1 where six in a row are no five


# What all boards share; compiled code has them as constants.
TABLES = np.stack([patterns.table(exact=False), patterns.table(exact=True)])
POWERS = patterns.powers()
WORTHS = np.array(WEIGHTS, np.int64)
HASHES = np.random.default_rng(20).integers(1, 2**63, (2, SQUARES), np.int64)


def number_of(square: Square) -> int:
    column, row = square
    return row * SIDE + column


def square_of(number: int) -> Square:
    return number % SIDE, number // SIDE


# ---------------------------------------------------------------------------------------------- compiled
def _place(square: int, direction: int) -> tuple[int, int]:
    """The line of a square in a direction, and how far along it the square is."""
    row, column = square // SIDE, square % SIDE
    if direction == 0:
        return row, column
    if direction == 1:
        return column, row
    if direction == 2:
        return row - column + SIDE, column
    return row + column, SIDE - 1 - column


place = njit(nogil=True)(_place)


@njit(nogil=True)
def new_board(width: int, height: int, rule: int) -> Board:
    """A board without stones; `set_up` has to follow."""
    owner = np.full(SQUARES, OUTSIDE, np.int64)
    walls = np.full((DIRECTIONS, LINES), (1 << SIDE + 2 * REACH) - 1, np.int64)
    squares = np.empty(width * height, np.int64)
    for row in range(height):
        for column in range(width):
            square = row * SIDE + column
            squares[row * width + column] = square
            owner[square] = FREE
            for direction in range(DIRECTIONS):
                line, k = place(square, direction)
                walls[direction, line] &= ~(1 << REACH + k)
    exact = np.zeros(2, np.int64)
    exact[0] = 1 if rule in (EXACT, RENJU_FREE) else 0
    exact[1] = 1 if rule == EXACT else 0
    return Board(
        np.zeros((2, DIRECTIONS, LINES), np.int64),
        walls,
        owner,
        np.zeros(SQUARES, np.int64),
        np.zeros((SQUARES, 2, DIRECTIONS), np.int64),
        np.zeros((2, SQUARES), np.int64),
        np.zeros((2, SQUARES), np.int64),
        np.zeros((2, KINDS), np.int64),
        np.zeros(2, np.int64),
        squares,
        np.full(1, rule + 1, np.int64),  # not zero, which stands for nothing in tables
        exact,
    )


@njit(nogil=True)
def class_of(board: Board, square: int, colour: int, direction: int) -> int:
    """What a stone of a colour makes of a square's line: a window of bits, looked up."""
    line, k = place(square, direction)
    own = board.stones[colour, direction, line] >> k & WINDOW_MASK
    blocked = (board.stones[1 - colour, direction, line] | board.walls[direction, line]) >> k & WINDOW_MASK
    return int(TABLES[board.exact[colour], POWERS[own] + 2 * POWERS[blocked]])


@njit(nogil=True)
def kind_of(board: Board, square: int, colour: int) -> int:
    """What a stone of a colour makes of a square, all directions together."""
    fours = threes = 0
    for direction in range(DIRECTIONS):
        made = board.classes[square, colour, direction]
        if made >= OPEN_THREE:
            if made == FIVE:
                return FIVE_KIND
            if made == OPEN_FOUR:
                fours += 2
            elif made == FOUR:
                fours += 1
            else:
                threes += 1
    if fours >= 2:
        return WINNING_FOUR
    if fours:
        return FOUR_THREE if threes else FOUR_KIND
    return DOUBLE_THREE if threes >= 2 else THREE_KIND if threes else QUIET


@njit(nogil=True)
def enter(board: Board, square: int, colour: int) -> None:
    """Counts in what a free square is to a colour, once its classes are known."""
    worth = 0
    for direction in range(DIRECTIONS):
        worth += WORTHS[board.classes[square, colour, direction]]
    kind = kind_of(board, square, colour)
    board.worth[colour, square] = worth
    board.kinds[colour, square] = kind
    board.counts[colour, kind] += 1
    board.totals[colour] += worth


@njit(nogil=True)
def leave(board: Board, square: int, colour: int) -> None:
    """Counts out what a free square was to a colour."""
    board.counts[colour, board.kinds[colour, square]] -= 1
    board.totals[colour] -= board.worth[colour, square]
    board.kinds[colour, square] = QUIET


@njit(nogil=True)
def refresh(board: Board, square: int) -> None:
    """Works out a free square from nothing."""
    for colour in range(2):
        for direction in range(DIRECTIONS):
            board.classes[square, colour, direction] = class_of(board, square, colour, direction)
        enter(board, square, colour)


@njit(nogil=True)
def refresh_lines(board: Board, square: int) -> None:
    """Works out again what the free squares along the lines of a square are worth, after a stone came or went there."""
    for direction in range(DIRECTIONS):
        line, k = place(square, direction)
        black, white = board.stones[0, direction, line], board.stones[1, direction, line]
        wall = board.walls[direction, line]
        taken = black | white | wall
        for step in range(-REACH, REACH + 1):
            if taken >> REACH + k + step & 1 or step == 0:
                continue
            other, shift = square + step * STEPS[direction], k + step
            mine, theirs = black >> shift & WINDOW_MASK, white >> shift & WINDOW_MASK
            edge = wall >> shift & WINDOW_MASK
            for colour in range(2):
                own, blocked = (theirs, mine | edge) if colour else (mine, theirs | edge)
                made = int(TABLES[board.exact[colour], POWERS[own] + 2 * POWERS[blocked]])
                if made != board.classes[other, colour, direction]:
                    leave(board, other, colour)
                    board.classes[other, colour, direction] = made
                    enter(board, other, colour)


@njit(nogil=True)
def flip(board: Board, square: int, colour: int, change: int) -> None:
    """Sets or clears the bits of a stone, and counts it in or out for the squares near it."""
    for direction in range(DIRECTIONS):
        line, k = place(square, direction)
        board.stones[colour, direction, line] ^= 1 << REACH + k
    board.hash[0] ^= HASHES[colour, square]
    row, column = square // SIDE, square % SIDE
    for r in range(max(row - NEAR, 0), min(row + NEAR + 1, SIDE)):
        for c in range(max(column - NEAR, 0), min(column + NEAR + 1, SIDE)):
            board.near[r * SIDE + c] += change


@njit(nogil=True)
def put(board: Board, square: int, colour: int) -> None:
    """Puts a stone on a free square."""
    leave(board, square, 0)
    leave(board, square, 1)
    board.owner[square] = colour
    flip(board, square, colour, 1)
    refresh_lines(board, square)


@njit(nogil=True)
def take(board: Board, square: int) -> None:
    """Takes a stone away again."""
    colour = board.owner[square]
    board.owner[square] = FREE
    flip(board, square, colour, -1)
    refresh(board, square)
    refresh_lines(board, square)


@njit(nogil=True)
def set_up(board: Board, black: Any, white: Any) -> None:
    """Puts the stones of a position, rows of bits, on a new board."""
    for square in board.squares:
        row, column = square // SIDE, square % SIDE
        for colour in range(2):
            if (white[row] if colour else black[row]) >> column & 1:
                board.owner[square] = colour
                flip(board, square, colour, 1)
    for square in board.squares:
        if board.owner[square] == FREE:
            refresh(board, square)


@njit(nogil=True)
def first_of(board: Board, colour: int, kind: int) -> int:
    """A free square that is of a kind to a colour; -1 if there is none."""
    if board.counts[colour, kind]:
        for square in board.squares:
            if board.owner[square] == FREE and board.kinds[colour, square] == kind:
                return square
    return -1
