"""The engine's knowledge as a model of a search: forced moves, values, policies, in both engines."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from boards import FOURS, fives, free_squares, scattered

from parallel_mcts import PUCT, game, search
from parallel_mcts.errors import InputError, ParameterError
from parallel_mcts.gomoku.model import GomokuThreats
from parallel_mcts.gomoku.position import Position, Square
from parallel_mcts.gomoku.searching import state_of


def judged(position: Position, **options: Any) -> tuple[float, dict[Square, float]]:
    """The value for who is to move, and the policy by square."""
    state = state_of(position)
    assert state is not None
    value, row, col = GomokuThreats(**options).evaluate_with_policy(state, Random(1))
    policy = col if position.to_move else row
    assert (row if position.to_move else col) == [1.0]
    return (1.0 - value if position.to_move else value), dict(zip(free_squares(position), policy, strict=True))


def test_policies_are_distributions_over_the_free_squares_near_stones() -> None:
    rng = Random(2)
    for _ in range(30):
        position = scattered(rng, size=12, each=rng.randrange(2, 9), rule=rng.randrange(3))
        value, policy = judged(position)
        assert 0.0 <= value <= 1.0
        assert sum(policy.values()) == pytest.approx(1.0)
        assert min(policy.values()) >= 0.0
        assert all(near(position, square) for square, share in policy.items() if share > 0.0)


def near(position: Position, square: Square) -> bool:
    around = [(square[0] + x, square[1] + y) for x in range(-2, 3) for y in range(-2, 3)]
    inside = [(c, r) for c, r in around if 0 <= c < position.width and 0 <= r < position.height]
    return any(not position.is_free(other) for other in inside)


def test_a_five_wins_and_one_of_the_other_has_to_be_stopped() -> None:
    rng = Random(5)
    made = stopped = 0
    while made < 10 or stopped < 10:
        position = scattered(rng, size=9, each=8, spread=1.6)
        own, other = fives(position, 0), fives(position, 1)
        if not own and not other:
            continue
        value, policy = judged(position)
        best = max(policy, key=policy.__getitem__)
        assert policy[best] == 1.0
        if own:
            made += 1
            assert value == 1.0
            assert best in own
        else:
            stopped += 1
            assert best in other
            assert (value == 0.0) == (len(other) > 1)


def test_a_short_search_for_fours_sees_a_win_that_a_glance_does_not() -> None:
    assert judged(FOURS, fours=50)[0] == 1.0
    assert judged(FOURS, fours=0)[0] < 1.0


def test_both_engines_grow_the_same_tree() -> None:
    state = state_of(scattered(Random(3), size=7, each=4))
    results = [
        search(state, iterations=150, algorithm=PUCT(), model=GomokuThreats(fours=10), engine=engine, seed=3)
        for engine in ("python", "compiled")
    ]
    assert results[0].row == results[1].row
    assert results[0].row_value == results[1].row_value
    assert results[0].nodes == results[1].nodes


def test_it_can_be_named_and_refuses_other_games_and_numbers_that_make_no_sense() -> None:
    assert search(game("gomoku:size=7"), iterations=5, algorithm="puct", model="gomoku:fours=5", seed=1).visits == 5
    with pytest.raises(InputError, match="judges five in a row; TicTacToe is another game"):
        search(game("tictactoe"), iterations=5, algorithm="puct", model="gomoku", seed=1)
    with pytest.raises(ParameterError, match="fours is -1"):
        search(game("gomoku:size=7"), iterations=5, algorithm="puct", model="gomoku:fours=-1", seed=1)
    with pytest.raises(ParameterError, match="sharpness is 0"):
        search(game("gomoku:size=7"), iterations=5, algorithm="puct", model="gomoku:sharpness=0", seed=1)
