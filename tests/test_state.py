"""States as the package reads them: records, plain classes, dataclasses and named tuples; with chance and without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import search
from parallel_mcts.errors import GameError, IllegalAction
from parallel_mcts.rng import Rng
from parallel_mcts.state import (
    IDLE,
    ChanceControlled,
    Solution,
    SolvedState,
    State,
    Transition,
    TurnState,
    action_index,
    action_names,
    apply_outcome,
    draw_outcome,
    has_chance,
    is_constant_sum,
    is_over,
    labels,
    observation,
    parse_action,
    payoff_range,
    payoffs,
    play,
    show,
    transition,
    transitions,
)

deterministic = settings(deadline=None, derandomize=True, max_examples=100)
THIRD = Fraction(1, 3)


class Fixed:
    """A stream whose numbers are known."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


NO_CHANCE = Fixed()
"""Fails when it is asked for a number."""


# ---------------------------------------------------------------------------------------------- games to read
class Sum(State):
    """Both players name a number; row's payoff is a tenth of the sum. One move."""

    total: int = -1

    def shape(self) -> tuple[int, int]:
        return (2, 3) if self.total < 0 else (0, 0)

    def play(self, i: int, j: int) -> Sum:
        return Sum(i + j)

    def payoff(self) -> float:
        return self.total / 10


class NamedSum(NamedTuple):
    """The same game, without any class of the package."""

    total: int = -1

    def shape(self) -> tuple[int, int]:
        return (2, 3) if self.total < 0 else (0, 0)

    def play(self, i: int, j: int) -> NamedSum:
        return NamedSum(i + j)

    def payoff(self) -> float:
        return self.total / 10


@dataclass(frozen=True)
class FrozenSum:
    """Once more."""

    total: int = -1

    def shape(self) -> tuple[int, int]:
        return (2, 3) if self.total < 0 else (0, 0)

    def play(self, i: int, j: int) -> FrozenSum:
        return FrozenSum(i + j)

    def payoff(self) -> float:
        return self.total / 10


SUMS = [pytest.param(made, id=made.__name__) for made in (Sum, NamedSum, FrozenSum)]


class Spinner(State):
    """Chance adds 0, 1 or 2 to the numbers of both players, and is seen; the outcomes are listed."""

    total: int = -1
    spun: int = 0

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.total < 0 else (0, 0)

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Spinner]]:
        return [(Fraction(k + 1, 6), Spinner(i + j + k, k)) for k in range(3)]

    def observation(self) -> int:
        return self.spun

    def payoff(self) -> float:
        return self.total / 4


class Dealt(State):
    """Chance takes part, but only in `play`; what it did is the state itself."""

    card: int = 0

    def shape(self) -> tuple[int, int]:
        return (1, 1) if self.card == 0 else (0, 0)

    def play(self, i: int, j: int, rng: Rng) -> Dealt:
        return Dealt(1 + int(rng.random() * 4))

    def payoff(self) -> float:
        return self.card / 4


@dataclass(frozen=True)
class Traders:
    """A general-sum game of one move."""

    gains: tuple[float, float] | None = None
    payoff_range = (-5.0, 10.0)
    constant_sum = False

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.gains is None else (0, 0)

    def play(self, i: int, j: int) -> Traders:
        return Traders((float(i), 10.0 * j))

    def payoff(self) -> tuple[float, float]:
        assert self.gains is not None
        return self.gains


class Climb(TurnState):
    """The players climb in turn, as a record."""

    height: int = 0
    player: int = 0

    def moves(self) -> Sequence[str]:
        return ("rest", "step", "leap") if self.height < 4 else ()

    def move(self, name: str) -> Climb:
        return Climb(self.height + self.moves().index(name), 1 - self.player)

    def payoff(self) -> float:
        return float(self.player == 1)


class SlipperyClimb(TurnState):
    """The same as a plain class, and with chance: one can slip."""

    def __init__(self, height: int = 0, player: int = 0) -> None:
        self.height, self.player = height, player

    def moves(self) -> list[str]:
        return ["rest", "step", "leap"] if self.height < 4 else []

    def move(self, name: str, rng: Rng) -> SlipperyClimb:
        climbed = self.moves().index(name) if rng.random() < 0.5 else 0
        return SlipperyClimb(self.height + climbed, 1 - self.player)

    def payoff(self) -> float:
        return float(self.player == 1)


