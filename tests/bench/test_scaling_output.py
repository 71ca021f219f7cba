"""How a scaling report is told: tables, a flat file, plots, the page; and the command that does it all."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fake_machine import a_cell, a_report, scores, whole_report

from parallel_mcts import MissingDependency, ParameterError, Search, game
from parallel_mcts.bench.conditions import Conditions
from parallel_mcts.bench.scaling import figures_of, write_page, write_plots
from parallel_mcts.bench.scaling.plots import figure
from parallel_mcts.bench.scaling.telling import COLUMNS, as_csv, findings, tables, warnings
from parallel_mcts.cli import main
from parallel_mcts.cli.bench.scaling import counts, things
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.report.page import html_page
from parallel_mcts.report.scaling import scaling_page

UNCERTAIN = "not certain: it may be no better than single"
NOISY = Conditions(0.3, 45e-9, 300e-9)
SMALL = ["bench", "scaling", "rps", "--backends", "inline", "--workers", "1,2", "--engine", "python", "--iterations", "50"]
QUICK = [*SMALL, "--rounds", "1", "--quality-seconds", "0.01", "--seed", "1"]


# ---------------------------------------------------------------------------------------------- tables
def test_the_table_has_a_line_for_each_cell_with_its_figures() -> None:
    text = str(whole_report())
    assert "2 processors; 2026-01-02" in text
    assert "ucb, compiled; strong scaling: 1,000 iterations, shared by all workers" in text
    line = next(line for line in text.splitlines() if line.startswith("forest         2"))
    assert line.split() == [
        *("forest", "2", "1,900", "10%", "1.90", "×", "95%", "10", "ms", "0.50", "s", "100", "1.0%", "45–46", "ns"),
    ]
    crowded = [line for line in text.splitlines() if line.startswith(("forest         4", "process        4"))]
    assert len(crowded) == 6
    assert all(line.endswith("*") for line in crowded)
    assert "* oversubscribed: more workers than the 2 processors" in text
    assert "the exact solution has 44 positions" in text
    widths = {len(line) for line in text.split("\n\n")[1].splitlines()[1:]}
    assert max(widths) - min(widths) <= 3


def test_on_a_narrow_terminal_a_table_is_parted_and_nothing_is_left_out() -> None:
    table = tables(whole_report())[0]
    assert table.pieces(200) == [table]
    parts = table.pieces(60)
    assert len(parts) > 1
    assert all(sum(part.widths) + 2 * len(part.head) <= 60 for part in parts)
    assert [name for part in parts for name in part.head[2:-1]] == list(table.head[2:-1])
    assert {part.head[:2] for part in parts} == {("backend", "workers")}
    assert [part.lines[3][-1] for part in parts] == ["*"] * len(parts)


def test_the_findings_name_the_fastest_and_the_best_and_say_what_is_not_certain() -> None:
    lines = findings(whole_report())
    assert lines[0] == "ucb, fastest (strong): forest × 2, 1.90 × single"
    assert lines[2].startswith("ucb, best answers at equal time: forest × 4, exploitability 0.0500 beside 0.3000 of single")
    assert "not certain" not in lines[2]
    doubtful = a_report(a_cell("single", 1, (9.0,)), a_cell("process", 2, (8.0,), quality=scores(1.0, 0.5)))
    assert findings(doubtful) == [
        "ucb, fastest (strong): single",
        f"ucb, best answers at equal time: process × 2, score 75.0% against single; {UNCERTAIN}",
    ]


def test_spoiled_figures_are_marked_and_said() -> None:
    report = a_report(a_cell("single", 1, (9.0,)), a_cell("process", 2, (18.0,), conditions=NOISY))
    assert warnings(report) == [
        "! ucb, process × 2, strong: other programs used 30% of the processors",
        "! ucb, process × 2, strong: the cache line ping-pong changed between fast and slow (45 to 300 ns)",
    ]
    lines = str(report).splitlines()
    assert [line.endswith("!") for line in lines if line.startswith(("single ", "process "))] == [False, True]
    assert "fastest (strong): process × 2, 2.00 × single, but other programs used 30%" in str(report)


def test_threads_of_one_core_are_told_and_an_interrupted_benchmark_says_so() -> None:
    assert "2 processors on 1 cores" in str(whole_report(physical_cores=1))
    assert str(whole_report(interrupted=True)).endswith("interrupted: the figures so far")
    assert str(a_report(interrupted=True)).endswith("interrupted before there was a figure")


def test_a_spreadsheet_gets_a_line_for_each_cell_with_plain_numbers() -> None:
    report = whole_report()
    lines = list(csv.DictReader(io.StringIO(as_csv(report))))
    assert len(lines) == len(report.cells)
    assert list(lines[0]) == list(COLUMNS)
    pair = lines[2]
    assert (pair["backend"], pair["workers"], pair["mode"], pair["measure"]) == ("forest", "2", "strong", "exploitability")
    assert [float(pair[name]) for name in ("rate", "speed_up", "efficiency", "value")] == pytest.approx(
        [1900, 1.9, 0.95, 0.1]
    )


# ---------------------------------------------------------------------------------------------- plots
def test_plots_have_a_line_for_each_backend_the_ideal_and_error_bars(tmp_path: Path) -> None:
    report = whole_report()
    speed_up, rates, quality = figure(report).axes
    names = [container.get_label() for container in speed_up.containers]
    assert names == ["forest, strong", "process, strong", "forest, weak", "process, weak"]
    assert [line.get_label() for line in speed_up.lines if line.get_label() == "ideal"] == ["ideal"]
    drawn = {container.get_label(): container for container in speed_up.containers}
    assert list(drawn["forest, strong"].lines[0].get_ydata()) == pytest.approx([1.0, 1.9, 1.9])
    assert next(c.get_label() for c in rates.containers) == "single, strong"
    judged = {container.get_label(): container for container in quality.containers}
    assert list(judged["process"].lines[0].get_ydata()) == pytest.approx([0.2, 0.1, 0.05])
    bar = judged["process"].lines[2][0].get_segments()[0]
    assert sorted(y for _, y in bar) == pytest.approx([0.1, 0.3])
    png, svg = write_plots(report, tmp_path / "scaling")
    assert png.read_bytes()[:4] == b"\x89PNG"
    assert ET.fromstring(svg.read_text()).tag.endswith("svg")


def test_a_report_without_quality_or_with_one_cell_can_be_drawn() -> None:
    assert len(figure(a_report(a_cell("single", 1, (5.0,)))).axes) == 2
    assert len(figure(a_report(a_cell("process", 2, (5.0,), quality=scores(0.5)))).axes) == 3


def test_without_matplotlib_it_is_said_what_to_install_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingDependency, match="pip install"):
        figure(whole_report())
    assert main([*QUICK, "--plot", str(tmp_path / "x")]) == 1
    assert "parallel-mcts[plot]" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- the page
class Words(HTMLParser):
    """A page's elements and texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.lines: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "polyline":
            self.lines.append(dict(attrs)["data-values"] or "")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_has_the_figures_in_charts_and_tables(tmp_path: Path) -> None:
    write_page(whole_report(), tmp_path / "scaling.html")
    page = (tmp_path / "scaling.html").read_text(encoding="utf-8")
    read = Words(page)
    assert read.texts.count("Scaling") == 1
    assert "1.000 1.900 1.900" in read.lines
    assert "0.200 0.100 0.050" in read.lines
    assert "1.000 2.000 4.000" in read.lines  # the ideal
    assert read.tags.count("svg") == 5
    assert read.tags.count("table") == 3
    assert "Speed-up, strong" in read.texts
    assert "1.90 ×" in read.texts
    assert "default-src 'none'" in page.replace("&#x27;", "'")


