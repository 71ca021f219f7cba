"""What a game is: positions in which two players, *row* and *column*, choose at once.

A state is any object with `shape`, `play` and `payoff`; the optional methods below add names, chance and known solutions.
Authors subclass `State` (annotated fields make it an immutable named tuple) or, for games of turns, `TurnState`; a plain
named tuple, a frozen dataclass or a wrapper of a foreign library will do as well. Everything else in the package reads
states through the functions at the end of this module, so an object without the optional methods works everywhere.
States are immutable: any thread may read any state.

    shape()             -> (rows, cols): how many actions each player has; (0, 0) when the game is over
    play(i, j)          -> the next state; written play(i, j, rng) when chance takes part
    payoff()            -> row's score at the end (column gets the rest of the range), or (row, column)
    payoff_range        the lowest and highest score; (0.0, 1.0) unless declared
    constant_sum        False when payoff() returns a pair
    labels()            -> (row actions, column actions): what people call them; of any hashable type
    parse(text)         -> the label that a typed text means; ValueError says why it means none
    rollout(rng)        -> payoff of a random game from here, where that can be had faster
    observation()       -> what tells the outcomes of chance apart; the state itself unless given
    outcomes(i, j)      -> [(probability, state), …]: chance-controlled; gives play(i, j, rng) for free
    solution()          -> Solution: solved
    heuristic()         -> what the position is worth to row, finished games included, in any units: for alpha-beta players
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import (
    Any,
    ClassVar,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from .errors import GameError, IllegalAction
from .records import RecordType
from .rng import Rng

Item = TypeVar("Item")
Label: TypeAlias = Hashable
Payoff: TypeAlias = float | tuple[float, float]
Probability: TypeAlias = float | Fraction | None
"""Of a chance outcome; None where the game does not say."""

IDLE = "-"
"""The label of the only action of a player who waits for the other."""

UNIT_RANGE = (0.0, 1.0)

LISTED_ACTIONS = 100
"""How many legal actions a message lists; a board may have hundreds."""


class Solution(NamedTuple):
    """An equilibrium of a state: a strategy and a value (in payoff units) for each player."""

    row: Sequence[float]
    col: Sequence[float]
    row_value: float
    col_value: float


class Transition(NamedTuple):
    """What playing a joint action led to."""

    state: Any
    observation: Hashable
    probability: Probability


@runtime_checkable
class SolvedState(Protocol):
    """A state that knows its equilibrium."""

    def solution(self) -> Solution: ...


@runtime_checkable
class ChanceControlled(Protocol):
    """A state whose chance outcomes can be listed, and so chosen."""

    def outcomes(self, i: int, j: int) -> Iterable[tuple[Any, Any]]: ...


# ---------------------------------------------------------------------------------------------- classes for authors
class State(metaclass=RecordType):
    """A position in which both players choose at once; subclass it and give `shape`, `play` and `payoff`."""

    __slots__ = ()
    payoff_range: ClassVar[tuple[float, float]] = UNIT_RANGE
    constant_sum: ClassVar[bool] = True

    def shape(self) -> tuple[int, int]:
        raise NotImplementedError(f"{type(self).__name__} needs shape()")

    def payoff(self) -> Payoff:
        raise NotImplementedError(f"{type(self).__name__} needs payoff()")

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        """Numbers, and `IDLE` for a player who has no choice while the other has."""
        rows, cols = self.shape()
        if rows == 1 and cols > 1:
            return (IDLE,), range(cols)
        if cols == 1 and rows > 1:
            return range(rows), (IDLE,)
        return range(rows), range(cols)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not hasattr(cls, "play") and hasattr(cls, "outcomes"):
            cls.play = _ByOutcomes.play  # type: ignore[attr-defined]


class _ByOutcomes:
    def play(self: Any, i: int, j: int, rng: Rng) -> Any:
        return draw_outcome(self.outcomes(i, j), rng)[1]


class TurnState(State):
    """A position of a game of turns: give `player` (0 is row), `moves()`, `move(m)` and `payoff()`.

    Write `move(m, rng)` when chance takes part. The game is over when there are no moves.
    """

    __slots__ = ()

    def moves(self) -> Sequence[Label]:
        raise NotImplementedError(f"{type(self).__name__} needs moves()")

    def shape(self) -> tuple[int, int]:
        count = len(self.moves())
        if count == 0:
            return 0, 0
        if self.player == 0:  # type: ignore[attr-defined]
            return count, 1
        return 1, count

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        moves = self.moves()
        if not moves:
            return (), ()
        return (moves, (IDLE,)) if self.player == 0 else ((IDLE,), moves)  # type: ignore[attr-defined]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        move, own = getattr(cls, "move", None), getattr(cls, "play", None)
        if move is not None and own in (None, _Turn.play, _TurnWithChance.play):
            chance = _positional_count(move) == 3
            cls.play = _TurnWithChance.play if chance else _Turn.play  # type: ignore[attr-defined]


class _Turn:
    def play(self: Any, i: int, j: int) -> Any:
        return self.move(self.moves()[i + j])


class _TurnWithChance:
    def play(self: Any, i: int, j: int, rng: Rng) -> Any:
        return self.move(self.moves()[i + j], rng)


def _positional_count(function: Callable[..., Any]) -> int:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in kinds for p in inspect.signature(function).parameters.values())


def replaced(items: tuple[Item, ...], k: int, item: Item) -> tuple[Item, ...]:
    """The tuple with its k-th item replaced (k from 0 on): how a position changes one square of its board."""
    if not 0 <= k < len(items):
        raise IndexError(f"no item {k} in a tuple of {len(items)}")
    return (*items[:k], item, *items[k + 1 :])


# ---------------------------------------------------------------------------------------------- reading any state
@lru_cache(maxsize=1024)
def _argument_count(cls: Any) -> int:
    return _positional_count(cls.play)


def has_chance(state: Any) -> bool:
    """Whether `play` of a state (or a class of states) takes a random generator."""
    cls: Any = state if isinstance(state, type) else type(state)
    return _argument_count(cls) == 4  # self, i, j, rng


def payoff_range(state: Any) -> tuple[float, float]:
    """The declared lowest and highest payoff."""
    declared = getattr(state, "payoff_range", UNIT_RANGE)
    try:
        low, high = map(float, declared)
    except (TypeError, ValueError):
        raise GameError(f"{name_of(state)}: payoff_range is {declared!r}; it must be a pair of numbers") from None
    if not low < high:
        raise GameError(f"{name_of(state)}: payoff_range is {declared!r}; the first must be below the second")
    if low == -inf or high == inf:
        raise GameError(f"{name_of(state)}: payoff_range is {declared!r}; both must be finite")
    return low, high


def is_constant_sum(state: Any) -> bool:
    return bool(getattr(state, "constant_sum", True))


def is_over(state: Any) -> bool:
    return bool(state.shape()[0] == 0)


def payoffs(state: Any) -> tuple[float, float]:
    """The payoff of both players at the end."""
    payoff = state.payoff()
    if isinstance(payoff, tuple):
        return float(payoff[0]), float(payoff[1])
    low, high = payoff_range(state)
    return float(payoff), low + high - float(payoff)


def labels(state: Any) -> tuple[list[Label], list[Label]]:
    """What people call the actions of each player."""
    own = getattr(state, "labels", None)
    row, col = own() if own is not None else State.labels(state)
    return list(row), list(col)


def observation(state: Any) -> Hashable:
    """What says which outcome of chance led to a state."""
    own = getattr(state, "observation", None)
    seen: Hashable = own() if own is not None else state
    return seen


def play(state: Any, i: int, j: int, rng: Rng) -> Any:
    """The next state, whether or not chance takes part."""
    return state.play(i, j, rng) if has_chance(state) else state.play(i, j)


def transition(state: Any, i: int, j: int, rng: Rng) -> Transition:
    """Plays a joint action, and says which outcome happened and how likely it was."""
    if isinstance(state, ChanceControlled):
        probability, after = draw_outcome(state.outcomes(i, j), rng)
        return Transition(after, observation(after), probability)
    after = play(state, i, j, rng)
    return Transition(after, observation(after), None if has_chance(state) else Fraction(1))


def transitions(state: Any, i: int, j: int) -> list[Transition]:
    """All outcomes of a joint action; a game that only samples its chance has none to list."""
    if isinstance(state, ChanceControlled):
        return [Transition(after, observation(after), p) for p, after in state.outcomes(i, j)]
    if has_chance(state):
        raise GameError(f"{name_of(state)} draws its chance in play(i, j, rng); give outcomes(i, j) to have it listed")
    after = state.play(i, j)
    return [Transition(after, observation(after), Fraction(1))]


def apply_outcome(state: Any, i: int, j: int, chosen: Hashable) -> Any:
    """Plays a joint action and makes chance do what the caller chose, named by its observation."""
    listed = transitions(state, i, j)
    for outcome in listed:
        if outcome.observation == chosen:
            return outcome.state
    raise IllegalAction(
        f"no outcome {chosen!r} of {action_names(state, i, j)} in {show(state)}; "
        f"possible: {', '.join(repr(o.observation) for o in listed)}"
    )


def draw_outcome(outcomes: Iterable[tuple[Any, Any]], rng: Rng) -> tuple[Any, Any]:
    """One (probability, state) of a list, as likely as it says."""
    u = rng.random()
    likely: tuple[Any, Any] | None = None
    for pair in outcomes:
        if pair[0] > 0:
            likely = pair
            u -= pair[0]
            if u < 0:
                return pair
    if likely is None:
        raise GameError("outcomes() listed nothing that can happen")
    return likely  # probabilities that sum to a little less than 1


def name_of(state: Any) -> str:
    return type(state).__name__


def show(state: Any) -> str:
    """A state on one line, short enough for a message."""
    cls: Any = type(state)
    plain = cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__ and hasattr(state, "__dict__")
    try:
        words = f"{name_of(state)}({', '.join(f'{k}={v!r}' for k, v in vars(state).items())})" if plain else str(state)
    except Exception:  # the game is faulty, and what is to be said of it must be said all the same
        words = f"{name_of(state)}{tuple(state) if isinstance(state, tuple) else ''}"
    text = " / ".join(line.rstrip() for line in words.splitlines())
    return text if len(text) <= 200 else text[:197] + "…"


def action_names(state: Any, i: int, j: int) -> str:
    """A joint action in the game's own words."""
    try:
        row, col = labels(state)
        return f"({row[i]!s}, {col[j]!s})"
    except Exception:  # the game is faulty: numbers must do
        return f"(action {i}, action {j})"


