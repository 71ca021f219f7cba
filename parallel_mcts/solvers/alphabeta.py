"""The alpha-beta search itself: one source, run by the interpreter or compiled (see `native.py`) by numba.

It stays within the Python that numba compiles and keeps its own stack, so no game is too deep for it. Values are row's
payoffs: row takes the largest, column the smallest, chance the mean. Who is to move says `shape()`, so a player may move
twice in a row. Called by `minimax.py`. A search belongs to one thread; `watch[0]` is how another one stops it.
"""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

OPEN, FINISHED, STOPPED, SIMULTANEOUS, OUTSIDE, ENDLESS = range(6)
"""How a search ended, or what a look at a position gave: nothing yet, a value, or what is wrong with the game."""

UPPER, EXACT, LOWER = -1, 0, 1
WHOLE = 1 << 40
"""How deep a value is that no heuristic took part in."""

DEEPEST = 1_000_000


class Frame(NamedTuple):
    """A position on the way: decided by a player, or (where `action` is not negative) the outcomes of an action.

    The state itself is kept beside it: compiled code is the smaller, the less there is in what it hands about.
    """

    moves: int
    row_moves: bool
    left: int  # plies to look ahead
    alpha: float
    beta: float
    first: int  # where its moves, best first, begin in the list of all orders
    action: int


class NoChance(NamedTuple):
    """Every action has one outcome."""

    nothing: int = 0

    def outcomes(self, state: Any, i: int, j: int) -> int:
        return 1

    def probability(self, state: Any, i: int, j: int, k: int) -> float:
        return 1.0

    def outcome(self, state: Any, i: int, j: int, k: int) -> Any:
        return state.play(i, j)


class Mark(NamedTuple):
    """How far a position has come: its best value and move, how many were tried, whether no heuristic took part."""

    best: float
    choice: int
    tried: int
    whole: bool


class Ends(NamedTuple):
    """The window of the whole search, what judges a finished game (its payoff, or the heuristic), and what a ply is.

    Where a ply is a whole turn, a move after which the same player decides again costs nothing.
    """

    alpha: float
    beta: float
    by_heuristic: bool
    by_turns: bool


class Neutral(NamedTuple):
    """A heuristic that knows nothing: all positions are worth the same."""

    middle: float

    def value(self, state: Any) -> float:
        return self.middle


class Given(NamedTuple):
    """A heuristic of the user's."""

    value: Any


def alpha_beta(
    state: Any, depth: int, ends: Ends, judge: Any, chance: Any, table: Any, room: int, watch: Any
) -> tuple[int, float, int, int, bool]:
    """How the search ended, row's value, the number of the best move, nodes, and whether no heuristic took part.

    No value may be outside the window of the search. `table` maps positions to (plies, value, bound, best move); it takes
    up to `room` of them, and may be kept for a deeper search.
    """
    longest = DEEPEST if depth >= DEEPEST else 4 * depth + 64  # moves that cost nothing do so up to there
    rows, cols = state.shape()
    if rows > 1 and cols > 1:
        return SIMULTANEOUS, 0.0, 0, 1, False
    orders = [k for k in range(rows * cols)]  # noqa: C416 — numba makes no list of a range
    states = [state]
    frames = [Frame(rows * cols, rows > 1, depth, ends.alpha, ends.beta, 0, -1)]
    marks = [Mark(0.0, 0, 0, True)]
    arrange(orders, state, frames[0], ends, judge, chance, table)
    nodes = 1
    while True:
        frame, mark = frames[-1], marks[-1]
        if is_settled(frame, mark):
            if frame.action < 0:
                remember(table, room, states[-1], frame, mark)
            while len(orders) > frame.first and frame.action < 0:
                orders.pop()
            frames.pop()
            states.pop()
            marks.pop()
            if len(frames) == 0:
                return FINISHED, mark.best, mark.choice, nodes, mark.whole
            marks[-1] = credited(states[-1], frames[-1], marks[-1], orders, chance, mark.best, mark.whole)
            continue
        action = frame.action if frame.action >= 0 else orders[frame.first + mark.tried]
        i, j = (action, 0) if frame.row_moves else (0, action)
        left = frame.left if frame.action >= 0 or (frame.moves == 1 and len(frames) <= longest) else frame.left - 1
        low, high = window(frame, mark, ends)
        outcomes = chance.outcomes(states[-1], i, j)
        if frame.action < 0 and outcomes > 1:
            states.append(states[-1])
            frames.append(Frame(outcomes, frame.row_moves, left, low, high, len(orders), action))
            marks.append(Mark(0.0, 0, 0, True))
            continue
        child = chance.outcome(states[-1], i, j, mark.tried if frame.action >= 0 else 0)
        nodes += 1
        if watch[0]:
            return STOPPED, marks[0].best, marks[0].choice, nodes, False
        rows, cols = child.shape()
        if ends.by_turns and goes_on(frame, rows, cols) and len(frames) <= longest:
            left = frame.left
        at_end = left <= 0 and (rows * cols > 1 or len(frames) > longest)
        status, value, whole = judged(child, rows, cols, at_end, ends, judge)
        if status == OPEN:
            status, value, whole = recalled(table, child, left, low, high)
        if status == FINISHED:
            marks[-1] = credited(states[-1], frame, mark, orders, chance, value, whole)
        elif status != OPEN or len(frames) > DEEPEST:
            return (status if status != OPEN else ENDLESS), value, 0, nodes, False
        else:
            states.append(child)
            frames.append(Frame(rows * cols, rows > 1, left, low, high, len(orders), -1))
            marks.append(Mark(0.0, 0, 0, True))
            for k in range(rows * cols):
                orders.append(k)  # noqa: PERF402 — numba extends lists by lists only
            arrange(orders, child, frames[-1], ends, judge, chance, table)


