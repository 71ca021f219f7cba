"""Games, compiled, with other parameters than the usual ones.

The usual ones are searched in both engines elsewhere (tests/compiled). To compile a search takes seconds, so here the rules
are compiled by themselves: random games must go the same way to the end, and draw as many numbers.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parallel_mcts import game
from parallel_mcts.engines.compiled.compilation import plain_state
from parallel_mcts.engines.compiled.methods import dispatcher_of
from parallel_mcts.engines.compiled.streams import Stream
from parallel_mcts.state import has_chance

PLAYED = [
    "chicken",
    "goofspiel:row_hand=2-3-4,col_hand=1-3-60,ties=carry,score=points",
    "goofspiel:cards=3,prizes=random,ties=carry",
    "gomoku:size=9,rule=exact",
    "kalah:beans=5,capture=empty,end=mover,score=margin",
    "oshi_zumo:size=2,row_coins=6,col_coins=7,min_bid=0",
    "pig:target=20",
    "pursuit:walls=R.#./..../...C,steps=6",
    "random_tree:depth=4,actions=3,transitions=3,seed=5",
    "rps",
    "toads_frogs:toads=25,frogs=25,gap=10",
    "tron:width=60,height=20",
]
ROLLED = [
    "connect_four",
    "gomoku:size=9,rule=renju_free",
    "kalah:beans=5,capture=empty,end=mover,score=margin",
    "kalah:beans=100,score=margin",
    "tictactoe",
    "toads_frogs:toads=25,frogs=25,gap=10",
]
"""Games with a random game of their own; a hundred beans a hole are more than kalah's can pack."""


def played(state: Any, rng: Any) -> Any:
    """A random game to its end."""
    rows, cols = state.shape()
    while rows:
        state = state.play(int(rng.random() * rows), int(rng.random() * cols))
        rows, cols = state.shape()
    return state, state.payoff()


def played_with_chance(state: Any, rng: Any) -> Any:
    rows, cols = state.shape()
    while rows:
        state = state.play(int(rng.random() * rows), int(rng.random() * cols), rng)
        rows, cols = state.shape()
    return state, state.payoff()


@pytest.mark.parametrize("name", PLAYED)
def test_compiled_games_go_as_interpreted_ones_do(name: str) -> None:
    start = plain_state(game(name))
    in_python = played_with_chance if has_chance(start) else played
    compiled = dispatcher_of(in_python)
    for seed in range(50):
        rng, stream = Random(seed), Stream(Random(seed))
        assert compiled(start, stream) == in_python(start, rng)
        assert stream.random() == rng.random()  # neither drew more numbers than the other


@pytest.mark.parametrize("name", ROLLED)
def test_compiled_rollouts_go_as_interpreted_ones_do(name: str) -> None:
    start = plain_state(game(name))
    compiled = dispatcher_of(type(start).rollout)
    for seed in range(50):
        rng, stream = Random(seed), Stream(Random(seed))
        assert compiled(start, stream) == start.rollout(rng)
        assert stream.random() == rng.random()


@pytest.mark.parametrize("sizes", [("tron:height=5", "tron:height=20"), ("goofspiel:cards=3", "goofspiel:cards=9")])
def test_boards_and_hands_of_several_sizes_compile_in_one_process(sizes: tuple[str, str]) -> None:
    for name in (*sizes, sizes[0]):
        start = game(name)
        assert plain_state(start) == start
