"""A person at a terminal, or behind any pair of text streams: sees the board and the legal moves, and is asked again.

Besides a move, `undo`, `hint`, `moves`, `help` and `quit` are understood, unless the game has a move of that name. The end
of the input is the same as `quit`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import IllegalAction
from ..results import Move
from ..state import Label, parse_action
from .base import PLAYERS, Agent, Player, Resigned, Seat, TakeBack, has_a_say
from .file import moves_of

MOST_MOVES, FEW_MOVES = 60, 8
"""How many moves are listed unasked, and how many where there are more than that."""
HELP = "Type a move, or: undo (take your last move back), hint, moves (list them all), help, quit (give up)."


@dataclass(frozen=True)
class Human(Agent):
    """Asks a person. `hint` is the agent that is asked for hints; `draw` turns a position into text.

    `reads` and `writes` are text streams, those of the program unless given.
    """

    hint: Any = "mcts:seconds=1"
    reads: Any = None
    writes: Any = None
    draw: Callable[[Any], str] = str
    name: ClassVar[str] = "human"

    def seat(self, seed: int) -> HumanSeat:
        return HumanSeat(self, seed)

    def __str__(self) -> str:
        return self.name


class HumanSeat(Seat):
    """What a person has been shown, and how many moves could be taken back."""

    def __init__(self, agent: Human, seed: int) -> None:
        super().__init__(seed)
        self.agent, self.seed = agent, seed
        self.decided: list[bool] = []
        """Of each move of the match so far: whether there was a choice."""
        self.commands: dict[str, Callable[[Any], None]] = {
            "quit": self._quit,
            "undo": self._undo,
            "hint": self._hint,
            "moves": lambda state: self._say(", ".join(map(str, self.actions(state)))),
            "help": lambda state: self._say(HELP),
        }

    # ------------------------------------------------------------------------ what a match says
    def begin(self, state: Any, player: Player) -> None:
        super().begin(state, player)
        self.decided = []
        self._say(f"You play {_called(player)}. {HELP}")

    def choose(self, state: Any) -> Label:
        names = self.actions(state)
        self._say(f"\n{self.agent.draw(state)}\n")
        if len(names) == 1:
            self._say(f"Your only move is {names[0]}.")
            return names[0]
        self._say(f"Moves: {_listed(names)}")
        while True:
            found = self._understood(self._line(), names, state)
            if found is not None:
                return names[found]

    def told(self, state: Any, moves: Move, after: Any) -> None:
        super().told(state, moves, after)
        self.decided.append(len(self.actions(state)) > 1)
        other: Player = "col" if self.player == "row" else "row"
        if has_a_say([moves_of(other, moves)]):
            self._say(f"{_called(other).capitalize()} played {moves_of(other, moves)}.")

    def taken_back(self, state: Any, moves: Sequence[Move]) -> None:
        super().taken_back(state, moves)
        del self.decided[len(self.decided) - len(moves) :]
        self._say(f"Taken back: {', '.join(map(str, moves))}.")

    def end(self, results: Any, state: Any) -> None:
        if results is not None:
            verdict = {None: "A draw", self.player: "You won"}.get(results.winner, "You lost")
            self._say(f"\n{self.agent.draw(state)}\n\n{verdict}: {results.reason}.")

    # ------------------------------------------------------------------------ what a person says
    def _line(self) -> str:
        self._write(f"{_called(self.player)}> ")
        line: str = (self.agent.reads or sys.stdin).readline()
        if not line:
            self._say("")
            raise Resigned("the input ended")
        return " ".join(line.split())

    def _understood(self, text: str, names: Sequence[Label], state: Any) -> int | None:
        """The number of the move that was typed; None after a command, or after saying what was wrong."""
        try:
            return parse_action(state, text, PLAYERS.index(self.player))
        except IllegalAction:
            if text.casefold() in self.commands:
                self.commands[text.casefold()](state)
            elif text:
                self._say(f"There is no move {text!r} here{_why_not(state, text)}. Moves: {_listed(names)}")
        return None

    def _quit(self, state: Any) -> None:
        raise Resigned("quit")

    def _undo(self, state: Any) -> None:
        if any(self.decided):
            raise TakeBack("undo")
        self._say("There is nothing to take back.")

    def _hint(self, state: Any) -> None:
        from ..registry import AGENTS

        adviser = AGENTS.make(self.agent.hint).seat(self.seed)
        try:
            adviser.begin(state, self.player)
            move = adviser.choose(state)
            strategy = getattr(adviser.result, self.player) if getattr(adviser, "result", None) else None
        finally:
            adviser.end(None, state)
        self._say(f"Hint: {move}" + (f" ({_likeliest(strategy)})" if strategy else ""))

    # ------------------------------------------------------------------------ output
    def _say(self, text: str) -> None:
        self._write(text + "\n")

    def _write(self, text: str) -> None:
        stream = self.agent.writes or sys.stdout
        stream.write(text)
        stream.flush()


def _called(player: Player) -> str:
    return ("row", "column")[PLAYERS.index(player)]


def _why_not(state: Any, text: str) -> str:
    """What the game itself has against a move, in brackets."""
    try:
        if hasattr(state, "parse"):
            state.parse(text)
    except ValueError as error:
        return f" ({error})"
    return ""


def _listed(names: Sequence[Label]) -> str:
    if len(names) <= MOST_MOVES:
        return ", ".join(map(str, names))
    return f"{', '.join(map(str, names[:FEW_MOVES]))}, … ({len(names)} in all; `moves` lists them)"


def _likeliest(strategy: Any) -> str:
    best = sorted(strategy.items(), key=lambda pair: -pair[1])[:3]
    return ", ".join(f"{label} {probability:.0%}" for label, probability in best)
