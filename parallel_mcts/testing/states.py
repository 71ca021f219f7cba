"""`check_state`: is a game what it says it is?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

from ..errors import CheckFailed, GameError
from ..matrix import gap
from ..state import (
    ChanceControlled,
    SolvedState,
    action_names,
    has_chance,
    is_constant_sum,
    labels,
    name_of,
    observation,
    parse_action,
    payoff_range,
    play,
    show,
    transitions,
)
from .common import TOLERANCE, check_distribution, require

GAMES = 20
MAX_PLIES = 10_000


def check_state(state: Any, *, games: int = GAMES, seed: int = 0, max_plies: int = MAX_PLIES) -> None:
    """Plays random games from a state and checks every position on the way against the `State` interface."""
    name = name_of(state)
    require(not isinstance(state, type), f"{state!r} is a class; give an instance of it")
    for method in ("shape", "play", "payoff"):
        require(callable(getattr(state, method, None)), f"{name} has no method {method}()")
    _check_range(state)
    for k in range(games):
        rng = Random(f"{seed}-{k}")
        for position in random_game(state, rng, max_plies):
            _check_position(position, rng, payoff_range(state))


def random_game(state: Any, rng: Random, max_plies: int) -> Iterator[Any]:
    """Every position of a random game, with its shape checked before it is played on."""
    for _ in range(max_plies + 1):
        rows, cols = _checked_shape(state)
        yield state
        if rows == 0:
            return
        state = _played(state, rng.randrange(rows), rng.randrange(cols), rng)
    raise CheckFailed(
        f"{name_of(state)} did not end within {max_plies} random moves; does it ever? (max_plies={max_plies})"
    )


def _checked_shape(state: Any) -> tuple[int, int]:
    shape = state.shape()
    pair = isinstance(shape, tuple) and len(shape) == 2 and all(isinstance(n, int) for n in shape)
    require(pair, f"shape() gave {shape!r} at {show(state)}; it must be a pair of whole numbers (rows, cols)")
    rows, cols = shape
    require(rows >= 0 and cols >= 0, f"shape() gave {shape} at {show(state)}; numbers of actions are not negative")
    require(
        (rows == 0) == (cols == 0),
        f"shape() gave {shape} at {show(state)}; at the end of the game it is (0, 0), before it each player has an action",
    )
    return rows, cols


def _played(state: Any, i: int, j: int, rng: Random) -> Any:
    where = f"play() of {action_names(state, i, j)} at {show(state)}"
    try:
        after = play(state, i, j, rng)
    except Exception as error:
        raise CheckFailed(f"{where} raised {type(error).__name__}: {error}") from error
    require(after is not None, f"{where} gave None; it must return the next state")
    require(type(after) is type(state), f"{where} gave a {name_of(after)}; it must return a {name_of(state)}")
    return after


def _check_range(state: Any) -> None:
    try:
        payoff_range(state)
    except (GameError, TypeError, ValueError) as error:
        raise CheckFailed(f"payoff_range of {name_of(state)}: {error}; it must be a pair (lowest, highest)") from error


def _check_position(state: Any, rng: Random, declared: tuple[float, float]) -> None:
    require(
        payoff_range(state) == declared, f"payoff_range is {payoff_range(state)} at {show(state)}, but {declared} elsewhere"
    )
    _check_labels(state)
    _check_parser(state)
    _check_picklable(state)
    rows, cols = state.shape()
    if rows == 0:
        check_payoff(state, state.payoff(), "payoff()")
    else:
        i, j = rng.randrange(rows), rng.randrange(cols)
        _check_unchanged_by_play(state, i, j)
        _check_chance(state, i, j, rng)
        if hasattr(state, "rollout"):
            check_payoff(state, state.rollout(rng), "rollout()")
    if isinstance(state, SolvedState):
        _check_solution(state)


def _check_labels(state: Any) -> None:
    for player, names, count in zip(("row", "column"), labels(state), state.shape(), strict=True):
        require(
            len(names) == count,
            f"labels() gave {len(names)} names for {player} at {show(state)}, but shape() says {count} actions",
        )
        require(
            all(isinstance(name, Hashable) for name in names),
            f"labels() gave {names!r} at {show(state)}; they must be hashable",
        )
        require(
            len(set(names)) == len(names), f"labels() gave {names!r} for {player} at {show(state)}; no name may come twice"
        )


def _check_parser(state: Any) -> None:
    """A label that is typed as it is written must be understood; the first and the last will do."""
    if not hasattr(state, "parse"):
        return
    for player, names in enumerate(labels(state)):
        for k in sorted({0, len(names) - 1}) if names else ():
            text = str(names[k])
            read = parse_action(state, text, player)
            require(read == k, f"parse() takes the text {text!r} for {read}, not for action {k}, at {show(state)}")


def _check_picklable(state: Any) -> None:
    import cloudpickle

    try:
        copy = cloudpickle.loads(cloudpickle.dumps(state))
    except Exception as error:
        raise CheckFailed(
            f"{name_of(state)} cannot be pickled at {show(state)}: {type(error).__name__}: {error}"
        ) from error
    require(_alike(copy, state), f"{name_of(state)} came back different from pickling at {show(state)}: {show(copy)}")


def check_payoff(state: Any, payoff: Any, source: str) -> None:
    pair = isinstance(payoff, tuple)
    if is_constant_sum(state):
        require(
            not pair,
            f"{source} gave {payoff!r} at {show(state)}; a game with two payoffs declares constant_sum = False",
        )
    else:
        require(
            pair and len(payoff) == 2,
            f"{source} gave {payoff!r} at {show(state)}; where constant_sum is False it must be a pair (row, column)",
        )
    low, high = payoff_range(state)
    for number in payoff if pair else (payoff,):
        require(
            isinstance(number, int | float) or hasattr(number, "__float__"),
            f"{source} gave {payoff!r} at {show(state)}; it must be a number",
        )
        require(
            low <= number <= high, f"{source} gave {payoff!r} at {show(state)}; the declared payoff_range is {(low, high)}"
        )


def _check_unchanged_by_play(state: Any, i: int, j: int) -> None:
    """Playing must leave the state as it was, and do the same thing again."""
    before = _face(state)
    first, second = (_played(state, i, j, Random(1)) for _ in range(2))
    require(
        _face(state) == before,
        f"play() changed the state it was called on: {action_names(state, i, j)} turned {before[0]} into {show(state)}; "
        "it must return a new state",
    )
    require(
        _alike(first, second),
        f"play() of {action_names(state, i, j)} at {show(state)} gave {show(first)} and then {show(second)} "
        "with the same random numbers; chance must come from rng alone",
    )


def _face(state: Any) -> tuple[Any, ...]:
    """What can be seen of a state from outside."""
    return show(state), state.shape(), labels(state), repr(observation(state)) if _has_value(state) else None


def _has_value(state: Any) -> bool:
    """Whether equal states compare equal; objects that say nothing of it are compared by what can be seen."""
    own: Any = type(state).__eq__
    return own is not object.__eq__


def _alike(state: Any, other: Any) -> bool:
    if _has_value(state):
        return bool(state == other)
    return bool(state.shape() == other.shape() and labels(state) == labels(other))


def _check_chance(state: Any, i: int, j: int, rng: Random) -> None:
    where = f"{action_names(state, i, j)} at {show(state)}"
    if not isinstance(state, ChanceControlled):
        if has_chance(state):
            seen = observation(_played(state, i, j, rng))
            require(isinstance(seen, Hashable), f"observation() after {where} is {seen!r}; it must be hashable")
        return
    listed = transitions(state, i, j)
    require(listed, f"outcomes() listed nothing for {where}")
    for outcome in listed:
        require(
            outcome.probability is not None and 0 < outcome.probability <= 1,
            f"outcomes() of {where} lists the probability {outcome.probability!r}; it must be above 0 and at most 1",
        )
    total = math.fsum(float(outcome.probability or 0) for outcome in listed)
    require(abs(total - 1.0) <= TOLERANCE, f"the probabilities of outcomes() of {where} sum to {total}, not to 1")
    seen_once = {outcome.observation for outcome in listed}
    require(
        len(seen_once) == len(listed),
        f"two outcomes of {where} have the same observation; observation() must tell them apart",
    )
    drawn = observation(_played(state, i, j, rng))
    require(drawn in seen_once, f"play() of {where} led to {drawn!r}, which outcomes() does not list")


def _check_solution(state: Any) -> None:
    solved = state.solution()
    rows, cols = state.shape()
    for player, strategy, count in (("row", solved.row, rows), ("column", solved.col, cols)):
        check_distribution(strategy, count, f"solution() gives {player} {list(strategy)!r} at {show(state)}")
    low, high = payoff_range(state)
    for value in (solved.row_value, solved.col_value):
        require(
            low - TOLERANCE <= value <= high + TOLERANCE,
            f"solution() gives the value {value!r} at {show(state)}; the declared payoff_range is {(low, high)}",
        )
    if rows and is_constant_sum(state) and (isinstance(state, ChanceControlled) or not has_chance(state)):
        matrix = [[_expected(state, i, j) for j in range(cols)] for i in range(rows)]
        left = gap(matrix, list(solved.row), list(solved.col))
        require(
            left <= TOLERANCE * (high - low),
            f"solution() at {show(state)} is no equilibrium: by its values of the next positions, {left} could be gained",
        )


def _expected(state: Any, i: int, j: int) -> float:
    return math.fsum(float(t.probability or 0) * t.state.solution().row_value for t in transitions(state, i, j))
