"""Games of simultaneous moves and of chance, compiled: the same games and the same searches for the same seed, to the bit.

To compile a whole search takes seconds, so most games are compiled by themselves: random games must then go the same way
to the end. One game without chance and one with it are searched.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from parallel_mcts import game, search
from parallel_mcts.engines.compiled.compilation import plain_state
from parallel_mcts.engines.compiled.methods import dispatcher_of
from parallel_mcts.engines.compiled.streams import Stream
from parallel_mcts.state import has_chance

SEARCHED = ["goofspiel:cards=3,prizes=random,ties=carry", "tron:walls=R..#./...../#...C"]

PLAYED = [
    "chicken",
    "goofspiel:row_hand=2-3-4,col_hand=1-3-60,ties=carry,score=points",
    "oshi_zumo:size=2,row_coins=6,col_coins=7,min_bid=0",
    "pig:target=20",
    "pursuit:walls=R.#./..../...C,steps=6",
    "random_tree:depth=4,actions=3,transitions=3,seed=5",
    "rps",
    "tron:width=60,height=20",
]


@pytest.mark.parametrize("name", SEARCHED)
def test_a_compiled_search_gives_the_answer_of_the_interpreted_one(name: str) -> None:
    interpreted, compiled = (
        search(game(name), iterations=400, algorithm="regret_matching", seed=7, engine=engine)
        for engine in ("python", "compiled")
    )
    assert (interpreted.engine, compiled.engine) == ("python", "compiled")
    assert answer(interpreted) == answer(compiled)


def answer(result: Any) -> tuple[Any, ...]:
    return list(result.row), list(result.col), result.row_value, result.col_value, result.nodes, result.visits


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


@pytest.mark.parametrize("sizes", [("tron:height=5", "tron:height=20"), ("goofspiel:cards=3", "goofspiel:cards=9")])
def test_boards_and_hands_of_several_sizes_compile_in_one_process(sizes: tuple[str, str]) -> None:
    for name in (*sizes, sizes[0]):
        start = game(name)
        assert plain_state(start) == start
