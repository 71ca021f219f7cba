"""The protocol of Gomocup between real processes: whole games, rubbish by the thousand, and ends of all kinds."""

from __future__ import annotations

import io
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from programs import PATIENCE, Program, programs
from thinkers import Recorder

from games.mnk import MNK, gomoku, mnk
from parallel_mcts.gomoku.pbrain import serve
from parallel_mcts.state import is_over, parse_action

PBRAIN = ("pbrain", "--player", "threats")


# ---------------------------------------------------------------------------------------------- a manager
class Referee:
    """A game by the rules of `games.mnk`: says whether a move of the protocol is legal, and when it is over."""

    def __init__(self, state: MNK) -> None:
        self.state = state
        self.moves: list[str] = []

    def played(self, move: str) -> None:
        x, y = map(int, move.split(","))
        height = len(self.state.black)
        assert 0 <= x < self.state.width, move
        assert 0 <= y < height, move
        turn = self.state.ply & 1
        action = parse_action(self.state, f"{'abcdefghijklmnopqrst'[x]}{height - y}", turn)
        self.state = self.state.play(0, action) if turn else self.state.play(action, 0)
        self.moves.append(move)


def play(black: Program, white: Program, referee: Referee, left: str = "INFO time_left 20000") -> None:
    """A game to its end, as a manager lets it be played."""
    sides = (black, white)
    referee.played(black.ask(left, "BEGIN"))
    while not is_over(referee.state):
        referee.played(sides[referee.state.ply & 1].ask(left, f"TURN {referee.moves[-1]}"))


@pytest.mark.parametrize(
    ("start", "rule", "state"),
    [("START 7", 0, gomoku(7)), ("START 9", 1, gomoku(9, "exact")), ("RECTSTART 6,5", 0, mnk(6, 5, 5))],
)
def test_two_processes_play_whole_games_and_every_move_is_legal(start: str, rule: int, state: MNK) -> None:
    with programs(PBRAIN, PBRAIN) as sides:
        for side in sides:
            assert side.ask(start) == "OK"
            side.send("INFO timeout_turn 60", "INFO timeout_match 20000", "INFO max_memory 350000000", f"INFO rule {rule}")
            side.send("INFO game_type 1", "INFO folder .", end="\r\n")
        first = Referee(state)
        play(*sides, first)
        for side in sides:
            assert side.ask("RESTART") == "OK"
        second = Referee(state)
        play(sides[1], sides[0], second)  # and the other way round
        assert len(first.moves) >= 9
        assert len(second.moves) >= 9
        for side in sides:
            side.send("END")
            assert side.line() == ""
            assert side.end() == (0, "")


def test_a_game_goes_on_from_a_board_and_after_moves_were_taken_back() -> None:
    with programs(PBRAIN) as (brain,):
        assert brain.ask("START 9", "INFO timeout_turn 50") == "OK"
        referee = Referee(gomoku(9))
        for move in ("4,4", "3,3", "4,5", "4,3"):
            referee.played(move)
        referee.played(brain.ask("BOARD", "4,4,1", "3,3,2", "4,5,1", "4,3,2", "DONE"))
        own = referee.moves[-1]
        assert brain.ask(f"TAKEBACK {own}") == "OK"
        assert brain.ask(f"TAKEBACK {own}").startswith("ERROR there is no stone")
        again = brain.ask(f"PLAY {own}")
        assert again == own
        free = next(f"{x},{y}" for y in range(9) for x in range(9) if f"{x},{y}" not in referee.moves)
        referee.played(free)
        referee.played(brain.ask(f"TURN {free}"))
        brain.send("END")
        assert brain.end() == (0, "")


# ---------------------------------------------------------------------------------------------- rubbish
def rubbish(random: Random) -> tuple[str, int]:
    """A line that no command can be made of, mostly, and how many answers it is owed. None of them begins a thought."""
    kind = random.randrange(6)
    number = random.choice(["-1", "99", "x", "", "1.5", "9" * random.choice([3, 30, 3000])])
    if kind == 0:
        return "".join(chr(random.randrange(33, 127)) for _ in range(random.randrange(1, 30))) + "!", 1
    if kind == 1:
        return f"{random.choice(['TURN', 'play', 'Takeback'])} {number},{random.randrange(9)}", 1
    if kind == 2:
        return f"{random.choice(['START', 'rectstart'])} {number}", 1
    if kind == 3:
        return f"INFO {random.choice(['timeout_turn', 'rule', 'xyz', ''])} {random.choice(['y', '', '1 1', '-'])}", 0
    if kind == 4:
        return random.choice(["", "   ", "\t"]), 0
    return random.choice(["DONE", "ABOUT", "BEGINN", "DONE 1", "1,1,1", "\x00\x01", "Ünïcödé", "\ufeffSTART 15"]), 1


def test_thousands_of_malformed_lines_are_each_answered_once_and_a_game_goes_on() -> None:
    random = Random(8)
    lines = [rubbish(random) for _ in range(3000)]
    with programs(PBRAIN) as (brain,):
        assert brain.ask("START 9", "INFO timeout_turn 30") == "OK"
        assert brain.ask("PLAY 4,4") == "4,4"
        brain.send(*(line for line, _ in lines), end=random.choice(["\n", "\r\n"]))
        for line, owed in lines:
            for _ in range(owed):
                answer = brain.line()
                assert answer.startswith(("ERROR ", "UNKNOWN ", 'name="')), (line, answer)
                assert len(answer) < 400
        assert brain.ask("PLAY 4,4") == "ERROR 4,4 is taken"
        assert brain.ask("TAKEBACK 4,4") == "OK"
        assert Referee(gomoku(9)).played(brain.ask("BEGIN")) is None
        brain.hang_up()
        assert brain.line() == ""
        assert brain.end() == (0, "")


