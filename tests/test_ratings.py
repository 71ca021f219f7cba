"""Intervals, ratings and the sequential test: against published values, other ways to compute them, and simulation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts.errors import ParameterError
from parallel_mcts.ratings import ELO, Sprt, bradley_terry, expected_score, wilson


# ---------------------------------------------------------------------------------------------- Wilson
@settings(max_examples=60)
@given(st.integers(1, 2000), st.floats(0, 1), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_the_interval_of_wilson_is_that_of_scipy(games: int, share: float, confidence: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    wins = round(share * games)
    theirs = stats.binomtest(wins, games).proportion_ci(confidence, method="wilson")
    assert wilson(wins, games, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_the_interval_of_wilson_has_its_textbook_values() -> None:
    # 15 of 148: R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I
    low, high = wilson(15, 148)
    assert (round(low, 4), round(high, 4)) == (0.0624, 0.1605)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.floats(0, 1))
def test_draws_count_half_and_the_interval_holds_the_rate(games: int, share: float) -> None:
    score = round(2 * share * games) / 2
    low, high = wilson(score, games)
    assert 0.0 <= low <= score / games + 1e-12
    assert score / games - 1e-12 <= high <= 1.0


# ---------------------------------------------------------------------------------------------- Bradley and Terry
def fractional_games(players: Sequence[str], elo: dict[str, float], games: int) -> list[tuple[str, str, float]]:
    """Games in which everybody scores just what is expected of them."""
    return [
        (one, other, expected_score(elo[one] - elo[other]))
        for one, other in itertools.combinations(players, 2)
        for _ in range(games)
    ]


strengths = st.lists(st.floats(-400, 400), min_size=2, max_size=6)


@settings(max_examples=40)
@given(strengths)
def test_known_strengths_are_recovered(elos: list[float]) -> None:
    players = [f"p{k}" for k in range(len(elos))]
    mean = sum(elos) / len(elos)
    true = {name: elo - mean for name, elo in zip(players, elos, strict=True)}
    found = bradley_terry(players, fractional_games(players, true, 20), prior=1e-9)
    for name in players:
        assert found[name].elo == pytest.approx(true[name], abs=1e-3)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0])), max_size=40), st.randoms()
)
def test_the_order_of_players_and_games_does_not_matter(listed: list[tuple[int, int, float]], rng: Random) -> None:
    games = [("abcd"[i], "abcd"[j], score) for i, j, score in listed if i != j]
    turned = [(b, a, 1 - score) if rng.random() < 0.5 else (a, b, score) for a, b, score in games]
    rng.shuffle(turned)
    one, other = bradley_terry("abcd", games), bradley_terry("dbca", turned)
    for name in "abcd":
        assert one[name].elo == pytest.approx(other[name].elo, abs=1e-6)
        assert one[name].low == pytest.approx(other[name].low, abs=1e-6)
        assert one[name].low <= one[name].elo <= one[name].high
    assert sum(rating.elo for rating in one.values()) == pytest.approx(0, abs=1e-6)


def by_minorisation(players: str, games: list[tuple[str, str, float]], prior: float) -> dict[str, float]:
    """The same maximum by Hunter's MM algorithm (2004); the average opponent is one more player, whose strength is 1."""
    strength = dict.fromkeys(players, 1.0)
    for _ in range(3000):
        new = {}
        for one in players:
            points, weight = prior / 2, prior / (strength[one] + 1)
            for a, b, score in games:
                if one in (a, b):
                    points += score if one == a else 1 - score
                    weight += 1 / (strength[a] + strength[b])
            new[one] = points / weight
        strength = new
    mean = sum(math.log(s) for s in strength.values()) / len(strength)
    return {name: ELO * (math.log(s) - mean) for name, s in strength.items()}


def test_ratings_are_those_of_another_algorithm() -> None:
    rng = Random(4)
    games = [
        (a, b, rng.choice([0.0, 0.5, 1.0, 1.0]))
        for a, b in itertools.combinations("abcd", 2)
        for _ in range(rng.randrange(1, 9))
    ]
    ours, theirs = bradley_terry("abcd", games, prior=1.0), by_minorisation("abcd", games, 1.0)
    for name in "abcd":
        assert ours[name].elo == pytest.approx(theirs[name], abs=1e-4)


