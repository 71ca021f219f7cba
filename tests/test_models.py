"""Models: what they say of a position, and what a search makes of it."""

from __future__ import annotations

from random import Random
from statistics import fmean
from typing import Any, NamedTuple

import pytest
from exact import exploitability, value

from parallel_mcts import (
    PUCT,
    EndlessGame,
    Heuristic,
    ModelError,
    Rollout,
    Search,
    Searching,
    Solved,
    SolvedMonteCarlo,
    game,
    search,
)
from parallel_mcts.models.solved import powered
from parallel_mcts.rng import Rng
from parallel_mcts.state import transitions
from parallel_mcts.testing import check_model

GAMES = ["tictactoe", "connect_four", "dice", "goofspiel:cards=3", "chicken", "nim", "random_tree"]


# ---------------------------------------------------------------------------------------------- rollouts
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("model", ["rollout", "rollout:times=3", "searching:iterations=20"])
def test_models_keep_the_contract(model: str, name: str) -> None:
    check_model(model, game(name), games=2)


@pytest.mark.parametrize("name", ["tictactoe", "connect_four"])
def test_a_games_own_rollout_is_worth_what_random_moves_are_worth(name: str) -> None:
    state, rng = game(name), Random(1)

    class Bare(NamedTuple):
        """The same game without its own rollout."""

        inner: Any

        def shape(self) -> tuple[int, int]:
            shape: tuple[int, int] = self.inner.shape()
            return shape

        def play(self, i: int, j: int) -> Bare:
            return Bare(self.inner.play(i, j))

        def payoff(self) -> float:
            return float(self.inner.payoff())

    own = fmean(Rollout().evaluate(state, rng) for _ in range(4000))
    bare = fmean(Rollout().evaluate(Bare(state), rng) for _ in range(4000))
    assert own == pytest.approx(bare, abs=0.035)


def test_a_rollout_draws_no_number_where_there_is_no_choice() -> None:
    class Counting(Random):
        drawn = 0

        def random(self) -> float:
            self.drawn += 1
            return super().random()

    rng = Counting(1)
    Rollout().evaluate(game("nim", sticks=1), rng)
    assert rng.drawn == 0
    Rollout().evaluate(game("rps"), rng)
    assert rng.drawn == 2


def test_a_rollout_of_many_games_is_steadier() -> None:
    state, rng = game("tictactoe"), Random(1)
    single = [Rollout().evaluate(state, rng) for _ in range(300)]
    mean = [Rollout(times=25).evaluate(state, rng) for _ in range(300)]
    assert max(mean) - min(mean) < max(single) - min(single)
    assert fmean(mean) == pytest.approx(fmean(single), abs=0.1)
    assert Rollout(times=8).evaluate(game("chicken"), rng)[0] in [k / 8 for k in range(57)]


def test_a_rollout_gives_up_a_game_that_is_too_long() -> None:
    with pytest.raises(EndlessGame):
        Rollout(max_plies=3).evaluate(game("mold", depth=5), Random(1))
    assert Rollout(max_plies=5).evaluate(game("mold", depth=5), Random(1)) in (0.0, 1.0)


# ---------------------------------------------------------------------------------------------- heuristics
def lead(state: Any) -> float:
    """How many more sticks than a multiple of four, for whoever moves: won or lost, by theory."""
    mover_wins = state.sticks % 4 != 0
    return 1.0 if mover_wins == (state.player == 0) else 0.0


def test_a_perfect_heuristic_makes_a_short_search_perfect() -> None:
    for sticks in (5, 6, 7, 9):
        result = search(game("nim", sticks=sticks), iterations=60, algorithm="ucb", model=Heuristic(lead), seed=1)
        assert result.row.best == sticks % 4


# ---------------------------------------------------------------------------------------------- solved
def test_a_solved_model_gives_the_exact_value_at_once() -> None:
    start = game("random_tree", depth=3, actions=2, transitions=2, seed=2)
    result = search(start, iterations=1, algorithm="uniform", model=Solved(), seed=1)
    row, col = ([report.visits for report in reports].index(1) for reports in (result.row_actions, result.col_actions))
    inside = [t.state for t in transitions(start, row, col)]
    assert result.row_value in [pytest.approx(value(state)) for state in inside]


