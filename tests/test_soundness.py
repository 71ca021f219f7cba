"""Is the answer right? Searches against exact values, and one that is known to be wrong."""

from __future__ import annotations

from typing import Any

import pytest
from exact import exploitability, root_matrix

from parallel_mcts import Search, State, game, search
from parallel_mcts.registry import BACKENDS

EQUILIBRIUM_SEEKING = {"exp3": 100_000, "exp3p": 100_000, "regret_matching": 40_000, "matrix_ucb": 20_000}
"""Algorithms for simultaneous moves, and the iterations within which they are expected to come close."""
MATRIX_GAMES = {
    "rps": game("rps"),
    "biased rps": game("biased_rps"),
    "rps, rock counts double": game("matrix", payoffs=[[0, -1, 2], [1, 0, -1], [-2, 1, 0]]),
    "matching pennies": game("matching_pennies"),
}
GOOFSPIEL = {order: game("goofspiel", cards=3, prizes=order) for order in ("descending", "ascending", "2-3-1")}
GOOD_ENOUGH = 0.02


@pytest.mark.parametrize("name", [*MATRIX_GAMES, *GOOFSPIEL])
@pytest.mark.parametrize("algorithm", EQUILIBRIUM_SEEKING)
def test_algorithms_for_simultaneous_moves_come_close_to_an_equilibrium(algorithm: str, name: str) -> None:
    start = {**MATRIX_GAMES, **GOOFSPIEL}[name]
    result = search(start, iterations=EQUILIBRIUM_SEEKING[algorithm], algorithm=algorithm, seed=1)
    assert exploitability(start, result.row, result.col) <= GOOD_ENOUGH


@pytest.mark.parametrize("algorithm", EQUILIBRIUM_SEEKING)
@pytest.mark.parametrize("backend", [name for name in BACKENDS.names() if name != "single"])
def test_every_backend_comes_as_close(backend: str, algorithm: str) -> None:
    start = game("biased_rps")
    iterations = EQUILIBRIUM_SEEKING[algorithm]
    result = search(start, iterations=iterations, algorithm=algorithm, backend=backend, workers=2, seed=2)
    assert exploitability(start, result.row, result.col) <= GOOD_ENOUGH


@pytest.mark.parametrize("algorithm", ["exp3:averages=true", "exp3p:averages=true", "regret_matching:averages=true"])
def test_learning_from_means_converges_too(algorithm: str) -> None:
    start = GOOFSPIEL["ascending"]
    result = search(start, iterations=60_000, algorithm=algorithm, seed=1)
    assert exploitability(start, result.row, result.col) <= GOOD_ENOUGH


@pytest.mark.parametrize("name", ["biased rps", "rps, rock counts double"])
def test_ucb_does_not_converge_where_players_move_at_once(name: str) -> None:
    """Both players follow the same deterministic rule, run in step, and never learn to mix as they should."""
    start = MATRIX_GAMES[name]
    errors = []
    for iterations in (2_000, 20_000, 100_000):
        result = search(start, iterations=iterations, algorithm="ucb", seed=1)
        errors.append(exploitability(start, result.row, result.col))
    assert min(errors) > 3 * GOOD_ENOUGH


def test_matrix_ucb_answers_without_its_bonus() -> None:
    start = game("biased_rps")
    result = search(start, iterations=3000, algorithm="matrix_ucb:c=5", seed=1)
    assert list(result.row) == pytest.approx([1 / 16, 10 / 16, 5 / 16], abs=1e-9)
    assert list(result.col) == pytest.approx([1 / 16, 10 / 16, 5 / 16], abs=1e-9)


@pytest.mark.parametrize("algorithm", ["exp3:gamma=0.3", "exp3p:gamma=0.3", "regret_matching:gamma=0.3"])
def test_forced_exploration_is_not_part_of_the_answer(algorithm: str) -> None:
    """One action is better whatever the other does: the answer is that action, not that action and a bit of the rest."""
    dominated = game("matrix", payoffs=[[1, 1, 1], [-1, -1, -1], [-1, -1, -1]])
    result = search(dominated, iterations=20_000, algorithm=algorithm, seed=1)
    assert result.row[0] > 0.98
    assert sum(report.visits for report in result.row_actions[1:]) > 20_000 * 0.15  # though it was explored