# ---------------------------------------------------------------------------------------------- states of any make
@pytest.mark.parametrize("made", SUMS)
def test_a_state_of_any_make_is_read_in_the_same_way(made: Any) -> None:
    start, end = made(), made(3)
    assert (is_over(start), is_over(end)) == (False, True)
    assert not has_chance(start)
    assert play(start, 1, 2, NO_CHANCE) == end
    assert payoffs(end) == (0.3, 0.7)
    assert payoff_range(start) == (0.0, 1.0)
    assert is_constant_sum(start)
    assert labels(start) == ([0, 1], [0, 1, 2])
    assert observation(end) is end
    assert transition(start, 1, 2, NO_CHANCE) == Transition(end, end, Fraction(1))
    assert transitions(start, 1, 2) == [Transition(end, end, Fraction(1))]
    assert apply_outcome(start, 1, 2, made(3)) == end


@pytest.mark.parametrize("made", SUMS)
def test_a_state_of_any_make_can_be_searched(made: Any) -> None:
    result = search(made(), iterations=300, algorithm="ucb", backend="single", seed=1)
    assert result.visits == 300
    assert (result.row.best, result.col.best) == (1, 0)
    assert result.cell_means[1][0] == pytest.approx(0.1)


# ---------------------------------------------------------------------------------------------- payoffs
def test_column_gets_the_rest_of_the_range() -> None:
    class Scored(State):
        score: float
        payoff_range = (-2, 6)

        def payoff(self) -> float:
            return self.score

    assert payoffs(Scored(-2.0)) == (-2.0, 6.0)
    assert payoffs(Scored(5.0)) == (5.0, -1.0)
    assert payoff_range(Scored(0.0)) == (-2.0, 6.0)
    assert all(type(limit) is float for limit in payoff_range(Scored(0.0)))


@pytest.mark.parametrize("score", [Fraction(1, 4), np.float32(0.25), 0.25], ids=["fraction", "numpy", "float"])
def test_a_payoff_of_any_number_type_becomes_a_double(score: Any) -> None:
    class Scored(State):
        score: Any

        def payoff(self) -> Any:
            return self.score

    both = payoffs(Scored(score))
    assert both == (0.25, 0.75)
    assert [type(payoff) for payoff in both] == [float, float]


def test_of_a_general_sum_game_each_player_gets_its_own() -> None:
    end = Traders().play(1, 1)
    assert not is_constant_sum(end)
    assert payoffs(end) == (1.0, 10.0)


@pytest.mark.parametrize("limits", [(1.0, 1.0), (1.0, 0.0), (0.0, float("nan"))])
def test_a_range_of_payoffs_that_is_none_is_refused(limits: tuple[float, float]) -> None:
    class Ranged(State):
        payoff_range: tuple[float, float]  # type: ignore[misc]

    with pytest.raises(GameError) as caught:
        payoff_range(Ranged(limits))
    assert str(caught.value) == f"Ranged: payoff_range is {limits!r}; the first must be below the second"


# ---------------------------------------------------------------------------------------------- labels
@pytest.mark.parametrize(
    ("shape", "row", "col"),
    [
        ((2, 3), [0, 1], [0, 1, 2]),
        ((1, 3), [IDLE], [0, 1, 2]),
        ((2, 1), [0, 1], [IDLE]),
        ((1, 1), [0], [0]),
        ((0, 0), [], []),
    ],
)
def test_actions_without_names_are_numbers_and_who_has_no_choice_waits(
    shape: tuple[int, int], row: list[Any], col: list[Any]
) -> None:
    class Shaped(State):
        size: tuple[int, int]

        def shape(self) -> tuple[int, int]:
            return self.size

    class Bare:
        def shape(self) -> tuple[int, int]:
            return shape

    assert labels(Shaped(shape)) == (row, col)
    assert labels(Bare()) == (row, col)


def test_a_game_may_name_its_actions_by_anything_hashable() -> None:
    class Named(Sum):
        def labels(self) -> tuple[Sequence[Any], Sequence[Any]]:
            return ("left", (1, 2)), iter((True, 1.5, None))  # type: ignore[return-value]

    assert labels(Named()) == (["left", (1, 2)], [True, 1.5, None])
    assert action_names(Named(), 1, 2) == "((1, 2), None)"


