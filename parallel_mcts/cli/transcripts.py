"""The transcript of a game that is being played: written when the game ends, also when it is broken off."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..errors import InputError
from ..match import Match, Results
from ..results import Move

BROKEN_OFF = "broken off"


class Transcript:
    """Saves what was played, if that was asked for. `finished` is how the game ended, once it has.

    The moves that led to where the game began are written too, so the file can be played from the start of the game.
    """

    def __init__(self, options: argparse.Namespace, opening: tuple[Move, ...], game: Match) -> None:
        self.game, self.opening, self.spec = game, opening, options.game
        self.path = None if options.transcript is None else Path(options.transcript)
        self.finished: Results | None = None
        if self.path is not None and not self.path.parent.is_dir():
            raise InputError(f"the transcript cannot be written to {str(self.path)!r}: there is no such folder")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.path is not None:
            self.path.write_text(self._results().transcript(self.spec), encoding="utf-8")

    def _results(self) -> Results:
        moves = tuple(move for _, move in self.game.history)
        names: Any = self.game.names
        ended = self.finished or Results(0.0, 0.0, BROKEN_OFF, moves, self.game.seed, agents=names)
        return replace(ended, moves=self.opening + ended.moves)
