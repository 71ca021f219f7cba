"""Tic-tac-toe, proven by counts, against OpenSpiel and by its value."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.tictactoe import LINES, TicTacToe, tictactoe
from parallel_mcts.errors import IllegalAction
from parallel_mcts.state import IDLE, parse_action

seeds = st.integers(0, 2**32)


def children(state: TicTacToe) -> list[TicTacToe]:
    rows, cols = state.shape()
    return [state.play(i, j) for i in range(rows) for j in range(cols)]


def all_positions() -> set[TicTacToe]:
    found, waiting = {tictactoe()}, [tictactoe()]
    while waiting:
        new = set(children(waiting.pop())) - found
        found |= new
        waiting.extend(new)
    return found


def test_there_are_5478_positions_and_958_ways_they_end() -> None:
    positions = all_positions()
    assert len({(position.crosses, position.noughts) for position in positions}) == len(positions) == 5478
    ends = Counter(position.payoff() for position in positions if position.shape() == (0, 0))
    assert ends == {1.0: 626, 0.0: 316, 0.5: 16}


def test_there_are_255168_games() -> None:
    @cache
    def results(state: TicTacToe) -> Counter[float]:
        if state.shape() == (0, 0):
            return Counter({state.payoff(): 1})
        return sum((results(child) for child in children(state)), Counter())

    assert results(tictactoe()) == {1.0: 131184, 0.0: 77904, 0.5: 46080}


def test_best_play_is_a_draw(exact_value: Any) -> None:
    assert exact_value(tictactoe()) == 0.5


@given(seeds)
def test_a_move_adds_one_stone_to_a_free_square(random_walk: Any, seed: int) -> None:
    walk = list(random_walk(tictactoe(), Random(seed)))
    for ply, (before, after) in enumerate(itertools.pairwise(walk)):
        added = (after.crosses | after.noughts) ^ (before.crosses | before.noughts)
        assert added.bit_count() == 1
        assert after.crosses & after.noughts == 0
        assert (before.noughts == after.noughts) if ply % 2 == 0 else (before.crosses == after.crosses)


@given(seeds)
def test_a_game_ends_at_the_first_line_or_with_a_full_board(random_walk: Any, seed: int) -> None:
    *earlier, end = random_walk(tictactoe(), Random(seed))
    for state in earlier:
        assert not any(stones & line == line for line in LINES for stones in (state.crosses, state.noughts))
    assert end.payoff() != 0.5 or (end.crosses | end.noughts) == 0o777


@given(seeds, seeds)
def test_a_rollout_is_the_random_game_of_the_same_numbers(random_walk: Any, seed: int, other: int) -> None:
    for state in random_walk(tictactoe(), Random(seed)):
        *_, end = random_walk(state, Random(other))
        assert state.rollout(Random(other)) == end.payoff()


def test_labels_are_the_free_squares_of_the_player_to_move() -> None:
    state = tictactoe().play(4, 0)
    assert state.labels() == ((IDLE,), [0, 1, 2, 3, 5, 6, 7, 8])
    assert state.play(0, 4).labels() == ([0, 1, 2, 3, 6, 7, 8], (IDLE,))


def test_a_board_shows_stones_and_the_numbers_of_free_squares() -> None:
    assert str(tictactoe().play(4, 0).play(0, 0)) == "O 1 2\n3 X 5\n6 7 8\nX to move"
    assert str(tictactoe().play(4, 0)).endswith("O to move")


@pytest.mark.parametrize(
    ("squares", "said"),
    [((0, 3, 1, 4, 2), "X has won"), ((0, 3, 1, 4, 8, 5), "O has won"), ((0, 1, 2, 4, 3, 5, 7, 6, 8), "a draw")],
)
def test_a_finished_board_says_how_it_ended(squares: tuple[int, ...], said: str) -> None:
    state = tictactoe()
    for turn, square in enumerate(squares):
        k = parse_action(state, str(square), turn % 2)
        state = state.play(*((0, k) if turn % 2 else (k, 0)))
    assert str(state).splitlines()[3] == said


@pytest.mark.parametrize(
    ("text", "why"),
    [("4", "square 4 is taken"), ("9", "squares are numbered from 0 to 8"), ("", "squares are numbered from 0 to 8")],
)
def test_a_square_that_cannot_be_chosen_is_quoted_with_the_board_and_what_can(text: str, why: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        parse_action(tictactoe().play(4, 0), text, 1)
    place = "0 1 2 / 3 X 5 / 6 7 8 / O to move"
    assert str(caught.value) == f"column cannot play {text!r} in {place} ({why}); legal: 0, 1, 2, 3, 5, 6, 7, 8"


@pytest.mark.parametrize("seed", range(100))
def test_open_spiel_agrees_at_every_move(seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ours, rng = pyspiel.load_game("tic_tac_toe").new_initial_state(), tictactoe(), Random(seed)
    while not theirs.is_terminal():
        turn = theirs.current_player()
        mover, waiting = ours.labels()[turn], ours.labels()[1 - turn]
        assert (mover, waiting) == (theirs.legal_actions(), (IDLE,))
        k = rng.randrange(len(mover))
        theirs.apply_action(mover[k])
        ours = ours.play(*((k, 0) if turn == 0 else (0, k)))
    assert ours.shape() == (0, 0)
    assert ours.payoff() == (1 + theirs.returns()[0]) / 2