def test_a_joint_action_of_a_faulty_game_is_named_by_its_numbers() -> None:
    class Faulty(Sum):
        def labels(self) -> tuple[Sequence[Any], Sequence[Any]]:
            raise RuntimeError("no names")

    assert action_names(Faulty(), 1, 2) == "(action 1, action 2)"
    assert action_names(Sum(), 1, 9) == "(action 1, action 9)"
    assert action_names(Sum(), 1, 2) == "(1, 2)"


# ---------------------------------------------------------------------------------------------- actions by their labels
@pytest.mark.parametrize(
    ("names", "action", "index"),
    [
        (["rock", "paper"], "paper", 1),
        ([2, 3, 5], 5, 2),
        ([2, 3, 5], "5", 2),
        ([2, 3, 5], 5.0, 2),
        ([2, 3, 5], np.int64(3), 1),
        (["2", "3", 2], 2, 2),
        ([(0, 1), (1, 0)], (1, 0), 1),
        ([(0, 1), (1, 0)], "(1, 0)", 1),
        ([1, True], True, 1),
        ([True, 1], 1, 1),
        ([0, False], False, 1),
        ([True, False], "False", 1),
        ([None, "pass"], None, 0),
    ],
)
def test_an_action_is_found_by_its_label_or_by_how_it_is_written(names: list[Any], action: Any, index: int) -> None:
    assert action_index(names, action, "row", Sum()) == index