def after(*squares: int) -> Any:
    state = game("tictactoe")
    for ply, square in enumerate(squares):
        k = list(state.labels()[ply % 2]).index(square)
        state = state.play(*((0, k) if ply % 2 else (k, 0)))
    return state


TURN_ALGORITHMS = ["ucb", "puct", "exp3", "matrix_ucb", "regret_matching"]


@pytest.mark.parametrize("algorithm", TURN_ALGORITHMS)
def test_a_win_in_one_is_found(algorithm: str) -> None:
    assert search(after(0, 3, 1, 4), iterations=3000, algorithm=algorithm, seed=1).row.best == 2
    assert search(after(8, 3, 0, 4, 1), iterations=3000, algorithm=algorithm, seed=1).col.best == 5


@pytest.mark.parametrize("algorithm", TURN_ALGORITHMS)
def test_a_loss_in_one_is_blocked(algorithm: str) -> None:
    assert search(after(0, 4, 1), iterations=5000, algorithm=algorithm, seed=1).col.best == 2
    assert search(after(4, 0, 8, 1), iterations=5000, algorithm=algorithm, seed=1).row.best == 2


def test_ucb_draws_tic_tac_toe_against_itself_and_knows_it() -> None:
    with Search(game("tictactoe"), algorithm="ucb", seed=1) as session:
        result = session.run(iterations=40_000)
        assert result.row_value == pytest.approx(0.5, abs=0.1)
    state = game("tictactoe")
    while state.shape() != (0, 0):
        result = search(state, iterations=5000, algorithm="ucb", seed=1)
        turn = 0 if state.shape()[1] == 1 else 1
        k = result.strategies[turn].probabilities.index(max(result.strategies[turn]))
        state = state.play(*((k, 0) if turn == 0 else (0, k)))
    assert state.payoff() == 0.5


def test_ucb_opens_connect_four_in_the_centre() -> None:
    assert search(game("connect_four"), iterations=8000, algorithm="ucb", seed=1).row.best == 3


@pytest.mark.parametrize("algorithm", EQUILIBRIUM_SEEKING)
def test_values_with_chance_are_right(algorithm: str) -> None:
    start = game("random_tree", depth=2, actions=2, transitions=2, seed=5)
    result = search(start, iterations=40_000, algorithm=algorithm, seed=1)
    assert result.row_value == pytest.approx(start.solution().row_value, abs=0.05)
    assert exploitability(start, result.row, result.col) <= GOOD_ENOUGH


class Greedy(State):
    """The prisoner's dilemma, twice: general-sum, with payoffs of its own range."""

    round: int = 0
    row: int = 0
    col: int = 0
    payoff_range = (0.0, 10.0)
    constant_sum = False

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.round < 2 else (0, 0)

    def play(self, i: int, j: int) -> Greedy:
        row, col = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]][i][j]
        return Greedy(self.round + 1, self.row + row, self.col + col)

    def payoff(self) -> tuple[float, float]:
        return float(self.row), float(self.col)


@pytest.mark.parametrize("algorithm", [*EQUILIBRIUM_SEEKING])
def test_in_a_general_sum_game_each_player_follows_its_own_payoff(algorithm: str) -> None:
    result = search(Greedy(), iterations=20_000, algorithm=algorithm, seed=1)
    assert result.row[1] > 0.9
    assert result.col[1] > 0.9
    assert result.row_value == pytest.approx(2.0, abs=0.6)


def test_the_result_tells_how_exploitable_it_is() -> None:
    start = game("biased_rps")
    result = search(start, iterations=20_000, algorithm="regret_matching", seed=1)
    exact = result.exploitability(root_matrix(start))
    assert exact is not None
    assert exact / 100 == pytest.approx(exploitability(start, result.row, result.col))
    assert result.exploitability() == pytest.approx(exact, abs=2.0)
    assert search(start, iterations=2, algorithm="uniform", seed=1).exploitability() is None
