"""`search`: what it prints as JSON, the lines of play it starts from, games of a user's own, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from parallel_mcts import ThreadsCannotRunInParallel, game, search
from parallel_mcts.cli import build_parser, main
from parallel_mcts.cli.moves import after_moves
from parallel_mcts.cli.output import JsonLines
from parallel_mcts.errors import IllegalAction
from parallel_mcts.results import Progress, Strategy
from parallel_mcts.stats import gil_enabled

Told = pytest.CaptureFixture[str]


# ---------------------------------------------------------------------------------------------- JSON
def test_json_is_one_object_with_what_the_library_found(capsys: Told) -> None:
    assert main(["search", "biased_rps", "--algorithm", "matrix_ucb", "--iterations", "300", "--seed", "3", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    told = json.loads(out)
    expected = search(game("biased_rps"), algorithm="matrix_ucb", iterations=300, seed=3).to_dict()
    assert told.pop("position").split()[:3] == ["rock", "paper", "scissors"]
    assert {**told, "seconds": 0} == {**expected, "seconds": 0}


def test_json_lines_come_each_half_second_and_end_with_the_result(capsys: Told) -> None:
    times = iter([0.0, 0.25, 0.5, 0.75, 1.0, 1.25])
    teller = JsonLines(clock=lambda: next(times))
    strategy = Strategy(("a", "b"), (0.25, 0.75))
    for k in range(1, 6):
        teller.progress(Progress(100 * k, k / 4, 400.0, strategy, strategy, 0.5, 0.5, 7, 800, 2))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["type"], line["iterations"]) for line in lines] == [("info", 200), ("info", 400)]
    assert lines[0]["row"] == {"a": 0.25, "b": 0.75}
    assert (lines[0]["stage"], lines[0]["nodes"], lines[0]["memory"], lines[0]["workers"]) == ("searching", 7, 800, 2)


def test_json_lines_of_a_real_search(capsys: Told) -> None:
    assert main(["search", "goofspiel:cards=6", "--seconds", "0.9", "--engine", "python", "--json-lines"]) == 0
    *infos, last = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [info["type"] for info in infos] == ["info"] * len(infos)
    assert infos
    assert infos[0]["principal_line"]
    assert last["type"] == "result"
    assert last["iterations"] >= infos[-1]["iterations"]


# ---------------------------------------------------------------------------------------------- lines of play
def test_a_search_starts_after_a_line_of_play(capsys: Told) -> None:
    assert main(["search", "tictactoe", "--moves", "0 3 1 4", "--iterations", "400", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("X X 2\nO O 5\n6 7 8\nX to move\n")
    assert "\nline 2\n" in out


def test_lines_of_play_are_read_as_they_are_printed() -> None:
    joint = search(game("goofspiel:cards=4"), iterations=500, seed=1).principal_line
    state, moves = after_moves(game("goofspiel:cards=4"), " ".join(map(str, joint)))
    assert len(joint) >= 3
    assert moves == joint
    assert state.turn == len(joint)


def test_what_chance_did_is_said_after_an_at_sign() -> None:
    start = game("goofspiel:cards=3,prizes=random")
    state, moves = after_moves(start, "@2 1/3@1")
    assert [move.observation for move in moves] == [2, 1]
    assert state.observation() == 1
    by_number, _ = after_moves(game("pig"), "roll@3")  # the outcomes are positions: by their number in the list
    assert by_number.thrown == 4


def test_semicolons_part_moves_too() -> None:
    assert after_moves(game("nim"), "1; 2 ;3")[0].sticks == 4


@pytest.mark.parametrize(
    ("spec", "line", "message"),
    [
        ("tictactoe", "4 4", r"move 2, '4': column cannot play '4' .*square 4 is taken"),
        ("rps", "rock", "move 1, 'rock': both players choose at .*; write row/column .row: rock, paper, scissors;"),
        ("rps", "rock/well", "move 1, 'rock/well': column cannot play 'well'"),
        ("rps", "rock/rock rock/rock", "move 2, 'rock/rock': the game is over"),
        ("pig", "roll", "move 1, 'roll': chance takes part in Pig; say what it did: @0: row 0"),
        ("goofspiel:cards=2,prizes=random", "@7", "no outcome '7'; say what it did: @0: 1; @1: 2"),
    ],
)
def test_a_line_that_cannot_be_played_is_refused_at_its_first_wrong_move(spec: str, line: str, message: str) -> None:
    with pytest.raises(IllegalAction, match=message):
        after_moves(game(spec), line)


# ---------------------------------------------------------------------------------------------- files of one's own
def test_a_game_of_ones_own_file_is_searched(nim_file: Path, capsys: Told) -> None:
    assert main(["search", f"{nim_file}:Sticks:sticks=6", "--iterations", "2000", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == "Sticks"
    assert told["position"] == "Sticks(sticks=6, player=0)"
    assert max(told["row"], key=lambda action: action["visits"])["action"] == 2


def test_the_only_game_of_a_file_need_not_be_named_and_travels_to_other_processes(nim_file: Path, capsys: Told) -> None:
    arguments = ["search", str(nim_file), "--backend", "process", "--workers", "2", "--iterations", "200", "--json"]
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["visits"] == 200


def test_a_function_of_a_file_is_a_heuristic(nim_file: Path, capsys: Told) -> None:
    assert main(["search", f"{nim_file}:Sticks", "--model", f"{nim_file}:even", "--iterations", "50"]) == 0
    assert "50 iterations" in capsys.readouterr().out


def test_an_algorithm_of_ones_own_file_is_used(tmp_path: Path, capsys: Told) -> None:
    (tmp_path / "mine.py").write_text(
        "from parallel_mcts import Uniform\nclass Mine(Uniform):\n    __slots__ = ()\n    note = 1\n"
    )
    assert main(["search", "rps", "--algorithm", f"{tmp_path}/mine.py:Mine:averages=yes", "--iterations", "30"]) == 0
    assert "Mine(averages=True)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{file}:Stick", "unknown name in {file} 'Stick' (did you mean 'Sticks'?)"),
        ("{file}:Sticks:stick=3", "Sticks has no parameter 'stick' (did you mean 'sticks'?)"),
        ("{file}:Sticks:sticks=many", "Sticks: sticks is 'many'; it must be of type int"),
        ("nowhere/game.py:Game", "there is no file 'nowhere/game.py'"),
    ],
)
def test_what_a_file_does_not_have_is_bad_input(spec: str, message: str, nim_file: Path, capsys: Told) -> None:
    assert main(["search", spec.format(file=nim_file)]) == 2
    err = capsys.readouterr().err
    assert message.format(file=nim_file) in err
    assert len(err.splitlines()) == 1


def test_a_file_that_cannot_be_run_or_has_several_games_is_bad_input(nim_file: Path, tmp_path: Path, capsys: Told) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    assert main(["search", str(broken)]) == 2
    assert f"{broken} cannot be run: ZeroDivisionError: division by zero" in capsys.readouterr().err
    both = tmp_path / "both.py"
    both.write_text(nim_file.read_text() + "\n\nclass Other(Sticks):\n    pass\n")
    assert main(["search", str(both)]) == 2
    assert f"say which game of {both} is meant (Sticks, Other): {both}:name" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- errors and exit codes
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serach", "rps"], "unknown command 'serach' (did you mean 'search'?); choose from: search, play,"),
        (["search", "rps", "--iteratons", "5"], "unrecognized arguments: --iteratons 5 (did you mean '--iterations'?)"),
        (["search", "rps", "--iterations", "many"], "argument --iterations: invalid int value: 'many'"),
        (["search", "rps", "--json", "--json-lines"], "argument --json-lines: not allowed with argument --json"),
        (["completion", "bsh"], "unknown shell 'bsh' (did you mean 'bash'?); choose from: bash, zsh, fish"),
        (["check", "nim"], "one of the arguments --find --never --always --path is required"),
        ([], "the following arguments are required: COMMAND"),
    ],
)
def test_a_wrong_command_line_is_told_in_two_lines(arguments: list[str], message: str, capsys: Told) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    first, second = told.err.splitlines()
    assert message in first
    assert second.startswith("usage: parallel-mcts ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "kala"], "unknown game 'kala' (did you mean 'kalah'?)"),
        (["search", "kalah:bean=3"], "kalah has no parameter 'bean' (did you mean 'beans'?); it has: holes, beans,"),
        (["search", "rps", "--engine", "pyton"], "unknown engine 'pyton' (did you mean 'python'?)"),
        (["search", "rps", "--max-depth", "0"], "max_depth is 0; it must be a whole number from 1 to 10,000,000"),
        (["search", "rps", "--moves", "rock/rock"], "the game is over at"),
    ],
)
def test_bad_input_is_told_with_what_was_probably_meant(arguments: list[str], message: str, capsys: Told) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_an_error_of_the_game_has_no_traceback_unless_asked_for(tmp_path: Path, capsys: Told) -> None:
    game_file = tmp_path / "faulty.py"
    game_file.write_text("class Faulty:\n    def __init__(self):\n        raise KeyError('no board')\n")
    assert main(["search", f"{game_file}:Faulty"]) == 1
    assert capsys.readouterr().err == "parallel-mcts: KeyError: 'no board' (--debug shows where)\n"
    for arguments in (["--debug", "search", f"{game_file}:Faulty"], ["search", f"{game_file}:Faulty", "--debug"]):
        with pytest.raises(KeyError):
            main(arguments)


@pytest.mark.skipif(not gil_enabled(), reason="threads run at once here")
def test_a_warning_is_a_line_without_a_place_in_the_source(capsys: Told) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("always", ThreadsCannotRunInParallel)
        main(["search", "nim", "--backend", "threaded", "--workers", "2", "--iterations", "20"])
    assert capsys.readouterr().err.startswith("parallel-mcts: backend 'threaded': threads cannot run")


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
def test_ctrl_c_ends_the_lines_with_the_result() -> None:
    command = ["search", "goofspiel:cards=6", "--seconds", "60", "--engine", "python", "--json-lines"]
    with subprocess.Popen(
        [sys.executable, "-m", "parallel_mcts", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert json.loads(running.stdout.readline())["type"] == "info"
        running.send_signal(signal.SIGINT)
        rest, err = running.communicate(timeout=60)
    last = json.loads(rest.splitlines()[-1])
    assert (running.returncode, err) == (130, "")
    assert (last["type"], last["interrupted"]) == ("result", True)


def test_help_has_examples_and_exit_codes_for_every_command(capsys: Told) -> None:
    from parallel_mcts.cli.parsing import commands_of

    parser = build_parser()
    assert "exit codes:\n" in parser.format_help()
    for name, command in commands_of(parser).items():
        told = command.format_help()
        assert "example" in told, name
        assert f"usage: parallel-mcts {name}" in told


@pytest.mark.skipif(sys.platform == "win32", reason="has other pipes")
def test_a_reader_that_goes_away_is_no_accident() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, "-m", "parallel_mcts", "games"], stdout=theirs, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")
