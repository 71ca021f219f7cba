"""Minimax with alpha-beta for games of turns: to a depth, under a time limit, or to the end of the game.

`minimax` is for people and agents; the search itself is in `alphabeta.py` and runs interpreted, or compiled where the game
and the heuristic can be. One call uses one thread, and one more to watch the clock where it is compiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from typing import Any

from ..budget import Budget
from ..engines.choice import check_engine, may_compile
from ..errors import EndlessGame, GameError, NotCompilable, ParameterError, PayoffError, TerminalRoot
from ..positions import Key, by_itself, key_for
from ..results import Move
from ..state import (
    ChanceControlled,
    Label,
    has_chance,
    is_constant_sum,
    is_over,
    labels,
    name_of,
    observation,
    payoff_range,
    show,
)
from .alphabeta import (
    DEEPEST,
    ENDLESS,
    OUTSIDE,
    SIMULTANEOUS,
    STOPPED,
    Ends,
    Given,
    Neutral,
    NoChance,
    alpha_beta,
    entry_of,
)
from .arithmetic import FLOATS, outcomes

ROOM = 2_000_000
"""Positions in the table, unless the caller says otherwise: some hundred megabytes."""

TRIAL_SECONDS = 1.0
"""How long a search without a time limit runs in the interpreter before it is compiled."""

LOADING_SECONDS = 1.5
"""What it takes to load numba and a search from the cache."""

COMPILING_SECONDS = 15.0
"""What it takes to compile a search, on a slow day."""

Clock = Callable[[], float]


@dataclass(frozen=True)
class MinimaxResult:
    """The best move, what it leads to, and what it took to find out.

    `value` is row's payoff in the game's units; `complete` says that no heuristic took part in it. `depth` is how many
    plies were looked ahead (0 if time ran out before one was done, None if as many as there are), `principal_line` what
    both players then do, as far as the table knows.
    """

    best: Label
    value: float | None
    principal_line: tuple[Move, ...]
    nodes: int
    depth: int | None
    complete: bool
    seconds: float
    engine: str


def minimax(
    state: Any,
    heuristic: Callable[[Any], float] | None = None,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    judge_ends: bool = False,
    whole_turns: bool = False,
    engine: str = "auto",
    room: int = ROOM,
    clock: Clock = time.monotonic,
) -> MinimaxResult:
    """The best move in a game of turns, by alpha-beta.

    `heuristic(state)` is row's payoff where looking ahead ends; without one, such positions are worth the middle of the
    payoff range. It must stay within that range, unless `judge_ends` is True: then it judges finished games too, in any
    units. `depth` is how many plies to look ahead (a move without a choice costs none); with `seconds`, it looks one ply
    further each time until time is up. With `whole_turns`, moves that a player makes one after the other are one ply, so
    that no position in the middle of a turn is judged. `room` is how many positions the table holds.
    """
    check_engine(engine)
    _check(state, depth, seconds)
    started = clock()
    player = _player(state, _judge(state, heuristic, judge_ends, whole_turns), engine, room, seconds)
    if engine == "compiled":
        started = clock()  # who asks for machine code has the time to make it
    deadline = inf if seconds is None else started + seconds
    limit = DEEPEST if depth is None else depth
    best: tuple[float | None, bool, int] = (None, False, 0)
    nodes, line = 0, player.line(0)[:1]
    for plies in range(1, limit + 1) if seconds is not None else (limit,):
        status, value, choice, more, whole = player.search(plies, deadline, clock)
        if status == STOPPED and seconds is None:  # long enough to be worth compiling
            player = _compiled(player) or player
            status, value, choice, more, whole = player.search(plies, inf, clock)
        nodes += more
        _raise_for(status, value, state)
        if status == STOPPED:
            break
        best, line = (value, whole, plies), player.line(choice)
        if whole:
            break
    value_found, complete, reached = best
    return MinimaxResult(
        best=line[0].row if state.shape()[0] > 1 else line[0].col,
        value=value_found,
        principal_line=line,
        nodes=nodes,
        depth=None if reached == DEEPEST else reached,
        complete=complete,
        seconds=clock() - started,
        engine=player.engine,
    )


def _check(state: Any, depth: int | None, seconds: float | None) -> None:
    if is_over(state):
        raise TerminalRoot(f"the game is over in {show(state)}: there is no move to look for")
    if not is_constant_sum(state):
        raise GameError(f"minimax needs a constant-sum game; {name_of(state)} is general-sum (see solve)")
    if has_chance(state) and not isinstance(state, ChanceControlled):
        raise GameError(f"{name_of(state)} draws its chance in play(i, j, rng); give outcomes(i, j) to have it listed")
    if depth is not None and (not isinstance(depth, int) or depth < 1):
        raise ParameterError(f"depth is {depth!r}; it must be a whole number of at least 1, or None for the whole game")
    if seconds is not None:
        Budget(seconds=seconds)


def _raise_for(status: int, value: float, state: Any) -> None:
    """What is wrong with a game, if anything is."""
    if status == SIMULTANEOUS:
        raise GameError(
            f"minimax is for games of turns; in {name_of(state)} both players can have a choice at once (see solve)"
        )
    if status == ENDLESS:
        raise EndlessGame(f"{name_of(state)} did not end within {DEEPEST:,} plies; give depth=… or seconds=…")
    if status == OUTSIDE:
        low, high = payoff_range(state)
        raise PayoffError(
            f"{name_of(state)}: a position is worth {value}, outside the payoff range {low:g} to {high:g}; "
            "scale the heuristic, or say judge_ends=True and let it judge finished games too"
        )


def _judge(state: Any, heuristic: Any, judge_ends: bool, whole_turns: bool) -> tuple[Any, Ends]:
    """What judges positions, and between which values."""
    if heuristic is not None and not callable(heuristic):
        raise ParameterError(f"heuristic is {heuristic!r}; it must be a function of a state")
    if heuristic is None and judge_ends:
        raise ParameterError("judge_ends=True needs a heuristic, which then judges finished games too")
    low, high = payoff_range(state)
    judge = Given(heuristic) if heuristic is not None else Neutral((low + high) / 2.0)
    return judge, Ends(*((-inf, inf) if judge_ends else (low, high)), judge_ends, whole_turns)


# ---------------------------------------------------------------------------------------------- engines
def _player(state: Any, judging: tuple[Any, Ends], engine: str, room: int, seconds: float | None) -> Interpreted:
    """The search on the engine asked for, or the one to begin with: compiling pays if there is a lot of time."""
    player = Interpreted(state, *judging, room)
    if engine == "compiled":
        from .native import Compiled

        return Compiled(state, *judging, room)
    if engine == "auto":
        if seconds is None:
            player.trial = TRIAL_SECONDS
        elif seconds > LOADING_SECONDS and may_compile(state):
            from .native import is_ready

            if seconds > 2 * COMPILING_SECONDS or is_ready(state, *judging):
                return _compiled(player) or player
    return player


def _compiled(player: Interpreted) -> Interpreted | None:
    """The same search in machine code; None if it cannot be compiled."""
    player.trial = inf
    if not may_compile(player.state):
        return None
    from .native import Compiled

    try:
        return Compiled(player.state, player.judge, player.ends, player.room)
    except NotCompilable:
        return None


class Interpreted:
    """The search in Python, with its table."""

    engine = "python"
    trial = inf  # how many seconds to try

    def __init__(self, state: Any, judge: Any, ends: Ends, room: int) -> None:
        self.state, self.judge, self.ends, self.room = state, judge, ends, room
        self.key = key_for(state)
        self.table: Any = {} if self.key is by_itself else KeyedTable(self.key)
        self.chance: Any = Listed() if has_chance(state) else NoChance()

    def search(self, plies: int, deadline: float, clock: Clock) -> tuple[int, float, int, int, bool]:
        watch = Watch(clock, deadline) if self.trial == inf else Watch(time.monotonic, time.monotonic() + self.trial)
        return alpha_beta(self.state, plies, self.ends, self.judge, self.chance, self.table, self.room, watch)

    def best_known(self, state: Any) -> int:
        """The table's choice in a position; -1 if it has none."""
        return entry_of(self.table, state)[3]

    def line(self, choice: int) -> tuple[Move, ...]:
        """What both players do, as far as the table knows it and chance leaves it to them."""
        moves: list[Move] = []
        state, seen = self.state, set()
        while choice >= 0 and not is_over(state) and self.key(state) not in seen:
            seen.add(self.key(state))
            rows, _ = state.shape()
            i, j = (choice, 0) if rows > 1 else (0, choice)
            row, col = labels(state)
            after = outcomes(state, i, j, FLOATS)
            certain = len(after) == 1
            moves.append(Move(row[i], col[j], observation(after[0][1]) if certain and has_chance(state) else None))
            state = after[0][1]
            choice = self.best_known(state) if certain else -1
        return tuple(moves)


