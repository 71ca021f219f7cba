"""The command line, driven as people drive it: through a pipe, and with Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parallel_mcts import __version__
from parallel_mcts.cli import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parallel_mcts", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_search_prints_position_strategies_and_how_it_was_done() -> None:
    done = run("search", "biased_rps", "--algorithm", "matrix_ucb", "--iterations", "500", "--seed", "3")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["rock", "paper", "scissors"]
    assert ["paper", "0.625"] in [line.split()[:2] for line in lines]
    assert lines[-1].startswith("500 iterations in ")
    assert lines[-1].endswith("MatrixUCB(c=0.5, slack=0.01), single × 1, python, seed 3")


def test_the_console_script_is_installed() -> None:
    script = Path(sys.executable).with_name("parallel-mcts")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == f"parallel-mcts {__version__}\n"


def test_workers_and_models_are_passed_on() -> None:
    done = run(
        "search",
        "nim:sticks=5",
        "--backend",
        "process",
        "--workers",
        "2",
        "--iterations",
        "400",
        "--model",
        "rollout:times=2",
    )
    assert done.returncode == 0
    assert "400 iterations" in done.stdout
    assert "process × 2" in done.stdout


def test_without_a_limit_there_is_one_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "rps", "--algorithm", "uniform"]) == 0
    assert "10,000 iterations in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "gofspiel"], "unknown game 'gofspiel' (did you mean 'goofspiel'?); choose from: biased_rps, "),
        (["search", "goofspiel:cards=0"], "cards is 0; it must be a whole number from 1 to 60"),
        (["search", "goofspiel:cards=x"], "goofspiel: cards is 'x'; it must be of type int"),
        (["search", "goofspiel:cards"], "cannot read 'cards' in 'goofspiel:cards'"),
        (["search", "rps", "--algorithm", "exp4"], "unknown algorithm 'exp4'"),
        (["search", "rps", "--backend", "cluster"], "unknown backend 'cluster'"),
        (["search", "rps", "--workers", "0"], "workers is 0; it must be a whole number of at least 1"),
        (["search", "rps", "--iterations", "-3"], "iterations is -3"),
        (["search", "rps", "--seconds", "0"], "seconds is 0.0"),
        (["search", "rps", "--seed", "-1"], "seed is -1"),
    ],
)
def test_bad_input_is_said_on_stderr_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("parallel-mcts: ")
    assert message in told.err
    assert len(told.err.splitlines()) == 1


def test_an_option_that_does_not_exist_exits_with_2_and_no_traceback() -> None:
    for arguments in (["search", "rps", "--iterations", "many"], ["seek", "rps"], []):
        done = run(*arguments)
        assert done.returncode == 2
        assert "usage: parallel-mcts" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_search_that_fails_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "tictactoe", "--model", "solved", "--algorithm", "puct", "--iterations", "5"]) == 1
    assert "TicTacToe does not know its equilibria" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
@pytest.mark.parametrize("backend", ["single", "process"])
def test_ctrl_c_prints_the_answer_so_far_and_exits_with_130(backend: str) -> None:
    command = [sys.executable, "-m", "parallel_mcts", "search", "connect_four", "--seconds", "60", "--backend", backend]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(2.5)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert err == ""
    assert "interrupted" in out.splitlines()[-1]
