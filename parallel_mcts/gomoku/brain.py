"""What a program that speaks the Gomocup (Piskvork) protocol knows and does: a line in, its answers out.

The protocol is that of https://plastovicka.github.io/protocl2en.htm. `pbrain.py` brings the lines; one thread calls
`Brain.answers`. A command that cannot be carried out is answered by `ERROR` and changes nothing. Squares of the protocol
are x,y from the top left corner; those of a `Position` count their rows from the bottom.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Protocol, TypeAlias

from ..errors import InputError
from .lines import shown
from .opening import NUMBERS_OF_STONES, stones_to_offer
from .position import EXACT, FREE, LARGEST, SMALLEST, Position, Square
from .thinking import Thinker, Thought
from .timing import QUICKEST, Limits, seconds_for_move

OWN, OTHER, WINNING = 1, 2, 3
"""What the protocol calls the stones of a board."""
EXACTLY_FIVE = 1
UNPLAYABLE = {2: "continuous games", 4: "renju", 8: "caro"}
"""Bits of INFO rule."""
NO_MATCH_LIMIT = 2147483647
SEPARATOR = re.compile(r"[\s,]+")
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
LONGEST_ANSWER = 300

MakePlayer: TypeAlias = Callable[[int | None], Thinker]
"""Makes the player, with so many bytes of memory for all it keeps."""


class Waiting(Protocol):
    """The lines that have not been taken yet, which may cut a thought short."""

    def settings(self) -> list[str]:
        """Takes the INFO commands that come before any other."""
        ...

    def is_urgent(self) -> bool:
        """Whether there is a command (or the end of the input) that makes a move pointless."""
        ...

    def has_end(self) -> bool: ...


class Nothing:
    """No lines are waiting."""

    def settings(self) -> list[str]:
        return []

    def is_urgent(self) -> bool:
        return False

    def has_end(self) -> bool:
        return False


NOTHING = Nothing()


@dataclass(frozen=True)
class Board:
    """The stones of a match: whose each is, in the order they came. Plain, as the manager may put and take any of them."""

    width: int
    height: int
    stones: dict[Square, int] = field(default_factory=dict)

    def with_stone(self, square: Square, owner: int) -> Board:
        x, y = square
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise InputError(f"{x},{y} is outside the board, which goes to {self.width - 1},{self.height - 1}")
        if square in self.stones:
            raise InputError(f"{x},{y} is taken")
        return replace(self, stones={**self.stones, square: owner})

    def without(self, square: Square) -> Board:
        if square not in self.stones:
            raise InputError(f"there is no stone at {square[0]},{square[1]}")
        return replace(self, stones={other: owner for other, owner in self.stones.items() if other != square})

    def count(self, owner: int) -> int:
        return sum(each == owner for each in self.stones.values())

    @property
    def free(self) -> int:
        return self.width * self.height - len(self.stones)

    def flipped(self, square: Square) -> Square:
        """A square of the protocol as a square of a position, or the other way round."""
        return square[0], self.height - 1 - square[1]

    def position(self, rule: int) -> Position:
        """The position in which the program is to move: as black, unless the other has more stones."""
        lines = {OWN: [0] * self.height, OTHER: [0] * self.height}
        for square, owner in self.stones.items():
            column, row = self.flipped(square)
            lines[owner][row] |= 1 << column
        own, other = tuple(lines[OWN]), tuple(lines[OTHER])
        if self.count(OTHER) > self.count(OWN):
            return Position(other, own, self.width, rule, to_move=1)
        return Position(own, other, self.width, rule)


class Stopped(Exception):
    """END came while a thought was under way: nothing more is to be written."""


class Block:
    """The lines of BOARD or SWAP2BOARD on the way to their DONE; the first that is wrong spoils them all."""

    def __init__(self, command: str, board: Board) -> None:
        self.command, self.board = command, board
        self.wrong: InputError | None = None

    def add(self, line: str) -> None:
        try:
            if self.wrong is None:
                self.board = self._added(line)
        except InputError as error:
            self.wrong = InputError(f"{self.command}: {error}")

    def _added(self, line: str) -> Board:
        if self.command == "BOARD":
            x, y, owner = numbers(line, 3, "x,y,1 or x,y,2 or DONE")
            if owner == WINNING:
                raise InputError(f"{x},{y},{owner} belongs to a continuous game, which is not played")
            if owner not in (OWN, OTHER):
                raise InputError(f"{x},{y},{owner} is nobody's stone: 1 is an own one, 2 the opponent's")
            return self.board.with_stone((x, y), owner)
        return self.board.with_stone(coordinates(line, "x,y or DONE"), OTHER if len(self.board.stones) % 2 == 0 else OWN)


class Brain:
    """Carries out the commands of a manager. `make` makes the player; `about` is what the program says of itself."""

    def __init__(
        self,
        make: MakePlayer,
        *,
        about: str = 'name="pbrain"',
        waiting: Waiting = NOTHING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.make, self.about, self.waiting, self.clock = make, about, waiting, clock
        self.limits, self.rule, self.memory = Limits(), 0, 0
        self.board: Board | None = None
        self.block: Block | None = None
        self.ended = False
        self._player: Thinker | None = None
        self._player_memory = 0
        self._since = clock()
        self._commands: dict[str, Callable[[str], list[str]]] = {
            "START": self._start,
            "RECTSTART": self._rectstart,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "PLAY": self._play,
            "BOARD": lambda _: self._open_block("BOARD"),
            "SWAP2BOARD": lambda _: self._open_block("SWAP2BOARD"),
            "DONE": self._done,
            "TAKEBACK": self._takeback,
            "INFO": self._info,
            "ABOUT": lambda _: [self.about],
            "END": self._end,
        }

    def answers(self, line: str, arrived: float | None = None) -> list[str]:
        """Carries out a line that came at a time of the clock, and returns the lines to answer: often one, or none."""
        keyword, rest = parted(line)
        now = self.clock()
        # What was sent before the last answer could be read has been waiting for this program's own sake.
        self._since = max(self._since, now if arrived is None else arrived)
        try:
            return [fit(answer) for answer in self._obeyed(keyword, rest, line)]
        except Stopped:
            return self._end("")
        except InputError as error:
            return [fit(f"ERROR {error}")]
        except Exception as error:  # whatever it was, the manager is waiting for an answer
            return [fit(f"ERROR {type(error).__name__}: {error}")]
        finally:
            self._since = max(self._since, self.clock())

    def close(self) -> None:
        """Frees the player."""
        if self._player is not None:
            self._player.close()
            self._player = None

    def _obeyed(self, keyword: str, rest: str, line: str) -> list[str]:
        if not line.strip():
            return []
        known = self._commands.get(keyword)
        if self.block is not None and keyword not in ("DONE", "INFO"):
            if known is None:
                self.block.add(line)
                return []
            unfinished, self.block = self.block.command, None
            if keyword == "END":
                return known(rest)
            return [f"ERROR {unfinished} needs DONE before {keyword}", *self.answers(line, self._since)]
        return [f"UNKNOWN command {shown(line)}"] if known is None else known(rest)

    # ------------------------------------------------------------------------ a match begins and ends
    def _start(self, rest: str) -> list[str]:
        (size,) = numbers(rest, 1, "START size")
        return self._started(size, size)

    def _rectstart(self, rest: str) -> list[str]:
        width, height = numbers(rest, 2, "RECTSTART width,height")
        return self._started(width, height)

    def _restart(self, _: str) -> list[str]:
        board = self._on()
        self.close()
        return self._started(board.width, board.height)

    def _started(self, width: int, height: int) -> list[str]:
        for side in (width, height):
            if not SMALLEST <= side <= LARGEST:
                raise InputError(f"a side of {side} is not played; boards are {SMALLEST} to {LARGEST} wide and high")
        self._warm_up(width, height)
        self.board = Board(width, height)
        if self.limits.used:  # the match before this one had used it
            self.limits = replace(self.limits, left=None, used=0.0)
        return ["OK"]

    def _warm_up(self, width: int, height: int) -> None:
        """A first thought, for what has to be loaded or compiled: the time before a match is not counted."""
        middle = Board(width, height).with_stone((width // 2, height // 2), OTHER)
        self._ready().think(middle.position(FREE), seconds=QUICKEST, stopping=self.waiting.is_urgent)

    def _ready(self) -> Thinker:
        """The player, made anew where its memory has changed."""
        if self._player is not None and self._player_memory != self.memory:
            self.close()
        if self._player is None:
            self._player, self._player_memory = self.make(self.memory or None), self.memory
        return self._player

    def _end(self, _: str) -> list[str]:
        self.ended = True
        return []

    # ------------------------------------------------------------------------ moves
    def _begin(self, _: str) -> list[str]:
        board = self._on()
        if board.stones:
            raise InputError("BEGIN is for an empty board; use TURN, BOARD, or RESTART first")
        return self._moved(board)

    def _turn(self, rest: str) -> list[str]:
        return self._moved(self._on().with_stone(coordinates(rest, "TURN x,y"), OTHER))

    def _play(self, rest: str) -> list[str]:
        square = coordinates(rest, "PLAY x,y")
        self.board = self._on().with_stone(square, OWN)
        return [written(square)]

    def _takeback(self, rest: str) -> list[str]:
        self.board = self._on().without(coordinates(rest, "TAKEBACK x,y"))
        return ["OK"]

    def _open_block(self, command: str) -> list[str]:
        board = self.board or Board(LARGEST, LARGEST)  # before START the lines are read all the same, up to DONE
        self.block = Block(command, Board(board.width, board.height))
        return []

    def _done(self, _: str) -> list[str]:
        block, self.block = self.block, None
        if block is None:
            raise InputError("DONE without BOARD or SWAP2BOARD")
        self._on()
        if block.wrong is not None:
            raise block.wrong
        return self._moved(block.board) if block.command == "BOARD" else self._swap2(block.board)

    def _moved(self, board: Board) -> list[str]:
        """The move on a board, which is the board of the match from now on."""
        square = board.flipped(self._thought(board).square)
        self.board = board.with_stone(square, OWN)
        return [written(square)]

    def _swap2(self, board: Board) -> list[str]:
        """The opening by the rule Swap2: stones to offer, or a colour. The board of the match comes later, with BOARD."""
        count = len(board.stones)
        if count not in NUMBERS_OF_STONES:
            raise InputError(f"SWAP2BOARD has 0, 3 or 5 stones, not {count}")
        if count == 0:
            return [" ".join(map(written, stones_to_offer(board.width, board.height, self._worth)))]
        thought = self._thought(board)  # white's, who moves next, whoever will be white
        return ["SWAP" if thought.value < 0 else written(board.flipped(thought.square))]

    def _worth(self, stones: Sequence[Square], share: float) -> float:
        """What three stones are worth to white, to the best of a share of the time for a move."""
        board = self._on()
        board = Board(board.width, board.height, {square: OTHER if k % 2 == 0 else OWN for k, square in enumerate(stones)})
        return self._thought(board, share).value

    # ------------------------------------------------------------------------ thinking
    def _on(self) -> Board:
        if self.board is None:
            raise InputError("there is no board yet; START comes first")
        return self.board

    def _thought(self, board: Board, share: float = 1.0) -> Thought:
        """The player's thought about a board, in the time there is for it or a share of that."""
        if board.free == 0:
            raise InputError("the board is full")
        position, player, ending = board.position(self._playable_rule()), self._ready(), self.waiting.has_end()
        began = self._since if share == 1.0 else self.clock()

        def left() -> float:
            whole = seconds_for_move(self.limits, own_stones=board.count(OWN), free_squares=board.free)
            return share * whole - (self.clock() - began)

        def stopping() -> bool:
            for setting in self.waiting.settings():
                self._info(parted(setting)[1])
            return self.waiting.is_urgent() or left() <= 0

        try:
            thought = player.think(position, seconds=max(QUICKEST, left()), stopping=stopping)
            if self.waiting.has_end() and not ending:
                raise Stopped
            return thought
        finally:
            self.limits = replace(self.limits, used=self.limits.used + self.clock() - began)

    def _playable_rule(self) -> int:
        """The rule as positions have it."""
        refused = [f"{bit} ({UNPLAYABLE.get(bit, 'unknown')})" for bit in _bits(self.rule) if bit != EXACTLY_FIVE]
        if refused:
            raise InputError(f"rule {self.rule} cannot be played because of {', '.join(refused)}; 0 and 1 can")
        return EXACT if self.rule & EXACTLY_FIVE else FREE

    # ------------------------------------------------------------------------ settings
    def _info(self, rest: str) -> list[str]:
        """Takes a setting; what cannot be understood is not answered, as the protocol wants it."""
        key, value = parted(rest)
        if NUMBER.fullmatch(value):
            number = int(value)
            if key == "TIMEOUT_TURN":
                self.limits = replace(self.limits, turn=max(0, number) / 1000)
            elif key == "TIMEOUT_MATCH":
                self.limits = replace(self.limits, match=number / 1000 if number > 0 else inf)
            elif key == "TIME_LEFT":
                self.limits = replace(self.limits, left=inf if number == NO_MATCH_LIMIT else number / 1000, used=0.0)
            elif key == "MAX_MEMORY":
                self.memory = max(0, number)  # managers of 32 bits send less than nothing for 2 GB and more
            elif key == "RULE":
                self.rule = max(0, number)
        return []


# ---------------------------------------------------------------------------------------------- reading and writing
def parted(line: str) -> tuple[str, str]:
    """The keyword of a line in capitals, and what follows."""
    keyword, *rest = SEPARATOR.split(line.strip(), maxsplit=1)
    return keyword.upper(), rest[0] if rest else ""


def numbers(text: str, count: int, form: str) -> list[int]:
    """So many numbers, between commas or blanks; `form` says how they should have been written."""
    words = SEPARATOR.split(text.strip())
    if len(words) != count or not all(map(NUMBER.fullmatch, words)):
        raise InputError(f"{shown(text)} where {form} was expected")
    return list(map(int, words))


def coordinates(text: str, form: str = "x,y") -> Square:
    x, y = numbers(text, 2, form)
    return x, y


def written(square: Square) -> str:
    return f"{square[0]},{square[1]}"


def fit(answer: str) -> str:
    """An answer as one line of plain characters, not too long."""
    line = "".join(sign if " " <= sign <= "~" else "?" for sign in " ".join(answer.split()))
    return line if len(line) <= LONGEST_ANSWER else f"{line[: LONGEST_ANSWER - 3]}..."


def _bits(number: int) -> list[int]:
    return [1 << k for k in range(number.bit_length()) if number >> k & 1]
