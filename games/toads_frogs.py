"""Toads and Frogs: a strip of squares with toads (T), frogs (F) and empty squares (_). Row has the toads, which move to
the right; column has the frogs, which move to the left; row begins, unless `first=frogs`. A piece moves one square into an
empty one, or jumps over one piece of the opponent into the empty square behind it. Nothing is taken. Who cannot move loses:
row's payoff is 1 if the frogs are stuck, 0 if the toads are.

Squares are numbered from 0 at the left; a move is the number of the square that the piece leaves. The start is so many
toads, a gap and so many frogs, `toads_frogs:toads=2,frogs=2,gap=1`, or any strip, `toads_frogs:strip=TT_FF`, of up to 60
squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import IDLE, Label, State

from .chance import Rng
from .parameters import one_of, whole_number

LONGEST = 60  # squares; a set of them is one whole number
TOAD, FROG, EMPTY = "T", "F", "_"
PLAYERS = ("toads", "frogs")


def movable(player: int, toads: int, frogs: int, empty: int) -> int:
    """The pieces of a player that can move or jump, as a set of squares."""
    if player == 0:
        return toads & (empty >> 1 | frogs >> 1 & empty >> 2)
    return frogs & (empty << 1 | toads << 1 & empty << 2)


def size(squares: int) -> int:
    """How many squares a set has."""
    count = 0
    while squares:
        squares &= squares - 1
        count += 1
    return count


def nth(squares: int, n: int) -> int:
    """The n-th square of a set from the left, as a set."""
    while n > 0:
        squares &= squares - 1
        n -= 1
    return squares & -squares


def goal(player: int, piece: int, empty: int) -> int:
    """Where a piece comes to rest: on the next square if that is empty, else behind it."""
    if player == 0:
        return piece << 1 if piece << 1 & empty else piece << 2
    return piece >> 1 if piece >> 1 & empty else piece >> 2


class ToadsFrogs(State):
    """A position: sets of squares (bit s is square s), and whose turn it is (0 is row, the toads)."""

    toads: int
    frogs: int
    empty: int
    player: int = 0

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        moves = size(movable(self.player, self.toads, self.frogs, self.empty))
        if moves == 0:
            return 0, 0
        return (1, moves) if self.player else (moves, 1)

    def play(self, i: int, j: int) -> ToadsFrogs:
        toads, frogs, empty, player = self.toads, self.frogs, self.empty, self.player
        piece = nth(movable(player, toads, frogs, empty), i + j)
        both = piece | goal(player, piece, empty)
        if player == 0:
            return ToadsFrogs(toads ^ both, frogs, empty ^ both, 1)
        return ToadsFrogs(toads, frogs ^ both, empty ^ both, 0)

    def payoff(self) -> float:
        return float(self.player)  # who is to move is stuck

    def rollout(self, rng: Rng) -> float:
        """The random game that `play` would give with the same random numbers, without a state for every move."""
        toads, frogs, empty, player = self.toads, self.frogs, self.empty, self.player
        while True:
            pieces = movable(player, toads, frogs, empty)
            moves = size(pieces)
            if moves == 0:
                return float(player)
            piece = nth(pieces, int(rng.random() * moves) if moves > 1 else 0)
            both = piece | goal(player, piece, empty)
            empty ^= both
            if player == 0:
                toads ^= both
            else:
                frogs ^= both
            player = 1 - player

    # ------------------------------------------------------------------------------------------ for people
    @property
    def strip(self) -> str:
        """The strip as it is written: TT_FF."""
        pieces = ((self.toads, TOAD), (self.frogs, FROG), (self.empty, EMPTY))
        length = (self.toads | self.frogs | self.empty).bit_length()
        return "".join(sign for square in range(length) for squares, sign in pieces if squares >> square & 1)

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        """The squares of the pieces that can move."""
        pieces = movable(self.player, self.toads, self.frogs, self.empty)
        squares = [square for square in range(LONGEST) if pieces >> square & 1]
        if not squares:
            return (), ()
        return ((IDLE,), squares) if self.player else (squares, (IDLE,))

    def parse(self, text: str) -> int:
        """A piece by the number of its square."""
        strip = self.strip
        if not text.isascii() or not text.isdigit() or int(text) >= len(strip):
            raise ValueError(f"squares are numbered from 0 to {len(strip) - 1}")
        square, own = int(text), (TOAD, FROG)[self.player]
        if strip[square] != own:
            raise ValueError(f"{PLAYERS[self.player]} move, and on square {square} there is {strip[square]!r}")
        if not movable(self.player, self.toads, self.frogs, self.empty) >> square & 1:
            raise ValueError(f"the {PLAYERS[self.player][:-1]} on square {square} is stuck")
        return square

    def __str__(self) -> str:
        """The strip above the last digits of its square numbers."""
        numbers = "".join(str(square % 10) for square in range(len(self.strip)))
        stuck = self.shape() == (0, 0)
        return f"{self.strip}\n{numbers}\n{PLAYERS[self.player]} {'are stuck' if stuck else 'to move'}"


def toads_frogs(toads: int = 2, frogs: int = 2, gap: int = 1, strip: str = "", first: str = "toads") -> ToadsFrogs:
    """The start: toads, a gap and frogs, or a strip such as TT_FF, which overrides them; `first` is toads or frogs."""
    if strip == "":
        parts = (TOAD, "toads", toads), (EMPTY, "gap", gap), (FROG, "frogs", frogs)
        strip = "".join(sign * whole_number(name, count, 0, LONGEST) for sign, name, count in parts)
        if not 1 <= len(strip) <= LONGEST:
            raise ParameterError(
                f"toads={toads}, frogs={frogs}, gap={gap} make a strip of {len(strip)} squares; it may have 1 to {LONGEST}"
            )
    return ToadsFrogs(*_sets(strip), PLAYERS.index(one_of("first", first, PLAYERS)))


def _sets(strip: object) -> tuple[int, int, int]:
    """The squares of the toads, the frogs and the gaps of a strip."""
    if not isinstance(strip, str) or not 1 <= len(strip) <= LONGEST:
        raise ParameterError(f"strip is {strip!r}; it must be a text of 1 to {LONGEST} letters, such as TT_FF")
    for square, sign in enumerate(strip.upper()):
        if sign not in (TOAD, FROG, EMPTY):
            raise ParameterError(
                f"strip is {strip!r}, with {strip[square]!r} on square {square}; it may have {TOAD}, {FROG} and {EMPTY}"
            )
    toads, frogs, empty = (
        sum(1 << square for square, sign in enumerate(strip.upper()) if sign == kind) for kind in (TOAD, FROG, EMPTY)
    )
    return toads, frogs, empty