@pytest.mark.parametrize(
    ("names", "action", "legal"),
    [
        (["rock", "paper"], "scissors", "rock, paper"),
        ([2, 3, 5], 4, "2, 3, 5"),
        ([2, 3, 5], True, "2, 3, 5"),
        ([0, 1], True, "0, 1"),
        ([], 0, "nothing, the game is over"),
    ],
)
def test_an_action_that_is_not_legal_is_refused_with_those_that_are(names: list[Any], action: Any, legal: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        action_index(names, action, "column", Sum())
    assert str(caught.value) == f"column cannot play {action!r} in Sum(total=-1); legal: {legal}"


def test_a_text_that_two_labels_share_names_neither() -> None:
    class Card:
        def __str__(self) -> str:
            return "ace"

    with pytest.raises(IllegalAction, match=r"row cannot play 'ace' in .*; legal: ace, ace"):
        action_index([Card(), Card()], "ace", "row", Sum())


def test_a_state_is_shown_on_one_line_and_cut_where_it_is_long() -> None:
    class Shown(State):
        text: str

        def __str__(self) -> str:
            return self.text

    assert show(Shown("X.O   \n.X.\n")) == "X.O / .X."
    assert show(Shown("x" * 200)) == "x" * 200
    assert show(Shown("x" * 201)) == "x" * 197 + "…"


# ---------------------------------------------------------------------------------------------- chance
class WithDefault(Sum):
    def play(self, i: int, j: int, rng: Rng | None = None) -> Sum:
        return Sum(i + j)


class WithKeyword(Sum):
    def play(self, i: int, j: int, *, careful: bool = False) -> Sum:
        return Sum(i + j)


@pytest.mark.parametrize(
    ("state", "chance"),
    [
        (Sum(), False),
        (NamedSum(), False),
        (FrozenSum(), False),
        (Spinner(), True),
        (Dealt(), True),
        (Climb(), False),
        (SlipperyClimb(), True),
        (WithDefault(), True),
        (WithKeyword(), False),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, bool) else "",
)
def test_chance_takes_part_where_play_takes_a_stream(state: Any, chance: bool) -> None:
    assert has_chance(state) is chance


def test_listed_outcomes_give_play_for_free() -> None:
    start: Any = Spinner()
    assert [isinstance(state, ChanceControlled) for state in (start, Dealt())] == [True, False]
    assert [start.play(1, 1, Fixed(u)) for u in (0.0, 0.16, 0.17, 0.49, 0.51, 0.99)] == [
        Spinner(2, 0),
        Spinner(2, 0),
        Spinner(3, 1),
        Spinner(3, 1),
        Spinner(4, 2),
        Spinner(4, 2),
    ]
    assert play(start, 0, 1, Fixed(0.6)) == Spinner(3, 2)


def test_a_play_of_its_own_goes_before_the_listed_outcomes() -> None:
    class Both(Spinner):
        def play(self, i: int, j: int, rng: Rng) -> Spinner:
            return Spinner(99)

    assert play(Both(), 0, 0, NO_CHANCE) == Spinner(99)
    assert transition(Both(), 0, 0, Fixed(0.6)).state == Spinner(2, 2)


def test_a_transition_says_what_was_seen_and_how_likely_it_was() -> None:
    drawn = transition(Spinner(), 1, 0, Fixed(0.2))
    assert drawn == Transition(Spinner(2, 1), 1, Fraction(1, 3))
    assert isinstance(drawn.probability, Fraction)


def test_the_probability_of_what_a_game_only_samples_is_unknown() -> None:
    assert transition(Dealt(), 0, 0, Fixed(0.5)) == Transition(Dealt(3), Dealt(3), None)
    assert transition(SlipperyClimb(), 1, 0, Fixed(0.2)).probability is None


def test_without_chance_the_one_outcome_is_certain_and_no_number_is_drawn() -> None:
    certain = transition(Sum(), 1, 1, NO_CHANCE)
    assert certain == Transition(Sum(2), Sum(2), 1)
    assert isinstance(certain.probability, Fraction)


def test_all_outcomes_are_listed_with_their_exact_probabilities() -> None:
    listed = transitions(Spinner(), 0, 1)
    assert listed == [(Spinner(1, 0), 0, Fraction(1, 6)), (Spinner(2, 1), 1, THIRD), (Spinner(3, 2), 2, Fraction(1, 2))]
    assert all(isinstance(outcome.probability, Fraction) for outcome in listed)
    assert sum(outcome.probability or 0 for outcome in listed) == 1


def test_outcomes_that_are_only_sampled_cannot_be_listed() -> None:
    for read in (lambda: transitions(Dealt(), 0, 0), lambda: apply_outcome(Dealt(), 0, 0, Dealt(1))):
        with pytest.raises(GameError) as caught:
            read()
        assert str(caught.value) == "Dealt draws its chance in play(i, j, rng); give outcomes(i, j) to have it listed"


def test_chance_does_what_the_caller_chose() -> None:
    assert [apply_outcome(Spinner(), 1, 1, seen) for seen in (2, 0, 1)] == [Spinner(4, 2), Spinner(2, 0), Spinner(3, 1)]


def test_an_outcome_that_cannot_happen_is_refused_with_those_that_can() -> None:
    with pytest.raises(IllegalAction) as caught:
        apply_outcome(Spinner(), 0, 1, 3)
    assert str(caught.value) == "no outcome 3 of (0, 1) in Spinner(total=-1, spun=0); possible: 0, 1, 2"
    with pytest.raises(IllegalAction) as caught:
        apply_outcome(Sum(), 0, 1, Sum(5))
    assert str(caught.value) == "no outcome Sum(total=5) of (0, 1) in Sum(total=-1); possible: Sum(total=1)"


def test_an_outcome_is_drawn_where_the_probabilities_pass_the_number() -> None:
    outcomes = [(0.25, "a"), (0.5, "b"), (0.25, "c")]
    drawn = [draw_outcome(outcomes, Fixed(u)) for u in (0.0, 0.24, 0.25, 0.74, 0.75, 0.999)]
    assert drawn == [(0.25, "a"), (0.25, "a"), (0.5, "b"), (0.5, "b"), (0.25, "c"), (0.25, "c")]


@deterministic
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any), st.floats(0, 1, exclude_max=True))
def test_an_outcome_is_as_likely_as_it_says(weights: list[int], u: float) -> None:
    outcomes = [(Fraction(weight, sum(weights)), k) for k, weight in enumerate(weights)]
    probability, drawn = draw_outcome(iter(outcomes), Fixed(u))
    below = sum(weights[:drawn]) / sum(weights)
    assert probability is outcomes[drawn][0]
    assert below - 1e-12 <= u <= below + weights[drawn] / sum(weights) + 1e-12


