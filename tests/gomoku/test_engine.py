"""The players of the engine: they take what wins, stop what loses, keep to their time, and are told apart by strength."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from boards import drawn, fives, free_squares, scattered, winning_fours

from parallel_mcts import game, run_match
from parallel_mcts.errors import InputError, ParameterError, UnknownName
from parallel_mcts.gomoku.engine import AlphaBeta, Threats
from parallel_mcts.gomoku.players import NAMES, player
from parallel_mcts.gomoku.position import Position, name_of
from parallel_mcts.gomoku.thinking import Thinker

LONG = 60.0


@pytest.fixture(scope="module")
def players() -> dict[str, Thinker]:
    return {name: player(name, seed=1) for name in NAMES}


class Ticks:
    """A clock that moves on a little whenever it is looked at: a thought takes the same looks on every machine."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.mark.parametrize("name", NAMES)
def test_every_player_makes_a_five_and_stops_one(name: str, players: dict[str, Thinker]) -> None:
    rng = Random(4)
    made = stopped = 0
    while made < 8 or stopped < 8:
        position = scattered(rng, size=7, each=8, spread=1.6)
        own, other = fives(position, 0), fives(position, 1)
        if own:
            made += 1
            assert players[name].think(position, seconds=0.05).square in own
        elif len(other) == 1:
            stopped += 1
            assert players[name].think(position, seconds=0.05).square == other[0]


@pytest.mark.parametrize("name", NAMES)
def test_no_player_allows_an_open_four_that_it_could_have_stopped(name: str, players: dict[str, Thinker]) -> None:
    """On random boards on which the other threatens two fives at once, and nothing can be won first."""
    rng = Random(9)
    met = 0
    while met < 10:
        position = scattered(rng, size=7, each=6, spread=1.4)
        if fives(position, 0) or fives(position, 1) or winning_fours(position, 0) or not winning_fours(position, 1):
            continue
        if not any(stopped(position.played(square)) for square in free_squares(position)):
            continue
        met += 1
        thought = players[name].think(position, seconds=0.1)
        after = position.played(thought.square)
        assert stopped(after) or fives(after, 0), f"{name_of(thought.square)} ({thought.reason}) in {position}"


def stopped(after: Position) -> bool:
    return not fives(after, 1) and not winning_fours(after, 1)


DEFENCE = drawn("""
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . X . . . . . .
    . . . . O O . . . . .
    . . . X O O X . . . .
    . . . . . . O . . . .
    . . . . . X . X . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
""")


def test_alpha_beta_stops_a_sequence_of_threats_that_would_win() -> None:
    """White to move would win by threats; after black's move it does not."""
    engine = AlphaBeta()
    assert Threats().think(DEFENCE._replace(to_move=1), seconds=LONG).reason == "winning threats"
    after = DEFENCE.played(engine.think(DEFENCE, seconds=1.0).square)
    found = Threats().think(after, seconds=0.5)
    assert found.reason != "winning threats"


def test_a_quiet_winning_move_is_found_by_looking_ahead() -> None:
    """Two rows of two that cross on a free square: filling it makes nothing yet that has to be answered but wins."""
    position = drawn("""
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X . . . . . .
        . . . . . . . O . . .
        . . X X . . . . . . .
        . . . . . . O . . . .
        . . . . . . . . . . .
        . . . . . . . O . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """)
    thought = AlphaBeta().think(position, seconds=1.0)
    assert thought.value == 1.0


def test_a_thought_ends_when_its_time_is_over_and_when_it_is_told_to() -> None:
    clock = Ticks(0.001)
    thought = AlphaBeta(clock=clock).think(scattered(Random(1), each=6), seconds=0.5)
    assert thought.seconds <= 0.5
    asked = []

    def stopping() -> bool:
        asked.append(True)
        return len(asked) > 3

    quick = AlphaBeta().think(scattered(Random(1), each=6), seconds=LONG, stopping=stopping)
    assert quick.seconds < LONG / 2
    assert scattered(Random(1), each=6).is_free(quick.square)


