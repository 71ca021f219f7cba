"""The contest mode: two programs, a move a line in each direction, joined by pipes and by FIFOs."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import PATIENCE, programs
from thinkers import Recorder

from games.mnk import MNK, gomoku
from parallel_mcts import IllegalAction
from parallel_mcts.cli import main
from parallel_mcts.errors import OpponentLeft
from parallel_mcts.gomoku.contest import contest, outcome
from parallel_mcts.gomoku.position import Position, Square
from parallel_mcts.state import is_over, parse_action

QUICK = ("--player", "threats", "--seconds", "0.05")


def by_rows(position: Position) -> Square:
    """Black from the bottom, white from the top, from left to right."""
    rows = range(position.height) if position.to_move == 0 else reversed(range(position.height))
    return next((c, r) for r in rows for c in range(position.width) if position.is_free((c, r)))


def played(colour: str, other: list[str], start: MNK | None = None) -> tuple[MNK, list[str]]:
    output = io.StringIO()
    end = contest(colour, start or gomoku(7), Recorder(by_rows), seconds=1.0, lines=iter(other), writes=output)
    return end, output.getvalue().splitlines()


def replayed(moves: list[str], size: int) -> MNK:
    """The end of a game, if all its moves are legal."""
    state = gomoku(size)
    for number, move in enumerate(moves):
        action = parse_action(state, move, number & 1)
        state = state.play(0, action) if number & 1 else state.play(action, 0)
    return state


# ---------------------------------------------------------------------------------------------- in this process
def test_black_begins_and_its_last_move_is_written() -> None:
    end, moves = played("black", ["a7", "b7", "C7", "d7"])
    assert moves == ["a1", "b1", "c1", "d1", "e1"]
    assert outcome(end) == "black has won after 9 moves"


def test_white_waits_for_black_and_writes_nothing_after_the_end() -> None:
    end, moves = played("white", ["a1", "b1", "c1", "d1", "e1"])
    assert moves == ["a7", "b7", "c7", "d7"]
    assert outcome(end) == "black has won after 9 moves"
    end, moves = played("white", ["a1", "b1", "d1", "e1", "c2"])
    assert moves[-1] == "e7"
    assert outcome(end) == "white has won after 10 moves"


def test_a_full_board_is_a_draw() -> None:
    end, moves = played("black", [], MNK.position(["XXOXO", "OOXOX", "XXOXO", "OOXOX", "XXO.O"]))
    assert moves == ["d1"]
    assert outcome(end) == "a draw after 25 moves"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a1", "a1 is taken"),
        ("a8", "squares go from a1 to g7"),
        ("h1", "squares go from a1 to g7"),
        ("rubbish", "squares go from a1 to g7"),
        ("b2 c3", "squares go from a1 to g7"),
        ("x" * 4096, "squares go from"),
        ("a\ufffd", "squares go from"),
    ],
)
def test_a_move_that_is_not_legal_or_cannot_be_read_is_told_with_what_was_sent(line: str, words: str) -> None:
    with pytest.raises(IllegalAction, match="white sent '") as told:
        played("black", [line])
    assert words in str(told.value)
    assert "as its move 1" in str(told.value)
    assert len(str(told.value)) < 200


def test_an_opponent_that_goes_away_is_told() -> None:
    with pytest.raises(OpponentLeft, match="white has gone away before its move 3"):
        played("black", ["a7", "b7"])


# ---------------------------------------------------------------------------------------------- real processes
def test_two_processes_joined_by_pipes_play_a_whole_game() -> None:
    with programs(("contest", "black", "--size", "7", *QUICK), ("contest", "white", "--size", "7", *QUICK)) as sides:
        moves: list[str] = []
        while not is_over(replayed(moves, 7)):
            move = sides[len(moves) & 1].line()
            moves.append(move)
            sides[len(moves) & 1].send(move)
        words = outcome(replayed(moves, 7))
        for side in sides:
            assert side.line() == ""
            assert side.end() == (0, f"{words}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="uses FIFOs")
def test_two_processes_joined_by_fifos_play_a_whole_game(tmp_path: Path) -> None:
    there, back, record = tmp_path / "there", tmp_path / "back", tmp_path / "record"
    os.mkfifo(there)
    os.mkfifo(back)
    command = f"'{sys.executable}' -m parallel_mcts gomoku contest"
    options = f"--size 6 {' '.join(QUICK)}"
    script = (
        f"{command} white {options} < '{there}' > '{back}' &\n"
        f"{command} black {options} < '{back}' | tee '{record}' > '{there}'\n"
        "wait $!; echo white $?\n"
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "white 0\n"
    first, second = done.stderr.splitlines()
    assert first == second
    assert len(record.read_text().splitlines()) >= 5


def test_the_exit_code_says_whose_fault_the_end_was() -> None:
    white = ("contest", "white", "--size", "5", *QUICK)
    with programs(white, white, white) as (cheated, left, deaf):
        cheated.send("a9")
        code, words = cheated.end()
        assert (code, words) == (2, "parallel-mcts: black sent 'a9' as its move 1: squares go from a1 to e5\n")
        left.send("c3")
        assert left.line()
        left.hang_up()
        assert left.end() == (1, "parallel-mcts: black has gone away before its move 2; the game is broken off\n")
        assert deaf.process.stdout is not None
        deaf.process.stdout.close()
        deaf.send("c3")
        code, words = deaf.end()
        assert code == 1
        assert words.startswith("parallel-mcts: black has gone away and did not take the move ")
        assert len(words.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
def test_ctrl_c_ends_a_contest_with_130() -> None:
    with programs(("contest", "black", "--size", "5", *QUICK)) as (black,):
        assert black.line()
        black.interrupt()
        assert black.end() == (130, "stopped\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["black", "--size", "4"], "size is 4; it must be a whole number from 5 to 20"),
        (["white", "--seconds", "0"], "seconds is 0.0; it must be a positive, finite number"),
    ],
)
def test_options_that_make_no_sense_are_told_in_a_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["gomoku", "contest", *arguments]) == 2
    told = capsys.readouterr()
    assert told.err == f"parallel-mcts: {message}\n"


@pytest.mark.parametrize("arguments", [["contest", "red"], ["contest"], ["pbrain", "--player", "nobody"], []])
def test_commands_that_make_no_sense_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["gomoku", *arguments])
    assert ended.value.code == 2
    assert "usage: parallel-mcts gomoku" in capsys.readouterr().err
