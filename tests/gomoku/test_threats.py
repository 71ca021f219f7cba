"""Threat-space search: known wins are found within so many positions, and what it calls won is won against everything."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest
from boards import FOURS, drawn, fives, free_squares, scattered, wins

from parallel_mcts.gomoku.board import square_of
from parallel_mcts.gomoku.engine import KNOWN, PLIES, board_of, find_threats, set_up_work
from parallel_mcts.gomoku.position import Position, Square, name_of

BUDGET = 20_000


class Found(NamedTuple):
    line: list[Square]
    nodes: int


def threats(position: Position, threes: int, work: Any = None, budget: int = BUDGET) -> Found | None:
    """What the search finds for who is to move."""
    work = set_up_work(PLIES, KNOWN) if work is None else work
    if not find_threats(board_of(position), position.to_move, threes, budget, 0, work):
        return None
    return Found([square_of(int(move)) for move in work.line[: work.length[0]]], int(work.spent[0]))


def refuted(position: Position, threes: int, work: Any) -> str:
    """How the other player escapes what was called a win; "" if every defence there is loses, by the rules of the game."""
    attacker, found = position.to_move, threats(position, threes, work)
    if found is None:
        return "no win is seen any more"
    move = found.line[0]
    if wins(position, move, attacker):
        return ""
    after = position.played(move)
    if fives(after, 1 - attacker):
        return f"{name_of(move)} leaves the other a five"
    next_fives = fives(after, attacker)
    if len(next_fives) > 1:
        return ""
    for answer in next_fives or free_squares(after):  # anything else allows the five
        escape = refuted(after.played(answer), threes, work)
        if escape:
            return f"{name_of(move)} {name_of(answer)} {escape}"
    return ""


ONE_THREE = drawn("""
    . . . . . . . . . . . . . . .
    . . . . O . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . O . . . . . . . . . . .
    . . . . . . . X . . . . . . .
    . . . . . . . O . . . X . . .
    . . . X . . X . O . . . . . .
    . . . . . . O X . . . O . . .
    . . . . . . . . . O . . . . .
    . . . . O . . O X . . . . . .
    . . . X X . . X . . . O . . .
    . . . . . X O . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . X . . . . .
""")
TWO_THREES = drawn("""
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . X . . . .
    . . . . . . . . . . . . . . .
    . . . . . O . . . . . . . . .
    . . . . . . X . O X . . . . .
    . . . . . . O X O . . . . . .
    . . . O . X X . . O . . . . .
    . . . X . . X O X . . . . . .
    . . . . . . X . O . . . . . .
    . . . . . O . . . . . . . . .
    . . . . . O . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
""")
THREE_THREES = drawn("""
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . O . . . . . .
    . . . . . . . . X . . . . . .
    . . . . . . . . . . . . . . .
    . . . . X O . . . . . . . . .
    . . . . O . . . X X . . . . .
    . . . X . . O . O X O . . . .
    . . . . . O O X . O . . . . .
    . . . . . . X . X O . . . . .
    . . . . . . . O . . . . . . .
    . . . . X . X . . . . . X . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . O . . . . . .
""")


@pytest.mark.parametrize(
    ("position", "threes", "length", "nodes"),
    [(FOURS, 0, 17, 30), (ONE_THREE, 1, 23, 400), (TWO_THREES, 2, 19, 200), (THREE_THREES, 3, 17, 2_000)],
    ids=["fours", "one three", "two threes", "three threes"],
)
def test_known_wins_are_found_within_so_many_positions(position: Position, threes: int, length: int, nodes: int) -> None:
    assert threes == 0 or threats(position, threes - 1, budget=10 * nodes) is None
    found = threats(position, threes)
    assert found is not None
    assert found.nodes <= nodes
    assert len(found.line) >= length - 4  # it is deep, however the squares are ordered
    assert refuted(position, threes, set_up_work(PLIES, KNOWN)) == ""


def test_whatever_is_called_won_on_a_random_board_is_won_against_every_defence() -> None:
    rng = Random(11)
    by_fours = by_threes = 0
    while by_fours < 40 or by_threes < 15:
        position = scattered(rng, size=11, each=9, spread=1.9, rule=rng.randrange(3))
        if fives(position, 0) or fives(position, 1):
            continue
        for threes in (0, 1):
            work = set_up_work(PLIES, KNOWN)
            if threats(position, threes, work, budget=500) is not None:
                assert refuted(position, threes, work) == "", position
                by_fours += threes == 0
                by_threes += threes == 1
                break


def test_a_line_holds_moves_of_both_on_free_squares() -> None:
    position = ONE_THREE
    found = threats(position, 1)
    assert found is not None
    for square in found.line:
        assert position.is_free(square), name_of(square)
        position = position.played(square)


def test_a_search_that_runs_out_of_positions_claims_nothing_and_forgets_nothing_wrong() -> None:
    work = set_up_work(PLIES, KNOWN)
    for budget in (1, 2, 5, 20, 100, 1_000):
        found = threats(TWO_THREES, 2, work, budget)
        assert work.spent[0] <= budget
    assert found is not None


def test_an_answering_four_of_the_defender_is_seen() -> None:
    """Black's open three would win, were it not for white's three beside it, which becomes five first."""
    position = drawn("""
        . . . . . . . . .
        . . . . . . . . .
        . . . X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O O O . . . . .
        . . . . . . . . .
        . . . . . . X . .
        . . . . . . . . .
    """)
    assert threats(position, 3) is None
    assert threats(position._replace(to_move=1), 0) is not None
