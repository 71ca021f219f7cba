"""Games of k in a row, proven by known values, by counts, by looking stone by stone and against OpenSpiel."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.mnk import MNK, count_bits, gomoku, has_run, mnk, nth_bit
from games.tictactoe import tictactoe
from parallel_mcts import game
from parallel_mcts.errors import IllegalAction, ParameterError
from parallel_mcts.state import IDLE, labels, parse_action
from parallel_mcts.testing import check_state

seeds = st.integers(0, 2**32)


@st.composite
def boards(draw: Any) -> MNK:
    """The empty board of any game."""
    m, n = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    start = mnk(m, n, draw(st.integers(1, min(max(m, n), 6))))
    return start._replace(rule=draw(st.integers(0, 2)))  # type: ignore[attr-defined,no-any-return]


def put(state: MNK, *squares: str) -> MNK:
    """The position after stones on these squares, in turn."""
    for square in squares:
        k = parse_action(state, square, state.ply & 1)
        state = state.play(*((0, k) if state.ply & 1 else (k, 0)))
    return state


def children(state: MNK) -> list[MNK]:
    rows, cols = state.shape()
    return [state.play(i, j) for i in range(rows) for j in range(cols)]


# ---------------------------------------------------------------------------------------------- values and counts
def forces(start: MNK, player: int) -> bool:
    """Whether a player can force a line, by looking at everything that matters."""
    known: dict[Any, bool] = {}

    def wins(state: MNK) -> bool:
        if state.shape() == (0, 0):
            return state.winner == player
        key = reflected(state) if state.ply < 5 else state
        if key not in known:
            known[key] = (any if state.ply & 1 == player else all)(wins(after) for after in urgent(state))
        return known[key]

    return wins(start)


def reflected(state: MNK) -> Any:
    """One of the mirror images of a position, the same for all of them."""
    board = [[(b >> c & 1, w >> c & 1) for c in range(state.width)] for b, w in zip(state.black, state.white, strict=True)]
    images = [board, board[::-1], [line[::-1] for line in board], [line[::-1] for line in board[::-1]]]
    if len(board) == state.width:
        images += [list(map(list, zip(*image, strict=True))) for image in images]
    return repr(min(images))


def urgent(state: MNK) -> list[MNK]:
    """A winning move if there is one, else the blocks of what the other would win by, else all moves."""
    after = children(state)
    won = [s for s in after if s.winner >= 0]
    if won or len(after) == 1:
        return won[:1] or after
    other = state._replace(ply=state.ply + 1)  # type: ignore[attr-defined]
    threats = [k for k, s in enumerate(children_as_other(other)) if s.winner >= 0]
    return [after[k] for k in threats] or after


def children_as_other(state: MNK) -> list[MNK]:
    """What the moves would be if it were the other's turn."""
    moves = len(state.black) * state.width - state.ply + 1
    return [state.play(*((0, k) if state.ply & 1 else (k, 0))) for k in range(moves)]


@pytest.mark.parametrize(("m", "n", "k", "value"), [(3, 3, 3, 0.5), (3, 4, 3, 1.0), (4, 3, 3, 1.0), (4, 4, 4, 0.5)])
def test_the_values_of_small_boards_are_as_known(m: int, n: int, k: int, value: float) -> None:
    start = mnk(m, n, k)
    assert not forces(start, 1)
    assert forces(start, 0) == (value == 1.0)


def test_three_in_a_row_has_the_positions_of_tic_tac_toe_at_every_ply() -> None:
    ours: set[Any] = {mnk(3, 3, 3)}
    theirs: set[Any] = {tictactoe()}
    counts = []
    for _ in range(10):
        counts.append(len(ours))
        assert len(ours) == len(theirs)
        ours = {after for state in ours for after in children(state)}
        theirs = {after for state in theirs for after in children(state)}
    assert counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(counts) == 5478


# ---------------------------------------------------------------------------------------------- rules
def line_by_looking(state: MNK, player: int) -> bool:
    """The slow way, square by square."""
    stones = state.white if player else state.black
    cells = {(c, r) for r, line in enumerate(stones) for c in range(state.width) if line >> c & 1}
    exact = state.rule == 1 or (state.rule == 2 and player == 0)
    for (x, y), (a, b) in itertools.product(cells, ((1, 0), (0, 1), (1, 1), (1, -1))):
        if (x - a, y - b) not in cells:
            run = next(n for n in itertools.count(1) if (x + n * a, y + n * b) not in cells)
            if run == state.length or (run > state.length and not exact):
                return True
    return False


