"""The engine's board: lines of bits in four directions, and what a stone of either colour would make on any free square.

`put` and `take` keep all of it up to date as stones come and go, in well under a microsecond, so a search may ask any time
whether there is a five, a four or a three to be had and where. What `put` changed is noted, and the stone put last is taken
back from the notes; another is taken by working its lines out again. Compiled by numba over one record of arrays; a board
belongs to the thread that searches with it. Used by `threats.py`, `alphabeta.py` and `model.py`.

A square is a number, `row * SIDE + column`. Whoever is to move is not part of a board.
"""

from __future__ import annotations

from typing import Any, TypeAlias

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
NOTES = 2048
"""How many changes are noted, about as many as fifty stones bring; beyond that the notes begin anew."""

MOST_NOTED = 2 * 2 * DIRECTIONS * REACH + 1
"""How many notes one stone can need: both colours, two ways along each line, and the stone itself."""

NEAR = 2
"""How far from a stone a square may be to be thought of."""

# What a player can make of a free square, the four directions together. From FOUR_KIND on the other player has to answer at
# once; two of a kind count as the better one.
QUIET, THREE_KIND, DOUBLE_THREE, FOUR_KIND, FOUR_THREE, WINNING_FOUR, FIVE_KIND = range(7)
KINDS = 7

WEIGHTS = (0, 1, 3, 4, 13, 15, 55, 60, 400, 3000)
"""What a square is worth for each class of its four lines."""


Board: TypeAlias = Any
"""One record of `BOARD`: it goes from function to function as one pointer, where so many arrays would be copied."""

BOARD = np.dtype(
    [
        ("stones", np.int64, (2, DIRECTIONS, LINES)),  # bits by colour, direction and line; the k-th square is REACH + k
        ("walls", np.int64, (DIRECTIONS, LINES)),  # bits outside the board, by direction and line
        ("owner", np.int64, (SQUARES,)),  # who holds a square
        ("near", np.int64, (SQUARES,)),  # how many stones are within NEAR of a square
        ("classes", np.uint8, (SQUARES, 2, DIRECTIONS)),  # of a free square
        ("kinds", np.uint8, (2, SQUARES)),  # of a free square, by colour
        ("worth", np.int64, (2, SQUARES)),  # of a free square, by colour
        ("counts", np.int64, (2, KINDS)),  # how many free squares there are of each kind, by colour
        ("active", np.int64, (2, SQUARES)),  # by colour: the free squares that are better than quiet, in no order,
        ("actives", np.int64, (2,)),  # how many there are,
        ("seats", np.int64, (2, SQUARES)),  # and where among them a square is
        ("notes", np.int32, (NOTES,)),  # what `put` changed, the latest last, and after it the square of the stone
        ("noted", np.int64, (1,)),  # how many notes there are
        ("totals", np.int64, (2,)),  # the sum of all worths, by colour
        ("squares", np.int64, (SQUARES,)),  # of the board, row by row; what is left over names one outside
        ("area", np.int64, (1,)),  # how many squares the board has
        ("hash", np.int64, (1,)),  # of the stones on the board: the random numbers of all of them
        ("exact", np.int64, (2,)),  # by colour: 1 where six in a row are no five
    ],
    align=True,
)


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
def new_board(width: int, height: int, rule: int) -> Any:
    """An array of one board without stones, which lives as long as the array does; `set_up` has to follow."""
    boards = np.zeros(1, BOARD)
    board = boards[0]
    board.owner[:] = OUTSIDE
    board.squares[:] = SQUARES - 1
    board.walls[:] = (1 << SIDE + 2 * REACH) - 1
    board.area[0] = width * height
    for row in range(height):
        for column in range(width):
            square = row * SIDE + column
            board.squares[row * width + column] = square
            board.owner[square] = FREE
            for direction in range(DIRECTIONS):
                line, k = place(square, direction)
                board.walls[direction, line] &= ~(1 << REACH + k)
    board.hash[0] = rule + 1  # not zero, which stands for nothing in tables
    board.exact[0] = 1 if rule in (EXACT, RENJU_FREE) else 0
    board.exact[1] = 1 if rule == EXACT else 0
    return boards


@njit(nogil=True)
def squares_of(board: Board) -> Any:
    """The numbers of all squares of the board, row by row."""
    return board.squares[: board.area[0]]


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
    board.worth[colour, square] = worth
    board.totals[colour] += worth
    classify(board, square, colour, kind_of(board, square, colour))


@njit(nogil=True)
def leave(board: Board, square: int, colour: int) -> None:
    """Counts out what a free square was to a colour."""
    board.totals[colour] -= board.worth[colour, square]
    declassify(board, square, colour)
    board.kinds[colour, square] = QUIET


@njit(nogil=True)
def classify(board: Board, square: int, colour: int, kind: int) -> None:
    """Counts a free square in as one of a kind, among the active ones unless it is quiet."""
    board.kinds[colour, square] = kind
    board.counts[colour, kind] += 1
    if kind != QUIET:
        seat = board.actives[colour]
        board.active[colour, seat] = square
        board.seats[colour, square] = seat
        board.actives[colour] = seat + 1


