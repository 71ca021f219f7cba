"""Algorithms, each from the registry and each by its formula."""

from __future__ import annotations

from math import exp, log, sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import PUCT, UCB, Exp3, Exp3P, MatrixUCB, RegretMatching, Uniform, game, search
from parallel_mcts.algorithms.common import draw, explore, meant
from parallel_mcts.matrix import solve_matrix
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.stats import fields, node_class
from parallel_mcts.testing import check_algorithm

policies = st.lists(st.floats(0.001, 1.0), min_size=2, max_size=6).map(lambda ws: [w / sum(ws) for w in ws])


def node_of(algorithm: Any, name: str = "rps", **numbers: Any) -> Any:
    node = node_class(type(algorithm))(game(name))
    node.open()
    node.visits = 1
    for key, value in numbers.items():
        setattr(node, key, value)
    return node


@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_every_algorithm_keeps_the_contract(name: str) -> None:
    check_algorithm(name)


@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_an_algorithm_is_a_value(name: str) -> None:
    algorithm = ALGORITHMS.make(name)
    assert algorithm == ALGORITHMS.make(name)
    assert hash(algorithm) == hash(ALGORITHMS.make(name))
    assert repr(algorithm).startswith(type(algorithm).__name__ + "(")
    with pytest.raises(AttributeError):
        setattr(algorithm, algorithm._fields[0], 1.0)


# ---------------------------------------------------------------------------------------------- shared pieces
@given(policies, st.floats(0.0, 0.999999))
def test_a_draw_falls_into_its_part_of_the_policy(policy: list[float], u: float) -> None:
    k = draw(policy, u)
    assert sum(policy[:k]) <= u + 1e-9
    assert u < sum(policy[: k + 1]) + 1e-9 or k == len(policy) - 1


@given(policies, st.floats(0.01, 0.99), st.floats(0.0, 0.999999))
def test_exploring_mixes_the_uniform_in_and_keeps_it_out_of_the_average(
    policy: list[float], gamma: float, u: float
) -> None:
    sums = [0.0] * len(policy)
    k, probability = explore(policy, sums, gamma, u)
    mixed = [(1 - gamma) * p + gamma / len(policy) for p in policy]
    assert sums == policy
    assert probability == pytest.approx(mixed[k])
    assert k == draw(mixed, u)


@given(policies, st.floats(0.01, 0.99))
def test_weights_of_what_was_meant_are_one_on_average(policy: list[float], gamma: float) -> None:
    count = len(policy)
    mixed = [(1 - gamma) * p + gamma / count for p in policy]
    weights = [meant(p, count, gamma) for p in mixed]
    assert [w * p for w, p in zip(weights, mixed, strict=True)] == pytest.approx(policy)
    assert meant(1.0, 1, gamma) == pytest.approx(1.0)


# ---------------------------------------------------------------------------------------------- UCB and PUCT
@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 1)), min_size=3, max_size=3), st.floats(0.0, 2.0))
def test_ucb_takes_the_highest_bound(arms: list[tuple[int, float]], c: float) -> None:
    total = sum(n for n, _ in arms)
    spreads = [1 / sqrt(n) for n, _ in arms]
    counts = [float(n) for n, _ in arms]
    node = node_of(UCB(), visits=total, row_means=[m for _, m in arms], row_spreads=spreads, row_tries=counts)
    i, _, p, q = UCB(c).select(node, Random(1))
    bounds = [m + c * sqrt(log(total) / n) for n, m in arms]
    assert bounds[i] == pytest.approx(max(bounds))
    assert (p, q) == (1.0, 1.0)


def test_ucb_tries_everything_once_before_anything_twice() -> None:
    node, rng = node_of(UCB()), Random(1)
    for visits in range(1, 4):
        node.visits = visits
        UCB().update(node, UCB().select(node, rng), (0.9 if visits == 1 else 0.0, 0.5))
    assert node.row_visits == node.col_visits == [1.0, 1.0, 1.0]
    assert node.row_means == [0.9, 0.0, 0.0]


