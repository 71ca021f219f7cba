"""The protocol of Gomocup, command by command: what is answered, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thinkers import Clock, Recorder

from parallel_mcts.gomoku.brain import Brain
from parallel_mcts.gomoku.position import EXACT, FREE, Position
from parallel_mcts.gomoku.timing import QUICKEST


class Rig:
    """A brain with a player that is watched and a clock that stands still."""

    def __init__(self, player: Recorder | None = None, **options: Any) -> None:
        self.player, self.clock = player or Recorder(), Clock()
        self.brain = Brain(self.player.make, clock=self.clock, **options)

    def says(self, *lines: str) -> list[str]:
        """All answers to some lines."""
        return [answer for line in lines for answer in self.brain.answers(line)]

    @property
    def position(self) -> Position:
        """What the player was asked about last."""
        return self.player.asked[-1]


def started(size: int = 15, player: Recorder | None = None, **options: Any) -> Rig:
    rig = Rig(player, **options)
    assert rig.says(f"START {size}") == ["OK"]
    return rig


def stones(position: Position) -> tuple[int, int]:
    return sum(map(int.bit_count, position.black)), sum(map(int.bit_count, position.white))


# ---------------------------------------------------------------------------------------------- before a match
@pytest.mark.parametrize("size", [5, 15, 20])
def test_a_board_that_can_be_played_is_ok(size: int) -> None:
    rig = started(size)
    rig.says("BEGIN")
    assert (rig.position.width, rig.position.height) == (size, size)


@pytest.mark.parametrize("line", ["START 4", "START 21", "START -3", "RECTSTART 4,9", "RECTSTART 9,21", "START 0"])
def test_a_size_that_cannot_be_played_is_an_error_that_names_those_that_can(line: str) -> None:
    rig = started(9)
    before = rig.brain.board
    (answer,) = rig.says(line)
    assert answer.startswith("ERROR a side of ")
    assert answer.endswith("boards are 5 to 20 wide and high")
    assert rig.brain.board is before


@pytest.mark.parametrize("line", ["START", "START x", "START 15 15", "START 15.0", "RECTSTART 9", "START ٩", "START 1e1"])
def test_a_size_that_cannot_be_read_is_an_error(line: str) -> None:
    (answer,) = Rig().says(line)
    assert answer.startswith("ERROR ")
    assert "was expected" in answer


@pytest.mark.parametrize("line", ["BEGIN", "TURN 1,1", "PLAY 1,1", "TAKEBACK 1,1", "RESTART", "DONE"])
def test_before_start_there_is_no_board_to_play_on(line: str) -> None:
    (answer,) = Rig().says(line)
    assert answer.startswith("ERROR ")


def test_a_board_before_start_is_one_error_at_its_end() -> None:
    assert Rig().says("BOARD", "1,1,1", "2,2,2", "DONE") == ["ERROR there is no board yet; START comes first"]


def test_the_player_has_thought_once_before_it_is_ok() -> None:
    rig = started(9)
    assert len(rig.player.asked) == 1
    assert rig.player.seconds == [QUICKEST]


def test_a_line_is_understood_in_any_case_and_with_any_separator() -> None:
    rig = Rig()
    assert rig.says("  start   9 ", "tUrN 4 , 4", "TURN 0 0", "turn\t1 1", "Takeback 1,1") == [
        "OK",
        "0,8",
        "1,8",
        "2,8",
        "OK",
    ]


def test_it_says_what_it_is_in_one_line_of_keywords() -> None:
    assert Rig(about='name="x", version="1"').says("ABOUT", "about") == ['name="x", version="1"'] * 2


def test_a_blank_line_is_nothing_and_another_is_unknown() -> None:
    assert Rig().says("", "   ", "FOO 1", ",", "10,10", "YXSHOWINFO", "\x00\ufffd") == [
        "UNKNOWN command 'FOO 1'",
        "UNKNOWN command ','",
        "UNKNOWN command '10,10'",
        "UNKNOWN command 'YXSHOWINFO'",
        "UNKNOWN command '\\x00\\ufffd'",
    ]


def test_an_answer_is_one_short_line_however_long_the_command() -> None:
    (answer,) = Rig().says("é" * 5000)
    assert answer.startswith("UNKNOWN")
    assert len(answer) < 500
    assert answer.isascii()


# ---------------------------------------------------------------------------------------------- moves
def test_who_is_asked_to_begin_is_black() -> None:
    rig = started()
    assert rig.says("BEGIN") == ["0,14"]  # the first free square is the left one at the bottom
    assert stones(rig.position) == (0, 0)
    assert rig.position.to_move == 0
    assert rig.says("TURN 0,13") == ["1,14"]
    assert stones(rig.position) == (1, 1)


def test_who_answers_the_first_move_is_white() -> None:
    rig = started()
    rig.says("TURN 7,7")
    assert stones(rig.position) == (1, 0)
    assert rig.position.to_move == 1


def test_squares_are_counted_from_the_top_left_corner_on_boards_that_are_not_square_too() -> None:
    rig = Rig(Recorder(lambda position: (position.width - 1, position.height - 1)))
    assert rig.says("RECTSTART 9,5", "TURN 3,0") == ["OK", "8,0"]
    assert rig.position.black == (0, 0, 0, 0, 1 << 3)
    assert rig.position.width == 9
    assert rig.says("TURN 8,4")[0].startswith("ERROR Input") is False
    assert rig.position.black == (1 << 8, 0, 0, 0, 1 << 3)
    assert rig.position.white == (0, 0, 0, 0, 1 << 8)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("TURN 0,8", "0,8 is taken"),
        ("TURN 4,4", "4,4 is taken"),
        ("TURN 9,0", "9,0 is outside the board, which goes to 8,8"),
        ("TURN 0,9", "0,9 is outside"),
        ("TURN -1,0", "-1,0 is outside"),
        ("TURN 1", "'1' where TURN x,y was expected"),
        ("TURN 1,2,3", "'1,2,3' where TURN x,y was expected"),
        ("TURN a,b", "'a,b' where TURN x,y was expected"),
        ("TURN", "'' where TURN x,y was expected"),
        ("TURN " + "9" * 5000 + ",1", "where TURN x,y was expected"),
        ("PLAY 4,4", "4,4 is taken"),
        ("TAKEBACK 1,1", "there is no stone at 1,1"),
        ("TAKEBACK", "'' where TAKEBACK x,y was expected"),
        ("BEGIN", "BEGIN is for an empty board"),
        ("DONE", "DONE without BOARD or SWAP2BOARD"),
    ],
)
def test_a_bad_command_is_an_error_and_changes_nothing(line: str, words: str) -> None:
    rig = started(9)
    assert rig.says("TURN 4,4") == ["0,8"]
    before = rig.brain.board
    (answer,) = rig.says(line)
    assert answer.startswith("ERROR ")
    assert words in answer
    assert rig.brain.board == before


def test_a_full_board_is_an_error() -> None:
    rig = started(5)
    answers = rig.says("BEGIN")
    while len(rig.brain.board.stones) < 25:  # type: ignore[union-attr]
        free = [(x, y) for y in range(5) for x in range(5) if (x, y) not in rig.brain.board.stones]  # type: ignore[union-attr]
        answers = rig.says(f"TURN {free[0][0]},{free[0][1]}")
        assert len(answers) == 1
    assert not answers[0].startswith("ERROR")
    assert rig.says("BOARD", *(f"{k % 5},{k // 5},{1 + k % 2}" for k in range(25)), "DONE") == ["ERROR the board is full"]


def test_a_move_that_the_manager_imposes_is_answered_as_it_is() -> None:
    rig = started(9)
    assert rig.says("PLAY 3,2", "TURN 4,4") == ["3,2", "0,8"]
    assert stones(rig.position) == (1, 1)


def test_a_stone_is_taken_back_and_the_square_is_free_again() -> None:
    rig = started(9)
    assert rig.says("TURN 4,4", "TAKEBACK 0,8", "TAKEBACK 4,4") == ["0,8", "OK", "OK"]
    assert rig.brain.board.stones == {}  # type: ignore[union-attr]
    assert rig.says("BEGIN", "TURN 4,4") == ["0,8", "1,8"]


def test_restart_empties_the_board_keeps_its_size_and_lets_the_player_forget() -> None:
    rig = Rig()
    rig.says("RECTSTART 9,7", "TURN 4,4")
    assert rig.says("RESTART", "BEGIN") == ["OK", "0,6"]
    assert stones(rig.position) == (0, 0)
    assert (rig.position.width, rig.position.height) == (9, 7)
    assert rig.player.closed == 1


# ---------------------------------------------------------------------------------------------- boards
@pytest.mark.parametrize(
    ("own", "other", "to_move"),
    [(0, 0, 0), (1, 1, 0), (2, 2, 0), (0, 1, 1), (2, 3, 1), (1, 4, 1), (3, 1, 0), (2, 0, 0)],
)
def test_who_is_black_on_a_board_follows_from_the_counts(own: int, other: int, to_move: int) -> None:
    rig = started(9)
    lines = [f"{x},0,1" for x in range(own)] + [f"{x},2,2" for x in range(other)]
    assert rig.says("BOARD", *lines, "DONE") == ["0,8"]
    assert rig.position.to_move == to_move
    assert stones(rig.position) == ((own, other) if to_move == 0 else (other, own))
    assert rig.says("TURN 8,8") == ["1,8"]
    assert rig.position.to_move == to_move  # a colour is kept for the rest of a match


def test_a_board_takes_the_place_of_the_one_before() -> None:
    rig = started(9)
    rig.says("TURN 4,4")
    assert rig.says("BOARD", "1 1 1", "2 , 2 , 2", "done") == ["0,8"]
    assert rig.brain.board.stones == {(1, 1): 1, (2, 2): 2, (0, 8): 1}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line", ["1,1", "1,1,4", "1,1,0", "9,9,1", "x,y,1", "4,4,2", "rubbish", "1,1,1,1", "5,5,3", "{}", "-1,0,1"]
)
def test_a_board_with_a_wrong_line_is_one_error_at_its_end_and_changes_nothing(line: str) -> None:
    rig = started(9)
    rig.says("TURN 4,4")
    before = rig.brain.board
    (answer,) = rig.says("BOARD", "4,4,1", line, "3,3,2", "3,3,1", "DONE")
    assert answer.startswith("ERROR BOARD: ")
    assert rig.brain.board == before


def test_a_board_that_is_not_finished_is_an_error_and_the_next_command_is_obeyed() -> None:
    rig = started(9)
    first, second = rig.says("BOARD", "4,4,1", "TURN 3,3")
    assert first == "ERROR BOARD needs DONE before TURN"
    assert second == "0,8"
    assert rig.brain.board.stones == {(3, 3): 2, (0, 8): 1}  # type: ignore[union-attr]
    assert rig.says("BOARD", "END") == []
    assert rig.brain.ended


def test_settings_may_come_in_the_middle_of_a_board() -> None:
    rig = started(9)
    assert rig.says("BOARD", "4,4,2", "INFO rule 1", "DONE") == ["0,8"]
    assert rig.position.rule == EXACT


# ---------------------------------------------------------------------------------------------- settings
def test_the_rule_is_free_or_exactly_five() -> None:
    rig = started(9)
    rig.says("INFO rule 1", "BEGIN")
    assert rig.position.rule == EXACT
    rig.says("RESTART", "info Rule 0", "BEGIN")
    assert rig.position.rule == FREE


@pytest.mark.parametrize(
    ("rule", "name"), [(2, "continuous games"), (4, "renju"), (8, "caro"), (5, "renju"), (3, "continuous games"), (16, "")]
)
def test_another_rule_is_refused_when_a_move_is_asked_for_and_not_before(rule: int, name: str) -> None:
    rig = Rig()
    assert rig.says(f"INFO rule {rule}", "START 15", "ABOUT") == ["OK", 'name="pbrain"']
    for lines in (["BEGIN"], ["TURN 7,7"], ["BOARD", "1,1,2", "DONE"], ["SWAP2BOARD", "DONE"]):
        (answer,) = rig.says(*lines)
        assert answer.startswith(f"ERROR rule {rule} cannot be played")
        assert name in answer
    assert rig.brain.board.stones == {}  # type: ignore[union-attr]
    assert rig.says("INFO rule 0", "BEGIN") == ["0,14"]


def test_settings_are_never_answered_whatever_they_are() -> None:
    rig = started(9)
    before = rig.brain.limits
    lines = ["INFO", "INFO x", "INFO timeout_turn", "INFO timeout_turn x", "INFO rule 1.5", "INFO evaluate 3,4"]
    lines += ["INFO folder C:\\some folder", "INFO game_type 2", "INFO timeout_turn 1 2", "INFO max_memory 1e9"]
    assert rig.says(*lines) == []
    assert rig.brain.limits == before
    assert (rig.brain.rule, rig.brain.memory) == (0, 0)


def test_the_memory_limit_reaches_the_player() -> None:
    rig = Rig()
    rig.says("INFO max_memory 83886080", "START 9", "BEGIN", "INFO max_memory 0", "RESTART", "BEGIN")
    assert rig.player.memories == [83886080, None]
    rig.says("INFO max_memory 1000000", "TURN 0,0", "INFO max_memory -2147483648", "TURN 1,0")
    assert rig.player.memories == [83886080, None, 1000000, None]


# ---------------------------------------------------------------------------------------------- time
def test_the_limit_of_a_move_is_kept_with_a_margin() -> None:
    rig = started()
    rig.says("INFO timeout_turn 1000", "BEGIN", "INFO timeout_turn 0", "TURN 0,0", "INFO timeout_turn -5", "TURN 1,0")
    assert rig.player.seconds[1:] == pytest.approx([0.92, QUICKEST, QUICKEST])


def test_what_is_left_of_a_match_is_shared_out() -> None:
    rig = started()
    rig.says("INFO timeout_turn 100000", "INFO time_left 31120", "BEGIN", "INFO time_left 2147483647", "TURN 0,0")
    assert rig.player.seconds[1:] == pytest.approx([0.92, 99.47])
    rig.says("INFO time_left -100", "TURN 1,0")
    assert rig.player.seconds[-1] == QUICKEST


def test_without_word_of_what_is_left_it_counts_by_itself_until_the_next_match() -> None:
    rig = started(20)

    def takes(seconds: float) -> Any:
        return lambda stopping: setattr(rig.clock, "now", rig.clock.now + seconds)

    rig.player.meanwhile = takes(20.0)
    rig.says("INFO timeout_turn 100000", "INFO timeout_match 32000", "BEGIN")
    rig.player.meanwhile = takes(0.0)
    rig.says("TURN 0,0")
    assert rig.player.seconds[1:] == pytest.approx([0.92, (12 - 1.99) / 29 * 0.95 - 0.03])
    rig.says("RESTART", "BEGIN")
    assert rig.player.seconds[-1] == pytest.approx(0.92)
    rig.says("INFO timeout_match 0", "TURN 0,0")
    assert rig.player.seconds[-1] == pytest.approx(99.47)


def test_time_that_a_line_waited_to_be_taken_is_time_of_the_move() -> None:
    rig = started()
    rig.says("INFO timeout_turn 1000")
    arrived = rig.clock.now
    rig.clock.now += 0.5
    rig.brain.answers("BEGIN", arrived)
    assert rig.player.seconds[-1] == pytest.approx(0.42)
    rig.brain.answers("TURN 0,0", arrived)  # sent before the answer to BEGIN could be read: its time begins there
    assert rig.player.seconds[-1] == pytest.approx(0.92)


def test_a_thought_is_told_to_stop_when_its_time_is_over() -> None:
    rig = started()
    seen = []

    def meanwhile(stopping: Any) -> None:
        seen.append(stopping())
        rig.clock.now += 0.93
        seen.append(stopping())

    rig.player.meanwhile = meanwhile
    rig.says("INFO timeout_turn 1000", "BEGIN")
    assert seen == [False, True]


class Letters:
    """Lines that arrive while the player thinks."""

    def __init__(self, settings: list[str] | None = None) -> None:
        self.lines = settings or []
        self.end = False

    def settings(self) -> list[str]:
        lines, self.lines = self.lines, []
        return lines

    def is_urgent(self) -> bool:
        return self.end

    def has_end(self) -> bool:
        return self.end


def test_a_limit_that_is_changed_while_the_player_thinks_counts_at_once() -> None:
    letters = Letters()
    rig = started(waiting=letters)
    seen = []

    def meanwhile(stopping: Any) -> None:
        rig.clock.now += 1.0
        seen.append(stopping())
        letters.lines = ["INFO timeout_turn 500", "info rule 1"]
        seen.append(stopping())

    rig.player.meanwhile = meanwhile
    assert rig.says("INFO timeout_turn 60000", "BEGIN") == ["0,14"]
    assert seen == [False, True]
    assert rig.brain.rule == 1


def test_nothing_is_answered_after_an_end_that_stopped_a_thought() -> None:
    letters = Letters()
    rig = started(waiting=letters)
    rig.player.meanwhile = lambda stopping: setattr(letters, "end", True)
    before = rig.brain.board
    assert rig.says("BEGIN") == []
    assert rig.brain.board == before
    assert rig.brain.ended
    assert rig.says("SWAP2BOARD", "7,7", "8,7", "9,9", "DONE") == ["0,14"]  # asked after END: at once, but answered


# ---------------------------------------------------------------------------------------------- Swap2
@pytest.mark.parametrize("form", ["START 5", "START 15", "RECTSTART 20,5", "RECTSTART 6,9"])
def test_three_stones_are_offered_that_stand_on_different_squares_of_the_board(form: str) -> None:
    rig = Rig()
    answers = rig.says(form, "SWAP2BOARD", "DONE")
    squares = [tuple(map(int, word.split(","))) for word in answers[1].split(" ")]
    assert len(set(squares)) == 3
    assert all(0 <= x < rig.position.width and 0 <= y < rig.position.height for x, y in squares)
    assert {(stones(p), p.to_move) for p in rig.player.asked[1:]} == {((2, 1), 1)}


def test_the_stones_offered_are_those_that_are_worth_least_to_either_side() -> None:
    rig = started(15)
    values = iter([0.5, -0.4, 0.3, -0.1, 0.2, 0.9])
    rig.player.meanwhile = lambda stopping: setattr(rig.player, "value", next(values))
    rig.says("INFO timeout_turn 6000")
    assert rig.says("SWAP2BOARD", "DONE") == ["7,7 8,7 9,9"]
    assert sum(rig.player.seconds[1:]) == pytest.approx(5.67)


@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize(("value", "answer"), [(0.3, "0,14"), (0.0, "0,14"), (-0.3, "SWAP")])
def test_the_colour_that_is_better_is_taken(count: int, value: float, answer: str) -> None:
    rig = started(15, Recorder(value=value))
    lines = ["7,7", "8,7", "9,9", "8,8", "8,6"][:count]
    assert rig.says("SWAP2BOARD", *lines, "DONE") == [answer]
    assert rig.position.to_move == 1
    assert stones(rig.position) == ((count + 1) // 2, count // 2)
    assert rig.brain.board.stones == {}  # type: ignore[union-attr]
    own = {True: "2", False: "1"}
    board = [f"{line},{own[(k % 2 == 0) is (answer != 'SWAP')]}" for k, line in enumerate(lines)]
    assert len(rig.says("BOARD", *board, "DONE")) == 1


@pytest.mark.parametrize("lines", [["7,7"], ["7,7"] * 3, ["1,1", "2,2"], ["1,1", "2,2", "15,3"], ["1,1,1"] * 3])
def test_an_opening_with_other_stones_is_an_error(lines: list[str]) -> None:
    (answer,) = started(15).says("SWAP2BOARD", *lines, "DONE")
    assert answer.startswith("ERROR SWAP2BOARD")


# ---------------------------------------------------------------------------------------------- anything at all
def test_a_player_that_fails_is_an_error_of_one_line_and_changes_nothing() -> None:
    rig = started(9)

    def fails(position: Position) -> Any:
        raise RuntimeError("first\nsecond – third")

    rig.player.chooses = fails
    before = rig.brain.board
    assert rig.says("TURN 4,4") == ["ERROR RuntimeError: first second ? third"]
    assert rig.brain.board == before


def test_a_player_that_plays_a_taken_square_is_an_error() -> None:
    rig = started(9, Recorder(lambda position: (0, 0)))
    assert rig.says("BEGIN") == ["0,8"]
    assert rig.says("TURN 4,4") == ["ERROR 0,8 is taken"]
    assert rig.brain.board.stones == {(0, 8): 1}  # type: ignore[union-attr]


NUMBERS = st.one_of(st.integers(-2, 10).map(str), st.sampled_from(["", "x", "1.5", "99999999999999999999", "+3", "٣"]))
ARGUMENTS = st.lists(NUMBERS, max_size=4).flatmap(lambda n: st.sampled_from([",", " ", ", "]).map(lambda by: by.join(n)))
KEYWORDS = ["START", "RECTSTART", "RESTART", "BEGIN", "TURN", "PLAY", "BOARD", "SWAP2BOARD", "DONE", "TAKEBACK", "ABOUT"]
KEYS = ["timeout_turn", "timeout_match", "time_left", "max_memory", "rule", "evaluate", "x"]
LINES = st.one_of(
    st.builds(lambda word, rest: f"{word} {rest}", st.sampled_from([*KEYWORDS, "turn", "Board", "FOO"]), ARGUMENTS),
    st.sampled_from(
        ["START 9", "RECTSTART 7,9", "BOARD", "DONE", "TURN 1,1", "TURN 2,3", "BEGIN", "4,4,1", "5,5,2", "3,3"]
    ),
    ARGUMENTS,
    st.builds(lambda key, value: f"INFO {key} {value}", st.sampled_from(KEYS), ARGUMENTS),
    st.text(max_size=30).map(lambda text: " ".join(text.split())),
)


def due(line: str, in_block: bool) -> int:
    """How many answers a line is owed."""
    word = line.replace(",", " ").split(" ")[0].upper() if line.strip() else ""
    if not line.strip() or word == "INFO":
        return 0
    opens = word in ("BOARD", "SWAP2BOARD")
    if in_block and word != "DONE":
        return 0 if word not in KEYWORDS else 1 if opens else 2
    return 0 if opens else 1


@settings(max_examples=150)
@given(st.lists(LINES, min_size=20, max_size=60))
def test_every_command_has_exactly_its_answer_and_an_error_changes_nothing(lines: list[str]) -> None:
    rig = Rig()
    for line in lines:
        before, wanted = rig.brain.board, due(line, rig.brain.block is not None)
        answers = rig.says(line)
        assert len(answers) == wanted, line
        assert all(answer and answer.isascii() and answer.isprintable() for answer in answers)
        if wanted == 1 and answers[0].startswith(("ERROR", "UNKNOWN")):
            assert rig.brain.board == before, line
        board = rig.brain.board
        if board is not None and board.stones:
            assert replace(board, stones={}).free == board.width * board.height
            assert all(0 <= x < board.width and 0 <= y < board.height for x, y in board.stones)
