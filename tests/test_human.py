"""A person at the keyboard: what is shown, what is understood, and what a match makes of it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import pytest

from parallel_mcts import TurnState, run_match
from parallel_mcts.agents import File, Human


def human_match(typed: str, name: str = "tictactoe", other: Any = None, **options: Any) -> tuple[Any, str]:
    screen = io.StringIO()
    human = Human(reads=io.StringIO(typed), writes=screen, **options)
    results = run_match(name, human, other or File(stream=["3", "4", "5"]), seed=1).results
    return results, screen.getvalue()


def test_a_person_sees_the_board_the_moves_and_what_the_other_did() -> None:
    results, screen = human_match("0\n1\n2\n")
    assert results.winner == "row"
    assert "You play row." in screen
    assert "0 1 2\n3 4 5\n6 7 8" in screen
    assert "Moves: 0, 1, 2, 3, 4, 5, 6, 7, 8" in screen
    assert "Column played 3." in screen
    assert "X 1 2\nO 4 5\n6 7 8" in screen
    assert "X X X\nO O 5\n6 7 8" in screen
    assert screen.endswith("\n\nYou won: row won after 5 moves.\n")


def test_nonsense_is_asked_about_again() -> None:
    results, screen = human_match("nine\n\n99\n0\n0\n1\n2\n")
    assert results.winner == "row"
    assert "There is no move 'nine' here (squares are numbered from 0 to 8). Moves: 0, 1, 2" in screen
    assert "There is no move '99' here" in screen
    assert "There is no move '0' here (square 0 is taken). Moves: 1, 2, 4" in screen
    assert screen.count("row> ") == 7


def test_a_move_is_understood_in_any_case_and_spacing() -> None:
    results, _ = human_match("  ROCK \n", "rps", "first")
    assert str(results.moves[0].row) == "rock"


@pytest.mark.parametrize(("typed", "words"), [("quit\n", "quit"), ("0\nQuit\n", "quit"), ("", "the input ended")])
def test_quitting_and_the_end_of_the_input_give_the_game_up(typed: str, words: str) -> None:
    results, screen = human_match(typed)
    assert (results.winner, results.reason) == ("col", f"row (human) gave up ({words})")
    assert "You lost" in screen


def test_a_move_can_be_taken_back_and_played_again() -> None:
    results, screen = human_match("undo\n8\nundo\n0\n1\n2\n")
    assert [str(move) for move in results.moves] == ["0", "3", "1", "4", "2"]
    assert "There is nothing to take back." in screen
    assert "Taken back: 8, 3." in screen


def test_undo_against_a_search_goes_on_from_the_earlier_position() -> None:
    results, screen = human_match("0\nundo\n0\nundo\n4\nquit\n", other="mcts:iterations=30")
    assert screen.count("Taken back: 0, ") == 2
    assert results.moves[0].row == 4


def test_a_hint_names_a_legal_move_and_the_likeliest_ones() -> None:
    results, screen = human_match("0\n1\nhint\n2\n", hint="mcts:iterations=400")
    assert "Hint: 2 (2 " in screen
    assert results.winner == "row"
    _, screen = human_match("hint\nquit\n", hint="first")
    assert "Hint: 0\n" in screen


def test_help_and_moves_are_understood() -> None:
    _, screen = human_match("help\nmoves\nquit\n")
    assert screen.count("undo (take your last move back)") == 2
    assert "\nrow> 0, 1, 2, 3, 4, 5, 6, 7, 8\n" in screen


def test_of_very_many_moves_only_a_few_are_listed_unasked() -> None:
    _, screen = human_match("moves\nquit\n", "gomoku")
    assert "\nMoves: a1, b1, c1, d1, e1, f1, g1, h1, … (225 in all; `moves` lists them)\n" in screen
    assert "n15, o15\n" in screen


def test_a_move_goes_before_a_command_of_the_same_name() -> None:
    class Exit(TurnState):
        def __init__(self, chosen: str = "") -> None:
            self.chosen, self.player = chosen, 0

        def moves(self) -> list[str]:
            return [] if self.chosen else ["quit", "stay"]

        def move(self, move: str) -> Exit:
            return Exit(move)

        def payoff(self) -> float:
            return 1.0

    results, _ = human_match("quit\n", Exit())  # type: ignore[arg-type]
    assert results.forfeit == ()


def test_a_person_with_one_move_left_is_not_asked() -> None:
    results, screen = human_match("3\n", "nim:sticks=4", File(stream=["1"]))
    assert results.winner == "col"
    results, screen = human_match("1\n", "nim:sticks=3", File(stream=["1"]))
    assert "Your only move is 1." in screen
    assert results.winner == "row"


def test_how_the_board_is_drawn_is_up_to_the_caller() -> None:
    _, screen = human_match("quit\n", draw=lambda state: "[a picture]")
    assert "[a picture]" in screen
    assert "6 7 8" not in screen


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_person_plays_at_a_real_terminal() -> None:
    import pty

    program = "from parallel_mcts import run_match; print(run_match('tictactoe', 'human', 'first').results.winner)"
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", program], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    screen = ""
    for typed in ("rubbish", "4", "undo", "6", "2", "4"):  # the other fills 0, 1, 3
        screen += _read_until(ours, "row> ")
        os.write(ours, typed.encode() + b"\n")
    screen += _read_until(ours, None)
    os.close(ours)
    assert process.wait() == 0
    assert "There is no move 'rubbish' here" in screen
    assert "Taken back: 4, 0." in screen
    assert "You won: row won after 5 moves." in screen
    assert screen.split()[-1] == "row"


def _read_until(descriptor: int, end: str | None) -> str:
    """What appears on a terminal up to some words, or until it is closed."""
    seen = b""
    while end is None or not seen.endswith(end.encode()):
        try:
            read = os.read(descriptor, 4096)
        except OSError:  # how Linux says that the other side is gone
            read = b""
        if not read:
            break
        seen += read
    return seen.decode()