@njit(nogil=True)
def declassify(board: Board, square: int, colour: int) -> None:
    """Counts a free square out; the last of the active ones takes its seat."""
    kind = board.kinds[colour, square]
    board.counts[colour, kind] -= 1
    if kind != QUIET:
        last = board.actives[colour] - 1
        board.actives[colour] = last
        seat, other = board.seats[colour, square], board.active[colour, last]
        board.active[colour, seat] = other
        board.seats[colour, other] = seat


@njit(nogil=True)
def refresh(board: Board, square: int) -> None:
    """Works out a free square from nothing."""
    for colour in range(2):
        for direction in range(DIRECTIONS):
            board.classes[square, colour, direction] = class_of(board, square, colour, direction)
        enter(board, square, colour)


@njit(nogil=True)
def reclass(board: Board, square: int, colour: int, direction: int, before: int, made: int) -> None:
    """Enters what a stone now makes of one line of a free square."""
    gain = WORTHS[made] - WORTHS[before]
    board.classes[square, colour, direction] = made
    board.worth[colour, square] += gain
    board.totals[colour] += gain
    if made >= OPEN_THREE or before >= OPEN_THREE:  # smaller ones do not make a kind
        kind = kind_of(board, square, colour)
        if kind != board.kinds[colour, square]:
            declassify(board, square, colour)
            classify(board, square, colour, kind)


@njit(nogil=True)
def refresh_lines(board: Board, square: int) -> None:
    """Works out again what the free squares along the lines of a square are worth, after a stone came or went there.

    Notes what it changed: the square, the colour, the direction and the class it was before.
    """
    noted = board.noted[0]
    black_rule, white_rule = board.exact[0], board.exact[1]
    for direction in range(DIRECTIONS):
        line, k = place(square, direction)
        black, white = board.stones[0, direction, line], board.stones[1, direction, line]
        wall = board.walls[direction, line]
        taken = black | white | wall
        for step in range(-REACH, REACH + 1):
            if taken >> REACH + k + step & 1 or step == 0:
                continue
            other, shift = square + step * STEPS[direction], k + step
            mine, theirs = POWERS[black >> shift & WINDOW_MASK], POWERS[white >> shift & WINDOW_MASK]
            edge = POWERS[wall >> shift & WINDOW_MASK]
            for colour in range(2):
                if colour:
                    made = int(TABLES[white_rule, theirs + 2 * (mine + edge)])
                else:
                    made = int(TABLES[black_rule, mine + 2 * (theirs + edge)])
                before = int(board.classes[other, colour, direction])
                if made != before:
                    reclass(board, other, colour, direction, before, made)
                    board.notes[noted] = other | colour << 9 | direction << 10 | before << 12
                    noted += 1
    board.noted[0] = noted


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
    if board.noted[0] + MOST_NOTED > NOTES:
        board.noted[0] = 0
    leave(board, square, 0)
    leave(board, square, 1)
    board.owner[square] = colour
    flip(board, square, colour, 1)
    refresh_lines(board, square)
    board.notes[board.noted[0]] = -1 - square
    board.noted[0] += 1


@njit(nogil=True)
def take(board: Board, square: int) -> None:
    """Takes a stone away again."""
    colour = board.owner[square]
    board.owner[square] = FREE
    flip(board, square, colour, -1)
    if board.noted[0] and board.notes[board.noted[0] - 1] == -1 - square:
        take_back(board)
        enter(board, square, 0)
        enter(board, square, 1)
    else:
        board.noted[0] = 0
        refresh(board, square)
        refresh_lines(board, square)
        board.noted[0] = 0


@njit(nogil=True)
def take_back(board: Board) -> None:
    """Undoes the changes that the stone put last has made to other squares."""
    k = board.noted[0] - 2
    while k >= 0 and board.notes[k] >= 0:
        note = int(board.notes[k])
        square, colour, direction = note & (1 << 9) - 1, note >> 9 & 1, note >> 10 & 3
        reclass(board, square, colour, direction, int(board.classes[square, colour, direction]), note >> 12)
        k -= 1
    board.noted[0] = k + 1


@njit(nogil=True)
def set_up(board: Board, black: Any, white: Any) -> None:
    """Puts the stones of a position, rows of bits, on a new board."""
    for square in squares_of(board):
        row, column = square // SIDE, square % SIDE
        for colour in range(2):
            if (white[row] if colour else black[row]) >> column & 1:
                board.owner[square] = colour
                flip(board, square, colour, 1)
    for square in squares_of(board):
        if board.owner[square] == FREE:
            refresh(board, square)


@njit(nogil=True)
def first_of(board: Board, colour: int, kind: int) -> int:
    """A free square that is of a kind, not a quiet one, to a colour; -1 if there is none."""
    if board.counts[colour, kind]:
        for k in range(board.actives[colour]):
            square = int(board.active[colour, k])
            if board.kinds[colour, square] == kind:
                return square
    return -1