def test_the_policies_of_a_solved_model_become_the_priors() -> None:
    start = game("biased_rps")
    with Search(start, algorithm=PUCT(), model=Solved(), seed=1, engine="python") as session:
        searcher: Any = session._open_searcher()
        assert searcher.tree.root.row_prior == pytest.approx([1 / 16, 10 / 16, 5 / 16])
        assert searcher.tree.root.col_prior == pytest.approx([1 / 16, 10 / 16, 5 / 16])


def test_without_a_policy_priors_are_uniform() -> None:
    with Search(game("tictactoe"), algorithm=PUCT(), model="rollout", seed=1, engine="python") as session:
        session.run(iterations=200)
        searcher: Any = session._open_searcher()
        for node in searcher.tree.walk():
            if node.rows:
                assert node.row_prior == pytest.approx([1 / node.rows] * node.rows)
                assert node.col_prior == pytest.approx([1 / node.cols] * node.cols)


def test_priors_guide_the_search() -> None:
    start = game("random_tree", depth=1, actions=4, transitions=1, seed=9)
    known = start.solution()
    sharp = search(start, iterations=40, algorithm="puct", model=SolvedMonteCarlo(power=1.0), seed=1)
    blind = search(start, iterations=40, algorithm="puct", model=SolvedMonteCarlo(power=0.0), seed=1)
    best = max(range(4), key=lambda k: known.row[k])
    assert sharp.row[best] > blind.row[best]


@pytest.mark.parametrize(
    ("power", "expected"),
    [(0.0, [1 / 3, 1 / 3, 1 / 3]), (1.0, [0.1, 0.3, 0.6]), (2.0, [1 / 46, 9 / 46, 36 / 46]), (60.0, [0.0, 0.0, 1.0])],
)
def test_a_power_sharpens_or_blurs_a_policy(power: float, expected: list[float]) -> None:
    assert powered([0.1, 0.3, 0.6], power) == pytest.approx(expected)


def test_a_power_leaves_what_is_never_played_unplayed() -> None:
    assert powered([0.0, 0.5, 0.5], 0.5) == [0.0, 0.5, 0.5]
    assert powered([0.0, 0.5, 0.5], 0.0) == pytest.approx([1 / 3] * 3)


def test_solved_models_need_a_game_that_is_solved() -> None:
    for model in (Solved(), SolvedMonteCarlo()):
        with pytest.raises(ModelError, match=r"TicTacToe does not know its equilibria; .* needs a state with solution\(\)"):
            search(game("tictactoe"), iterations=10, algorithm="puct", model=model, seed=1)


# ---------------------------------------------------------------------------------------------- a search as a model
def test_a_search_as_a_model_judges_better_than_a_rollout() -> None:
    start = game("goofspiel", cards=3, row_hand="2-3-4", col_hand="1-3-4", prizes="3-2-1")
    exact = value(start)
    deep = [Searching(iterations=400).evaluate(start, Random(seed)) for seed in range(6)]
    shallow = [Rollout().evaluate(start, Random(seed)) for seed in range(6)]
    assert fmean(abs(v - exact) for v in deep) < fmean(abs(v - exact) for v in shallow) / 2


def test_a_search_as_a_model_suggests_policies() -> None:
    _, row, col = Searching(iterations=3000).evaluate_with_policy(game("biased_rps"), Random(1))
    assert exploitability(game("biased_rps"), row, col) < 0.1
    assert sum(row) == pytest.approx(1.0)


def test_a_search_as_a_model_is_repeatable_and_general_sum() -> None:
    first, again = (Searching(iterations=50).evaluate(game("chicken"), Random(3)) for _ in range(2))
    assert first == again
    assert isinstance(first, tuple)
    assert all(0.0 <= payoff <= 7.0 for payoff in first)


class Sure(NamedTuple):
    """Has a policy, and a strong opinion."""

    k: int = 0

    def evaluate(self, state: Any, rng: Rng) -> float:
        return 0.5

    def evaluate_with_policy(self, state: Any, rng: Rng) -> tuple[float, list[float], list[float]]:
        rows, cols = state.shape()
        return 0.5, [1.0 if i == self.k % rows else 0.0 for i in range(rows)], [1.0 / cols] * cols


def test_a_model_of_ones_own_with_a_policy_is_followed() -> None:
    result = search(game("connect_four"), iterations=50, algorithm="puct", model=Sure(5), seed=1)
    assert result.row[5] == 1.0
