"""`play`, `match` and `tournament`: games on the command line, their transcripts, and results that are gone on with."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from parallel_mcts import run_match
from parallel_mcts.cli import main

Told = pytest.CaptureFixture[str]


def test_two_agents_play_and_the_board_is_drawn_after_every_move(capsys: Told) -> None:
    assert main(["play", "tictactoe", "--row", "first", "--col", "first"]) == 0
    out = capsys.readouterr().out
    assert out.count("to move\n") == 7
    assert "\n7. 6\nX O X\nO X O\nX 7 8\nX has won\n" in out
    assert out.endswith("row won after 7 moves\n")


def test_a_person_behind_a_pipe_plays_and_gives_up(capsys: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nseven\nquit\n"))
    assert main(["play", "tictactoe", "--col", "first"]) == 0
    out = capsys.readouterr().out
    assert "O 1 2\n3 X 5\n6 7 8\n" in out
    assert "seven" in out
    assert "You lost: row (human) gave up" in out


@pytest.mark.parametrize(("name", "agent"), [("gomoku", "gomoku"), ("mnk:m=9,n=9,k=5", "gomoku"), ("nim", "mcts")])
def test_whoever_names_no_opponent_plays_the_strongest_there_is(
    name: str, agent: str, capsys: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", name, "--transcript", str(tmp_path / "game.txt")]) == 0
    assert f"# col: {agent}:seconds=2.0" in (tmp_path / "game.txt").read_text()


@pytest.mark.parametrize("command", [["match"], ["play"]])
def test_a_transcript_is_played_again_by_the_file_agent(command: list[str], tmp_path: Path, capsys: Told) -> None:
    file = tmp_path / "game.txt"
    agents = ["random", "random"] if command == ["match"] else ["--row", "random", "--col", "random"]
    start = [*command, "goofspiel:cards=4,prizes=random", *agents, "--seed", "5", "--transcript", str(file)]
    assert main(start) == 0
    capsys.readouterr()
    again = [f"file:path={file}"] * 2
    assert main(["match", "goofspiel:cards=4,prizes=random", *again, "--seed", "5", "--json"]) == 0
    played = json.loads(capsys.readouterr().out)
    original = run_match("goofspiel:cards=4,prizes=random", "random", "random", seed=5).results
    assert played["moves"] == [str(move) for move in original.moves]
    assert (played["row"], played["col"]) == (original.row, original.col)


def test_a_game_with_chance_is_repeated_also_after_a_move_was_taken_back(
    tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    start = ["play", "dice:rounds=4", "--col", "first", "--seed", "3", "--transcript", str(file)]
    monkeypatch.setattr("sys.stdin", io.StringIO("roll\nroll\nundo\nroll\nundo\nstop\nroll\nroll\n"))
    assert main(start) == 0
    played = capsys.readouterr().out
    assert played.count("Taken back: ") == 2
    end = next(line for line in played.splitlines() if line.endswith("rounds to come: 0"))
    assert main(["match", "dice:rounds=4", *[f"file:path={file}"] * 2, "--seed", "3"]) == 0
    assert end in capsys.readouterr().out


def test_a_transcript_begins_with_the_moves_that_led_to_the_start(tmp_path: Path, capsys: Told) -> None:
    file = tmp_path / "game.txt"
    assert main(["match", "nim:sticks=7", "first", "first", "--moves", "3 2", "--transcript", str(file)]) == 0
    moves = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert moves == ["row: 3", "col: 2", "row: 1", "col: 1"]
    assert main(["match", "nim:sticks=7", f"file:path={file}", f"file:path={file}"]) == 0
    assert "col won after 4 moves: 0 to 1" in capsys.readouterr().out


def test_a_match_prints_its_moves_and_its_end(capsys: Told) -> None:
    assert main(["match", "nim:sticks=3", "first", "first", "--seed", "9"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == ["  1  1", "  2  1", "  3  1", "", " (0 left, column to move)", "",
                                "row won after 3 moves: 1 to 0, seed 9"]  # fmt: skip


def test_a_tournament_prints_its_table_and_goes_on_from_its_file(tmp_path: Path, capsys: Told) -> None:
    file = tmp_path / "results.jsonl"
    command = ["tournament", "nim", "good=mcts:iterations=30", "random", "--workers", "1", "--results", str(file)]
    assert main([*command, "--rounds", "2", "--seed", "4"]) == 0
    first = capsys.readouterr().out
    assert first.endswith("4 of 4 games\n")
    assert first.split("\n")[1].split()[:3] == ["1", "good", "4"]
    before = file.read_text()
    assert main([*command, "--rounds", "3"]) == 0
    assert capsys.readouterr().out.endswith("6 of 6 games\n")
    assert file.read_text().startswith(before)
    assert len(file.read_text().splitlines()) == 7
    assert main([*command, "--rounds", "3", "--seed", "5"]) == 2
    assert "belongs to another tournament: its seed is 4, not 5" in capsys.readouterr().err


def test_a_match_of_several_rounds_is_a_tournament_of_two(capsys: Told) -> None:
    assert main(["match", "tictactoe", "random", "first", "--rounds", "3", "--workers", "1", "--seed", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == told["total"] == 6
    assert {row["name"] for row in told["standings"]} == {"random", "first"}


def test_a_game_of_ones_own_file_goes_on_from_its_results_too(nim_file: Path, tmp_path: Path, capsys: Told) -> None:
    command = ["tournament", f"{nim_file}:Sticks:sticks=5", "random", "first", "--results", str(tmp_path / "r.jsonl")]
    assert main([*command, "--rounds", "1", "--workers", "2"]) == 0
    assert main([*command, "--rounds", "2", "--workers", "1"]) == 0
    assert capsys.readouterr().out.endswith("4 of 4 games\n")


def test_a_sequential_test_stops_a_pair(capsys: Told) -> None:
    command = ["tournament", "nim:sticks=4", "first", "mcts:iterations=60", "--rounds", "200", "--workers", "1"]
    assert main([*command, "--sprt=-400,400", "--seed", "2"]) == 0
    assert "elo0 accepted after" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tournament", "nim", "random"], "a tournament needs two agents or more; given: random"),
        (["tournament", "nim", "random", "random"], "two agents are called 'random'; give them names: one=random"),
        (["tournament", "nim", "random", "first", "--sprt", "5"], "--sprt is '5'; give two numbers of Elo points"),
        (["tournament", "nim", "random", "first", "--kind", "gauntled"], "(did you mean 'gauntlet'?)"),
        (["match", "nim", "rndom", "first"], "unknown agent 'rndom' (did you mean 'random'?)"),
        (["match", "nim", "random", "first", "--results", "x"], "give --rounds too"),
        (["match", "nim", "random", "first", "--rounds", "1", "--transcript", "x"], "--transcript is for a single game"),
        (["match", "nim", "random", "first", "--transcript", "no/such/file"], "there is no such folder"),
        (["match", "nim", "file:path=no.txt", "first"], "file: cannot read 'no.txt'"),
        (["tournament", "nim", "random", "first", "--results", "no/such/file"], "no/such/file: No such file or directory"),
    ],
)
def test_bad_input_exits_with_2(arguments: list[str], message: str, capsys: Told) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
