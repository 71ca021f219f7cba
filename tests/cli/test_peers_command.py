"""`parallel-mcts bench peers`: options, files, Ctrl-C and what is seen of it. What it measures is tested in tests/bench."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parallel_mcts.bench.peers import base, comparison
from parallel_mcts.bench.peers.comparison import GAMES_OF, Request
from parallel_mcts.bench.peers.known import PEERS
from parallel_mcts.bench.peers.open_spiel_cfr import SOLVERS
from parallel_mcts.cli import main
from parallel_mcts.cli.bench import peers as command

QUICK = ("--engine", "python", "--games", "2", "--seconds", "0.002", "--on", "tictactoe", "--against", "multimcts")


def run(*arguments: str) -> int:
    return main(["bench", "peers", *arguments])


def test_the_help_names_what_there_is() -> None:
    assert command.PARTS == comparison.PARTS
    assert set(command.GAMES) == {game for games in GAMES_OF.values() for game in games}
    assert list(command.PEERS) == [*PEERS, *SOLVERS]


def test_what_is_asked_for_by_default_is_what_the_comparison_does_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[Request]()
    monkeypatch.setattr(comparison, "compare", lambda request, *_: asked.append(request))
    assert run() == 0
    (request,), usual = asked, Request()
    for name in ("rounds", "round_seconds", "workers", "seeds"):
        assert getattr(request, name) == getattr(usual, name)
    assert list(request.times) == list(usual.times)
    assert (request.plan.games, request.plan.seconds, request.plan.seed) == (20, 0.2, 1)
    assert (usual.plan.games, usual.plan.seconds, usual.plan.seed) == (20, 0.2, 1)
    assert list(request.parts) == list(usual.parts)


def test_matches_are_played_and_told_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("multimcts")
    assert run("strength", *QUICK) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "Strength at equal time" in told.out
    assert "UCB(c=0.7), python, single × 1" in told.out
    assert "Targets" in told.out
    assert "parallel-mcts" in told.out.splitlines()[-2]


def test_processes_play_in_a_row_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("multimcts")
    assert run("strength", *QUICK, "--workers", "2") == 0
    told = capsys.readouterr().out
    assert "single × 1" in told
    assert "process × 2" in told


def test_json_and_csv_go_to_files_or_to_stdout_and_nothing_else_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("multimcts")
    figures = tmp_path / "figures.csv"
    assert run("strength", *QUICK, "--json", "-", "--csv", str(figures)) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["game"], row["peer"]) for row in told["strength"]] == [("tictactoe", "multimcts")]
    assert told["strength"][0]["wins"] + told["strength"][0]["draws"] + told["strength"][0]["losses"] == 2
    with figures.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["part"] for row in rows} == {"strength"}
    assert next(row["value"] for row in rows if row["figure"] == "engine") == "python"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["strenght"], "unknown part 'strenght' (did you mean 'strength'?); choose from: exploitability, speed, strength"),
        (["--on", "chess"], "unknown game to compare on 'chess'"),
        (["--against", "alphago"], "unknown peer 'alphago'; choose from: cfr, cfr_plus, mccfr_external"),
        (["--times", "1;2"], "--times is '1;2'; give numbers of seconds, such as 1,10"),
        (["--times", "0"], "times is [0.0]"),
        (["--games", "7"], "games is 7; it must be an even number"),
        (["--engine", "cython"], "unknown engine 'cython'"),
        (["--algorithm", "ucb:c=-1"], "ucb: c is -1.0"),
        (["--json", "no/such/folder/figures.json"], "--json no/such/folder/figures.json: there is no folder"),
    ],
)
def test_bad_input_is_said_in_a_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert len(told.err.splitlines()) == 1


def test_a_peer_that_is_not_installed_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real: Callable[[str], Any] = base.import_module

    def without_multimcts(name: str) -> Any:
        if name == "multimcts":
            raise ModuleNotFoundError(name)
        return real(name)

    monkeypatch.setattr(base, "import_module", without_multimcts)
    assert run("strength", *QUICK) == 0
    assert "multimcts: multimcts is not installed: pip install 'parallel-mcts[bench]'" in capsys.readouterr().out


def test_ctrl_c_gives_the_figures_so_far(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def cut_short(request: Request, found: Any, tell: Callable[[str], None]) -> None:
        found.missing["Absent"] = "is not there"
        tell("something")
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "compare", cut_short)
    figures = tmp_path / "figures.json"
    assert run("--json", str(figures)) == 130
    told = json.loads(figures.read_text())
    assert told["interrupted"] is True
    assert told["missing"] == {"Absent": "is not there"}


@pytest.mark.skipif(sys.platform == "win32", reason="uses pseudo-terminals")
def test_on_a_terminal_the_table_grows_and_ctrl_c_leaves_it(terminal: Callable[..., Any]) -> None:
    pytest.importorskip("multimcts")
    arguments = (
        "--engine",
        "python",
        "--games",
        "2000",
        "--seconds",
        "0.05",
        "--on",
        "tictactoe",
        "--against",
        "multimcts",
    )
    screen = terminal("bench", "peers", "strength", *arguments, columns=160)
    assert "Ctrl-C for the tables so far" in screen.read_until("2 of 2000 games")
    screen.interrupt()
    assert screen.code() == 130
    assert "interrupted: what there was so far" in screen.text
    assert "\x1b[?25h" in screen.seen  # the cursor is back
