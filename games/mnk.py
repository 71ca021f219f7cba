"""Games of k in a row, gomoku among them: row (black, X) and column (white, O) put stones on free squares of a board, in
turn; row begins. Who first has k of their stones next to each other in a line, across, up or slanting, wins (row's payoff
is 1 for a win, 0 for a loss); a full board without a line is a draw and pays 0.5.

`mnk:m=3,n=3,k=3` is k in a row on m columns and n lines, more than k being a line too. `gomoku:size=15` is five in a row on
a square board, with `rule=free` (five or more win), `rule=exact` (exactly five win; six or more are no line) or
`rule=renju_free` (the asymmetry of renju without its forbidden moves: black needs exactly five, white five or more).
Boards go up to 20 by 20. A square is a letter for its column, from a at the left, and a number for its line, from 1 at the
bottom: h8 is the centre of a board of 15 by 15.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import IDLE, Label, State, replaced

from .chance import Rng
from .parameters import one_of, whole_number

LARGEST = 20
LETTERS = "abcdefghijklmnopqrst"
RULES = ("free", "exact", "renju_free")
FREE, EXACT, RENJU_FREE = range(3)
NOBODY = -1
FIELD = LARGEST + 1
"""Bits of a line and the gap after it: three lines in a whole number are tested for a run at once."""

# Where the lines of a player are in the list of a rollout: rows, columns, rising and falling diagonals.
COLUMNS_AT, RISING_AT, FALLING_AT, LINES = LARGEST, 2 * LARGEST, 4 * LARGEST, 6 * LARGEST


# ---------------------------------------------------------------------------------------------- lines of bits
def has_run(lines: int, length: int, exact: bool) -> bool:
    """Whether there are `length` bits in a row: or more of them, unless `exact`."""
    runs, span = lines, 1
    while 2 * span <= length:
        runs &= runs >> span
        span *= 2
    runs &= runs >> length - span  # now the first bits of all runs
    if exact and runs:
        runs &= ~(lines << 1 | lines >> length)
    return runs != 0


def makes_line(stones: tuple[int, ...], row: int, column: int, length: int, exact: bool) -> bool:
    """Whether a stone that was just set is part of a winning line."""
    lines, falling = stones[row], 0
    for r in range(max(0, row - length), min(len(stones), row + length + 1)):
        step = r - row
        lines |= (stones[r] >> column & 1) << FIELD + r
        if column + step >= 0:
            lines |= (stones[r] >> column + step & 1) << 2 * FIELD + r
        if column - step >= 0:
            falling |= (stones[r] >> column - step & 1) << r
    return has_run(lines, length, exact) or has_run(falling, length, exact)


def count_bits(line: int) -> int:
    """How many bits a line of up to 24 has."""
    line -= line >> 1 & 0x555555
    line = (line & 0x333333) + (line >> 2 & 0x333333)
    line = line + (line >> 4) & 0x0F0F0F
    return line + (line >> 8) + (line >> 16) & 0x1F


def nth_bit(line: int, n: int, width: int) -> int:
    """Where the n-th bit of a line is."""
    place = seen = 0
    for k in range(width):  # without a branch, which no processor could foresee
        seen += line >> k & 1
        place += seen <= n
    return place


def all_lines(black: tuple[int, ...], white: tuple[int, ...]) -> list[int]:
    """The stones of both players, line by line in all four directions."""
    lines = [0] * (2 * LINES)
    for row in range(len(black)):
        for player in range(2):
            stones, column, at = white[row] if player else black[row], 0, player * LINES
            while stones >> column:
                if stones >> column & 1:
                    lines[at + row] |= 1 << column
                    lines[at + COLUMNS_AT + column] |= 1 << FIELD + row
                    lines[at + RISING_AT + LARGEST + row - column] |= 1 << 2 * FIELD + row
                    lines[at + FALLING_AT + row + column] |= 1 << row
                column += 1
    return lines


# ---------------------------------------------------------------------------------------------- positions
class MNK(State):
    """A position: black's and white's stones, line by line from the bottom, bit c of a line for column c."""

    black: tuple[int, ...]
    white: tuple[int, ...]
    width: int
    length: int  # of a winning line
    rule: int = FREE
    ply: int = 0
    winner: int = NOBODY

    payoff_range: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        moves = len(self.black) * self.width - self.ply
        if self.winner >= 0 or moves == 0:
            return 0, 0
        return (1, moves) if self.ply & 1 else (moves, 1)

    def play(self, i: int, j: int) -> MNK:
        black, white, width, player = self.black, self.white, self.width, self.ply & 1
        board = (1 << width) - 1
        n, row = i + j, 0
        free = board ^ (black[0] | white[0])
        count = count_bits(free)
        while n >= count:
            n -= count
            row += 1
            free = board ^ (black[row] | white[row])
            count = count_bits(free)
        column = nth_bit(free, n, width)
        stones = white if player else black
        stones = replaced(stones, row, stones[row] | 1 << column)
        if player:
            white = stones
        else:
            black = stones
        won = self.ply >= 2 * self.length - 2 and makes_line(stones, row, column, self.length, self.is_exact(player))
        return MNK(black, white, width, self.length, self.rule, self.ply + 1, player if won else NOBODY)

    def is_exact(self, player: int) -> bool:
        """Whether a player's line must not be longer than needed."""
        return self.rule == EXACT or (self.rule == RENJU_FREE and player == 0)

    def payoff(self) -> float:
        if self.winner == NOBODY:
            return 0.5
        return 1.0 if self.winner == 0 else 0.0

    def rollout(self, rng: Rng) -> float:
        """The random game that `play` would give with the same random numbers, on lists of lines in all directions."""
        if self.winner >= 0:
            return self.payoff()
        width, height, length, ply = self.width, len(self.black), self.length, self.ply
        lines, free, counts = all_lines(self.black, self.white), [0] * height, [0] * height
        for row in range(height):
            free[row] = ((1 << width) - 1) ^ (self.black[row] | self.white[row])
            counts[row] = count_bits(free[row])
        for moves in range(width * height - ply, 0, -1):
            player = ply & 1
            n = int(rng.random() * moves) if moves > 1 else 0
            row = 0
            while n >= counts[row]:
                n -= counts[row]
                row += 1
            column = nth_bit(free[row], n, width)
            free[row] ^= 1 << column
            counts[row] -= 1
            at = player * LINES
            rising, falling = at + RISING_AT + LARGEST + row - column, at + FALLING_AT + row + column
            lines[at + row] |= 1 << column
            lines[at + COLUMNS_AT + column] |= 1 << FIELD + row
            lines[rising] |= 1 << 2 * FIELD + row
            lines[falling] |= 1 << row
            three = lines[at + row] | lines[at + COLUMNS_AT + column] | lines[rising]
            exact = self.is_exact(player)
            if has_run(three, length, exact) or has_run(lines[falling], length, exact):
                return 0.0 if player else 1.0
            ply += 1
        return 0.5

    # ------------------------------------------------------------------------------------------ for people
    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        """The free squares, line by line from the bottom."""
        if self.shape() == (0, 0):
            return (), ()
        squares = [
            f"{LETTERS[column]}{row + 1}"
            for row, (black, white) in enumerate(zip(self.black, self.white, strict=True))
            for column in range(self.width)
            if not (black | white) >> column & 1
        ]
        return ((IDLE,), squares) if self.ply & 1 else (squares, (IDLE,))

    def parse(self, text: str) -> str:
        """A square such as h8 or H8."""
        column, number = LETTERS.find(text[:1].lower()), text[1:].strip()
        row = int(number) - 1 if number.isascii() and number.isdigit() else -1
        if not text or not 0 <= column < self.width or not 0 <= row < len(self.black):
            raise ValueError(f"squares go from a1 to {LETTERS[self.width - 1]}{len(self.black)}")
        if (self.black[row] | self.white[row]) >> column & 1:
            raise ValueError(f"{LETTERS[column]}{row + 1} is taken")
        return f"{LETTERS[column]}{row + 1}"

    def __str__(self) -> str:
        lines = []
        for row in reversed(range(len(self.black))):
            signs = (
                "X" if self.black[row] >> c & 1 else "O" if self.white[row] >> c & 1 else "." for c in range(self.width)
            )
            lines.append(f"{row + 1:>2} {' '.join(signs)}")
        letters = f"   {' '.join(LETTERS[: self.width])}"
        if self.winner >= 0:
            return "\n".join([*lines, letters, f"{'XO'[self.winner]} has won"])
        return "\n".join([*lines, letters, f"{'XO'[self.ply & 1]} to move" if self.shape() != (0, 0) else "a draw"])

    @classmethod
    def position(cls, board: str | Iterable[str], *, k: int = 5, rule: str = "free") -> MNK:
        """The position of a diagram: lines from the top, of X, O and . for free squares; blanks do not count.

        It is O's turn if there is one X more than there are O, and X's if there are as many.
        """
        lines = [line.replace(" ", "") for line in (board.splitlines() if isinstance(board, str) else board)]
        lines = [line.upper() for line in lines if line][::-1]
        _check_diagram(lines)
        stones = [tuple(sum(1 << c for c, sign in enumerate(line) if sign == own) for line in lines) for own in "XO"]
        black, white = (sum(line.count(own) for line in lines) for own in "XO")
        if black - white not in (0, 1):
            raise ParameterError(f"{black} X and {white} O: there must be as many, or one X more")
        empty = _start(len(lines[0]), len(lines), k, rule)
        state = cls(stones[0], stones[1], empty.width, empty.length, empty.rule, black + white)
        winners = [player for player in (0, 1) if state.has_line(player)]
        if winners and winners != [1 - (state.ply & 1)]:
            raise ParameterError(f"{'XO'[state.ply & 1]} has a line already, and it would be their turn")
        return state._replace(winner=winners[0]) if winners else state  # type: ignore[attr-defined]

    def has_line(self, player: int) -> bool:
        """Whether a player has a winning line, wherever it is."""
        stones = self.white if player else self.black
        return any(
            makes_line(stones, row, column, self.length, self.is_exact(player))
            for row, line in enumerate(stones)
            for column in range(self.width)
            if line >> column & 1
        )


