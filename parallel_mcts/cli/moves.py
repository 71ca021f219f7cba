"""A line of play as it is typed: `4 0 8`, `rock/paper 1/3`, `roll@5`. Printed lines are read back the same way.

Moves are parted by blanks, or by semicolons where the game's own words have blanks. Where both players have a choice a move
is row/column. After `@` comes what chance did: the observation, or its number in the list of outcomes.
"""

from __future__ import annotations

from typing import Any

from ..errors import IllegalAction
from ..results import Move
from ..state import Transition, has_chance, is_over, labels, name_of, parse_action, show, transitions


def after_moves(start: Any, text: str) -> tuple[Any, tuple[Move, ...]]:
    """The position after a line of play, and its moves."""
    state, moves = start, []
    for number, word in enumerate(_words(text), start=1):
        try:
            state, move = _after(state, word)
        except IllegalAction as error:
            raise IllegalAction(f"move {number}, {word!r}: {error}") from None
        moves.append(move)
    return state, tuple(moves)


def _words(text: str) -> list[str]:
    parts = text.split(";") if ";" in text else text.split()
    return [part.strip() for part in parts if part.strip()]


def _after(state: Any, word: str) -> tuple[Any, Move]:
    if is_over(state):
        raise IllegalAction(f"the game is over at {show(state)}")
    said, _, chosen = word.rpartition("@") if has_chance(state) and "@" in word else (word, "", "")
    i, j = _joint(state, said)
    outcome = _outcome(state, i, j, chosen)
    rows, cols = labels(state)
    return outcome.state, Move(rows[i], cols[j], outcome.observation if has_chance(state) else None)


def _joint(state: Any, word: str) -> tuple[int, int]:
    """The numbers of both players' actions; who has no choice need not be mentioned."""
    rows, cols = state.shape()
    if rows == cols == 1 and not word:  # only chance has a say: @3
        return 0, 0
    if rows == 1 or cols == 1:
        player = 0 if cols == 1 else 1
        try:
            own = parse_action(state, word, player)
            return (own, 0) if player == 0 else (0, own)
        except IllegalAction:
            if "/" not in word:
                raise
    first: IllegalAction | None = None
    for at in [k for k, sign in enumerate(word) if sign == "/"]:
        try:
            return parse_action(state, word[:at], 0), parse_action(state, word[at + 1 :], 1)
        except IllegalAction as error:
            first = first or error
    if first is not None:
        raise first
    row, col = (", ".join(map(str, names)) for names in labels(state))
    raise IllegalAction(f"both players choose at {show(state)}; write row/column (row: {row}; column: {col})")


def _outcome(state: Any, i: int, j: int, chosen: str) -> Transition:
    """What came of it: all there is, or what chance is said to have done."""
    listed = [outcome for outcome in transitions(state, i, j) if outcome.probability is None or outcome.probability > 0]
    if len(listed) == 1 and not chosen:
        return listed[0]
    named = [outcome for outcome in listed if str(outcome.observation) == chosen]
    if not named and chosen.isdecimal() and int(chosen) < len(listed):
        named = [listed[int(chosen)]]
    if len(named) != 1:
        shown = "; ".join(f"@{k}: {show(o.observation)}" for k, o in enumerate(listed))
        said = f"no outcome {chosen!r}" if chosen else f"chance takes part in {name_of(state)}"
        raise IllegalAction(f"{said}; say what it did: {shown}")
    return named[0]
