"""Model checking: what can happen in a game at all, with every joint action and every outcome of chance tried.

`bfs_find` looks for positions, `path_exists` for one line of play on which several things come true one after the other,
`check_invariant` for the shortest way to break a rule. For people and tests. One call runs in one thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from .errors import ParameterError, TooManyPositions
from .positions import key_for
from .results import Move
from .state import has_chance, labels, name_of, show, transitions

Predicate: TypeAlias = Callable[[Any], object]


@dataclass(frozen=True)
class Play:
    """A line of play: the moves, and the positions before, between and after them."""

    moves: tuple[Move, ...]
    states: tuple[Any, ...]

    @property
    def end(self) -> Any:
        return self.states[-1]

    def __len__(self) -> int:
        return len(self.moves)

    def __str__(self) -> str:
        return " ".join(str(move) for move in self.moves) or "no move"


@dataclass(frozen=True)
class Found:
    """What a breadth-first search found: `play` is a shortest line of play to the first match.

    `complete` says that every position within the depth limit was seen; a search that stops at its first match, or at
    its limit of states, has not seen them all.
    """

    matches: tuple[Any, ...]
    explored: int
    depth: int
    complete: bool
    play: Play | None

    @property
    def success(self) -> bool:
        return bool(self.matches)

    def __bool__(self) -> bool:
        return self.success


@dataclass(frozen=True)
class Checked:
    """Whether a rule holds in every position that was seen; if not, a shortest line of play that breaks it."""

    holds: bool
    explored: int
    complete: bool
    counter_example: Play | None

    def __bool__(self) -> bool:
        return self.holds


def bfs_find(
    start: Any,
    is_goal: Predicate,
    *,
    depth_limit: int | None = None,
    state_limit: int | None = None,
    find_all: bool = False,
) -> Found:
    """Positions that satisfy `is_goal`, the nearest first: the first one, or all of them.

    `depth_limit` is how many joint actions to go; `state_limit` how many positions may be kept in memory, beyond which
    `TooManyPositions` is raised unless something was found before.
    """
    _check_limit("depth_limit", depth_limit, 0)
    _check_limit("state_limit", state_limit, 1)
    search = _Breadth(start, state_limit)
    matches = []
    depth = 0
    for state, distance in search.positions(depth_limit):
        depth = distance
        if is_goal(state):
            matches.append(state)
            if not find_all:
                break
    play = search.play_to(matches[0]) if matches else None
    return Found(tuple(matches), search.explored, depth, search.complete, play)


def check_invariant(
    start: Any, invariant: Predicate, *, depth_limit: int | None = None, state_limit: int | None = None
) -> Checked:
    """Whether `invariant` is true of every position that can be reached, with a shortest counter-example if it is not."""
    found = bfs_find(start, lambda state: not invariant(state), depth_limit=depth_limit, state_limit=state_limit)
    return Checked(not found, found.explored, found.complete, found.play)


def path_exists(
    start: Any, predicates: Sequence[Predicate], *, depth_limit: int | None = None, state_limit: int | None = None
) -> Play | None:
    """A line of play on which the predicates come true one after the other, or None if there is none.

    Greedy with backtracking: it goes on from the nearest position that satisfies the first predicate, and tries the next
    nearest when the rest cannot be had from there. One position may satisfy several. `depth_limit` is for the whole line;
    `state_limit` is how many positions each stage may keep in memory.
    """
    _check_limit("depth_limit", depth_limit, 0)
    _check_limit("state_limit", state_limit, 1)
    key = key_for(start)
    dead: dict[tuple[int, Hashable], int | None] = {}  # how many moves were left where the rest could not be had
    stages = [_Stage(start, None, depth_limit, state_limit)]
    while stages and len(stages) <= len(predicates):
        stage = stages[-1]
        number = len(stages)
        after = stage.next_match(predicates[number - 1])
        if after is None:
            stages.pop()
            if stages:
                dead[number, key(stage.start)] = stage.left
            continue
        left = None if stage.left is None else stage.left - stage.depth
        if not _is_dead(dead, (number + 1, key(after)), left):
            stages.append(_Stage(after, stage, left, state_limit))
    return _joined(stages[-1]) if stages else None


# ---------------------------------------------------------------------------------------------- breadth first
class _Breadth:
    """Every position once, in the order of its distance, with the step that first led to it."""

    def __init__(self, start: Any, limit: int | None) -> None:
        self.start, self.limit = start, limit
        self.key = key_for(start)
        self.steps: dict[Hashable, tuple[Any, Move] | None] = {self.key(start): None}
        self.explored = 0
        self.complete = False

    def positions(self, depth_limit: int | None) -> Iterator[tuple[Any, int]]:
        """Positions and their distance from the start."""
        waiting = deque([(self.start, 0)])
        while waiting:
            state, depth = waiting.popleft()
            self.explored += 1
            yield state, depth
            if depth_limit is not None and depth >= depth_limit:
                continue
            for move, after in successors(state):
                key = self.key(after)
                if key not in self.steps:
                    self.steps[key] = state, move
                    waiting.append((after, depth + 1))
            if self.limit is not None and len(self.steps) > self.limit:
                raise TooManyPositions(
                    f"more than state_limit={self.limit} positions of {name_of(self.start)} within {depth + 1} moves of "
                    f"{show(self.start)}, and {self.explored} explored without an answer"
                )
        self.complete = True

    def play_to(self, state: Any) -> Play:
        """The moves that lead to a position."""
        moves: list[Move] = []
        states = [state]
        while (step := self.steps[self.key(states[-1])]) is not None:
            states.append(step[0])
            moves.append(step[1])
        return Play(tuple(reversed(moves)), tuple(reversed(states)))


def successors(state: Any) -> Iterator[tuple[Move, Any]]:
    """Every position that can come next, by all joint actions and all outcomes of chance."""
    rows, cols = state.shape()
    if rows == 0:
        return
    row, col = labels(state)
    chance = has_chance(state)
    for i in range(rows):
        for j in range(cols):
            for outcome in transitions(state, i, j):
                if outcome.probability is None or outcome.probability > 0:
                    yield Move(row[i], col[j], outcome.observation if chance else None), outcome.state


# ---------------------------------------------------------------------------------------------- one thing after the other
class _Stage:
    """The search for the next predicate, from where the last one came true."""

    def __init__(self, start: Any, before: _Stage | None, left: int | None, limit: int | None) -> None:
        self.start, self.before, self.left = start, before, left
        self.breadth = _Breadth(start, limit)
        self.positions = self.breadth.positions(left)
        self.match: Any = start
        self.depth = 0

    def next_match(self, predicate: Predicate) -> Any:
        """The next nearest position that satisfies it; None if there is no more."""
        for state, depth in self.positions:
            if predicate(state):
                self.match, self.depth = state, depth
                return state
        return None


def _is_dead(dead: dict[tuple[int, Hashable], int | None], place: tuple[int, Hashable], left: int | None) -> bool:
    """Whether the rest was not to be had from a position with as many moves left, or more."""
    if place not in dead:
        return False
    tried = dead[place]
    return tried is None or (left is not None and left <= tried)


def _joined(last: _Stage) -> Play:
    """The lines of play of all stages, one after the other."""
    moves: tuple[Move, ...] = ()
    states: tuple[Any, ...] = (last.start,)
    stage = last.before
    while stage is not None:
        part = stage.breadth.play_to(stage.match)
        moves, states = part.moves + moves, part.states[:-1] + states
        stage = stage.before
    return Play(moves, states)


def _check_limit(name: str, limit: int | None, least: int) -> None:
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < least):
        raise ParameterError(f"{name} is {limit!r}; it must be a whole number of at least {least}, or None")