@given(boards(), seeds)
def test_a_game_ends_at_the_first_line_or_with_a_full_board(random_walk: Any, start: MNK, seed: int) -> None:
    *earlier, end = random_walk(start, Random(seed))
    for state in earlier:
        assert not line_by_looking(state, 0)
        assert not line_by_looking(state, 1)
        assert state.winner == -1
    last = (end.ply - 1) & 1
    assert line_by_looking(end, last) == (end.winner == last)
    assert end.winner in (last, -1)
    assert end.winner == last or end.ply == end.width * len(end.black)
    assert end.payoff() == {0: 1.0, 1: 0.0, -1: 0.5}[end.winner]


@given(boards(), seeds)
def test_a_move_sets_the_stone_that_its_label_says(random_walk: Any, start: MNK, seed: int) -> None:
    for before in list(random_walk(start, Random(seed)))[:-1]:
        player = before.ply & 1
        rows, cols = before.shape()
        for k in range(rows * cols):
            after = before.play(*((0, k) if player else (k, 0)))
            square = str(labels(before)[player][k])
            column, row = "abcdefghi".index(square[0]), int(square[1:]) - 1
            stones, others = (before.white, before.black) if player else (before.black, before.white)
            assert not (stones[row] | others[row]) >> column & 1
            expected = tuple(line | (1 << column if r == row else 0) for r, line in enumerate(stones))
            assert (after.white if player else after.black) == expected
            assert (after.black if player else after.white) == others


@settings(max_examples=200)
@given(boards(), seeds, seeds)
def test_a_rollout_is_the_random_game_of_the_same_numbers(random_walk: Any, start: MNK, seed: int, other: int) -> None:
    walk = list(random_walk(start, Random(seed)))
    for state in (*walk[::4], walk[-1]):
        *_, end = random_walk(state, Random(other))
        assert state.rollout(Random(other)) == end.payoff()


@pytest.mark.parametrize("rule", ["free", "exact", "renju_free"])
def test_a_rollout_on_the_largest_board_is_the_random_game_too(random_walk: Any, rule: str) -> None:
    for seed in range(10):
        *_, end = random_walk(gomoku(20, rule), Random(seed))
        assert gomoku(20, rule).rollout(Random(seed)) == end.payoff()
        assert line_by_looking(end, end.winner)


@given(st.integers(0, 2**20 - 1), st.integers(1, 20), st.booleans())
def test_shifts_find_the_runs_that_reading_finds(line: int, length: int, exact: bool) -> None:
    runs = [len(run) for run in f"{line:b}".split("0") if run]
    assert has_run(line, length, exact) == any(run == length or (run > length and not exact) for run in runs)
    for field in (21, 42):
        assert has_run(line << field | line, length, exact) == has_run(line, length, exact)


@given(st.integers(1, 2**20 - 1))
def test_bits_are_counted_and_found(line: int) -> None:
    places = [k for k in range(20) if line >> k & 1]
    assert count_bits(line) == len(places)
    assert [nth_bit(line, n, 20) for n in range(len(places))] == places


FIVE = {
    "across": ("c3", "d3", "e3", "f3", "g3"),
    "up": ("j5", "j6", "j7", "j8", "j9"),
    "rising": ("k11", "l12", "m13", "n14", "o15"),
    "falling": ("a5", "b4", "c3", "d2", "e1"),
}
ELSEWHERE = ("a15", "c15", "e15", "g15", "i15", "k1")


@pytest.mark.parametrize("squares", FIVE.values(), ids=FIVE)
@pytest.mark.parametrize("rule", ["free", "exact", "renju_free"])
def test_five_in_a_row_win_in_every_direction(squares: tuple[str, ...], rule: str) -> None:
    for order in (squares, squares[::-1], (*squares[:2], *squares[3:], squares[2])):
        moves = [square for pair in zip(order, ELSEWHERE, strict=False) for square in pair][:9]
        state = put(gomoku(15, rule), *moves[:8])
        assert state.shape() == (217, 1)
        state = put(state, moves[8])
        assert (state.shape(), state.payoff()) == ((0, 0), 1.0)


@pytest.mark.parametrize(
    ("rule", "black", "white"), [("free", True, True), ("exact", False, False), ("renju_free", False, True)]
)
def test_six_in_a_row_win_where_the_rule_says_so(rule: str, black: bool, white: bool) -> None:
    six = ("c3", "d3", "e3", "g3", "h3", "f3")
    as_black = put(gomoku(15, rule), *[square for pair in zip(six, ELSEWHERE, strict=True) for square in pair][:11])
    as_white = put(gomoku(15, rule), "o1", *[square for pair in zip(six, ELSEWHERE, strict=True) for square in pair][:11])
    assert (as_black.winner == 0, as_white.winner == 1) == (black, white)


def test_a_line_does_not_run_over_an_edge() -> None:
    assert put(mnk(5, 2, 3), "d1", "a1", "e1", "d2", "a2").winner == -1