@settings(max_examples=50)
@given(policies.filter(lambda p: len(p) == 3), st.lists(st.integers(0, 30), min_size=3, max_size=3), st.integers(1, 90))
def test_puct_takes_the_highest_bound(prior: list[float], counts: list[int], visits: int) -> None:
    totals = [0.4 * n for n in counts]
    numbers = [float(n) for n in counts]
    node = node_of(PUCT(), visits=visits, row_prior=prior, row_visits=numbers, row_totals=totals, row_tries=list(numbers))
    i = PUCT(2.0).select(node, Random(1))[0]
    mean = [0.4 if sum(counts) else 0.5] * 3
    bounds = [m + 2.0 * p * sqrt(visits) / (1 + n) for m, p, n in zip(mean, prior, counts, strict=True)]
    assert bounds[i] == pytest.approx(max(bounds))


# ---------------------------------------------------------------------------------------------- exponential weights
def test_exp3_plays_by_exponential_weights_of_its_gains() -> None:
    gains, gamma, count = [0.0, -30.0, -90.0], 0.1, 3
    weights = [exp(gamma / count * g) for g in gains]
    expected = [(1 - gamma) * w / sum(weights) + gamma / count for w in weights]
    node, rng, drawn = node_of(Exp3(), row_gains=gains), Random(1), [0, 0, 0]
    for _ in range(20_000):
        i, _, p, _ = Exp3(gamma).select(node, rng)
        assert p == pytest.approx(expected[i])
        drawn[i] += 1
    assert [n / 20_000 for n in drawn] == pytest.approx(expected, abs=0.015)


def test_exp3_credits_the_action_played_by_its_probability() -> None:
    node = node_of(Exp3(), row_gains=[-1.0, -2.0, 0.0], col_gains=[-5.0, 0.0, 0.0])
    q = 0.5
    Exp3(0.1).update(node, (0, 1, 0.25, q), (0.05, 0.95))
    assert node.row_gains == pytest.approx([-1.0 + meant(q, 3, 0.1) * 0.05 / 0.25, -2.0, 0.0])
    assert max(node.col_gains) == 0.0
    assert node.col_gains[1] - node.col_gains[0] == pytest.approx(5.0 + meant(0.25, 3, 0.1) * 0.95 / q)


def test_gains_never_overflow() -> None:
    node, rng = node_of(Exp3P()), Random(1)
    for algorithm in (Exp3(), Exp3P(beta=0.1)):
        for _ in range(2000):
            action = algorithm.select(node, rng)
            algorithm.update(node, action, (1.0, 1.0))
            assert max(node.row_gains) <= 1e-9


def test_exp3p_gives_every_action_a_bonus_by_its_rarity() -> None:
    gamma, beta = 0.1, 0.01
    node = node_of(Exp3P(), row_gains=[0.0, -50.0, -100.0])
    weights = [exp(gamma / 3 * g) for g in node.row_gains]
    mixed = [(1 - gamma) * w / sum(weights) + gamma / 3 for w in weights]
    Exp3P(gamma, beta).update(node, (1, 0, mixed[1], 1.0 / 3), (0.6, 0.4))
    gained = [0.0 + beta / mixed[0], -50.0 + (meant(1 / 3, 3, gamma) * 0.6 + beta) / mixed[1], -100.0 + beta / mixed[2]]
    assert node.row_gains == pytest.approx([g - max(gained) for g in gained])


# ---------------------------------------------------------------------------------------------- regret matching
def test_regret_matching_plays_in_proportion_to_positive_regret() -> None:
    node, rng, drawn = node_of(RegretMatching(), row_regrets=[3.0, -7.0, 1.0]), Random(1), [0, 0, 0]
    for _ in range(10_000):
        i, _, p, _ = RegretMatching(0.2).select(node, rng)
        drawn[i] += 1
        assert p == pytest.approx([0.8 * 0.75 + 0.2 / 3, 0.2 / 3, 0.8 * 0.25 + 0.2 / 3][i])
    assert node.row_sums == pytest.approx([7500, 0, 2500])
    assert drawn[1] / 10_000 == pytest.approx(0.2 / 3, abs=0.015)