class KeyedTable:
    """A dictionary of positions that Python would tell apart by identity."""

    def __init__(self, key: Key) -> None:
        self._key = key
        self._entries: dict[Hashable, Any] = {}

    def __contains__(self, state: Any) -> bool:
        return self._key(state) in self._entries

    def __getitem__(self, state: Any) -> Any:
        return self._entries[self._key(state)]

    def __setitem__(self, state: Any, entry: Any) -> None:
        self._entries[self._key(state)] = entry

    def __len__(self) -> int:
        return len(self._entries)


class Listed:
    """The outcomes of an action of a game with chance; those asked for last are kept."""

    def __init__(self) -> None:
        self._asked: Any = None
        self._outcomes: list[tuple[float, Any]] = []

    def _list(self, state: Any, i: int, j: int) -> list[tuple[float, Any]]:
        if self._asked is None or self._asked[0] is not state or self._asked[1:] != (i, j):
            self._asked, self._outcomes = (state, i, j), outcomes(state, i, j, FLOATS)
        return self._outcomes

    def outcomes(self, state: Any, i: int, j: int) -> int:
        return len(self._list(state, i, j))

    def probability(self, state: Any, i: int, j: int, k: int) -> float:
        return self._list(state, i, j)[k][0]

    def outcome(self, state: Any, i: int, j: int, k: int) -> Any:
        return self._list(state, i, j)[k][1]


class Watch:
    """`watch[0]` is whether time is up."""

    def __init__(self, clock: Clock, deadline: float) -> None:
        self._clock, self._deadline = clock, deadline

    def __getitem__(self, k: int) -> bool:
        return self._clock() >= self._deadline
