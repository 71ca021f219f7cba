"""`search` and the session behind it: budgets, progress, reading, following a game, Ctrl-C, and bad input."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from parallel_mcts import (
    UCB,
    BudgetError,
    Exp3,
    GameError,
    Heuristic,
    IllegalAction,
    InputError,
    ParameterError,
    Progress,
    Rollout,
    Search,
    Single,
    State,
    TerminalRoot,
    ThreadsCannotRunInParallel,
    TurnState,
    UnknownName,
    game,
    search,
)
from parallel_mcts.registry import BACKENDS
from parallel_mcts.search import PROGRESS_SECONDS
from parallel_mcts.stats import gil_enabled


class Clock:
    """Time passes only while positions are judged: a millisecond each."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def judge(self, state: Any) -> float:
        self.now += 0.001
        return 0.5


def timed_session(name: str, clock: Clock) -> Search:
    return Search(game(name), algorithm="uniform", model=Heuristic(clock.judge), seed=1, clock=clock)


# ---------------------------------------------------------------------------------------------- budgets
def test_a_search_ends_when_its_time_is_up() -> None:
    with timed_session("connect_four", Clock()) as session:
        result = session.run(seconds=0.5)
    assert result.seconds == pytest.approx(0.5, abs=0.001)
    assert result.iterations == result.visits == pytest.approx(500, abs=1)


