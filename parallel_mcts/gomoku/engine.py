"""The thinking of the engine: what is obvious, then threats of one's own, then those of the other player, then alpha-beta.

`AlphaBeta` does all of it; `Threats` stops before the last. Both think in a thread of machine code while the thread of the
caller watches the clock. They keep their tables from move to move, and belong to one thread at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import tanh
from typing import Any, TypeVar

import numpy as np
from numba import njit

from ..engines.compiled.cache import attach_cache
from ..engines.compiled.watched import watched
from ..errors import InputError, ParameterError
from .alphabeta import SURE, WIN, line_of, new_table, obvious, root, root_moves, wins_by_threats
from .board import FOUR_KIND, FREE, WINNING_FOUR, Board, new_board, number_of, put, set_up, square_of, take
from .position import Position, Square
from .thinking import Thought, never
from .threats import WIDEST, Work, work_type


def _entry(function: Any) -> Any:
    """A compiled function to be called from Python: kept on disk, and apart from the one that compiled code calls.

    What calls itself cannot be linked into other code once it has been read back from the disk.
    """
    entry = njit(nogil=True)(function.py_func)
    attach_cache(entry)
    return entry


find_obvious, find_threats = _entry(obvious), _entry(wins_by_threats)
list_moves, search_moves, follow_line = _entry(root_moves), _entry(root), _entry(line_of)
put_stone, take_stone, make_board, set_up_stones = _entry(put), _entry(take), _entry(new_board), _entry(set_up)

Found = TypeVar("Found")

MEMORY = 64 << 20
LEAST_MEMORY = 1 << 20
MARGIN, MARGIN_SHARE = 0.005, 0.02
"""How much of its time a thought leaves unused, in seconds and as a share: threads take a moment to stop."""

ATTACK_SHARE, DEFENCE_SHARE = 0.25, 0.3
"""How much of its time it gives to finding threats that win, and to those it has to stop."""

THREES = (0, 1, 2, 3, 4, 6, 8, 12)
"""How many threes, one after the other, an attack may have: tried in this order."""

FIRST_BUDGET, CHECK_BUDGET = 1_000, 2_000
ROOT_WIDTH = 40
DEEPEST = 60
PLIES, KNOWN = 120, 1 << 16
LINE_LENGTH = 20
UNIT = 500.0
"""The advantage, in the units of the search, that is told as three quarters of a win."""


class Threats:
    """A player that looks at threats only: its own that win, and those of the other that it has to stop."""

    def __init__(
        self, *, memory: int | None = None, seed: int | None = None, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """The seed is for players that draw; this one does not."""
        if memory is not None and memory < LEAST_MEMORY:
            raise ParameterError(f"memory is {memory} bytes; the engine needs at least {LEAST_MEMORY:,}")
        self.memory, self.clock = memory or MEMORY, clock
        self.work, self.table = set_up_work(PLIES, KNOWN), new_table(self.memory)
        self.kind: tuple[int, int, int] | None = None

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        thought, moves = self.look(position, seconds=seconds, stopping=stopping)
        return thought or Thought(moves[0], 0.0, (moves[0],), 0, int(self.work.spent[2]), seconds, "no threats")

    def look(
        self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never
    ) -> tuple[Thought | None, list[Square]]:
        """What threats decide, or else the moves that do not lose to them, the most promising first."""

        def found(thinking: Thinking) -> tuple[Thought | None, list[Square]]:
            decided = thinking.decided()
            return decided, [] if decided is not None else [square_of(move) for move in thinking.moves()]

        return self.watched(found, position, seconds, stopping)

    def watched(
        self, found: Callable[[Thinking], Found], position: Position, seconds: float, stopping: Callable[[], bool]
    ) -> Found:
        """What is found about a position by a thread of its own, while this one watches the clock."""
        thinking = Thinking(self, position, max(seconds * (1.0 - MARGIN_SHARE) - MARGIN, 0.0))
        kind = position.width, position.height, position.rule
        if kind != self.kind:  # what is known of one kind of board is wrong on another
            self.kind, self.work, self.table = kind, set_up_work(PLIES, KNOWN), new_table(self.memory)
        thinking.begin()
        return watched(lambda: found(thinking), self.work.watch, lambda: thinking.is_over() or stopping())

    def close(self) -> None:
        """Frees the tables."""
        self.kind = None
        self.table = new_table(LEAST_MEMORY)


class AlphaBeta(Threats):
    """The whole engine."""

    def think(self, position: Position, *, seconds: float, stopping: Callable[[], bool] = never) -> Thought:
        def found(thinking: Thinking) -> Thought:
            return thinking.decided() or thinking.searched(thinking.moves())

        return self.watched(found, position, seconds, stopping)


class Thinking:
    """One thought: the position, the time it has, and how far it has come. Runs in the watched thread."""

    def __init__(self, player: Threats, position: Position, seconds: float) -> None:
        self.player, self.position, self.seconds = player, position, seconds
        self.colour, self.other = position.to_move, 1 - position.to_move
        self.clock, self.started = player.clock, player.clock()

    def begin(self) -> None:
        """Sets up the board; the tables are the player's."""
        self.work, self.table = self.player.work, self.player.table
        self.board: Board = board_of(self.position)
        squares = self.board.squares[: self.board.area[0]]
        self.free = [int(square) for square in squares if self.board.owner[square] == FREE]
        self.untouched = len(self.free) == len(squares)
        self.work.spent[:] = 0
        if not self.free:
            raise InputError("the board is full: there is no move to think of")

    def elapsed(self) -> float:
        return self.clock() - self.started

    def is_over(self) -> bool:
        return self.elapsed() >= self.seconds

    def decided(self) -> Thought | None:
        """The move, where threats decide it."""
        return self.at_once() or self.winning()

    # ------------------------------------------------------------------------ what needs no search
    def at_once(self) -> Thought | None:
        """The first stone, a five, or the only way to stop one."""
        if self.untouched:
            return self.thought([_centre(self.position)], 0, 0, "opening")
        move, plies = find_obvious(self.board, self.colour)
        if move < 0:
            return None
        reasons = {1: "five", 3: "winning four", 0: "stops a five", -2: "too late"}
        sign = 1 if plies > 0 else -1
        return self.thought([move], sign * WIN if plies else 0, 0, reasons[plies])

    def winning(self) -> Thought | None:
        """A win by threats."""
        line = self.attack(self.colour, ATTACK_SHARE * self.seconds)
        return None if line is None else self.thought(line, WIN, 0, "winning threats")

    def attack(self, colour: int, seconds: float) -> list[int] | None:
        """The line by which a colour wins, if it were to move; None if none was found in the time."""
        until, work = self.elapsed() + seconds, self.work
        for threes in THREES:
            budget = FIRST_BUDGET
            while True:
                if find_threats(self.board, colour, threes, budget, 0, work):
                    return [int(move) for move in work.line[: work.length[0]]]
                if work.spent[0] < budget:
                    break  # there is none with so many threes
                if self.elapsed() >= until or work.watch[0]:
                    return None
                budget *= 2
        return None

    # ------------------------------------------------------------------------ what may be played
    def moves(self) -> list[int]:
        """The moves worth a thought, best first; without those that lose to threats, if others do not."""
        listed = np.zeros(WIDEST, np.int64)
        count = list_moves(self.board, self.colour, ROOT_WIDTH, self.work, listed)
        moves = [int(move) for move in listed[:count]]
        if not moves:
            return self.free[:1]
        threatened = self.attack(self.other, DEFENCE_SHARE / 3 * self.seconds)
        if threatened is None:
            return moves
        known = set(moves)
        moves += [move for move in threatened if move not in known and self._may_help(move)]
        return self.safe(moves)

    def _may_help(self, move: int) -> bool:
        """Whether a square of the other player's line is to be thought of: not where only a few answers are left."""
        pressed = self.board.counts[self.other, WINNING_FOUR] > 0
        return not pressed or self.board.kinds[self.colour, move] >= FOUR_KIND

    def safe(self, moves: Sequence[int]) -> list[int]:
        """The moves that do not lose to threats, as far as there is time to see; the others if there are none."""
        until = self.elapsed() + DEFENCE_SHARE * self.seconds
        kept = []
        for move in moves:
            if self.elapsed() < until and not self.work.watch[0]:
                put_stone(self.board, move, self.colour)
                lost = any(find_threats(self.board, self.other, n, CHECK_BUDGET, 1, self.work) for n in (0, 2, 4))
                take_stone(self.board, move)
                if lost:
                    continue
            kept.append(move)
        return kept or list(moves)

    # ------------------------------------------------------------------------ the main search
    def searched(self, moves: Sequence[int]) -> Thought:
        """Looks ever deeper until the time is over."""
        order, values = np.array(moves, np.int64), np.zeros(len(moves), np.int64)
        value, reached = 0, 0
        for depth in range(1, DEEPEST):
            best, done = search_moves(self.board, self.colour, depth, order, values, self.work, self.table)
            if done > 0:
                value = int(values[best])
                order = np.concatenate([order[best : best + 1], order[:best], order[best + 1 :]])
            if self.work.watch[0]:
                break
            reached = depth
            if abs(value) > SURE or len(order) == 1:
                break
        return self.thought([int(order[0])], value, reached, "search")

    def thought(self, line: Sequence[int], value: int, depth: int, reason: str) -> Thought:
        """What was found, with what is expected to follow."""
        moves = list(line)
        if len(moves) == 1:
            rest = np.zeros(LINE_LENGTH, np.int64)
            put_stone(self.board, moves[0], self.colour)
            moves += [int(move) for move in rest[: follow_line(self.board, self.other, rest, self.table)]]
        squares: list[Square] = [square_of(move) for move in moves]
        nodes = int(self.work.spent[2] + self.work.spent[3])
        told = (1.0 if value > 0 else -1.0) if abs(value) > SURE else tanh(value / UNIT)
        return Thought(squares[0], told, tuple(squares), depth, nodes, self.elapsed(), reason)


def _centre(position: Position) -> int:
    return number_of(((position.width - 1) // 2, (position.height - 1) // 2))


def set_up_work(plies: int, known: int) -> Work:
    """Room to search in, for lines of so many plies, and (a power of two) for so many positions to be known."""
    return np.zeros(1, work_type(plies, known)).view(np.recarray)[0]


def board_of(position: Position) -> Board:
    """The board of a position."""
    board: Board = make_board(position.width, position.height, position.rule).view(np.recarray)[0]
    set_up_stones(board, np.array(position.black, np.int64), np.array(position.white, np.int64))
    return board
