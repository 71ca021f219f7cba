"""The fit of errors: what is put in comes out, and merging is what the backends do."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts import InputError, game, search, solve
from parallel_mcts.bench.simulation.judging import Judge, judge_for, samples
from parallel_mcts.bench.simulation.quality import Sample, curve, fitted, split
from parallel_mcts.bench.subject import Subject
from parallel_mcts.report.yardstick import by_solution

WORKERS = (1, 2, 4, 8, 16)


def made_up(bias: float, variance: float, iterations: int = 100) -> list[Sample]:
    return [Sample(iterations, w, 32 // w, bias + variance / w) for w in WORKERS]


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_bias_and_variance_are_told_apart(bias: float, variance: float) -> None:
    assert split(made_up(bias, variance)) == (pytest.approx(bias, abs=1e-6), pytest.approx(variance, abs=1e-6))


def test_neither_is_negative() -> None:
    growing = [Sample(100, 1, 32, 0.1), Sample(100, 2, 16, 0.2)]
    assert split(growing) == (pytest.approx(0.104, abs=0.05), 0.0)
    steep = [Sample(100, 1, 32, 1.0), Sample(100, 2, 16, 0.1)]
    bias, variance = split(steep)
    assert bias == 0.0
    assert 0 < variance < 1


def test_the_powers_are_found_and_gone_on_with() -> None:
    quality = fitted([s for n in (100, 400, 1600) for s in made_up(4.0 / n, 9.0 / math.sqrt(n), n)])
    assert quality.bias.power == pytest.approx(1.0)
    assert quality.variance.power == pytest.approx(0.5)
    for n, w in ((400, 2), (800, 16), (25_600, 100)):
        assert quality.error(n, w) == pytest.approx(math.sqrt(4.0 / n + 9.0 / math.sqrt(n) / w))
    assert not quality.guessed(800)
    assert quality.guessed(25_600)
    assert quality.error(0.3) is None


def test_a_bias_that_stays_is_not_taken_for_none_because_few_playouts_do_not_show_it() -> None:
    floor = curve([(10, 0.0), (100, 0.1), (1000, 0.1)])
    assert floor.at(10) == floor.at(10**6) == 0.1


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6), st.integers(1, 10**7), st.integers(1, 10**7))
def test_more_playouts_are_never_foretold_to_be_worse(values: list[float], n: int, m: int) -> None:
    fall = curve([(10**k, value) for k, value in enumerate(values, 1)])
    low, high = sorted((n, m))
    assert fall.at(high) <= fall.at(low) + 1e-12


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_more_workers_are_never_foretold_to_be_worse(a: int, b: int) -> None:
    quality = fitted(made_up(0.01, 0.3))
    few, many = sorted((a, b))
    assert quality.error(100, many) <= quality.error(100, few)  # type: ignore[operator]
    assert quality.error(100, many) >= 0.1  # type: ignore[operator]


def test_without_measurements_nothing_is_foretold() -> None:
    with pytest.raises(InputError, match="no errors were measured"):
        fitted([])


def test_a_group_of_trees_gives_the_answer_of_as_many_workers() -> None:
    subject = Subject.of(game("goofspiel:cards=3"))
    solved = solve(subject.state)
    asked: list[float] = []
    exact = by_solution(solved)

    def error(row: object, col: object, value: float | None) -> float:
        asked.append(exact.exploitability(row, col))  # type: ignore[arg-type]
        return asked[-1]

    found = samples(subject, "python", Judge("", "", error), 64, seed=5)
    assert [(s.iterations, s.workers) for s in found] == [(n, w) for n in (1, 4, 16, 64) for w in WORKERS]
    result = search(subject.state, iterations=64, seed=5, engine="python")
    groups = 32, 8 * 16, 8 * 8, 8 * 4, 8 * 2
    alone = asked[-sum(groups) :][: groups[0]]
    assert (
        min(abs(error - result.exploitability(solved)) for error in alone) < 1e-12
    )  # one of the trees is that of worker 0
    one = [s.error for s in found if s.workers == 1]
    assert one[-1] < one[0]


def test_all_trees_merged_are_the_inline_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_mcts.bench.simulation import judging

    monkeypatch.setattr(judging, "TREES", 4)
    monkeypatch.setattr(judging, "MERGED", (4,))
    subject = Subject.of(game("goofspiel:cards=3"))
    exact = by_solution(solve(subject.state))
    judge = Judge("", "", lambda row, col, _: exact.exploitability(row, col))
    merged = samples(subject, "python", judge, 50, seed=9)[-1]
    real = search(subject.state, iterations=200, backend="inline", workers=4, seed=9, engine="python")
    assert merged.error == pytest.approx(exact.exploitability(real.row, real.col))


def test_small_games_are_judged_by_their_solution_and_others_by_a_longer_search() -> None:
    small = judge_for(Subject.of(game("rps")), "python", limit=1000, iterations=10, seed=1)
    assert small.measure == "exploitability"
    assert small.source.startswith("exact")
    large = judge_for(Subject.of(game("tictactoe")), "python", limit=100, iterations=10, seed=1)
    assert large.measure == "error of the value"
    known = search(game("tictactoe"), iterations=80, seed=1, engine="python")
    assert large.error(known.row, known.col, known.row_value) == 0.0
