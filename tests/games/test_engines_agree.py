"""Games of simultaneous moves and of chance in the compiled engine: the same answer for the same seed, to the last bit."""

from __future__ import annotations

from typing import Any

import pytest

from parallel_mcts import game, search
from parallel_mcts.engines.compiled.compilation import plain_state

ITERATIONS = 400

GAMES = [
    "chicken",
    "goofspiel:row_hand=2-3-4,col_hand=1-3-5,ties=carry,score=points",
    "goofspiel:cards=4,prizes=random,ties=carry",
    "oshi_zumo:size=2,row_coins=6,col_coins=7,min_bid=0",
    "pig:target=20",
    "pursuit:walls=R.#./..../...C,steps=6",
    "random_tree:depth=4,actions=3,transitions=3,seed=5",
    "rps",
    "tron:walls=R..#./...../#...C",
]


@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_game_is_the_interpreted_one(name: str) -> None:
    interpreted, compiled = (
        search(game(name), iterations=ITERATIONS, algorithm="regret_matching", seed=7, engine=engine)
        for engine in ("python", "compiled")
    )
    assert (interpreted.engine, compiled.engine) == ("python", "compiled")
    assert answer(interpreted) == answer(compiled)


def answer(result: Any) -> tuple[Any, ...]:
    return list(result.row), list(result.col), result.row_value, result.col_value, result.nodes, result.visits


@pytest.mark.parametrize("sizes", [("tron:height=5", "tron:height=20"), ("goofspiel:cards=3", "goofspiel:cards=9")])
def test_boards_and_hands_of_several_sizes_compile_in_one_process(sizes: tuple[str, str]) -> None:
    for name in (*sizes, sizes[0]):
        start = game(name)
        assert plain_state(start) == start
