"""The recorder: what it keeps of a search's progress, how much, and over several runs."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts import ParameterError, Progress, Search, Strategy, game
from parallel_mcts.report import Recorder
from parallel_mcts.report.recorder import entropy

EVEN = Strategy(("rock", "paper"), (0.5, 0.5))


def progress(iterations: int, seconds: float, row: Strategy = EVEN, stage: str = "searching") -> Progress:
    return Progress(iterations, seconds, 0.0, row, EVEN, 0.25, 0.75, 1, 1, 1, stage)


def test_a_search_is_recorded_from_its_first_playouts_to_its_end() -> None:
    recorder = Recorder()
    with Search(game("biased_rps"), algorithm="matrix_ucb", seed=1, engine="python") as session:
        result = session.run(iterations=3_000, on_progress=recorder, progress_seconds=0.0)
    first, last = recorder.points[0], recorder.points[-1]
    assert first.iterations <= 8
    assert last.iterations == 3_000
    assert (last.row, last.col, last.row_value) == (result.row, result.col, result.row_value)
    assert last.seconds > 0
    assert last.row_entropy == entropy(result.row)


def test_without_progress_seconds_a_short_search_is_told_of_once() -> None:
    told: list[Progress] = []
    with Search(game("rps"), seed=1, engine="python", clock=lambda: 0.0) as session:
        session.run(iterations=500, on_progress=told.append)
        assert [p.iterations for p in told] == [500]
        session.run(iterations=500, on_progress=told.append, progress_seconds=0.0)
    assert len(told) > 2


@given(st.lists(st.integers(1, 1_000), min_size=1, max_size=200), st.integers(2, 40))
def test_points_are_bounded_in_order_and_keep_both_ends(steps: list[int], limit: int) -> None:
    recorder = Recorder(limit)
    total = 0
    for k, step in enumerate(steps):
        total += step
        recorder(progress(total, float(k)))
    kept = [point.iterations for point in recorder.points]
    assert kept == sorted(set(kept))
    assert len(kept) == min(limit, len(steps))
    assert kept[-1] == total
    assert kept[0] == steps[0]


def test_thinning_spreads_points_over_the_logarithm_of_the_iterations() -> None:
    recorder = Recorder(30)
    for k in range(1, 5_000):
        recorder(progress(k, k / 100))
    gaps = [b.iterations / a.iterations for a, b in pairwise(recorder.points)]
    assert max(gaps) < 2.5


def test_two_runs_on_one_tree_make_one_record() -> None:
    recorder = Recorder()
    for told in [progress(10, 1.0), progress(20, 2.0), progress(5, 0.5), progress(30, 3.0)]:
        recorder(told)
    assert [(p.iterations, p.seconds) for p in recorder.points] == [(10, 1.0), (20, 2.0), (25, 2.5), (50, 5.0)]


def test_a_search_begun_again_as_machine_code_forgets_its_trial_but_not_earlier_runs() -> None:
    recorder = Recorder()
    for told in [progress(10, 1.0), progress(7, 0.2), progress(9, 0.3), progress(4, 0.6), progress(40, 0.9)]:
        recorder(told)
    assert [p.iterations for p in recorder.points] == [10, 14, 50]


def test_compiling_is_not_a_moment_of_the_search() -> None:
    recorder = Recorder()
    recorder(progress(0, 0.0, stage="compiling"))
    assert recorder.points == []


def test_the_last_word_of_a_run_replaces_the_tick_before_it() -> None:
    recorder = Recorder()
    recorder(progress(10, 1.0))
    recorder(replace(progress(10, 1.1), row_value=0.5))
    assert [(p.seconds, p.row_value) for p in recorder.points] == [(1.1, 0.5)]


def test_another_root_begins_another_record() -> None:
    recorder = Recorder()
    recorder(progress(10, 1.0))
    recorder(progress(4, 0.1, Strategy(("scissors",), (1.0,))))
    assert [p.iterations for p in recorder.points] == [4]


@given(st.integers(1, 64))
def test_the_entropy_of_equally_likely_actions_is_the_logarithm_of_their_number(count: int) -> None:
    assert entropy(Strategy(range(count), [1 / count] * count)) == pytest.approx(math.log2(count))


def test_a_pure_strategy_has_no_entropy() -> None:
    assert entropy(Strategy("ab", (1.0, 0.0))) == 0.0


def test_a_recorder_of_fewer_than_two_points_is_refused() -> None:
    with pytest.raises(ParameterError, match="points is 1; it must be at least 2"):
        Recorder(1)