def test_outcomes_are_drawn_as_often_as_they_are_likely() -> None:
    rng, count = Random(7), 12_000
    seen = [draw_outcome([(Fraction(1, 6), 0), (THIRD, 1), (Fraction(1, 2), 2)], rng)[1] for _ in range(count)]
    for k, share in enumerate((1 / 6, 1 / 3, 1 / 2)):
        spread = (share * (1 - share) / count) ** 0.5
        assert seen.count(k) / count == pytest.approx(share, abs=4 * spread)


def test_probabilities_that_sum_to_a_little_less_than_one_leave_the_rest_to_the_last() -> None:
    assert draw_outcome([(0.1, k) for k in range(10)], Fixed(1 - 2**-53)) == (0.1, 9)


def test_a_list_of_no_outcomes_is_refused() -> None:
    with pytest.raises(GameError, match=r"^outcomes\(\) listed nothing that can happen$"):
        draw_outcome([], Fixed(0.5))


def test_an_outcome_of_probability_zero_is_never_drawn() -> None:
    outcomes: list[tuple[float, Any]] = [*((0.1, k) for k in range(10)), (0.0, "never")]
    assert draw_outcome(outcomes, Fixed(1 - 2**-53)) == (0.1, 9)


class Won(State):
    points: int = 1

    def shape(self) -> tuple[int, int]:
        return 0, 0

    def payoff(self) -> float:
        return 1.0


class Lost(Won):
    def payoff(self) -> float:
        return 0.0


class Coin(State):
    flips: int = 0

    def shape(self) -> tuple[int, int]:
        return 1, 1

    def outcomes(self, i: int, j: int) -> Iterable[tuple[float, Won]]:
        return [(0.5, Won()), (0.5, Lost())]


def test_outcomes_of_two_classes_are_told_apart() -> None:
    assert search(Coin(), iterations=1000, seed=1, backend="single").row_value == pytest.approx(0.5, abs=0.1)


# ---------------------------------------------------------------------------------------------- what people type
class Walk(State):
    """Row goes somewhere, column has a number of ways to wait; directions may be written out."""

    gone: int = 0

    def shape(self) -> tuple[int, int]:
        return (0, 0) if self.gone else (3, 150)

    def labels(self) -> tuple[Sequence[str], Sequence[int]]:
        return ((), ()) if self.gone else (("n", "s", "Stay"), range(150))

    def parse(self, text: str) -> str:
        if text == "up":
            raise ValueError("a map has no up")
        return {"north": "n", "south": "s", "west": "w"}.get(text, text)


@pytest.mark.parametrize(
    ("text", "index"), [("north", 0), (" south ", 1), ("s", 1), ("N", 0), ("stay", 2), ("STAY", 2), ("Stay", 2)]
)
def test_a_typed_action_is_read_by_the_game_and_then_as_a_label(text: str, index: int) -> None:
    assert parse_action(Walk(), text, 0) == index


def test_a_game_without_a_parser_reads_labels() -> None:
    assert parse_action(Climb(0, 1), "LEAP", 1) == 2
    assert parse_action(Sum(), "2", 1) == 2
    assert parse_action(Climb(0, 1), IDLE, 0) == 0


