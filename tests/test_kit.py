"""The conformance kit finds what is wrong with a game, a model, an algorithm or a backend, and says it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from parallel_mcts import Algorithm, CheckFailed, PerRow, Solution, State, TurnState, game
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.algorithms.uniform import Uniform
from parallel_mcts.backends.shared_tree import SharedTree, Single
from parallel_mcts.locks import ALONE
from parallel_mcts.rng import Rng
from parallel_mcts.testing import check_algorithm, check_backend, check_model, check_state


# ---------------------------------------------------------------------------------------------- games
class Good(State):
    """A small game that keeps every rule; the others break one each."""

    round: int = 0
    score: int = 0

    def shape(self) -> Any:
        return (2, 3) if self.round < 2 else (0, 0)

    def play(self, i: int, j: int) -> Any:
        return type(self)(self.round + 1, (self.score + i + j) % 5)

    def payoff(self) -> Any:
        return self.score / 4


class NoPlay(NamedTuple):
    x: int = 0

    def shape(self) -> Any:
        return 0, 0

    def payoff(self) -> Any:
        return 0.0


class PayoffTooHigh(Good):
    def payoff(self) -> Any:
        return self.score


class PayoffWord(Good):
    def payoff(self) -> Any:
        return "win"


class PairUndeclared(Good):
    def payoff(self) -> Any:
        return 0.5, 0.5


class PairMissing(Good):
    constant_sum = False


class RangeUpsideDown(Good):
    payoff_range = (1.0, 0.0)


class RangeMoves(Good):
    @property
    def payoff_range(self) -> Any:  # type: ignore[override]
        return 0.0, 1.0 + self.round


class ShapeOne(Good):
    def shape(self) -> Any:
        return 2


class ShapeLopsided(Good):
    def shape(self) -> Any:
        return (2, 3) if self.round < 2 else (2, 0)


class ShapeNegative(Good):
    def shape(self) -> Any:
        return (2, 3) if self.round < 2 else (-1, -1)


class TooFewLabels(Good):
    def labels(self) -> Any:
        return (["a"], ["x", "y", "z"]) if self.round < 2 else ([], [])


class SameLabels(Good):
    def labels(self) -> Any:
        return (["a", "a"], ["x", "y", "z"]) if self.round < 2 else ([], [])


class UnhashableLabels(Good):
    def labels(self) -> Any:
        return ([[1], [2]], ["x", "y", "z"]) if self.round < 2 else ([], [])


class ParserOffByOne(Good):
    def parse(self, text: str) -> int:
        return int(text) - 1


class PlayGivesNothing(Good):
    def play(self, i: int, j: int) -> Any:
        return None


class PlayGivesAnotherGame(Good):
    def play(self, i: int, j: int) -> Any:
        return Good(self.round + 1, 0)


class PlayRaises(Good):
    def play(self, i: int, j: int) -> Any:
        raise KeyError("trapdoor")


class NeverEnds(Good):
    def shape(self) -> Any:
        return 2, 3


class HiddenDice(Good):
    def play(self, i: int, j: int) -> Any:
        return type(self)(self.round + 1, random.randrange(5))


class Unpicklable(Good):
    def __reduce__(self) -> Any:
        raise TypeError("not for export")


class Mutable(TurnState):
    """Changes itself when it is played."""

    def __init__(self, sticks: int = 6) -> None:
        self.sticks, self.player = sticks, 0

    def moves(self) -> list[int]:
        return list(range(1, min(self.sticks, 3) + 1))

    def move(self, m: int) -> Mutable:
        self.sticks -= m
        return Mutable(self.sticks)

    def payoff(self) -> float:
        return 0.5


class Chancy(Good):
    """Breaks no rule: a coin decides."""

    def outcomes(self, i: int, j: int) -> Any:
        return [(Fraction(1, 3), type(self)(self.round + 1, 0)), (Fraction(2, 3), type(self)(self.round + 1, 4))]

    def play(self, i: int, j: int, rng: Rng) -> Any:
        return type(self)(self.round + 1, 0 if rng.random() < 1 / 3 else 4)


class ChanceAddsUpWrong(Chancy):
    def outcomes(self, i: int, j: int) -> Any:
        return [(0.3, type(self)(self.round + 1, 0)), (0.3, type(self)(self.round + 1, 4))]


class ChanceZero(Chancy):
    def outcomes(self, i: int, j: int) -> Any:
        return [(0.0, type(self)(self.round + 1, 0)), (1.0, type(self)(self.round + 1, 4))]


class ChanceTwice(Chancy):
    def outcomes(self, i: int, j: int) -> Any:
        return [(0.5, type(self)(self.round + 1, 4)), (0.5, type(self)(self.round + 1, 4))]


class ChanceUnlisted(Chancy):
    def outcomes(self, i: int, j: int) -> Any:
        return [(1.0, ChanceUnlisted(self.round + 1, 1))]

    def play(self, i: int, j: int, rng: Rng) -> Any:
        return ChanceUnlisted(self.round + 1, 2)


class WrongSolution(Good):
    def solution(self) -> Solution:
        if self.round == 2:
            return Solution((), (), self.payoff(), 1 - self.payoff())
        return Solution((1.0, 0.0), (0.0, 0.0, 1.0), 0.5, 0.5)


class SolutionNoDistribution(Good):
    def solution(self) -> Solution:
        return Solution((0.9, 0.9), (1.0, 0.0, 0.0), 0.5, 0.5) if self.round < 2 else Solution((), (), 0.5, 0.5)


def test_a_game_that_keeps_the_rules_passes() -> None:
    check_state(Good())
    check_state(Chancy())


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (Good, "is a class; give an instance of it"),
        (NoPlay(), r"NoPlay has no method play\(\)"),
        (
            PayoffTooHigh(),
            r"payoff\(\) gave [234] at PayoffTooHigh\(round=2, .*\); the declared payoff_range is \(0.0, 1.0\)",
        ),
        (PayoffWord(), r"payoff\(\) gave 'win' at .*; it must be a number"),
        (PairUndeclared(), "a game with two payoffs declares constant_sum = False"),
        (PairMissing(), r"where constant_sum is False it must be a pair \(row, column\)"),
        (RangeUpsideDown(), r"payoff_range is \(1.0, 0.0\); the first must be below the second"),
        (RangeMoves(), r"payoff_range is \(0.0, 2.0\) at .*, but \(0.0, 1.0\) elsewhere"),
        (ShapeOne(), r"shape\(\) gave 2 at .*; it must be a pair of whole numbers"),
        (ShapeLopsided(), r"shape\(\) gave \(2, 0\) at .*; at the end of the game it is \(0, 0\)"),
        (ShapeNegative(), r"shape\(\) gave \(-1, -1\) at .*; numbers of actions are not negative"),
        (TooFewLabels(), r"labels\(\) gave 1 names for row at .*, but shape\(\) says 2 actions"),
        (SameLabels(), r"labels\(\) gave \['a', 'a'\] for row at .*; no name may come twice"),
        (UnhashableLabels(), "they must be hashable"),
        (ParserOffByOne(), r"parse\(\) takes the text '1' for 0, not for action 1, at ParserOffByOne\("),
        (PlayGivesNothing(), r"play\(\) of .* gave None; it must return the next state"),
        (PlayGivesAnotherGame(), "gave a Good; it must return a PlayGivesAnotherGame"),
        (PlayRaises(), r"play\(\) of \(\d, \d\) at .* raised KeyError: 'trapdoor'"),
        (NeverEnds(), r"NeverEnds did not end within 500 random moves; does it ever\? \(max_plies=500\)"),
        (HiddenDice(), "chance must come from rng alone"),
        (Unpicklable(), "Unpicklable cannot be pickled at .*: TypeError: not for export"),
        (Mutable(), r"play\(\) changed the state it was called on: .*; it must return a new state"),
        (ChanceAddsUpWrong(), "sum to 0.6, not to 1"),
        (ChanceZero(), "lists the probability 0.0; it must be above 0 and at most 1"),
        (ChanceTwice(), "two outcomes of .* have the same observation"),
        (ChanceUnlisted(), r"play\(\) of .* led to .*, which outcomes\(\) does not list"),
        (WrongSolution(), r"solution\(\) at .* is no equilibrium"),
        (SolutionNoDistribution(), r"solution\(\) gives row \[0.9, 0.9\] at .*; it must be probabilities that sum to 1"),
    ],
    ids=lambda value: (
        value.__name__ if isinstance(value, type) else type(value).__name__ if not isinstance(value, str) else ""
    ),
)
def test_a_wrong_game_is_found_out(state: Any, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        check_state(state, max_plies=500)


# ---------------------------------------------------------------------------------------------- models
class Model(NamedTuple):
    value: Any = 0.5
    row: Any = None

    def evaluate(self, state: Any, rng: Rng) -> Any:
        if self.value == "raise":
            raise OSError("no network")
        return random.random() if self.value == "random" else self.value


class Advised(Model):
    def evaluate_with_policy(self, state: Any, rng: Rng) -> Any:
        return 0.5, self.row, [1 / 3] * 3


def test_a_model_that_keeps_the_rules_passes() -> None:
    check_model(Model(), Good())
    check_model(Advised(0.5, [0.5, 0.5]), Good())


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (Model(1.5), r"evaluate\(\) gave 1.5 at .*; the declared payoff_range is \(0.0, 1.0\)"),
        (Model((0.5, 0.5)), "a game with two payoffs declares constant_sum = False"),
        (Model("raise"), r"evaluate\(\) raised OSError: no network at"),
        (Model("random"), "chance must come from rng alone"),
        (Advised(0.5, [1.0]), r"gives row the policy \[1.0\] at .*; there are 2 actions"),
        (Advised(0.5, [0.7, 0.7]), "it must be probabilities that sum to 1"),
        (object(), r"has no method evaluate\(state, rng\)"),
    ],
)
def test_a_wrong_model_is_found_out(model: Any, message: str) -> None:
    with pytest.raises(CheckFailed, match=message):
        check_model(model, Good())


# ---------------------------------------------------------------------------------------------- algorithms
class Bandit(Algorithm):
    """Uniform, with one fault of choice."""

    fault: str = ""

    class Stats:
        row_visits: PerRow

    def select(self, node: Any, rng: Rng) -> Any:
        i, j = int(rng.random() * node.rows), int(rng.random() * node.cols)
        if self.fault == "hidden chance":
            i = random.randrange(node.rows)
        if self.fault == "no such action" and node.rows > 1 and node.visits > 3:
            return node.rows, j, 1.0, 1.0
        if self.fault == "short":
            return i, j
        return i, j, 0.0 if self.fault == "no probability" else 1 / node.rows, 1 / node.cols

    def update(self, node: Any, action: Action, value: Value) -> None:
        node.row_visits[action[0]] += 1.0

    def strategies(self, node: Any) -> Policies:
        total = sum(node.row_visits)
        if self.fault == "first visit":
            return [v / total for v in node.row_visits], [1 / node.cols] * node.cols
        row = [v / total if total else 1 / node.rows for v in node.row_visits]
        return ([1.0] * node.rows if self.fault == "no distribution" else row), [1 / node.cols] * node.cols

    def merge(self, into: Any, other: Any) -> None:
        if self.fault == "greedy merge":
            other.row_visits[0] += 1.0
        super().merge(into, other)


def test_an_algorithm_that_keeps_the_rules_passes() -> None:
    check_algorithm(Bandit())


@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("hidden chance", CheckFailed, "gave two answers for one seed .*; chance must come from rng alone"),
        ("no such action", Exception, "an action that does not exist|there is no such action"),
        ("short", Exception, "not enough values to unpack|it must give"),
        ("no probability", CheckFailed, "p and q are probabilities of what was chosen"),
        ("no distribution", CheckFailed, r"strategies\(\) gives row \[1.0, 1.0.*; it must be probabilities that sum to 1"),
        ("first visit", ZeroDivisionError, "division by zero"),
        ("greedy merge", CheckFailed, "changed `other`"),
    ],
)
def test_a_wrong_algorithm_is_found_out(fault: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check_algorithm(Bandit(fault))


def test_what_is_no_algorithm_is_found_out() -> None:
    with pytest.raises(CheckFailed, match=r"has no method select\(\)"):
        check_algorithm(object())


# ---------------------------------------------------------------------------------------------- backends
class Lossy(SharedTree):
    """Does not do all it was asked to."""

    def run(self, budget: Any, watch: Any) -> None:
        super().run(type(budget)(max(budget.iterations - 1, 1)), watch)


class Silent(SharedTree):
    """Keeps failures to itself."""

    def run(self, budget: Any, watch: Any) -> None:
        try:
            super().run(budget, watch)
        except Exception:
            pass


class Forgetful(SharedTree):
    """Starts afresh when the game goes on."""

    def advance(self, step: Any, state: Any) -> None:
        self.tree._plant(state, self.rngs[0])


class Reseeded(SharedTree):
    """Has random numbers of its own."""

    def __init__(self, job: Any, locks: Any) -> None:
        super().__init__(job, locks)
        self.rngs = [random.Random(99)]


@pytest.mark.parametrize(
    ("searcher", "message"),
    [
        (Lossy, "made 500 iterations in 1 runs of 501"),
        (Silent, "a game that raised was passed over in silence"),
        (Forgetful, "advancing kept 0 visits of"),
        (Reseeded, "with one worker gives another answer than 'single'"),
    ],
)
def test_a_wrong_backend_is_found_out(searcher: Any, message: str) -> None:
    class Broken(Single):
        def open(self, job: Any) -> Any:
            return searcher(job, ALONE)

    with pytest.raises(CheckFailed, match=message):
        check_backend(Broken())


def test_what_is_no_backend_is_found_out() -> None:
    with pytest.raises(CheckFailed, match="has no 'name'"):
        check_backend(Uniform())


def test_the_kit_takes_names_as_well_as_objects() -> None:
    check_model("rollout", game("rps"), games=1)
    check_algorithm("uniform", iterations=10)
    check_backend("single", iterations=10)
