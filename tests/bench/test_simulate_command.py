"""`bench simulate`, once for real at its smallest, and what is written down of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from parallel_mcts import ParameterError, game
from parallel_mcts.bench.simulation import SimulationReport, checking, judging, probing, simulate
from parallel_mcts.bench.simulation.plots import draw
from parallel_mcts.cli import main
from parallel_mcts.cli.bench.simulate import text


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the command writes."""
    folder = tmp_path_factory.mktemp("simulated")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "TREES", 16)
        patch.setattr(probing, "CALLS", 3)
        patch.setattr(checking, "hand_over", lambda: 1e-7)
        arguments = ["--engine", "python", "--seconds", "0.02", "--rounds", "1", "--checked", "1,2", "--workers", "1,100"]
        files = ["--json", f"{folder}/s.json", "--csv", f"{folder}/s.csv", "--plot", f"{folder}/s"]
        network = ["--latency", "0.001", "--bandwidth", "1e8"]
        assert main(["bench", "simulate", "goofspiel:cards=3", "--seed", "1", *arguments, *network, *files]) == 0
    return folder


@pytest.fixture(scope="module")
def report(written: Path) -> SimulationReport:
    return SimulationReport.from_dict(json.loads((written / "s.json").read_text()))


def test_a_report_comes_back_from_json_as_it_was(report: SimulationReport) -> None:
    assert SimulationReport.from_dict(json.loads(json.dumps(report.to_dict()))) == report
    assert report.measure == "exploitability"
    assert (report.latency, report.bandwidth) == (0.001, 1e8)


def test_real_workers_stand_beside_what_was_foretold(report: SimulationReport) -> None:
    assert [(c.backend, c.workers) for c in report.checks] == [
        ("process", 1),
        ("process", 2),
        ("threaded", 1),
        ("threaded", 2),
    ]
    assert all(c.iterations == c.workers * report.iterations for c in report.checks)
    assert all(c.ratio > 0 and c.measured_error is not None for c in report.checks)


def test_what_was_measured_makes_sense(report: SimulationReport) -> None:
    costs = report.costs
    assert 0 < costs.step < costs.playout
    assert 1 <= costs.path <= 4  # a game of three moves, the last of which is forced
    assert 1 <= costs.width <= 9
    assert costs.numbers > 9
    assert 0 < costs.merge < 0.1
    assert costs.boot > costs.spawn > 0


def test_every_number_of_workers_is_foretold_in_three_ways(report: SimulationReport, written: Path) -> None:
    assert [(p.way, p.workers) for p in report.predictions] == [
        (way, n) for n in (1, 100) for way in ("one parent", "in stages", "shared tree")
    ]
    with open(written / "s.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["way"] for row in rows] == [p.way for p in report.predictions]
    assert float(rows[3]["rate"]) == report.predictions[3].rate


def test_the_table_says_how_far_to_believe_it(report: SimulationReport) -> None:
    told = text(report)
    assert "ratio" in told
    assert "Simulated: a search of 10 s, a processor for each worker, 0.001 s away, 100,000,000 bytes per second" in told
    assert "exploitability, exact: the game was solved" in told
    assert "~" in told


def test_the_plot_has_a_line_for_each_way_and_dots_for_what_was_measured(report: SimulationReport, written: Path) -> None:
    speed, error = draw(report).axes
    assert [line.get_label() for line in speed.lines] == [
        "ideal",
        "one parent",
        "in stages",
        "shared tree",
        "process, simulated here",
        "process, measured",
        "threaded, simulated here",
        "threaded, measured",
    ]
    assert list(speed.lines[1].get_xdata()) == [1, 100]
    assert error.get_ylabel() == "exploitability"
    assert (written / "s.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (written / "s.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "1,x"], "--workers is '1,x'; write whole numbers with commas between them"),
        (["--checked", "0"], "checked is [0]; it must be numbers of workers of at least 1"),
        (["--latency", "-1"], "latency is -1.0"),
        (["--bandwidth", "0"], "bandwidth is 0.0"),
        (["--seconds", "0"], "seconds is 0.0"),
        (["--rounds", "0"], "rounds is 0"),
        (["--json", "/nowhere/x.json"], "--json /nowhere/x.json: there is no folder /nowhere"),
        (["--plot", "/nowhere/x"], "--plot /nowhere/x.png: there is no folder /nowhere"),
    ],
)
def test_bad_input_is_said_before_anything_is_measured(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "simulate", "rps", *arguments]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert len(told.err.splitlines()) == 1
    assert told.out == ""


def test_ctrl_c_during_the_checks_leaves_the_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(checking, "_measure", stop)
    monkeypatch.setattr(judging, "TREES", 4)
    monkeypatch.setattr(probing, "CALLS", 2)
    monkeypatch.setattr(probing, "hand_over", lambda: 1e-7)
    report = simulate(game("goofspiel:cards=3"), engine="python", seconds=0.01, workers=(10,), checked=(1,), seed=2)
    assert report.interrupted
    assert report.checks == ()
    assert len(report.predictions) == 3
    assert "stopped by Ctrl-C" in text(report)


def test_a_search_without_workers_is_refused() -> None:
    with pytest.raises(ParameterError, match="workers is"):
        simulate(game("rps"), workers=())
