"""What goes wrong in a compiled search is found and said as in the interpreter; nothing crashes or is silently wrong."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
import pytest

from parallel_mcts import Algorithm, MatrixUCB, PerRow, Rollout, Search, State, TurnState, Uniform, search
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.budget import Budget
from parallel_mcts.engines.choice import Choice
from parallel_mcts.engines.compiled import compilation
from parallel_mcts.errors import AlgorithmError, EndlessGame, GameError, ModelError, NotCompilable, PayoffError
from parallel_mcts.locks import ALONE, Sharing
from parallel_mcts.rng import Rng


class Game(State):
    """Two moves each; subclasses break one rule at a time."""

    round: int = 0
    chosen: int = 0

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round < 2 else (0, 0)

    def payoff(self) -> float:
        return 0.5

    def labels(self) -> Any:
        return (("left", "right"), ("up", "down")) if self.round < 2 else ((), ())


class PaysTooMuch(Game):
    def play(self, i: int, j: int) -> PaysTooMuch:
        return PaysTooMuch(self.round + 1, i + j)

    def payoff(self) -> float:
        return 1.5 if self.chosen == 2 else 0.5


class PaysHalf(Game):
    def play(self, i: int, j: int) -> PaysHalf:
        return PaysHalf(self.round + 1, i + j)


class PaysNoNumber(Game):
    def play(self, i: int, j: int) -> PaysNoNumber:
        return PaysNoNumber(self.round + 1, i + j)

    def payoff(self) -> float:
        return float("nan") if self.chosen == 2 else 0.5


class LosesARow(Game):
    def play(self, i: int, j: int) -> LosesARow:
        return LosesARow(self.round + 1, i)

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round == 0 else (2, 0)


class NegativeShape(Game):
    def play(self, i: int, j: int) -> NegativeShape:
        return NegativeShape(self.round + 1, i)

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round == 0 else (-1, -1)


class Overflows(Game):
    def play(self, i: int, j: int) -> Overflows:
        return Overflows(self.round + 1, (self.chosen + 2 + i) * 3_000_000_000)


class Raises(Game):
    def play(self, i: int, j: int) -> Raises:
        if self.round == 1 and i == 1 and j == 0:
            raise ValueError("trapdoor")
        return Raises(self.round + 1, i)


class LooksTooFar(Game):
    def play(self, i: int, j: int) -> LooksTooFar:
        table = (1, 2, 3)
        return LooksTooFar(self.round + 1, table[i + j + self.round])


class DividesByZero(Game):
    def play(self, i: int, j: int) -> DividesByZero:
        return DividesByZero(self.round + 1, 7 // (i - j) if self.round else 0)


class NeverEnds(Game):
    def play(self, i: int, j: int) -> NeverEnds:
        return NeverEnds(0, i)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize(
    ("start", "error", "message"),
    [
        (PaysTooMuch(), PayoffError, r"1\.5\b.*the declared payoff_range is \(0\.0, 1\.0\)"),
        (PaysNoNumber(), PayoffError, r"nan\b.*the declared payoff_range is \(0\.0, 1\.0\)"),
        (LosesARow(), GameError, r"shape\(\) gave \(2, 0\) .*the game is over: \(0, 0\)"),
        (NegativeShape(), GameError, r"shape\(\) gave \(-1, -1\) .*the game is over: \(0, 0\)"),
        (Raises(), GameError, r"play\(\) raised ValueError: trapdoor in Raises at .*, actions \(right, up\)"),
        (LooksTooFar(), GameError, r"play\(\) raised IndexError: .* in LooksTooFar"),
        (DividesByZero(), GameError, r"play\(\) raised ZeroDivisionError: .* in DividesByZero"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, State) else None,
)
def test_a_game_that_breaks_a_rule_is_told_of_alike(start: Any, error: Any, message: str, engine: str) -> None:
    with pytest.raises(error, match=message) as told:
        search(start, iterations=2000, algorithm="uniform", seed=3, engine=engine)
    assert type(told.value) is error
    assert (told.value.worker, told.value.seed) == (0, 3)


def test_a_whole_number_past_64_bits_is_an_error_and_not_another_number() -> None:
    """The interpreter has such numbers and goes on: the one thing in which compiled code is less."""
    with pytest.raises(
        GameError, match=r"OverflowError: a whole number needs more than 64 bits.* engine='python' has them"
    ):
        search(Overflows(), iterations=2000, algorithm="uniform", seed=1, engine="compiled")
    assert search(Overflows(), iterations=200, algorithm="uniform", seed=1, engine="python").visits == 200


def test_a_position_past_64_bits_is_refused_before_it_starts() -> None:
    with pytest.raises(
        NotCompilable, match=r"PaysTooMuch\.chosen holds 36893488147419103232; compiled whole numbers have 64 bits"
    ):
        search(PaysTooMuch(0, 2**65), iterations=1, engine="compiled")


@pytest.mark.parametrize("engine", ["python", "compiled"])
def test_a_game_that_never_ends_is_found_out(engine: str) -> None:
    with pytest.raises(EndlessGame, match=r"NeverEnds did not end within 500 random moves.*\(max_plies=500\)"):
        search(NeverEnds(), iterations=5, algorithm="uniform", model=Rollout(max_plies=500), seed=1, engine=engine)


@pytest.mark.parametrize("backend", ["threaded", "pool:locks=1", "forest", "process"])
def test_a_failure_in_one_compiled_worker_ends_the_search_in_all(backend: str) -> None:
    with pytest.raises(GameError, match="trapdoor"):
        search(Raises(), iterations=100_000, algorithm="uniform", backend=backend, workers=2, seed=1, engine="compiled")


class WrongChoice(Algorithm):
    far: int = 2

    def select(self, node: Any, rng: Rng) -> Action:
        return (self.far if rng.random() < 0.1 else 0), 0, 1.0, 1.0

    def update(self, node: Any, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Any) -> Policies:
        return [0.5, 0.5], [0.5, 0.5]


@pytest.mark.parametrize("far", [2, -1, 2**40])
def test_an_algorithm_that_chooses_what_is_not_there_steps_nowhere(far: int) -> None:
    with pytest.raises(AlgorithmError, match=r"WrongChoice\(far=-?\d+\) chose an action that does not exist"):
        search(PaysTooMuch(), iterations=500, algorithm=WrongChoice(far), seed=1, engine="compiled")


class StopsLater(Algorithm):
    """Raises at the first choice that is not at the start of the game."""

    rounds: int = 1

    class Stats:
        row_sums: PerRow

    def select(self, node: Any, rng: Rng) -> Action:
        if node.state.round >= self.rounds:
            raise ValueError("enough")
        return int(rng.random() * node.rows), int(rng.random() * node.cols), 0.5, 0.5

    def update(self, node: Any, action: Action, value: Value) -> None:
        pass

    def strategies(self, node: Any) -> Policies:
        return [0.5, 0.5], [0.5, 0.5]


@pytest.mark.parametrize("backend", ["single", "threaded"])
def test_a_failure_at_the_root_after_moving_on_touches_no_memory_that_is_gone(backend: str) -> None:
    with Search(PaysHalf(), algorithm=StopsLater(), seed=1, backend=backend, engine="compiled") as session:
        session.run(iterations=1)
        session.advance("left", "up")
        with pytest.raises(AlgorithmError, match=r"StopsLater\(rounds=1\), or the game, raised ValueError: enough"):
            session.run(iterations=50)


class BadModel(NamedTuple):
    limit: float = 0.5

    def evaluate(self, state: Any, rng: Rng) -> float:
        return 0.5 if rng.random() < self.limit else -7.0


def test_a_model_out_of_range_is_told_of() -> None:
    with pytest.raises((PayoffError, ModelError), match=r"-7\.0"):
        search(PaysTooMuch(), iterations=500, algorithm="uniform", model=BadModel(), seed=1, engine="python")
    with pytest.raises((PayoffError, ModelError), match=r"-7\.0"):
        search(PaysTooMuch(), iterations=500, algorithm="uniform", model=BadModel(), seed=1, engine="compiled")


class Opinion(NamedTuple):
    """Policies with so many entries, all the same."""

    entries: int = 2
    number: float = 0.5

    def evaluate(self, state: Any, rng: Rng) -> float:
        return 0.5

    def evaluate_with_policy(self, state: Any, rng: Rng) -> Any:
        wanted = self.entries if state.round == 1 else 2
        return 0.5, np.full(wanted, self.number if state.round == 1 else 0.5), np.full(2, 0.5)


@pytest.mark.parametrize("engine", ["python", "compiled"])
@pytest.mark.parametrize("model", [Opinion(1), Opinion(3), Opinion(2, -1.0), Opinion(2, float("nan"))])
def test_a_policy_that_does_not_fit_the_actions_is_the_fault_of_the_model(model: Opinion, engine: str) -> None:
    with pytest.raises(ModelError, match=r"Opinion\(.*a policy must have .*PaysHalf\(round="):
        search(PaysHalf(), iterations=100, algorithm="puct", model=model, seed=1, engine=engine)


# ---------------------------------------------------------------------------------------------- what cannot be compiled
class HasAList(State):
    stones: list[int]

    def shape(self) -> tuple[int, int]:
        return (2, 2)

    def play(self, i: int, j: int) -> HasAList:
        return self

    def payoff(self) -> float:
        return 0.0


class UsesADictionary(Game):
    def play(self, i: int, j: int) -> UsesADictionary:
        prices = {"a": 1, "b": i}
        return UsesADictionary(self.round + 1, prices.popitem()[2])


class GivesAnother(Game):
    def play(self, i: int, j: int) -> Any:
        return PaysTooMuch(self.round + 1, i)


class Replaces(Game):
    def play(self, i: int, j: int) -> Replaces:
        return self._replace(round=self.round + 1)  # type: ignore[attr-defined, no-any-return]


class Remembers(State):
    round: int = 0
    past: tuple[int, ...] = ()

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round < 2 else (0, 0)

    def play(self, i: int, j: int) -> Remembers:
        return Remembers(self.round + 1, (*self.past, i))

    def payoff(self) -> float:
        return 0.5


class ListsOutcomes(Game):
    def outcomes(self, i: int, j: int) -> list[tuple[float, ListsOutcomes]]:
        return [(0.5, ListsOutcomes(self.round + 1, i)), (0.5, ListsOutcomes(self.round + 1, j))]


class SameByRound(Game):
    def play(self, i: int, j: int, rng: Rng) -> SameByRound:
        return SameByRound(self.round + 1, int(rng.random() * 1000))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameByRound) and self.round == other.round

    def __hash__(self) -> int:
        return hash(self.round)


class Folded(State):
    round: int = 0

    def __new__(cls, number: int = 0) -> Self:
        return tuple.__new__(cls, (number % 2,))  # type: ignore[type-var]

    def shape(self) -> tuple[int, int]:
        return (2, 2)

    def play(self, i: int, j: int) -> Folded:
        return Folded(self.round + i)

    def payoff(self) -> float:
        return 0.5


class NoFields(State):
    def shape(self) -> tuple[int, int]:
        return (2, 2)

    def play(self, i: int, j: int) -> NoFields:
        return self

    def payoff(self) -> float:
        return 0.0


class Stick(TurnState):
    """An ordinary class."""

    def __init__(self) -> None:
        self.player = 0

    def moves(self) -> list[int]:
        return [1]

    def move(self, m: int) -> Stick:
        return self

    def payoff(self) -> float:
        return 0.0


class Wordy(Algorithm):
    word: float = 1.0

    class Stats:
        row_sums: PerRow

    def select(self, node: Any, rng: Rng) -> Action:
        return len(str(node.rows).split("2", 1).pop().title().casefold()), 0, 1.0, 1.0

    def update(self, node: Any, action: Action, value: Value) -> None:
        node.row_sums.append(1.0)

    def strategies(self, node: Any) -> Policies:
        return [0.5, 0.5], [0.5, 0.5]


@pytest.mark.parametrize(
    ("start", "algorithm", "message"),
    [
        (HasAList([1]), "uniform", r"HasAList\.stones is of type .*positions hold whole numbers, floats, truth values"),
        (
            UsesADictionary(),
            "uniform",
            r"UsesADictionary\.play\(\) cannot be compiled: line \d+ of test_\w+\.py \(`",
        ),
        (
            GivesAnother(),
            "uniform",
            r"GivesAnother\.play\(\) cannot be compiled: it gives a .*PaysTooMuch.*, not a GivesAnother",
        ),
        (
            Replaces(),
            "uniform",
            r"Replaces\.play\(\) cannot be compiled: .*_replace.*write Replaces\(…\) with all its fields",
        ),
        (Remembers(), "uniform", r"Remembers cannot be compiled: play\(\) gives fields of other types .*past"),
        (ListsOutcomes(), "uniform", r"ListsOutcomes cannot be compiled: give play\(i, j, rng\) beside outcomes\(\)"),
        (SameByRound(), "uniform", r"SameByRound cannot be compiled: SameByRound has __eq__\(\) of its own"),
        (Folded(), "uniform", r"Folded cannot be compiled: Folded has __new__\(\) of its own"),
        (NoFields(), "uniform", "NoFields cannot be compiled: .*give it one|no named tuple"),
        (Stick(), "uniform", "Stick cannot be compiled: it is no named tuple; derive it from State"),
        (PaysTooMuch(), Wordy(), r"Wordy.* cannot be compiled: line \d+ of test_\w+\.py \(`"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else None,
)
def test_what_cannot_be_compiled_is_said_with_its_place(start: Any, algorithm: Any, message: str) -> None:
    with pytest.raises(NotCompilable, match=message) as told:
        search(start, iterations=1, algorithm=algorithm, engine="compiled")
    assert len(str(told.value)) < 400
    assert "\n" not in str(told.value)


class Wide(State):
    size: int = 190
    round: int = 0

    def shape(self) -> tuple[int, int]:
        return (self.size, self.size) if self.round == 0 else (0, 0)

    def play(self, i: int, j: int) -> Wide:
        return Wide(self.size, 1)

    def payoff(self) -> float:
        return 0.5


def test_a_position_too_wide_for_scratch_space_is_left_to_the_interpreter() -> None:
    with pytest.raises(NotCompilable, match=r"for 190 x 190 actions: it needs scratch space for 73536 numbers"):
        search(Wide(), iterations=1, algorithm="matrix_ucb", engine="compiled")
    assert Choice("auto", Wide(), MatrixUCB(), Rollout(), ALONE).at_start(Budget(seconds=100.0)) == "python"


@pytest.mark.parametrize("start", [Replaces(), Remembers(), ListsOutcomes()], ids=lambda start: type(start).__name__)
def test_games_that_cannot_be_compiled_stay_in_the_interpreter_where_that_is_left_open(start: Any) -> None:
    choice = Choice("auto", start, Uniform(), Rollout(), ALONE)
    assert choice.at_start(Budget(seconds=100.0)) == "mixed"
    threads = Choice("auto", start, Uniform(), Rollout(), Sharing(threads=True))
    assert threads.at_start(Budget(seconds=100.0)) == "python"
    assert not threads.after_trial(100.0)


def test_whatever_the_compiler_stumbles_over_is_a_reason_not_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: Any) -> None:
        raise KeyError("inside")

    monkeypatch.setattr(compilation, "_type_after_play", stumble)
    with pytest.raises(
        NotCompilable, match="Raises cannot be compiled: the compiler failed with KeyError: 'inside'"
    ) as told:
        compilation.plain_state(Raises())
    assert isinstance(told.value.__cause__, KeyError)