# ---------------------------------------------------------------------------------------------- the kit
@pytest.mark.parametrize("start", [gomoku(7, "renju_free"), mnk(20, 1, 2), mnk(1, 20, 3), mnk(1, 1, 1)])
def test_other_boards_are_what_a_game_should_be(start: MNK) -> None:
    check_state(start, games=3)


# ---------------------------------------------------------------------------------------------- people
def test_the_names_of_the_registry_are_the_games_by_their_parameters() -> None:
    assert game("mnk:m=4,n=3,k=3") == mnk(4, 3, 3)
    assert game("gomoku", size=19, rule="exact") == gomoku(19, "exact")


def test_squares_are_named_by_letter_and_number() -> None:
    state = put(mnk(3, 2, 2), "B1")
    assert labels(state) == ([IDLE], ["a1", "c1", "a2", "b2", "c2"])
    assert [parse_action(state, text, 1) for text in ("a1", "C1", " b2 ", "c 2")] == [0, 1, 3, 4]
    assert labels(gomoku())[0][112] == "h8"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("b1", "b1 is taken"),
        ("d1", "squares go from a1 to c2"),
        ("a3", "squares go from a1 to c2"),
        ("a0", "squares go from a1 to c2"),
        ("", "squares go from a1 to c2"),
        ("17", "squares go from a1 to c2"),
    ],
)
def test_a_square_that_cannot_be_chosen_is_quoted_with_the_board_and_what_can(text: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(put(mnk(3, 2, 2), "b1"), text, 1)
    place = " 2 . . . /  1 . X . /    a b c / O to move"
    assert str(caught.value) == f"column cannot play {text!r} in {place} ({why}); legal: a1, c1, a2, b2, c2"


def test_a_board_shows_its_squares_and_whose_turn_it_is() -> None:
    assert str(put(mnk(3, 2, 2), "b1", "c2")).splitlines() == [" 2 . . O", " 1 . X .", "   a b c", "X to move"]
    assert str(put(mnk(3, 2, 2), "b1", "c2", "b2")).endswith("X has won")
    assert str(put(mnk(1, 2, 2), "a1", "a2")).endswith("a draw")


@given(boards(), seeds)
def test_a_diagram_gives_its_position(random_walk: Any, start: MNK, seed: int) -> None:
    for state in random_walk(start, Random(seed)):
        diagram = "\n".join(line[2:] for line in str(state).splitlines()[:-2])
        rule = ("free", "exact", "renju_free")[state.rule]
        assert MNK.position(diagram, k=state.length, rule=rule) == state


@pytest.mark.parametrize(
    ("diagram", "message"),
    [
        ("X..\n..", r"the line 'X..' has 3 squares, another has 2"),
        ("X.?", r"the line 'X.\?' has '\?'; it may have X, O and ."),
        ("XXX.", "3 X and 0 O: there must be as many, or one X more"),
        ("O.O.\nXXX.\n..O.", "X has a line already, and it would be their turn"),
        ("", "not 0 lines"),
        (["." * 21], "1 to 20 squares"),
    ],
)
def test_a_diagram_that_cannot_be_is_refused(diagram: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MNK.position(diagram, k=3)


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (mnk, {"m": 0}, "m is 0; it must be a whole number from 1 to 20"),
        (mnk, {"n": 21}, "n is 21; it must be a whole number from 1 to 20"),
        (mnk, {"m": 3, "n": 4, "k": 5}, "k is 5; it must be a whole number from 1 to 4"),
        (gomoku, {"size": 4}, "size is 4; it must be a whole number from 5 to 20"),
        (gomoku, {"rule": "renju"}, "rule is 'renju'; choose from: free, exact, renju_free"),
    ],
)
def test_a_parameter_out_of_range_is_refused(make: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make(**given)


# ---------------------------------------------------------------------------------------------- OpenSpiel
@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("gomoku(size=7)", gomoku(7)),
        ("gomoku(size=15)", gomoku(15)),
        ("mnk(m=5,n=4,k=3)", mnk(5, 4, 3)),
        ("mnk(m=3,n=6,k=4)", mnk(3, 6, 4)),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_open_spiel_agrees_at_every_move(name: str, start: MNK, seed: int) -> None:
    """Its squares are numbered line by line, as ours are listed."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ours, rng = pyspiel.load_game(name).new_initial_state(), start, Random(seed)
    while not theirs.is_terminal():
        turn = theirs.current_player()
        assert (turn, labels(ours)[1 - turn]) == (ours.ply & 1, [IDLE])
        squares = [f"{'abcdefghijklmno'[a % ours.width]}{a // ours.width + 1}" for a in theirs.legal_actions()]
        assert labels(ours)[turn] == squares
        k = rng.randrange(len(squares))
        theirs.apply_action(theirs.legal_actions()[k])
        ours = put(ours, squares[k])
    assert ours.shape() == (0, 0)
    assert ours.payoff() == (1 + theirs.returns()[0]) / 2
