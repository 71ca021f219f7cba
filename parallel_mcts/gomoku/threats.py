"""Threat-space search: sequences of fours and open threes that win whatever the other player does, found far beyond the
depth of the main search, because the other player has few answers to each.

After Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques" (1996): a four has one answer, an open
three a handful (the squares that stop the four it would become, and fours of the defender's own, which have to be answered
in turn). With no threes allowed it is the search for a win by fours alone. What it says is won, is won; it may miss wins
that need a quiet move. Compiled; called by `alphabeta.py` at its nodes and by `engine.py`, in the thread that searches.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import njit

from .board import (
    DIRECTIONS,
    FIVE_KIND,
    FOUR_KIND,
    SIDE,
    STEPS,
    THREE_KIND,
    WINNING_FOUR,
    Board,
    first_of,
    place,
    put,
    take,
)
from .patterns import FOUR, REACH

WIDEST = SIDE * SIDE
ATTACKED = 0x5851F42D4C957F2D
"""Tells a position with black as the attacker from the same with white."""

SPARE = 6
"""Plies at the end of the room that no search begins in."""


Work: TypeAlias = Any
"""One record of a `work_type`."""


def work_type(plies: int, known: int) -> Any:
    """Room that a search works in: for lines of so many plies, and (a power of two) for so many positions to be known."""
    fields = [
        ("watch", np.int64, (1,)),  # set from outside to stop a search
        ("spent", np.int64, (4,)),  # positions: of the search for threats under way, its budget, all of them, the main ones
        ("moves", np.int64, (plies, WIDEST)),  # by ply: candidates
        ("ranks", np.int64, (plies, WIDEST)),  # by ply: what they are ranked by
        ("line", np.int64, (plies,)),  # by ply: the move of the line found
        ("length", np.int64, (1,)),  # where that line ends
        ("horizon", np.int64, (1,)),  # the ply that the main search does not go beyond by answers to threes
        ("known", np.int64, (known,)),  # of positions that were searched for threats before: the hash,
        ("answers", np.int64, (known,)),  # and the winning move, or how many threes were not enough (as -1 - threes)
    ]
    return np.dtype(fields, align=True)


@njit(nogil=True)
def out_of_budget(work: Work) -> bool:
    """Whether a search for threats has to end without an answer."""
    return work.spent[0] >= work.spent[1] or work.watch[0] != 0


@njit(nogil=True)
def insert(work: Work, ply: int, count: int, move: int, rank: int, most: int) -> int:
    """Puts a move into its place among the candidates of a ply, highest rank first; returns how many there are."""
    moves, ranks = work.moves[ply], work.ranks[ply]
    if count == most:
        if rank <= ranks[count - 1]:
            return count
        count -= 1
    k = count
    while k > 0 and ranks[k - 1] < rank:
        moves[k], ranks[k] = moves[k - 1], ranks[k - 1]
        k -= 1
    moves[k], ranks[k] = move, rank
    return count + 1


@njit(nogil=True)
def threats_of(board: Board, colour: int, lowest: int, ply: int, work: Work) -> int:
    """Lists the squares on which a colour makes at least so much, the strongest first."""
    count = 0
    for k in range(board.actives[colour]):
        square = board.active[colour, k]
        kind = int(board.kinds[colour, square])
        if kind >= lowest:
            rank = kind * 100_000 + int(board.worth[colour, square] + board.worth[1 - colour, square])
            count = insert(work, ply, count, square, rank, WIDEST)
    return count


@njit(nogil=True)
def answers_to(board: Board, attacker: int, ply: int, work: Work) -> int:
    """Lists what a player can do against an attacker who would make a winning four next.

    Those are the squares after which there is none any more, all of them on the lines of the one square, and the fours of
    the player's own, which win a move. Everything else loses.
    """
    defender = 1 - attacker
    target = first_of(board, attacker, WINNING_FOUR)
    count = threats_of(board, defender, FOUR_KIND, ply, work)
    count = _add_if_it_stops(board, target, attacker, ply, count, work)
    for direction in range(DIRECTIONS):
        if board.classes[target, attacker, direction] >= FOUR:
            line, k = place(target, direction)
            taken = board.stones[0, direction, line] | board.stones[1, direction, line] | board.walls[direction, line]
            for step in range(-REACH, REACH + 1):
                if step != 0 and not taken >> REACH + k + step & 1:
                    count = _add_if_it_stops(board, target + step * STEPS[direction], attacker, ply, count, work)
    return count


@njit(nogil=True)
def _add_if_it_stops(board: Board, square: int, attacker: int, ply: int, count: int, work: Work) -> int:
    defender = 1 - attacker
    if board.kinds[defender, square] >= FOUR_KIND:
        return count  # listed already
    rank = int(board.worth[attacker, square] + board.worth[defender, square])
    put(board, square, defender)
    stopped = board.counts[attacker, WINNING_FOUR] == 0
    take(board, square)
    return insert(work, ply, count, square, rank, WIDEST) if stopped else count


@njit(nogil=True)
def attack(board: Board, colour: int, threes: int, ply: int, work: Work) -> bool:
    """Whether a colour, to move, wins by fours and at most so many threes; the line is in `work` if so."""
    other = 1 - colour
    if board.counts[colour, FIVE_KIND]:
        return won_by(first_of(board, colour, FIVE_KIND), ply, work)
    pressed = board.counts[other, FIVE_KIND]
    if pressed > 1:
        return False
    if pressed == 0 and board.counts[colour, WINNING_FOUR]:
        return won_by(first_of(board, colour, WINNING_FOUR), ply, work)
    if ply + SPARE > len(work.line) or out_of_budget(work):
        return False
    work.spent[0] += 1
    work.spent[2] += 1
    key = board.hash[0] ^ ATTACKED * colour
    slot = key >> 3 & len(work.known) - 1
    if work.known[slot] == key:
        answer = work.answers[slot]
        if answer >= 0:
            return won_by(answer, ply, work)
        if -1 - answer >= threes:
            return False
    if pressed:
        work.moves[ply, 0] = first_of(board, other, FIVE_KIND)
        count = 1
    else:
        may_threaten = threes > 0 and board.counts[other, WINNING_FOUR] == 0
        count = threats_of(board, colour, THREE_KIND if may_threaten else FOUR_KIND, ply, work)
    for k in range(count):
        move = work.moves[ply, k]
        put(board, move, colour)
        won = holds(board, colour, threes, ply + 1, work)
        take(board, move)
        if won:
            work.line[ply] = move
            work.known[slot], work.answers[slot] = key, move
            return True
    if not out_of_budget(work):
        work.known[slot], work.answers[slot] = key, -1 - threes
    return False


@njit(nogil=True)
def won_by(move: int, ply: int, work: Work) -> bool:
    """Notes the last move of a line."""
    work.line[ply] = move
    return ended(ply + 1, work)


@njit(nogil=True)
def ended(length: int, work: Work) -> bool:
    """Notes that a line has no more moves."""
    work.length[0] = length
    return True


@njit(nogil=True, inline="always")
def holds(board: Board, colour: int, threes: int, ply: int, work: Work) -> bool:
    """Whether a colour that has just moved wins against every answer."""
    other = 1 - colour
    fives = board.counts[colour, FIVE_KIND]
    if fives >= 2:
        return board.counts[other, FIVE_KIND] == 0 and ended(ply, work)
    if fives == 1:
        if board.counts[other, FIVE_KIND]:
            return False
        return survives(board, colour, first_of(board, colour, FIVE_KIND), threes, ply, work)
    if threes == 0 or board.counts[colour, WINNING_FOUR] == 0:
        return False
    if board.counts[other, FIVE_KIND] or board.counts[other, WINNING_FOUR]:
        return False  # which is quicker
    count = answers_to(board, colour, ply, work)
    if count == 0:
        return ended(ply, work)
    for k in range(count):  # noqa: SIM110 — numba does not know all()
        if not survives(board, colour, work.moves[ply, k], threes - 1, ply, work):
            return False
    return True


@njit(nogil=True, inline="always")
def survives(board: Board, colour: int, answer: int, threes: int, ply: int, work: Work) -> bool:
    """Whether an attack goes on to win after an answer."""
    put(board, answer, 1 - colour)
    won = attack(board, colour, threes, ply + 1, work)
    take(board, answer)
    if won:
        work.line[ply] = answer
    return won