@pytest.mark.parametrize("text", ["west", "west ", "x"])
def test_a_typed_action_that_is_not_legal_is_quoted_with_the_position_and_what_is(text: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(Walk(), text, 0)
    assert str(caught.value) == f"row cannot play {text.strip()!r} in Walk(gone=0); legal: n, s, Stay"


def test_a_game_may_say_why_it_cannot_read_a_text() -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(Walk(), "up", 0)
    assert str(caught.value) == "row cannot play 'up' in Walk(gone=0) (a map has no up); legal: n, s, Stay"


def test_a_message_lists_no_more_than_a_hundred_actions() -> None:
    with pytest.raises(IllegalAction, match=r"^column cannot play '200' in .*; legal: 0, 1, .*, 99, … \(150 in all\)$"):
        parse_action(Walk(), "200", 1)


def test_nothing_can_be_typed_once_the_game_is_over() -> None:
    with pytest.raises(IllegalAction, match=r"^row cannot play 'n' in Walk\(gone=1\); legal: nothing, the game is over$"):
        parse_action(Walk(1), "n", 0)


# ---------------------------------------------------------------------------------------------- turns
@pytest.mark.parametrize("made", [Climb, SlipperyClimb], ids=lambda made: made.__name__)
def test_the_player_to_move_has_the_moves_and_the_other_waits(made: Any) -> None:
    row, column, end = made(0, 0), made(0, 1), made(4, 0)
    assert (row.shape(), column.shape(), end.shape()) == ((3, 1), (1, 3), (0, 0))
    assert labels(row) == (["rest", "step", "leap"], [IDLE])
    assert labels(column) == ([IDLE], ["rest", "step", "leap"])
    assert labels(end) == ([], [])
    assert (is_over(row), is_over(end)) == (False, True)


def test_a_joint_action_of_a_turn_is_the_move_of_who_moves() -> None:
    assert play(Climb(0, 0), 2, 0, NO_CHANCE) == Climb(2, 1)
    assert play(Climb(2, 1), 0, 1, NO_CHANCE) == Climb(3, 0)
    assert transition(Climb(2, 1), 0, 0, NO_CHANCE) == Transition(Climb(2, 0), Climb(2, 0), Fraction(1))


def test_a_move_with_chance_is_given_the_stream() -> None:
    after = [play(SlipperyClimb(1, 1), 0, 2, Fixed(u)) for u in (0.4, 0.6)]
    assert [(state.height, state.player) for state in after] == [(3, 0), (1, 0)]


def test_a_turn_with_a_play_of_its_own_keeps_it() -> None:
    class Jumping(Climb):
        def play(self, i: int, j: int) -> Climb:
            return Climb(4, 0)

    assert play(Jumping(), 0, 0, NO_CHANCE) == Climb(4, 0)


def test_a_subclass_that_moves_otherwise_plays_otherwise() -> None:
    class Careful(Climb):
        def move(self, name: str) -> Climb:
            return Climb(self.height + 1, 1 - self.player)

    class Slipping(Climb):
        def move(self, name: str, rng: Rng) -> Climb:  # type: ignore[override]
            return Climb(self.height + int(10 * rng.random()), 1 - self.player)

    assert play(Careful(), 0, 0, NO_CHANCE) == Climb(1, 1)
    assert has_chance(Slipping())
    assert play(Slipping(), 0, 0, Fixed(0.3)) == Climb(3, 1)


def test_a_play_of_its_own_is_inherited() -> None:
    class Jumping(Climb):
        def play(self, i: int, j: int) -> Climb:
            return Climb(4, 0)

    class Higher(Jumping):
        pass

    assert play(Higher(), 0, 0, NO_CHANCE) == Climb(4, 0)


def test_a_game_of_turns_can_list_its_outcomes_too() -> None:
    class Rolling(TurnState):
        total: int = 0
        player: int = 0

        def moves(self) -> Sequence[str]:
            return ("roll",)

        def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Rolling]]:
            return [(Fraction(1, 2), Rolling(self.total + k, 1 - self.player)) for k in (1, 2)]

    start: Any = Rolling()
    assert has_chance(start)
    assert start.play(0, 0, Fixed(0.7)) == Rolling(2, 1)
    assert [outcome.probability for outcome in transitions(start, 0, 0)] == [Fraction(1, 2)] * 2


# ---------------------------------------------------------------------------------------------- what is missing or known
@pytest.mark.parametrize(
    ("read", "method"),
    [(lambda state: state.shape(), "shape"), (lambda state: state.payoff(), "payoff")],
)
def test_a_method_that_an_author_forgot_is_named_with_the_class(read: Callable[[Any], Any], method: str) -> None:
    class Unfinished(State):
        size: int = 0

    with pytest.raises(NotImplementedError) as caught:
        read(Unfinished())
    assert str(caught.value) == f"Unfinished needs {method}()"


def test_moves_that_an_author_forgot_are_named_with_the_class() -> None:
    class Unfinished(TurnState):
        player: int = 0

    with pytest.raises(NotImplementedError, match=r"^Unfinished needs moves\(\)$"):
        Unfinished().shape()


def test_a_state_with_a_solution_is_told_from_one_without() -> None:
    class Known(Sum):
        def solution(self) -> Solution:
            return Solution((0.0, 1.0), (1.0, 0.0, 0.0), 0.1, 0.9)

    assert isinstance(Known(), SolvedState)
    assert not isinstance(Sum(), SolvedState)
