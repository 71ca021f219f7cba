"""The main search: alpha-beta in which forced replies cost no depth, over the few squares that matter, with a table.

At every node the obvious comes first (a five, the only square that stops one, a winning four), then a search for threats,
which proves wins far deeper than the search itself; only then are candidates tried, best first. Values are those of the
player to move, in the units of `WEIGHTS`; a win is `WIN` less the plies it takes. Compiled; called by `engine.py` in the
thread that searches.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import njit

from .board import FIVE_KIND, FOUR_KIND, FOUR_THREE, FREE, SQUARES, WINNING_FOUR, Board, first_of, put, squares_of, take
from .threats import SPARE, Work, answers_to, attack, insert

WIN = 1_000_000
SURE = WIN - 1_000
"""Values beyond this are proven."""

LIMIT = 2 * WIN
LEAF_BUDGET, NODE_BUDGET = 40, 150
"""How many positions the search for a win by fours may look at, at a leaf and further up."""

FREE_ANSWERS = 4
"""How many plies the answers to open threes may add to a search.

With that, the reductions below and no search for threes at its nodes it won 41 of 60 games at 0.1 s a move against a search
that looked for threes; 10 instead of 4 came out even.
"""

LATE, VERY_LATE = 3, 8
"""From which candidate on a quiet move is looked at one ply less, and two."""

WIDTHS = (10, 14, 18, 22)
"""How many candidates are tried, by the depth that is left; as many as the last one above that."""

TEMPO = 30
"""What the move is worth to who has it."""

UPPER, EXACT, LOWER = range(3)
MOVE_BITS, DEPTH_BITS = 10, 8


Table: TypeAlias = Any
"""What is known of positions, a row each: the hash, the value, and packed together the move, the depth and the bound."""

HASH, VALUE, FACTS = range(3)
ENTRY_BYTES = 24


def new_table(memory: int) -> Table:
    """A table of about so many bytes."""
    bits = max((memory // ENTRY_BYTES).bit_length() - 1, 10)
    return np.zeros((1 << bits, 3), np.int64)


@njit(nogil=True)
def worth_of(board: Board, colour: int) -> int:
    """A guess at what a position is worth to who is to move."""
    other = 1 - colour
    value = board.totals[colour] - board.totals[other] + TEMPO
    if board.counts[other, WINNING_FOUR]:
        value -= 100  # the move has to be spent on that
    return value


@njit(nogil=True)
def candidates(board: Board, colour: int, most: int, ply: int, work: Work) -> int:
    """Lists the squares within two of a stone that are worth most to both players together, best first."""
    other = 1 - colour
    count = 0
    for square in squares_of(board):
        if board.near[square] > 0 and board.owner[square] == FREE:
            rank = 2 * board.worth[colour, square] + board.worth[other, square]
            rank += 200 * board.kinds[colour, square] + 100 * board.kinds[other, square]
            count = insert(work, ply, count, square, rank, most)
    return count


@njit(nogil=True)
def wins_by_threats(board: Board, colour: int, threes: int, budget: int, ply: int, work: Work) -> bool:
    """Whether a colour to move wins by fours and so many threes, as far as a search of so many positions can tell."""
    work.spent[0], work.spent[1] = 0, budget
    # Numba cannot link a function that calls itself if it is first called with a literal, which `max` gives none of.
    return attack(board, colour, max(threes, 0), max(ply, 0), work)


@njit(nogil=True)
def obvious(board: Board, colour: int) -> tuple[int, int]:
    """The move that needs no thought, and the plies to the end it brings (0 where it only has to be made); -1 if none."""
    if board.counts[colour, FIVE_KIND]:
        return first_of(board, colour, FIVE_KIND), 1
    if board.counts[1 - colour, FIVE_KIND]:
        square = first_of(board, 1 - colour, FIVE_KIND)
        return square, -2 if board.counts[1 - colour, FIVE_KIND] > 1 else 0
    if board.counts[colour, WINNING_FOUR]:
        return first_of(board, colour, WINNING_FOUR), 3
    return -1, 0


@njit(nogil=True)
def promote(work: Work, ply: int, count: int, move: int) -> int:
    """Puts a move first among the candidates of a ply."""
    moves = work.moves[ply]
    k = 0
    while k < count and moves[k] != move:
        k += 1
    if k == count:
        count += 1
    while k > 0:
        moves[k] = moves[k - 1]
        k -= 1
    moves[0] = move
    return count


@njit(nogil=True)
def listed(board: Board, colour: int, depth: int, ply: int, work: Work) -> int:
    """Lists what may be played: everything that stops a winning four where the other player threatens one."""
    if board.counts[1 - colour, WINNING_FOUR]:
        return answers_to(board, 1 - colour, ply, work)
    return candidates(board, colour, WIDTHS[min(depth, len(WIDTHS)) - 1], ply, work)


@njit(nogil=True)
def search(board: Board, colour: int, depth: int, alpha: int, beta: int, ply: int, work: Work, table: Table) -> int:
    """The value of a position to the player to move, looking `depth` plies ahead."""
    work.spent[3] += 1
    if work.watch[0]:
        return 0
    move, plies = obvious(board, colour)
    if plies > 0:
        return WIN - ply - plies
    if plies < 0:
        return ply - plies - WIN
    if move >= 0 and ply + SPARE < len(work.line):  # the only answer: it costs no depth
        put(board, move, colour)
        value = -search(board, 1 - colour, depth, -beta, -alpha, ply + 1, work, table)
        take(board, move)
        return value
    if depth <= 0 or ply + SPARE >= len(work.line):
        depth, budget = 0, LEAF_BUDGET if board.counts[colour, FOUR_KIND] + board.counts[colour, FOUR_THREE] else 0
        if wins_by_threats(board, colour, depth, budget, ply, work):
            return WIN - work.length[0]
        return worth_of(board, colour)
    return look_ahead(board, colour, depth, alpha, beta, ply, work, table)


@njit(nogil=True, inline="always")
def look_ahead(board: Board, colour: int, depth: int, alpha: int, beta: int, ply: int, work: Work, table: Table) -> int:
    """The same where there is depth left and nothing is forced."""
    key = board.hash[0] ^ colour
    slot = key >> 3 & len(table) - 1
    best_move, seen = -1, False
    if table[slot, HASH] == key:
        facts, seen = table[slot, FACTS], True
        best_move = facts & (1 << MOVE_BITS) - 1
        value = from_table(table[slot, VALUE], ply)
        bound = facts >> MOVE_BITS + DEPTH_BITS
        decides = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if decides and (facts >> MOVE_BITS & (1 << DEPTH_BITS) - 1 >= depth or abs(value) > SURE):
            return value
    # A single square to threaten from seldom wins, and what was seen before was searched for fours then.
    if not seen and board.actives[colour] > 1 and wins_by_threats(board, colour, 0, NODE_BUDGET, ply, work):
        value = WIN - work.length[0]
        remember(table, slot, key, value, work.line[ply], depth, EXACT, ply)
        return value
    count = listed(board, colour, depth, ply, work)
    if count == 0:
        if board.counts[1 - colour, WINNING_FOUR]:
            return ply + 4 - WIN
        return 0 if full(board) else worth_of(board, colour)
    if best_move >= 0 and board.owner[best_move] == FREE:
        count = promote(work, ply, count, best_move)
    if board.counts[1 - colour, WINNING_FOUR] and ply + depth < work.horizon[0]:
        depth += 1  # answering a three costs no depth either, for a while
    best, floor = -LIMIT, alpha
    for k in range(count):
        move = work.moves[ply, k]
        value = value_of(board, move, colour, depth, max(alpha, best), beta, k, ply, work, table)
        if work.watch[0]:
            return 0
        if value > best:
            best, best_move = value, move
            if best >= beta:
                break
    bound = LOWER if best >= beta else EXACT if best > floor else UPPER
    remember(table, slot, key, best, best_move, depth, bound, ply)
    return best


@njit(nogil=True, inline="always")
def value_of(
    board: Board, move: int, colour: int, depth: int, alpha: int, beta: int, k: int, ply: int, work: Work, table: Table
) -> int:
    """What the k-th candidate is worth; all but the first are expected to be worse, and late ones are looked at less."""
    quiet = board.kinds[colour, move] < FOUR_KIND and board.counts[1 - colour, WINNING_FOUR] == 0
    less = 0
    if quiet and depth >= 3 and k >= LATE:
        less = 2 if k >= VERY_LATE and depth >= 4 else 1
    put(board, move, colour)
    value = 0
    if k > 0:
        value = -search(board, 1 - colour, depth - 1 - less, -alpha - 1, -alpha, ply + 1, work, table)
    if k == 0 or (value > alpha and (less or value < beta)):
        value = -search(board, 1 - colour, depth - 1, -beta, -alpha, ply + 1, work, table)
    take(board, move)
    return value


@njit(nogil=True)
def full(board: Board) -> bool:
    for square in squares_of(board):  # noqa: SIM110 — numba does not know all()
        if board.owner[square] == FREE:
            return False
    return True


@njit(nogil=True)
def from_table(value: int, ply: int) -> int:
    """A win is so many plies from the position in the table, and so many more from the root."""
    return value - ply if value > SURE else value + ply if value < -SURE else value


@njit(nogil=True)
def remember(table: Table, slot: int, key: int, value: int, move: int, depth: int, bound: int, ply: int) -> None:
    table[slot, HASH] = key
    table[slot, VALUE] = value + ply if value > SURE else value - ply if value < -SURE else value
    table[slot, FACTS] = move | min(max(depth, 0), (1 << DEPTH_BITS) - 1) << MOVE_BITS | bound << MOVE_BITS + DEPTH_BITS


@njit(nogil=True)
def root_moves(board: Board, colour: int, most: int, work: Work, listing: Any) -> int:
    """Lists up to so many moves of the root, best first."""
    if board.counts[1 - colour, WINNING_FOUR]:
        count = answers_to(board, 1 - colour, 0, work)
    else:
        count = candidates(board, colour, most, 0, work)
    listing[:count] = work.moves[0, :count]
    return count


@njit(nogil=True)
def root(board: Board, colour: int, depth: int, moves: Any, values: Any, work: Work, table: Table) -> tuple[int, int]:
    """Searches the moves of the root in their order; returns the number of the best and how many were searched whole.

    Where it is stopped on the way, the moves it had finished count: the first is the best of the last depth.
    """
    work.horizon[0] = depth + FREE_ANSWERS
    best, chosen = -LIMIT, 0
    for k in range(len(moves)):
        value = value_of(board, moves[k], colour, depth, max(best, -LIMIT + 1), LIMIT, k, 0, work, table)
        if work.watch[0]:
            return chosen, k
        values[k] = value
        if value > best:
            best, chosen = value, k
    return chosen, len(moves)


@njit(nogil=True)
def line_of(board: Board, colour: int, line: Any, table: Table) -> int:
    """Follows the table's moves from a position; returns how many there are."""
    count = 0
    while count < len(line):
        move, _ = obvious(board, colour)
        if move < 0:
            key = board.hash[0] ^ colour
            slot = key >> 3 & len(table) - 1
            move = table[slot, FACTS] & (1 << MOVE_BITS) - 1 if table[slot, HASH] == key else -1
        if move < 0 or move >= SQUARES or board.owner[move] != FREE:
            break
        ends = board.kinds[colour, move] == FIVE_KIND
        line[count] = move
        put(board, move, colour)
        count += 1
        colour = 1 - colour
        if ends:
            break
    for k in range(count - 1, -1, -1):
        take(board, line[k])
    return count
