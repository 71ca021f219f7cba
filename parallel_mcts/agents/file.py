"""A player whose moves are written down: in a file, or in a stream that another program writes to.

One move a line; blank lines and lines that begin with `#` are skipped. A line may say whose move it is, `row: 4` or
`col: rock`, and those of the other player are skipped too: so the transcript of a match will do for either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..errors import IllegalAction, InputError, MovesRanOut
from ..results import Move
from ..state import Label, parse_action
from .base import PLAYERS, Agent, Player, Seat, has_a_say


@dataclass(frozen=True)
class File(Agent):
    """Moves from a file (`path`) or from anything that gives lines (`stream`)."""

    path: str | Path = ""
    stream: Any = None
    name: ClassVar[str] = "file"

    def validate(self) -> None:
        if bool(str(self.path)) == (self.stream is not None):
            raise InputError(f"file: path is {str(self.path)!r}, stream is {self.stream!r}; give one of them")

    def seat(self, seed: int) -> FileSeat:
        self.validate()
        return FileSeat(self.stream if self.stream is not None else self._lines(), self.place())

    def place(self) -> str:
        """What to call the source in a message."""
        return str(self.path) or str(getattr(self.stream, "name", "the stream"))

    def _lines(self) -> list[str]:
        try:
            return Path(self.path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"file: cannot read {str(self.path)!r}: {error}") from error

    def __str__(self) -> str:
        return f"file:path={self.path}" if str(self.path) else f"file ({self.place()})"


class FileSeat(Seat):
    """Reads on only when it is asked, so that a stream may be written to while the match goes on."""

    def __init__(self, lines: Iterable[str], place: str) -> None:
        super().__init__(0)
        self.place = place
        self.source = enumerate(iter(lines), start=1)
        self.moves: Iterator[tuple[int, str]] = iter(())
        self.read: list[tuple[int, str]] = []
        self.used = 0

    def begin(self, state: Any, player: Player) -> None:
        super().begin(state, player)
        self.moves = _moves(self.source, player)

    def choose(self, state: Any) -> Label:
        number, text = self._next(state)
        try:
            return self.actions(state)[parse_action(state, text, PLAYERS.index(self.player))]
        except IllegalAction as error:
            raise IllegalAction(f"{self.place}, line {number}: {error}") from None

    def _next(self, state: Any) -> tuple[int, str]:
        if self.used == len(self.read):
            move = next(self.moves, None)
            if move is None:
                raise MovesRanOut(
                    f"{self.place} has no more moves for {self.player} after {self.used} of them; "
                    f"legal: {', '.join(map(str, self.actions(state)))}"
                )
            self.read.append(move)
        return self.read[self.used]

    def told(self, state: Any, moves: Move, after: Any) -> None:
        super().told(state, moves, after)
        self.used += has_a_say([moves_of(self.player, moves)])

    def taken_back(self, state: Any, moves: Sequence[Move]) -> None:
        super().taken_back(state, moves)
        self.used -= sum(has_a_say([moves_of(self.player, move)]) for move in moves)


def moves_of(player: Player, move: Move) -> Label:
    return move.row if player == "row" else move.col


def _moves(source: Iterator[tuple[int, str]], player: Player) -> Iterator[tuple[int, str]]:
    """The lines that are moves of a player, with their numbers."""
    for number, line in source:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        owner, colon, move = text.partition(":")
        if not colon or owner.strip() not in PLAYERS:
            yield number, text
        elif owner.strip() == player:
            yield number, move.strip()


def written(moves: Sequence[Move]) -> list[str]:
    """The lines of a file that either side can be played from; a player who only waits is left out."""
    return [
        f"{player}: {moves_of(player, move)}" for move in moves for player in PLAYERS if has_a_say([moves_of(player, move)])
    ]