def test_a_page_of_a_search_has_a_section_on_scaling_if_it_is_given_one() -> None:
    with Search(game("rps"), seed=1, engine="python") as session:
        session.run(iterations=50)
        page = html_page(session, scaling=figures_of(whole_report()))
        assert "Scaling" not in html_page(session)
    assert '<h2 id="scaling">Scaling</h2>' in page
    assert page.index('id="strategies"') < page.index('id="scaling"') < page.index('id="parameters"')


def test_nothing_that_a_game_or_an_algorithm_is_called_is_taken_for_markup() -> None:
    bad = "</script><img src=x onerror=alert(1)>"
    cells = [a_cell("single", 1, (1.0,), algorithm=bad), a_cell(bad, 1, (2.0,), algorithm=bad, conditions=NOISY)]
    read = Words(scaling_page(figures_of(a_report(*cells, game=bad, machine=bad, notes=(bad,)))))
    assert read.tags.count("script") == 1
    assert "img" not in read.tags
    assert read.texts.count(bad) >= 4
    svg = io.StringIO()
    figure(a_report(*cells, game=bad, machine=bad)).savefig(svg, format="svg")
    assert ET.fromstring(svg.getvalue()) is not None


# ---------------------------------------------------------------------------------------------- the command
def test_the_command_prints_the_tables_and_writes_every_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / name for name in ("s.json", "s.csv", "s.html")}
    outputs = ["--json", str(files["s.json"]), "--csv", str(files["s.csv"]), "--html", str(files["s.html"])]
    assert main([*QUICK, *outputs, "--plot", str(tmp_path / "s.png")]) == 0
    out = capsys.readouterr().out
    assert "regret_matching, python; weak scaling: 50 iterations for each worker" in out
    assert "exploitability after 0.01 s" in out
    assert json.loads(files["s.json"].read_text())["cells"][2]["workers"] == 2
    assert files["s.csv"].read_text().startswith("game,backend,workers")
    assert "<h1>rps</h1>" in files["s.html"].read_text()
    assert {path.name for path in tmp_path.iterdir()} == {*files, "s.png", "s.svg"}


