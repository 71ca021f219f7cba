"""`match()`: one game between two agents, move by move; `run_match()`: only how it ended.

The caller's thread drives the match. With a time limit each agent gets a thread (or a process) of its own, so that one that
hangs loses and is left behind. Chance and the agents each have a stream of their own, all derived from the one seed.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from .agents.base import PLAYERS, Player, Resigned, TakeBack, described, has_a_say, player_named
from .agents.calling import Caller, Direct, OwnProcess, OwnThread, Stuck, seated
from .agents.file import written
from .budget import Budget
from .errors import GameError, IllegalAction, InputError, ParameterError, unknown_name
from .registry import AGENTS, GAMES
from .results import Move
from .rng import checked_seed, stream
from .state import action_index, action_names, has_chance, is_over, labels, name_of, payoff_range, payoffs, show, transition

MAX_MOVES = 10_000
GRACE_SECONDS = 30.0
"""What a seat with a time limit may take over anything but a move."""
ISOLATION = ("auto", "none", "thread", "process")


class Played(NamedTuple):
    """A move of the match: its number, from 1; what both did; where that led. Without moves: some were taken back."""

    number: int
    moves: Move | None
    state: Any


@dataclass(frozen=True)
class Results:
    """How a match ended: `results.row`, `results["col"]` and `results[0]` are payoffs, `winner` is a player or None.

    `reason` says it in words; `forfeit` names the players who lost by what they did rather than by the rules of the game.
    """

    row: float
    col: float
    reason: str
    moves: tuple[Move, ...]
    seed: int
    seconds: tuple[float, float] = (0.0, 0.0)
    forfeit: tuple[Player, ...] = ()
    agents: tuple[str, str] = ("row", "col")

    def __getitem__(self, player: object) -> float:
        return self.row if player_named(player) == "row" else self.col

    @property
    def winner(self) -> Player | None:
        if self.row == self.col:
            return None
        return "row" if self.row > self.col else "col"

    def transcript(self, game: str = "") -> str:
        """The match as a text from which the agent `file` can play either side."""
        head = [f"# game: {game}"] if game else []
        head += [f"# {player}: {agent}" for player, agent in zip(PLAYERS, self.agents, strict=True)]
        head += [f"# seed: {self.seed}"]
        words = " ".join(self.reason.split())
        return "\n".join([*head, *written(self.moves), f"# {words}: {self.row:g} to {self.col:g}", ""])


class Finished(NamedTuple):
    """The end of a match."""

    results: Results
    state: Any


Event: TypeAlias = Any  # the start, then Played for each move, then Finished
Seconds: TypeAlias = float | Mapping[Any, float | None] | Sequence[float | None] | None


def match(
    game: Any,
    *agents: Any,
    seconds: Seconds = None,
    seed: int | None = None,
    undo: bool = True,
    isolation: str = "auto",
    max_moves: int = MAX_MOVES,
    clock: Callable[[], float] = time.perf_counter,
) -> Generator[Event, None, None]:
    """Yields the start, then (number, moves, state) for each move, then (results, state).

    `game` is a position or a name such as `"goofspiel:cards=4"`. Agents are given one after the other, as a list, or as
    {player: agent}; each is an agent, a name such as `"mcts:seconds=2"`, or any object with `choose(state)`. `seconds`
    limits every move, of both or of each player by itself; who exceeds it loses, and so does who plays what is not legal
    or raises an exception. Then `results.reason` says what happened.

    `isolation` says where agents run: "none" (in this thread), "thread", "process" (one each), or "auto": in a thread where
    there is a time limit. A match that has not ended after `max_moves` is a draw.
    """
    return Match(
        game,
        *agents,
        seconds=seconds,
        seed=seed,
        undo=undo,
        isolation=isolation,
        max_moves=max_moves,
        clock=clock,
    ).events()


def run_match(game: Any, *agents: Any, **options: Any) -> Finished:
    """Plays a match to its end; the results and the final position. Takes what `match` takes."""
    *_, last = match(game, *agents, **options)
    assert isinstance(last, Finished)
    return last


class _Lost(Exception):
    """Somebody lost by what they did: a message for each."""

    def __init__(self, **messages: str) -> None:
        self.messages = messages


class _Undone(Exception):
    """A player took its last move back."""

    def __init__(self, player: Player) -> None:
        self.player = player


class Match:
    """The driver of one match: where it stands, and how it came there. `events()` plays it, once."""

    def __init__(
        self,
        game: Any,
        *agents: Any,
        seconds: Seconds = None,
        seed: int | None = None,
        undo: bool = True,
        isolation: str = "auto",
        max_moves: int = MAX_MOVES,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.state = GAMES.make(game)
        self.history: list[tuple[Any, Move]] = []
        """Each move, and the position it was made in."""
        self.agents = _by_player(agents)
        self.names = tuple(described(self.agents[player]) for player in PLAYERS)
        self.limits = _limits(seconds)
        self.seed = checked_seed(seed)
        self.undo, self.max_moves = undo, max_moves
        if max_moves < 1:
            raise ParameterError(f"max_moves is {max_moves!r}; it must be at least 1")
        if isolation not in ISOLATION:
            raise unknown_name("isolation", isolation, ISOLATION)
        self.isolation = isolation
        self._clock = clock
        self._chance = stream(self.seed, 0)
        self._used = dict.fromkeys(PLAYERS, 0.0)
        self._callers: dict[Player, Caller] = {}

    # ------------------------------------------------------------------------ the course of a match
    def events(self) -> Generator[Event, None, None]:
        results: Results | None = None
        try:
            for k, player in enumerate(PLAYERS):
                self._callers[player] = self._caller(k, player)
            trouble = self._begun()
            yield self.state
            if trouble is not None:
                raise trouble
            while not is_over(self.state) and len(self.history) < self.max_moves:
                yield self._turn()
            results = self._finished()
        except _Lost as lost:
            results = self._forfeited(lost.messages)
        finally:
            self._end(results)
        yield Finished(results, self.state)

    def _begun(self) -> _Lost | None:
        """Tells both that the match begins; who fails there loses once the start has been shown."""
        try:
            self._tell("begin", lambda player: (self.state, player))
        except _Lost as lost:
            return lost
        return None

    def _turn(self) -> Played:
        try:
            moves, after = self._moved()
        except _Undone as undone:
            return self._step_back(undone.player)
        before, self.state = self.state, after
        self.history.append((before, moves))
        self._tell("told", lambda player: (before, moves, after))
        return Played(len(self.history), moves, after)

    def _moved(self) -> tuple[Move, Any]:
        """Asks whoever has a say, both before anything is applied."""
        chosen, lost = [], {}
        for player, names in zip(PLAYERS, labels(self.state), strict=True):
            try:
                chosen.append(self._asked(player, names) if has_a_say(names) else 0)
            except _Lost as error:
                lost.update(error.messages)
        if lost:
            raise _Lost(**lost)
        i, j = chosen
        try:
            done = transition(self.state, i, j, self._chance)
        except Exception as error:
            words = f"{name_of(self.state)} raised {type(error).__name__}: {error}"
            raise GameError(f"{words} at {action_names(self.state, i, j)} in {show(self.state)}") from error
        rows, cols = labels(self.state)
        return Move(rows[i], cols[j], done.observation if has_chance(self.state) else None), done.state

    def _asked(self, player: Player, names: Sequence[Any]) -> int:
        """The number of the action that a player chose."""
        limit, started = self.limits[player], self._clock()
        choice = self._called(player, limit, "choose", self.state)
        took = self._clock() - started
        self._used[player] += took
        if limit is not None and took > limit:
            raise self._lost(player, f"took {took:.3g} s over a move; the limit is {limit:g} s")
        try:
            return action_index(names, choice, player, self.state)
        except IllegalAction as error:
            raise self._lost(player, str(error).removeprefix(f"{player} ")) from None

    def _step_back(self, player: Player) -> Played:
        """Goes back to where a player last had a choice."""
        undone: list[Move] = []
        while not undone or len(_names(self.state, player)) < 2:
            self.state, moves = self.history.pop()
            undone.insert(0, moves)
        self._tell("taken_back", lambda each: (self.state, tuple(undone), each))
        return Played(len(self.history), None, self.state)

    # ------------------------------------------------------------------------ calling the agents
    def _caller(self, k: int, player: Player) -> Caller:
        agent, seed = self.agents[player], stream(self.seed, 1 + k).getrandbits(32)
        where = self.isolation
        if where == "auto":
            where = "none" if self.limits[player] is None else "thread"
        if where == "process":
            return OwnProcess(agent, seed)
        seat = seated(agent, seed)
        return OwnThread(seat) if where == "thread" else Direct(seat)

    def _tell(self, method: str, arguments: Callable[[Player], tuple[Any, ...]]) -> None:
        for player in PLAYERS:
            grace = None if self.limits[player] is None else max(GRACE_SECONDS, self.limits[player] or 0.0)
            self._called(player, grace, method, *arguments(player))

    def _called(self, player: Player, seconds: float | None, method: str, *args: Any) -> Any:
        try:
            return self._callers[player].call(method, *args, seconds=seconds)
        except TakeBack:
            if self.undo and any(len(_names(state, player)) > 1 for state, _ in self.history):
                raise _Undone(player) from None
            raise self._lost(player, "wanted a move back, which cannot be done here") from None
        except Resigned as error:
            raise self._lost(player, f"gave up ({error})") from None
        except Stuck as error:
            raise self._lost(player, f"hung in {method}: {error}") from None
        except (Exception, SystemExit) as error:
            raise self._lost(player, f"failed in {method}: {type(error).__name__}: {error}") from error

    def _lost(self, player: Player, what: str) -> _Lost:
        return _Lost(**{player: f"{player} ({self.names[PLAYERS.index(player)]}) {what}"})

    def _end(self, results: Results | None) -> None:
        """Tells both that it is over; what goes wrong there changes nothing any more."""
        for player, caller in self._callers.items():
            try:
                self._called(player, GRACE_SECONDS, "end", results, self.state)
            except (_Lost, _Undone):
                pass
            finally:
                caller.close()

    # ------------------------------------------------------------------------ how it ended
    def _finished(self) -> Results:
        if not is_over(self.state):
            return self._results(*self._even(), f"a draw: not over after {self.max_moves} moves")
        row, col = payoffs(self.state)
        words = "a draw" if row == col else f"{'row' if row > col else 'col'} won"
        return self._results(row, col, f"{words} after {len(self.history)} moves")

    def _forfeited(self, messages: Mapping[str, str]) -> Results:
        low, high = payoff_range(self.state)
        row, col = self._even() if len(messages) == 2 else ((low, high) if "row" in messages else (high, low))
        return self._results(row, col, "; ".join(messages.values()), tuple(p for p in PLAYERS if p in messages))

    def _even(self) -> tuple[float, float]:
        low, high = payoff_range(self.state)
        return (low + high) / 2, (low + high) / 2

    def _results(self, row: float, col: float, reason: str, forfeit: tuple[Player, ...] = ()) -> Results:
        moves = tuple(move for _, move in self.history)
        seconds = self._used["row"], self._used["col"]
        names = self.names[0], self.names[1]
        return Results(row, col, reason, moves, self.seed, seconds, forfeit, names)


def _names(state: Any, player: Player) -> list[Any]:
    return labels(state)[PLAYERS.index(player)]


def _by_player(given: Sequence[Any]) -> dict[Player, Any]:
    """The agents of both players, however they were given."""
    if len(given) == 1 and isinstance(given[0], Mapping):
        pairs = [(player_named(player), agent) for player, agent in given[0].items()]
    else:
        listed = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
        pairs = list(zip(PLAYERS, listed, strict=False)) if len(listed) == 2 else []
    agents = dict(pairs)
    if len(agents) != 2 or len(pairs) != 2:
        raise InputError(f"{given!r} are not two agents; give two, a list of two, or {{'row': …, 'col': …}}")
    made = {player: AGENTS.make(agents[player]) for player in PLAYERS}
    for player, agent in made.items():
        if not hasattr(agent, "seat") and not callable(getattr(agent, "choose", None)):
            raise InputError(f"{agent!r} cannot play {player}: it has no choose(state)")
    if made["row"] is made["col"] and not hasattr(made["row"], "seat"):
        made["col"] = copy.copy(made["row"])  # what one side remembers is not the other's
    return made


def _limits(seconds: Seconds) -> dict[Player, float | None]:
    """The time limit of each player."""
    if isinstance(seconds, Mapping):
        given = {player_named(player): limit for player, limit in seconds.items()}
    elif isinstance(seconds, Sequence) and not isinstance(seconds, str):
        if len(seconds) != 2:
            raise InputError(f"seconds is {seconds!r}; give one number, or one for each player")
        given = dict(zip(PLAYERS, seconds, strict=True))
    else:
        given = dict.fromkeys(PLAYERS, seconds)
    for limit in given.values():
        if limit is not None:
            Budget(seconds=limit)  # says what is wrong with it
    return {player: given.get(player) for player in PLAYERS}