# ---------------------------------------------------------------------------------------------- ends
@pytest.mark.parametrize("last", ["END", "end\r", None])
def test_a_process_that_thinks_for_hours_ends_at_once(last: str | None) -> None:
    with programs(PBRAIN) as (brain,):
        assert brain.ask("START 15", "INFO timeout_turn 100000000") == "OK"
        brain.send("BOARD", "7,7,2", "8,8,1", "6,7,2", "8,7,1", "8,6,2", "DONE")
        if last is None:
            brain.hang_up()
        else:
            brain.send(last)
        assert brain.end() == (0, "")


def test_lines_that_are_piped_in_at_once_are_answered_in_order() -> None:
    typed = "ABOUT\nSTART 9\nINFO timeout_turn 0\nBEGIN\nTAKEBACK 20,20\nEND\nABOUT\n"
    command = [sys.executable, "-m", "parallel_mcts", "gomoku", *PBRAIN]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=PATIENCE, check=False)
    first, second, move, error = done.stdout.splitlines()
    assert first.startswith('name="parallel-mcts", version="')
    assert second == "OK"
    Referee(gomoku(9)).played(move)
    assert error.startswith("ERROR there is no stone")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
def test_ctrl_c_and_a_manager_that_does_not_read_are_no_tracebacks() -> None:
    with programs(PBRAIN, PBRAIN) as (stopped, unread):
        assert stopped.ask("START 9") == "OK"
        stopped.interrupt()
        assert stopped.end() == (130, "stopped\n")
        assert unread.process.stdout is not None
        unread.process.stdout.close()
        unread.send("ABOUT", "ABOUT")
        assert unread.end() == (141, "")


def test_the_program_has_a_name_that_managers_look_for() -> None:
    script = Path(sys.executable).with_name("pbrain-parallel-mcts")
    done = subprocess.run([script], input="START 4\n", capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "ERROR a side of 4 is not played; boards are 5 to 20 wide and high\n"
    assert (done.returncode, done.stderr) == (0, "")


# ---------------------------------------------------------------------------------------------- in this process
class Conversation:
    """Lines that are sent one by one to `serve`, which runs in a thread, and what it wrote."""

    def __init__(self, player: Recorder) -> None:
        self.mail: queue.Queue[str | None] = queue.Queue()
        self.output = io.StringIO()
        self.running = threading.Thread(
            target=serve, args=(player.make, self._lines(), self.output), kwargs={"about": "x"}, daemon=True
        )
        self.running.start()

    def _lines(self) -> Iterator[str]:
        while (line := self.mail.get(timeout=PATIENCE)) is not None:
            yield line

    def send(self, *lines: str | None) -> None:
        for line in lines:
            self.mail.put(line)

    def ended(self) -> list[str]:
        self.running.join(PATIENCE)
        assert not self.running.is_alive()
        return self.output.getvalue().splitlines()


class Endless(Recorder):
    """Thinks until it is told to stop, and says when it has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()
        self.meanwhile = self._until_stopped

    def _until_stopped(self, stopping: object) -> None:
        if len(self.asked) == 1:  # the thought before the match
            return
        self.begun.set()
        waiting = threading.Event()
        while not stopping():  # type: ignore[operator]
            waiting.wait(0.001)


def thinking() -> Conversation:
    """A player in the middle of a thought that has no end of its own."""
    player = Endless()
    conversation = Conversation(player)
    conversation.send("START 9", "INFO timeout_turn 1000000000", "BEGIN")
    assert player.begun.wait(PATIENCE)
    return conversation


def test_end_stops_a_thought_and_nothing_more_is_written() -> None:
    conversation = thinking()
    conversation.send("RESTART", "ABOUT", "END")
    assert conversation.ended() in (["OK"], ["OK", "0,8", "OK", "x"])  # the answers to all that came before END, or none
    conversation = thinking()
    conversation.send("END")
    assert conversation.ended() == ["OK"]


def test_the_end_of_the_input_stops_a_thought() -> None:
    conversation = thinking()
    conversation.send(None)
    assert conversation.ended() == ["OK", "0,8"]


@pytest.mark.parametrize(
    ("line", "answer"), [("RESTART", "OK"), ("START 5", "OK"), ("TAKEBACK 0,8", "OK"), ("RECTSTART 5,6", "OK")]
)
def test_a_command_that_gives_the_game_up_stops_a_thought_and_is_answered_after_it(line: str, answer: str) -> None:
    conversation = thinking()
    conversation.send(line, None)
    assert conversation.ended() == ["OK", "0,8", answer]


def test_a_time_limit_that_is_changed_while_it_thinks_ends_the_thought() -> None:
    conversation = thinking()
    conversation.send("ABOUT", "INFO timeout_turn 1", "INFO timeout_turn 1", None)
    assert conversation.ended() == ["OK", "0,8", "x"]
    conversation = thinking()
    conversation.send("INFO timeout_turn 1", "TURN 1,1", None)
    assert conversation.ended() == ["OK", "0,8", "1,8"]