def test_json_alone_is_all_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--mode", "weak", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["kind"] == "scaling"
    assert {cell["mode"] for cell in report["cells"]} == {"weak"}
    assert report["seed"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--workers", "1,x"], "--workers is '1,x'; give whole numbers, such as 1,2,4"),
        (["--workers", "0"], "each must be a whole number of at least 1"),
        (["--backends", "proces"], "unknown backend 'proces' (did you mean 'process'?)"),
        (["--backends", ","], "--backends is ','; give names parted by commas"),
        (["--mode", "strongly"], "unknown mode 'strongly'"),
        (["--rounds", "0"], "rounds is 0"),
        (["--seconds", "-1"], "seconds is -1.0"),
        (["--html", "/no/such/folder/s.html"], "--html /no/such/folder/s.html: there is no folder /no/such/folder"),
        (["--csv", "."], "--csv .: this is a folder"),
        (["--plot", "/no/such/folder/s"], "--plot /no/such/folder/s.png: there is no folder"),
        (["--json", "-", "--csv", "-"], "--json and --csv cannot both be printed"),
        (["--json", "/dev/full/x"], "--json /dev/full/x: there is no folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*QUICK, *options]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert len(told.err.splitlines()) == 1
    assert told.out == ""


def test_a_disk_without_room_is_told_before_anything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def full(**options: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("parallel_mcts.cli.bench.files.tempfile.TemporaryFile", full)
    path = tmp_path / "s.json"
    assert main([*QUICK, "--json", str(path)]) == 2
    assert f"--json {path}: cannot be written: No space left on device" in capsys.readouterr().err
    assert not path.exists()


def test_lists_keep_the_parameters_of_each_name_together() -> None:
    assert things(ALGORITHMS, "exp3:gamma=0.2,averages=yes, ucb") == ["exp3:gamma=0.2,averages=yes", "ucb"]
    assert things(ALGORITHMS, None) is None
    assert counts("1,2, 4") == [1, 2, 4]
    with pytest.raises(ParameterError):
        things(ALGORITHMS, "")


def test_help_says_how() -> None:
    command = [sys.executable, "-m", "parallel_mcts", "bench", "scaling", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "parallel-mcts bench scaling connect_four --html scaling.html --plot scaling" in done.stdout