def test_of_two_limits_the_first_one_counts() -> None:
    with timed_session("connect_four", Clock()) as session:
        assert session.run(iterations=50, seconds=100.0).iterations == 50
        assert session.run(iterations=10**9, seconds=0.05).iterations == pytest.approx(50, abs=1)


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_every_backend_ends_when_its_time_is_up(backend: str) -> None:
    result = search(
        game("tictactoe"), seconds=0.2, backend=backend, workers=None if backend == "single" else 2, seed=1, engine="python"
    )
    assert result.iterations == result.visits > 0
    assert result.seconds >= 0.2


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "a search needs a limit: give iterations=…, seconds=… or both"),
        ({"iterations": 0}, "iterations is 0; it must be a whole number of at least 1"),
        ({"iterations": -5}, "iterations is -5"),
        ({"iterations": 2.5}, "iterations is 2.5"),
        ({"seconds": 0}, "seconds is 0; it must be a positive, finite number"),
        ({"seconds": -1.0}, "seconds is -1.0"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"seconds": float("inf")}, "seconds is inf"),
        ({"seconds": "long"}, "seconds is 'long'"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(BudgetError, match=message):
        search(game("rps"), **limits)


# ---------------------------------------------------------------------------------------------- names and objects
def test_algorithm_model_and_backend_are_objects_or_names() -> None:
    by_name = search(
        game("tictactoe"), iterations=200, algorithm="ucb:c=0.9", model="rollout:times=2", backend="single", seed=1
    )
    by_object = search(
        game("tictactoe"), iterations=200, algorithm=UCB(c=0.9), model=Rollout(times=2), backend=Single(), seed=1
    )
    assert by_name.row == by_object.row
    assert by_name.algorithm == UCB(0.9)
    assert search(game("rps"), iterations=5, algorithm=Exp3, seed=1).algorithm == Exp3()


def test_games_of_turns_get_ucb_and_others_regret_matching() -> None:
    assert search(game("tictactoe"), iterations=2).algorithm == UCB()
    assert type(search(game("rps"), iterations=2).algorithm).__name__ == "RegretMatching"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"algorithm": "exp4"},
            UnknownName,
            r"unknown algorithm 'exp4' \(did you mean 'exp3'\?\); choose from: exp3,",
        ),
        ({"backend": "proces"}, UnknownName, r"unknown backend 'proces' \(did you mean 'process'\?\); choose from: forest"),
        ({"model": "oracle"}, UnknownName, "unknown model 'oracle'"),
        (
            {"algorithm": "exp3:gama=0.1"},
            ParameterError,
            r"exp3 has no parameter 'gama' \(did you mean 'gamma'\?\); it has: gamma, averages",
        ),
        ({"algorithm": "exp3:gamma=lots"}, ParameterError, "exp3: gamma is 'lots'; it must be of type float"),
        ({"algorithm": "exp3:gamma=2"}, ParameterError, "exp3: gamma is 2.0; it must be above 0 and below 1"),
        ({"algorithm": "exp3p:beta=-1"}, ParameterError, "exp3p: beta is -1.0; it must be a number of 0 or more"),
        ({"algorithm": "regret_matching:gamma=0"}, ParameterError, "regret_matching: gamma is 0.0"),
        ({"algorithm": "ucb:c=-1"}, ParameterError, "ucb: c is -1.0"),
        ({"algorithm": "puct:c=nan"}, ParameterError, "puct: c is nan"),
        ({"algorithm": "matrix_ucb:slack=-1"}, ParameterError, "matrix_ucb: slack is -1.0"),
        ({"backend": "pool:locks=0"}, ParameterError, "pool: locks is 0; it must be at least 1"),
        ({"model": "rollout:times=0"}, ParameterError, "times and max_plies must be at least 1"),
        ({"model": "heuristic"}, ParameterError, "heuristic needs function"),
        ({"model": "heuristic:function=f"}, ParameterError, "heuristic: function is 'f'; it must be a function of a state"),
        ({"model": "searching:iterations=0"}, ParameterError, "searching: iterations is 0"),
        ({"model": "solved_monte_carlo:power=-1"}, ParameterError, "solved_monte_carlo: power is -1.0"),
        ({"seed": -1}, InputError, "seed is -1; it must be a whole number, 0 or more"),
        ({"seed": "x"}, InputError, "seed is 'x'"),
        ({"max_depth": 0}, ParameterError, "max_depth is 0; it must be a whole number from 1 to 10,000,000"),
    ],
)
def test_bad_options_are_named_with_what_is_allowed(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        search(game("rps"), iterations=10, **options)


@pytest.mark.parametrize("backend", BACKENDS.names())
def test_a_finished_game_cannot_be_searched(backend: str) -> None:
    over = game("rps").play(0, 1)
    with pytest.raises(TerminalRoot, match="the game is over at rock against paper: -1: there is nothing to search"):
        search(over, iterations=10, backend=backend)


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(InputError, match=r"3 is not a state: it has no shape, play, payoff\(\)"):
        search(3, iterations=10)
    with pytest.raises(InputError, match="is a class; give an instance"):
        search(type(game("tictactoe")), iterations=10)
    with pytest.raises(InputError, match="'tictactoe' is not a state"):
        search("tictactoe", iterations=10)


class ShapeRaises(State):
    """Cannot even say how many actions there are."""

    x: int = 0

    def shape(self) -> tuple[int, int]:
        raise LookupError("no board")

    def play(self, i: int, j: int) -> ShapeRaises:
        return self

    def payoff(self) -> float:
        return 0.0


def test_a_game_that_raises_at_the_root_is_named() -> None:
    with pytest.raises(GameError, match=r"ShapeRaises.shape\(\) raised LookupError: no board at ShapeRaises\(x=0\)"):
        search(ShapeRaises(), iterations=10)


# ---------------------------------------------------------------------------------------------- progress
def test_progress_comes_a_few_times_a_second_and_at_the_end() -> None:
    seen: list[Progress] = []
    with timed_session("connect_four", Clock()) as session:
        result = session.run(seconds=3.0, on_progress=seen.append)
    assert 3.0 / PROGRESS_SECONDS / 2 <= len(seen) <= 3.0 / PROGRESS_SECONDS + 1
    assert all(a.iterations < b.iterations for a, b in pairwise(seen[:-1]))
    last = seen[-1]
    assert (last.iterations, last.row, last.row_value) == (result.iterations, result.row, result.row_value)
    assert last.rate == pytest.approx(last.iterations / last.seconds)
    assert last.nodes == result.nodes
    assert last.memory == result.memory > 100 * last.nodes


def test_an_error_in_on_progress_ends_the_search_and_reaches_the_caller() -> None:
    def refuse(progress: Progress) -> None:
        raise RuntimeError("no more news")

    for backend in BACKENDS.names():
        with pytest.raises(RuntimeError, match="no more news"):
            search(game("tictactoe"), seconds=5.0, backend=backend, on_progress=refuse, seed=1)


# ---------------------------------------------------------------------------------------------- Ctrl-C
@pytest.mark.parametrize("backend", BACKENDS.names())
def test_ctrl_c_returns_the_answer_so_far(backend: str) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.stage == "searching" and not sent:  # while it is being compiled there is no answer yet
            os.kill(os.getpid(), signal.SIGINT)
            sent.append(1)

    sent: list[int] = []
    workers = 1 if backend == "single" else 2
    result = search(game("connect_four"), seconds=60.0, backend=backend, workers=workers, on_progress=interrupt, seed=1)
    assert result.interrupted
    assert result.seconds < 30.0
    assert result.iterations == result.visits > 0
    assert "interrupted" in str(result)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_is_a_keyboard_interrupt() -> None:
    def twice(progress: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        search(game("connect_four"), seconds=60.0, on_progress=twice, seed=1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_with_its_own_handler_keeps_it() -> None:
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        result = search(
            game("rps"), iterations=2000, seed=1, on_progress=lambda progress: os.kill(os.getpid(), signal.SIGINT)
        )
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert caught
    assert not result.interrupted


# ---------------------------------------------------------------------------------------------- reading and following
def test_a_session_goes_on_where_it_stopped() -> None:
    with Search(game("tictactoe"), algorithm="ucb", seed=1) as session:
        first = session.run(iterations=100)
        second = session.run(iterations=150)
        assert (first.iterations, first.visits, second.iterations, second.visits) == (100, 100, 150, 250)
        assert session.strategies() == second.strategies
        assert session.result().row == second.row


def test_before_the_first_run_nothing_is_known() -> None:
    with Search(game("biased_rps"), algorithm="exp3", seed=1) as session:
        result = session.result()
    assert (result.row_value, result.visits, result.principal_line) == (None, 0, ())
    assert list(result.row) == pytest.approx([1 / 3] * 3)
    assert [report.value for report in result.row_actions] == [None] * 3


def test_nodes_can_be_looked_at_by_the_labels_of_moves() -> None:
    with Search(game("tictactoe"), algorithm="ucb", seed=1) as session:
        result = session.run(iterations=3000)
        root, node = session.node(), session.node((4, "-"), ("-", 0))
        assert root is not None
        assert node is not None
        assert root.visits == 3000
        assert node.state == game("tictactoe").play(4, 0).play(0, 0)
        assert 0.0 <= (node.row_value or 0.0) <= 1.0
        assert node.row.actions == (1, 2, 3, 5, 6, 7, 8)
        assert sum(child.visits for child in node.children) == node.visits - 1
        assert {str(child.move) for child in node.children} <= {"1", "2", "3", "5", "6", "7", "8"}
        assert root.row == result.row
        assert session.node((4,), (0,), (1,), (2,), (3,), (5,), (6,)) is None
        with pytest.raises(IllegalAction, match="column cannot play 4"):
            session.node((4, "-"), ("-", 4))


@pytest.mark.parametrize(
    ("name", "actions", "observation", "message"),
    [
        (
            "tictactoe",
            (9,),
            None,
            r"row cannot play 9 in 0 1 2 / 3 4 5 / 6 7 8 / X to move; legal: 0, 1, 2, 3, 4, 5, 6, 7, 8",
        ),
        ("rps", ("rock",), None, "1 actions given at .*; give one for row and one for column"),
        ("rps", ("rock", "spock"), None, "column cannot play 'spock' in .*; legal: rock, paper, scissors"),
        ("dice", ("roll", "stop"), None, r"chance takes part in \(roll, stop\) at .*; say what happened by observation="),
        ("goofspiel:prizes=random", ("-", "-"), 9, r"no outcome 9 of \(-, -\) in .*; possible: 1, 2, 3, 4"),
    ],
)
def test_moves_that_cannot_be_made_are_refused(name: str, actions: Any, observation: Any, message: str) -> None:
    with Search(game(name), algorithm="uniform", seed=1) as session, pytest.raises(IllegalAction, match=message):
        session.advance(*actions, observation=observation)


def test_the_end_of_the_game_cannot_become_the_root() -> None:
    with Search(game("rps"), algorithm="uniform", seed=1) as session, pytest.raises(TerminalRoot):
        session.advance("rock", "paper")


def test_labels_may_be_given_as_text() -> None:
    with Search(game("tictactoe"), algorithm="ucb", seed=1) as session:
        assert session.advance("4") == game("tictactoe").play(4, 0)


def test_a_closed_session_says_so() -> None:
    session = Search(game("rps"), seed=1)
    session.close()
    session.close()
    with pytest.raises(InputError, match="this search is closed; make a new one"):
        session.run(iterations=1)


def test_a_failed_session_is_closed() -> None:
    class Sour(TurnState):
        player = 0

        def moves(self) -> list[int]:
            return [1]

        def move(self, m: int) -> Sour:
            raise OSError("sour")

        def payoff(self) -> float:
            return 0.0

    session = Search(Sour(), algorithm="uniform", seed=1)
    with pytest.raises(GameError, match="sour"):
        session.run(iterations=5)
    with pytest.raises(InputError, match="closed"):
        session.result()


# ---------------------------------------------------------------------------------------------- warnings
@pytest.fixture
def _warnings_as_they_come() -> Iterator[Callable[[], None]]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("always", ThreadsCannotRunInParallel)
        yield lambda: None


@pytest.mark.skipif(not gil_enabled(), reason="threads run in parallel here")
@pytest.mark.usefixtures("_warnings_as_they_come")
@pytest.mark.parametrize("backend", ["threaded", "pool", "forest"])
def test_threads_on_an_interpreter_with_a_gil_warn_and_say_what_helps(backend: str) -> None:
    with pytest.warns(ThreadsCannotRunInParallel, match=f"backend '{backend}': .*GIL; 'process' can") as caught:
        search(game("rps"), iterations=10, backend=backend, workers=2, engine="python")
    assert caught[0].filename == __file__


@pytest.mark.usefixtures("_warnings_as_they_come")
@pytest.mark.parametrize("backend", ["single", "inline", "process", "threaded"])
def test_where_nothing_is_lost_nobody_is_warned(backend: str, recwarn: pytest.WarningsRecorder) -> None:
    search(game("rps"), iterations=10, backend=backend, workers=1)
    assert [w for w in recwarn if w.category is ThreadsCannotRunInParallel] == []


class Rolled(State):
    """Chance that can only be drawn, and is told by what it shows."""

    sum: int = 0
    rolls: int = 0

    def shape(self) -> tuple[int, int]:
        return (2, 1) if self.rolls < 3 else (0, 0)

    def play(self, i: int, j: int, rng: Any) -> Rolled:
        return Rolled(self.sum + (1 + int(rng.random() * 6) if i else 3), self.rolls + 1)

    def payoff(self) -> float:
        return min(self.sum / 18, 1.0)

    def observation(self) -> int:
        return self.sum


def test_a_game_that_only_draws_its_chance_is_searched_and_followed_through_the_tree() -> None:
    with Search(Rolled(), algorithm="ucb", seed=1) as session:
        result = session.run(iterations=500)
        assert len(result.principal_line) == 3
        after = session.advance(0, observation=3)
        assert after == Rolled(3, 1)
        assert session.result().visits > 0
        with pytest.raises(IllegalAction, match="cannot tell which position the observation 99 stands for in Rolled"):
            session.advance(0, observation=99)


def test_an_observation_without_chance_is_refused_and_the_tree_is_kept() -> None:
    with Search(game("tictactoe"), seed=1) as session:
        session.run(iterations=100)
        with pytest.raises(IllegalAction, match="no chance takes part in TicTacToe; observation='x' means nothing there"):
            session.advance(4, observation="x")
        assert session.result().visits == 100