def test_regrets_compare_with_the_means_of_the_other_cells() -> None:
    node = node_of(
        RegretMatching(), counts=[[2.0, 0, 0], [0.0, 0, 0], [1.0, 0, 0]], row_totals=[[1.0, 0, 0], [0.0] * 3, [0.9, 0, 0]]
    )
    p = q = 1.0 / 3 + 0.1
    RegretMatching(0.1).update(node, (0, 0, p, q), (0.2, 0.8))
    weight = meant(q, 3, 0.1)
    # the cell of row 1 is untried and counts as the best there is; that of row 2 has the mean 0.9
    assert node.row_regrets == pytest.approx([0.0, weight * (1.0 - 0.2), weight * (0.9 - 0.2)])
    assert node.col_regrets == pytest.approx([0.0, weight * (1.0 - 0.8), weight * (1.0 - 0.8)])
    assert (node.counts[0][0], node.row_totals[0][0]) == (3.0, 1.2)


# ---------------------------------------------------------------------------------------------- MatrixUCB
def filled(c: float, counts: float = 4.0) -> Any:
    means = [[0.0, 0.25, 1.0], [0.75, 0.5, 0.45], [0.0, 0.55, 0.5]]
    return node_of(
        MatrixUCB(),
        visits=40,
        counts=[[counts] * 3 for _ in range(3)],
        row_totals=[[counts * m for m in line] for line in means],
        col_totals=[[counts * (1 - m) for m in line] for line in means],
    )


def test_matrix_ucb_tries_every_cell_first() -> None:
    node, rng = node_of(MatrixUCB()), Random(1)
    tried = []
    for visits in range(1, 10):
        node.visits = visits
        action = MatrixUCB().select(node, rng)
        tried.append(action[:2])
        MatrixUCB().update(node, action, (0.5, 0.5))
    assert tried == [(i, j) for i in range(3) for j in range(3)]


def test_matrix_ucb_plays_the_equilibrium_of_its_optimistic_matrix() -> None:
    node = filled(0.5)
    MatrixUCB(c=0.5).select(node, Random(1))
    bonus = 0.5 * sqrt(2 * log(40) / 4)
    row = solve_matrix([[m / 4 + bonus for m in line] for line in node.row_totals])
    col = solve_matrix([[-(m / 4 + bonus) for m in line] for line in node.col_totals])
    assert node.row_policy == pytest.approx(row.row)
    assert node.col_policy == pytest.approx(col.col)


def test_matrix_ucb_keeps_a_solution_until_it_can_be_exploited(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_mcts.algorithms import matrix_ucb

    solved: list[int] = []
    solve = matrix_ucb.solve
    monkeypatch.setattr(matrix_ucb, "solve", lambda *args: solved.append(1) or solve(*args))
    node, rng = filled(0.0), Random(1)
    patient, strict = MatrixUCB(c=0.0, slack=0.05), MatrixUCB(c=0.0, slack=0.0)
    patient.select(node, rng)
    assert len(solved) == 2  # once for each player
    node.row_totals[0][0] += 0.01
    patient.select(node, rng)
    assert len(solved) == 2
    strict.select(node, rng)
    assert len(solved) == 3
    node.row_totals[1][1] += 3.0
    patient.select(node, rng)
    assert len(solved) == 4


def test_the_first_visits_divide_by_nothing() -> None:
    for iterations in range(1, 12):
        result = search(game("biased_rps"), iterations=iterations, algorithm="matrix_ucb", seed=1)
        assert sum(result.row) == pytest.approx(1.0)


def test_in_a_general_sum_game_matrix_ucb_answers_what_each_player_can_be_sure_of() -> None:
    result = search(game("chicken"), iterations=500, algorithm="matrix_ucb", seed=1)
    # swerving pays 6 or 2, going straight 7 or 0: who fears the worst swerves
    assert result.row.best == result.col.best == "swerve"


# ---------------------------------------------------------------------------------------------- uniform
def test_uniform_chooses_every_cell_as_often_and_learns_nothing() -> None:
    result = search(game("rps"), iterations=9000, algorithm=Uniform(), seed=1)
    assert fields(Uniform()) == {}
    assert list(result.row) == [1 / 3] * 3
    assert [report.visits for report in result.row_actions] == pytest.approx([3000] * 3, abs=250)
