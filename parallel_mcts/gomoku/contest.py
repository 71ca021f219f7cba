"""The contest mode: one side of a game against another program, a move a line in each direction.

Called by `gomoku contest`, in the thread of the program; the streams are given, so that two sides can be joined anyhow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TextIO

from ..errors import IllegalAction, OpponentLeft
from ..interrupts import catching_interrupts
from ..state import is_over, parse_action, payoffs
from .lines import shown
from .position import Position, name_of
from .thinking import Thinker

COLOURS = ("black", "white")


def contest(colour: str, start: Any, player: Thinker, *, seconds: float, lines: Iterator[str], writes: TextIO) -> Any:
    """Plays to the end and returns the position there; `lines` are the other's moves, `start` a state of the game."""
    state, own = start, COLOURS.index(colour)
    while not is_over(state):
        turn = state.ply & 1
        text = _own_move(state, player, seconds) if turn == own else _move_of(COLOURS[turn], state, lines)
        action = parse_action(state, text, turn)
        state = state.play(0, action) if turn else state.play(action, 0)
        if turn == own:
            _write(text, COLOURS[1 - own], writes)
    return state


def outcome(state: Any) -> str:
    """How a finished game went, in words."""
    black, white = payoffs(state)
    words = "a draw" if black == white else f"{COLOURS[black < white]} has won"
    return f"{words} after {state.ply} moves"


def _own_move(state: Any, player: Thinker, seconds: float) -> str:
    with catching_interrupts() as interrupt:
        thought = player.think(Position.of(state), seconds=seconds, stopping=lambda: interrupt.requested)
    if interrupt.requested:
        raise KeyboardInterrupt
    return name_of(thought.square)


def _move_of(other: str, state: Any, lines: Iterator[str]) -> str:
    """The next line, which has to be a legal move."""
    line = next(lines, None)
    if line is None:
        raise OpponentLeft(f"{other} has gone away before its move {state.ply // 2 + 1}; the game is broken off")
    try:
        square: str = state.parse(line)
    except ValueError as error:
        raise IllegalAction(f"{other} sent {shown(line)} as its move {state.ply // 2 + 1}: {error}") from None
    return square


def _write(move: str, other: str, writes: TextIO) -> None:
    try:
        writes.write(f"{move}\n")
        writes.flush()
    except BrokenPipeError:
        raise OpponentLeft(f"{other} has gone away and did not take the move {move}") from None