def _check_diagram(lines: list[str]) -> None:
    if not lines or len(lines) > LARGEST or len(lines[0]) > LARGEST:
        raise ParameterError(f"a board has 1 to {LARGEST} lines of 1 to {LARGEST} squares, not {len(lines)} lines")
    for line in lines:
        if len(line) != len(lines[0]):
            raise ParameterError(f"the line {line!r} has {len(line)} squares, another has {len(lines[0])}")
        for sign in line:
            if sign not in "XO.":
                raise ParameterError(f"the line {line!r} has {sign!r}; it may have X, O and .")


# ---------------------------------------------------------------------------------------------- factories
def _start(m: int, n: int, k: int, rule: str) -> MNK:
    width, height = whole_number("m", m, 1, LARGEST), whole_number("n", n, 1, LARGEST)
    length = whole_number("k", k, 1, max(width, height))
    return MNK((0,) * height, (0,) * height, width, length, RULES.index(one_of("rule", rule, RULES)))


def mnk(m: int = 3, n: int = 3, k: int = 3) -> MNK:
    """The empty board of m columns and n lines, where k in a row win."""
    return _start(m, n, k, "free")


def gomoku(size: int = 15, rule: str = "free") -> MNK:
    """The empty board of five in a row; `rule` is free, exact or renju_free."""
    side = whole_number("size", size, 5, LARGEST)
    return _start(side, side, 5, rule)
