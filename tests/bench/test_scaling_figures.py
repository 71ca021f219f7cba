"""What follows from what was measured: medians, speed-ups, intervals, warnings; and that a report survives its file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fake_machine import QUIET, a_cell, a_report, exploitabilities, scores, whole_report

from parallel_mcts import InputError
from parallel_mcts.bench.conditions import Conditions, spoiled
from parallel_mcts.bench.scaling import ScalingReport
from parallel_mcts.ratings import wilson


def test_speed_up_is_the_ratio_of_medians_and_efficiency_its_share_for_each_worker() -> None:
    base = a_cell("single", 1, (100.0, 1000.0, 1100.0))
    pair = a_cell("process", 2, (1500.0, 1800.0, 9000.0))
    report = a_report(base, pair)
    assert report.speed_up(pair) == pytest.approx(1.8)
    assert report.efficiency(pair) == pytest.approx(0.9)
    assert report.speed_up(base) == 1.0
    assert pair.rates == pytest.approx([1500.0, 1800.0, 9000.0])
    assert pair.spread == pytest.approx(7500 / 1800)
    assert pair.memory_per_node == 100.0


def test_each_mode_and_algorithm_is_compared_with_its_own_single() -> None:
    cells = [
        a_cell("single", 1, (1000.0,)),
        a_cell("single", 1, (500.0,), mode="weak"),
        a_cell("single", 1, (250.0,), algorithm="exp3"),
        a_cell("forest", 2, (1000.0,), mode="weak"),
        a_cell("forest", 2, (1000.0,), algorithm="exp3"),
        a_cell("forest", 2, (1000.0,), algorithm="uniform"),
    ]
    report = a_report(*cells)
    assert [report.speed_up(cell) for cell in cells[3:]] == [2.0, 4.0, None]
    assert report.efficiency(cells[5]) is None


def test_more_workers_than_processors_are_oversubscribed() -> None:
    report = a_report(a_cell("process", 2, (1.0,)), a_cell("process", 3, (1.0,)))
    assert [report.oversubscribed(cell) for cell in report.cells] == [False, True]


def test_exploitability_is_told_by_its_median_and_extremes_and_a_score_by_its_mean_and_interval() -> None:
    found = exploitabilities(0.4, 0.1, 0.2)
    assert (found.value, found.interval, found.iterations, found.games) == (0.2, (0.1, 0.4), 900, 0)
    played = scores(1.0, 0.75, 0.5)
    assert (played.value, played.games, played.iterations) == (0.75, 6, None)
    assert played.interval == wilson(4.5, 6)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        ([QUIET, QUIET], []),
        ([Conditions(0.19, 45e-9, 45e-9), QUIET], ["other programs used 10% of the processors"]),
        (
            [QUIET, Conditions(0.0, 50e-9, 200e-9)],
            ["the cache line ping-pong changed between fast and slow (45 to 200 ns)"],
        ),
        ([Conditions(0.0, 80e-9, 200e-9)], []),
        ([Conditions(0.0, None, None)], []),
    ],
)
def test_a_figure_is_spoiled_by_other_programs_and_by_caches_that_change(seen: list[Conditions], words: list[str]) -> None:
    assert spoiled(seen) == words


def test_a_search_that_takes_much_longer_than_it_may_is_not_compared_at_equal_time() -> None:
    late = exploitabilities(0.1, wall=0.1)
    assert late.warnings() == []
    trials = tuple(type(t)(t.value, 0, 900, 0.2, QUIET) for t in late.trials)
    assert type(late)("exploitability", 0.1, trials).warnings() == ["took 0.2 s where 0.1 s were given"]


def test_a_report_comes_back_from_json_as_it_was() -> None:
    report = whole_report(notes=("a note",), interrupted=True)
    written = json.loads(json.dumps(report.to_dict()))
    assert ScalingReport.from_dict(written) == report
    first = written["cells"][2]
    assert first["rates"] == pytest.approx([1710.0, 1900.0, 2090.0])
    assert (first["speed_up"], first["efficiency"], first["oversubscribed"]) == pytest.approx((1.9, 0.95, False))
    assert first["foreign_load"] == pytest.approx(0.01)
    assert (first["ping_pong_before"], first["ping_pong_after"]) == (45e-9, 46e-9)
    assert first["quality"]["value"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    "given", [[], None, {}, {"kind": "simulation"}, {"kind": "scaling"}, {**whole_report().to_dict(), "cells": [3]}]
)
def test_other_files_are_refused(given: Any) -> None:
    with pytest.raises(InputError, match="scaling benchmark"):
        ScalingReport.from_dict(given)
