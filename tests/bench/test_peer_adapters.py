"""Other packages' searches on this package's games: the same rules, legal moves, and a win that is there is taken."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parallel_mcts import game, run_match
from parallel_mcts.bench.peers import bit_boards, multimcts_search
from parallel_mcts.bench.peers.base import GAMES, Pace, PeerAgent, Position, number_of, trouble, until
from parallel_mcts.bench.peers.known import PEERS
from parallel_mcts.bench.peers.mcts_simple_search import Holder
from parallel_mcts.bench.peers.open_spiel_mcts import OpenSpielMind, legal
from parallel_mcts.results import Move
from parallel_mcts.state import IDLE, labels, payoffs

INSTALLED = [
    pytest.param(p, id=p.name, marks=pytest.mark.skipif(trouble(p.module) != "", reason=trouble(p.module)))
    for p in PEERS.values()
]


def after(state: Any, number: int) -> Any:
    return state.play(number, 0) if state.shape()[1] == 1 else state.play(0, number)


def names(state: Any) -> list[Any]:
    """What the player to move may do."""
    row, col = labels(state)
    return col if row == [IDLE] else row


def reached(name: str, *moves: Any) -> tuple[Any, list[int]]:
    """The position after some moves, and their numbers."""
    state, numbers = game(name), []
    for move in moves:
        numbers.append(names(state).index(move))
        state = after(state, numbers[-1])
    return state, numbers


# ---------------------------------------------------------------------------------------------- playing
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("peer", INSTALLED)
def test_a_peer_makes_legal_moves_in_the_middle_of_a_game(peer: Any, name: str) -> None:
    rng, state, mind = Random(7), game(name), peer.mind(name, 0.002, 5)
    for _ in range(3):
        number = rng.randrange(len(names(state)))
        mind.follow(number)
        state = after(state, number)
    for _ in range(2):  # nobody can have won before
        number = mind.think()
        assert 0 <= number < len(names(state))
        mind.follow(number)
        state = after(state, number)


@pytest.mark.parametrize(
    ("name", "moves", "winning"),
    [
        ("tictactoe", (7, 4, 8, 5), 6),  # nothing else wins
        ("tictactoe", (1, 0, 6, 4, 7), 8),  # the second player
        ("connect_four", (5, 1, 5, 1, 5, 1), 5),
        ("connect_four", (5, 1, 5, 1, 4, 1, 0), 1),  # the second player
    ],
)
@pytest.mark.parametrize("peer", INSTALLED)
def test_a_peer_wins_where_a_move_wins(peer: Any, name: str, moves: tuple[int, ...], winning: int) -> None:
    state, numbers = reached(name, *moves)
    mind = peer.mind(name, 0.6 if peer.in_python else 0.1, 3)  # enough to have tried every move often
    for number in numbers:
        mind.follow(number)
    assert names(state)[mind.think()] == winning


@pytest.mark.parametrize("peer", INSTALLED)
def test_a_peer_has_an_answer_when_its_time_is_up_at_once(peer: Any) -> None:
    assert 0 <= peer.mind("gomoku", 1e-9, 1).think() < 225


@pytest.mark.parametrize("peer", INSTALLED)
def test_a_peer_plays_a_whole_match_of_kalah_where_players_move_twice(peer: Any) -> None:
    results, _ = run_match("kalah", "random", PeerAgent(peer, "kalah", 0.001), seed=4)
    assert results.forfeit == (), results.reason


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("peer", INSTALLED)
def test_a_peer_makes_as_many_simulations_as_it_is_told(peer: Any, name: str) -> None:
    peer.run(name)(12)  # that they are so many is its own word; that it comes back with each game is ours


# ---------------------------------------------------------------------------------------------- the same rules
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(8))
def test_open_spiel_follows_our_games_by_the_numbers_of_moves(name: str, seed: int) -> None:
    pytest.importorskip("pyspiel")
    rng, ours, theirs = Random(seed), game(name), OpenSpielMind(name, lambda state: 0)
    while len(names(ours)):
        assert len(legal(name, theirs.state)) == len(names(ours))
        assert theirs.state.current_player() == (0 if labels(ours)[1] == [IDLE] else 1)
        number = rng.randrange(len(names(ours)))
        theirs.follow(number)
        ours = after(ours, number)
    assert theirs.state.is_terminal()
    assert (1 + theirs.state.returns()[0]) / 2 == payoffs(ours)[0]


@pytest.mark.parametrize(("name", "board"), [("tictactoe", bit_boards.TicTacToe), ("connect_four", bit_boards.ConnectFour)])
@pytest.mark.parametrize("seed", range(20))
def test_bit_boards_play_by_our_rules(name: str, board: Any, seed: int) -> None:
    rng, ours, theirs, turn = Random(seed), game(name), board(), 0
    while len(names(ours)):
        assert not theirs.is_terminal()
        assert theirs.get_current_team() == turn
        moves = theirs.get_legal_moves()
        assert len(moves) == len(names(ours))
        number = rng.randrange(len(moves))
        theirs, ours, turn = theirs.make_move(moves[number]), after(ours, number), 1 - turn
    assert theirs.is_terminal()
    won = {1.0: 0, 0.0: 1}.get(ours.payoff())
    assert theirs.get_reward() == (0 if won is None else 1)
    assert won in (None, 1 - turn)  # the last to move


@pytest.mark.parametrize("name", GAMES)
def test_a_wrapped_position_tells_who_has_won(name: str) -> None:
    results = set()
    for seed in range(30 if name != "gomoku" else 5):
        rng, holder = Random(seed), Holder(Position(game(name)))
        while not holder.has_outcome():
            holder.take_action(rng.choice(holder.possible_actions()))
        payoff = holder.position.state.payoff()
        assert holder.position.result() == 2 * payoff - 1
        assert holder.winner() == {1.0: [0], 0.5: [0, 1], 0.0: [1]}[payoff]
        by_team = multimcts_search.Wrapped(holder.position.state).get_reward()
        assert by_team == {1.0: {0: 1}, 0.5: {}, 0.0: {1: 1}}[payoff]
        results.add(payoff)
    assert {0.0, 1.0} <= results


def test_a_move_is_numbered_among_those_of_its_player() -> None:
    state, _ = reached("tictactoe", 4)
    assert number_of(state, Move(IDLE, 0)) == 0
    assert number_of(state, Move(IDLE, 8)) == 7


# ---------------------------------------------------------------------------------------------- time
class SlowSearch:
    """Takes its time for each simulation, on a clock of its own."""

    def __init__(self, each: float) -> None:
        self.each, self.now, self.counts = each, 0.0, list[int]()

    def __call__(self, count: int) -> int:
        self.now += count * self.each
        self.counts.append(count)
        return count


def test_a_search_without_a_clock_gets_the_simulations_that_fill_its_time_and_a_few_more() -> None:
    search = SlowSearch(0.01)
    pace = Pace(2.0, clock=lambda: search.now)
    assert pace.search(search) in (220, 221)
    warm_up = search.counts[:-1]
    assert sum(warm_up) * 0.01 < 2.0


def test_the_pace_follows_a_search_that_gets_quicker_and_slower() -> None:
    search = SlowSearch(0.01)
    pace = Pace(2.0, clock=lambda: search.now)
    pace.search(search)
    search.each = 0.002
    pace.search(search)
    assert pace.search(search) in (1100, 1101)
    search.each = 0.1
    pace.search(search)
    assert pace.search(search) in (22, 23)


def test_a_clock_that_stands_still_does_not_stop_a_match() -> None:
    search = SlowSearch(0.0)
    ticks = iter(range(10**6))
    assert Pace(5.0, clock=lambda: float(next(ticks))).search(search) >= 1


def test_steps_are_taken_until_the_time_is_up() -> None:
    search = SlowSearch(1.0)
    assert until(4.5, lambda: search(1), clock=lambda: search.now) == 5
    assert until(0.0, lambda: search(1), clock=lambda: search.now) == 1