def judged(state: Any, rows: int, cols: int, at_end: bool, ends: Ends, judge: Any) -> tuple[int, float, bool]:
    """The value of a position where the game or looking ahead ends."""
    if rows > 1 and cols > 1:
        return SIMULTANEOUS, 0.0, False
    if rows > 0 and not at_end:
        return OPEN, 0.0, False
    if rows > 0 or ends.by_heuristic:
        value = float(judge.value(state))
    else:
        value = float(state.payoff())
    return (FINISHED if ends.alpha <= value <= ends.beta else OUTSIDE), value, rows == 0


def goes_on(frame: Frame, rows: int, cols: int) -> bool:
    """Whether a move leaves its player to decide again; not after chance, which has had its ply already."""
    return frame.action < 0 and rows * cols > 1 and (rows > 1) == frame.row_moves


def is_settled(frame: Frame, mark: Mark) -> bool:
    """Whether all moves were tried, or one was too good for the other player to let it come to this."""
    if mark.tried == frame.moves:
        return True
    if mark.tried == 0 or frame.action >= 0:
        return False
    return mark.best >= frame.beta if frame.row_moves else mark.best <= frame.alpha


def window(frame: Frame, mark: Mark, ends: Ends) -> tuple[float, float]:
    """Where the value of the next move must lie to matter; of an outcome of chance, every digit does."""
    if frame.action >= 0:
        return ends.alpha, ends.beta
    if mark.tried == 0:
        return frame.alpha, frame.beta
    if frame.row_moves:
        return max(frame.alpha, mark.best), frame.beta
    return frame.alpha, min(frame.beta, mark.best)


def credited(state: Any, frame: Frame, mark: Mark, orders: Any, chance: Any, value: float, whole: bool) -> Mark:
    """The mark of a position after one more move, or outcome, is known."""
    if frame.action >= 0:
        i, j = (frame.action, 0) if frame.row_moves else (0, frame.action)
        share = chance.probability(state, i, j, mark.tried) * value
        return Mark(mark.best + share, mark.choice, mark.tried + 1, mark.whole and whole)
    best, choice = mark.best, mark.choice
    if mark.tried == 0 or (value > best if frame.row_moves else value < best):
        best, choice = value, orders[frame.first + mark.tried]
    cut = value >= frame.beta if frame.row_moves else value <= frame.alpha
    return Mark(best, choice, mark.tried + 1, whole if cut else mark.whole and whole)


# ---------------------------------------------------------------------------------------------- the table
def remember(table: Any, room: int, state: Any, frame: Frame, mark: Mark) -> None:
    if len(table) < room or state in table:
        bound = UPPER if mark.best <= frame.alpha else LOWER if mark.best >= frame.beta else EXACT
        table[state] = (WHOLE if mark.whole else frame.left, mark.best, bound, mark.choice)


def entry_of(table: Any, state: Any) -> tuple[int, float, int, int]:
    """What the table holds of a position; -1 plies and move -1 if nothing."""
    if state in table:
        entry: tuple[int, float, int, int] = table[state]
        return entry
    return -1, 0.0, EXACT, -1


def recalled(table: Any, state: Any, left: int, alpha: float, beta: float) -> tuple[int, float, bool]:
    """What the table says of a position, if that is enough."""
    plies, value, bound, _ = entry_of(table, state)
    if plies < max(left, 0) or (bound == UPPER and value > alpha) or (bound == LOWER and value < beta):
        return OPEN, 0.0, False
    return FINISHED, value, plies == WHOLE


# ---------------------------------------------------------------------------------------------- move ordering
def arrange(orders: Any, state: Any, frame: Frame, ends: Ends, judge: Any, chance: Any, table: Any) -> None:
    """Sorts the moves of the newest position: the table's choice first, then by what is known or guessed of each."""
    best = entry_of(table, state)[3]
    if frame.left < 2:
        if best > 0:
            orders[frame.first], orders[frame.first + best] = best, 0
        return
    keys = [0.0 for _ in range(frame.moves)]
    for k in range(frame.moves):
        guess = guessed(state, k, frame.row_moves, ends, judge, chance, table)
        keys[k] = inf if k == best else guess if frame.row_moves else -guess
    for n in range(1, frame.moves):  # by insertion: few moves, and equal ones keep their order
        k, m = orders[frame.first + n], n
        while m > 0 and keys[orders[frame.first + m - 1]] < keys[k]:
            orders[frame.first + m] = orders[frame.first + m - 1]
            m -= 1
        orders[frame.first + m] = k


def guessed(state: Any, k: int, row_moves: bool, ends: Ends, judge: Any, chance: Any, table: Any) -> float:
    """What a move is likely worth: the mean of its outcomes, by the table or the heuristic."""
    i, j = (k, 0) if row_moves else (0, k)
    total = 0.0
    for outcome in range(chance.outcomes(state, i, j)):
        child = chance.outcome(state, i, j, outcome)
        plies, value, _, _ = entry_of(table, child)
        if plies < 0:
            _, value, _ = judged(child, child.shape()[0], 1, True, ends, judge)
        total += chance.probability(state, i, j, outcome) * value
    return total
