"""What the engine knows of a position, as a model with a policy for MCTS: where to look first, and how good it is.

`GomokuThreats` judges states of the games `gomoku` and `mnk` (five in a row). Forced moves get the whole policy, a win by
fours that a short search finds counts as a win, and other moves are as likely as what their squares are worth to both
players. Use it with `puct`. It compiles with the search; nothing in it is shared between threads.
"""

from __future__ import annotations

from math import tanh
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from ..errors import InputError, ParameterError
from ..rng import Rng
from ..state import name_of
from .alphabeta import obvious, wins_by_threats, worth_of
from .board import FREE, WINNING_FOUR, new_board, set_up
from .threats import answers_to, work_type

UNIT = 600.0
"""The advantage that is worth three quarters of the way from a draw to a win."""

WORK = work_type(plies=60, known=64)
"""Room for a short search for fours."""


@njit(nogil=True)
def judged(black: Any, white: Any, width: int, rule: int, colour: int, fours: int, sharpness: float) -> Any:
    """What a position is worth to who is to move, in [-1, 1], and a weight for each free square, row by row."""
    boards = new_board(width, len(black), rule)
    set_up(boards[0], black, white)
    return judged_board(boards, colour, fours, sharpness)


# A record does not keep its array from being freed. Whoever makes an array hands all of it on, and so has it until the end.
@njit(nogil=True)
def judged_board(boards: Any, colour: int, fours: int, sharpness: float) -> Any:
    """The same of a board, the only one of its array."""
    board = boards[0]
    weights = np.zeros(board.area[0])
    move, plies = obvious(board, colour)
    if move >= 0:
        value = 1.0 if plies > 0 else -1.0 if plies < 0 else tanh(worth_of(board, colour) / UNIT)
        return value, only(board, move, weights)
    return judged_by_threats(board, np.zeros(1, WORK), colour, fours, sharpness, weights)


@njit(nogil=True)
def judged_by_threats(board: Any, works: Any, colour: int, fours: int, sharpness: float, weights: Any) -> Any:
    """The same where nothing is obvious; `works` is the room to search in."""
    work = works[0]
    if fours > 0 and wins_by_threats(board, colour, 0, fours, 0, work):
        return 1.0, only(board, work.line[0], weights)
    if board.counts[1 - colour, WINNING_FOUR]:
        count = answers_to(board, 1 - colour, 0, work)
        if count == 0:
            return -1.0, spread(board, colour, sharpness, weights)
        for k in range(count):
            mark(board, work.moves[0, k], 1.0 + wanted(board, colour, work.moves[0, k]), weights)
    else:
        spread(board, colour, sharpness, weights)
    return tanh(worth_of(board, colour) / UNIT), weights


@njit(nogil=True)
def mark(board: Any, square: int, weight: float, weights: Any) -> None:
    for k in range(board.area[0]):
        if board.squares[k] == square:
            weights[k] = weight


@njit(nogil=True)
def only(board: Any, square: int, weights: Any) -> Any:
    mark(board, square, 1.0, weights)
    return weights


@njit(nogil=True)
def wanted(board: Any, colour: int, square: int) -> float:
    """What a square is worth to both players."""
    return float(2 * board.worth[colour, square] + board.worth[1 - colour, square])


@njit(nogil=True)
def spread(board: Any, colour: int, sharpness: float, weights: Any) -> Any:
    """Weighs the squares near stones; on an empty board the one in the middle."""
    near = False
    for k in range(len(weights)):
        square = board.squares[k]
        if board.owner[square] == FREE and board.near[square] > 0:
            weights[k] = (4.0 + wanted(board, colour, square)) ** sharpness
            near = True
    if not near:
        weights[len(weights) // 2] = 1.0
    return weights


class GomokuThreats(NamedTuple):
    """`fours`: how many positions the search for a win by fours may look at; `sharpness`: how pointed the policy is."""

    fours: int = 30
    sharpness: float = 1.5

    def validate(self) -> None:
        if self.fours < 0:
            raise ParameterError(f"gomoku: fours is {self.fours!r}; it must be 0 or more")
        if not self.sharpness > 0.0:
            raise ParameterError(f"gomoku: sharpness is {self.sharpness!r}; it must be above 0")

    def suited(self, state: Any) -> GomokuThreats:
        self.validate()
        if getattr(state, "length", 0) != 5 or not hasattr(state, "black"):
            raise InputError(f"the model 'gomoku' judges five in a row; {name_of(state)} is another game")
        return self

    def evaluate(self, state: Any, rng: Rng) -> float:
        value: float = self.evaluate_with_policy(state, rng)[0]
        return value

    def evaluate_with_policy(self, state: Any, rng: Rng) -> Any:
        colour = state.ply & 1
        black, white = np.array(state.black), np.array(state.white)
        value, weights = judged(black, white, state.width, state.rule, colour, self.fours, self.sharpness)
        policy: list[float] = []
        total = weights.sum()
        for k in range(len(weights)):
            row, column = k // state.width, k % state.width
            if not (state.black[row] | state.white[row]) >> column & 1:
                policy.append(weights[k] / total if total > 0.0 else 1.0)
        if colour == 0:
            return 0.5 + 0.5 * value, policy, [1.0]
        return 0.5 - 0.5 * value, [1.0], policy