def test_who_won_every_game_has_a_finite_rating_that_grows_with_the_games() -> None:
    elos = [bradley_terry("ab", [("a", "b", 1.0)] * n)["a"].elo for n in (1, 10, 100, 1000)]
    assert elos == sorted(elos)
    assert 0 < elos[0] < elos[-1] < 3000


def test_nobody_has_played_yet() -> None:
    found = bradley_terry("abc", [])
    assert [rating.elo for rating in found.values()] == [0.0, 0.0, 0.0]
    assert found["a"].low < -100


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng, true = Random(1), {"a": 60.0, "b": 0.0, "c": -60.0}
    held = 0
    for _ in range(150):
        games = [
            (one, other, float(rng.random() < expected_score(true[one] - true[other])))
            for one, other in itertools.combinations("abc", 2)
            for _ in range(60)
        ]
        found = bradley_terry("abc", games, confidence=0.9)
        held += sum(found[name].low <= true[name] <= found[name].high for name in "abc")
    assert 0.86 <= held / 450 <= 0.95


def test_two_players_with_many_games_have_the_interval_of_the_normal_approximation() -> None:
    games = [("a", "b", float(k % 4 != 0)) for k in range(4000)]  # three of four
    rating = bradley_terry("ab", games, prior=1e-9)["a"]
    assert 2 * rating.elo == pytest.approx(ELO * math.log(3), abs=1e-3)
    error = 1.959964 / math.sqrt(4000 * 0.75 * 0.25)
    assert rating.high - rating.elo == pytest.approx(ELO * error / 2, rel=1e-3)


# ---------------------------------------------------------------------------------------------- the sequential test
def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    low, high = Sprt(0, 10, alpha=0.1, beta=0.2).bounds
    assert (low, high) == pytest.approx((math.log(0.2 / 0.9), math.log(0.8 / 0.1)))


def test_the_ratio_is_near_the_normal_approximation_where_there_are_many_games() -> None:
    wins, draws, losses = 4307, 8620, 4063
    games = wins + draws + losses
    mean = (wins + draws / 2) / games
    variance = (wins + draws / 4) / games - mean**2
    s0, s1 = expected_score(0), expected_score(3)
    normal = games * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 3).llr(wins, draws, losses) == pytest.approx(normal, rel=1e-3)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_the_ratio_is_as_fair_to_one_player_as_to_the_other(wins: int, draws: int, losses: int) -> None:
    forward, backward = Sprt(-20, 30), Sprt(-30, 20)
    assert forward.llr(wins, draws, losses) == pytest.approx(-backward.llr(losses, draws, wins), abs=1e-6)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_one_more_win_is_never_evidence_for_the_weaker_hypothesis(wins: int, draws: int, losses: int) -> None:
    test = Sprt(0, 40)
    assert test.llr(wins + 1, draws, losses) >= test.llr(wins, draws, losses) - 1e-9


def accepted(test: Sprt, elo: float, draws: float, rng: Random) -> tuple[str, int]:
    """What the test decides about a player of a known strength, and after how many games."""
    win = expected_score(elo) - draws / 2
    counts = [0, 0, 0]
    while True:
        u = rng.random()
        counts[0 if u < win else 1 if u < win + draws else 2] += 1
        decision = test.decision(*counts)
        if decision is not None:
            return decision, sum(counts)


@pytest.mark.parametrize("draws", [0.0, 0.3])
@pytest.mark.parametrize(("elo", "right"), [(0.0, "elo0"), (100.0, "elo1")])
def test_the_risks_of_error_are_as_promised(elo: float, right: str, draws: float) -> None:
    rng, test, runs = Random(7), Sprt(0, 100, alpha=0.1, beta=0.1), 100
    found = [accepted(test, elo, draws, rng) for _ in range(runs)]
    wrong = sum(decision != right for decision, _ in found)
    assert wrong <= 0.1 * runs + 3 * math.sqrt(runs * 0.1 * 0.9)
    assert sum(games for _, games in found) / runs < 200  # a fixed test of the same power takes more


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 is 5 and elo1 is 5"),
        ({"alpha": 0}, "alpha is 0; it must be between 0 and 0.5"),
        ({"beta": 0.7}, "beta is 0.7"),
    ],
)
def test_a_test_that_makes_no_sense_is_refused(given: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Sprt(**given)


def test_bad_parameters_of_ratings_are_refused() -> None:
    with pytest.raises(ParameterError, match="confidence is 95"):
        wilson(1, 2, 95)
    with pytest.raises(ParameterError, match="prior is 0"):
        bradley_terry("ab", [], prior=0)