def action_index(names: Sequence[Label], action: Label, player: str, state: Any, *, why_not: str = "") -> int:
    """The number of an action given by its label."""
    for k, name in enumerate(names):
        if name == action and isinstance(name, bool) == isinstance(action, bool):
            return k
    by_text = [k for k, name in enumerate(names) if str(name) == str(action)]
    if len(by_text) == 1:
        return by_text[0]
    legal = ", ".join(str(name) for name in names[:LISTED_ACTIONS]) or "nothing, the game is over"
    more = f", … ({len(names)} in all)" if len(names) > LISTED_ACTIONS else ""
    raise IllegalAction(f"{player} cannot play {action!r} in {show(state)}{why_not}; legal: {legal}{more}")


def parse_action(state: Any, text: str, player: int) -> int:
    """The number of the action that a person typed; `player` is 0 for row, 1 for column.

    The game reads it, if it has `parse`; failing that, it is a label, in capital or small letters.
    """
    names, said, who = labels(state)[player], text.strip(), ("row", "column")[player]
    why_not = ""
    if hasattr(state, "parse"):
        try:
            meant = state.parse(said)
        except ValueError as error:
            why_not = f" ({error})"
        else:
            if meant in names:
                return action_index(names, meant, who, state)
    folded = [k for k, name in enumerate(names) if str(name).casefold() == said.casefold()]
    return folded[0] if len(folded) == 1 else action_index(names, said, who, state, why_not=why_not)