@pytest.mark.parametrize("name", NAMES)
def test_a_player_without_time_still_gives_a_legal_move(name: str, players: dict[str, Thinker]) -> None:
    for seed in range(5):
        position = scattered(Random(seed), size=7, each=8)
        thought = players[name].think(position, seconds=0.0, stopping=lambda: True)
        assert position.is_free(thought.square)
        assert thought.line[0] == thought.square


@pytest.mark.parametrize("name", ["alphabeta", "threats"])
def test_any_board_will_do(name: str, players: dict[str, Thinker]) -> None:
    """Of any size, empty, with a single free square, and with stones that no game leads to."""
    empty = Position.empty(6, 9)
    middle = players[name].think(empty, seconds=0.05).square
    assert empty.is_free(middle)
    full = drawn("X O X O X\nX O X O X\nO X O X O\nO X O X O\nX O X O .")
    assert players[name].think(full, seconds=0.05).square == (4, 0)
    odd = drawn("O O . . .\n. . . . .\n. . . . .\n. . O O .\n. . . . X", to_move=1)
    assert odd.is_free(players[name].think(odd, seconds=0.05).square)
    with pytest.raises(InputError, match="the board is full"):
        players[name].think(full.played((4, 0)), seconds=0.05)


@pytest.mark.parametrize("name", ["mcts", "combined"])
def test_stones_that_no_game_leads_to_are_no_hindrance_to_a_search(name: str, players: dict[str, Thinker]) -> None:
    odd = drawn("O O . . .\n. . . . .\n. . . . .\n. . O O .\n. . . . X", to_move=1)
    assert odd.is_free(players[name].think(odd, seconds=0.05).square)


def test_the_same_player_goes_from_board_to_board_of_other_sizes_and_rules() -> None:
    engine = AlphaBeta()
    for size, rule in ((15, 0), (9, 0), (15, 1), (15, 2), (20, 0), (5, 0)):
        position = scattered(Random(size), size=size, each=3, rule=rule)
        fresh = AlphaBeta().think(position, seconds=0.05)
        again = engine.think(position, seconds=0.05)
        assert position.is_free(again.square)
        assert position.is_free(fresh.square)


def test_six_in_a_row_is_no_five_where_it_has_to_be_exact() -> None:
    board = """
        . . . . . . . . .
        . . . . . . . . .
        . O . . O . . . .
        X X X . X X . . .
        . . . . . . . . .
        . O O . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    assert Threats().think(drawn(board), seconds=LONG).square == (3, 5)
    assert Threats().think(drawn(board, rule="exact"), seconds=0.2).reason != "five"


def test_what_makes_no_sense_is_refused_with_the_choices() -> None:
    with pytest.raises(UnknownName, match=r"unknown player 'alfabeta'.*did you mean 'alphabeta'"):
        player("alfabeta")
    with pytest.raises(ParameterError, match="memory is 10 bytes"):
        player("threats", memory=10)
    with pytest.raises(InputError, match="plays five in a row; TicTacToe is another game"):
        Position.of(game("tictactoe"))


# ---------------------------------------------------------------------------------------------- as an agent
def test_the_engine_beats_a_search_that_knows_nothing_of_gomoku() -> None:
    plain: Any = "mcts:iterations=2000,engine=compiled"
    for seed, agents in ((1, ("gomoku:seconds=0.1", plain)), (2, (plain, "gomoku:seconds=0.1"))):
        results, _ = run_match("gomoku:size=11", *agents, seed=seed)
        assert results.winner == ("row", "col")[seed - 1], results.reason


def test_agents_take_parameters_and_refuse_other_games() -> None:
    results, _ = run_match("tictactoe", "gomoku", "random", seed=1)
    assert results.forfeit == ("row",)
    assert "plays five in a row" in results.reason
    for spec, complaint in (("gomoku:player=smart", "unknown player 'smart'"), ("gomoku:megabytes=0", "megabytes is 0")):
        with pytest.raises(InputError, match=complaint):
            run_match("gomoku:size=7", spec, "random")
