"""Every solver beside the exact values that are published or were computed elsewhere, on the games of the registry."""

from __future__ import annotations

from fractions import Fraction

import pytest
from exact import OSHI_ZUMO

from parallel_mcts import game, minimax, solve


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize(("size", "row_coins", "col_coins", "position", "value"), OSHI_ZUMO)
def test_oshi_zumo(size: int, row_coins: int, col_coins: int, position: int, value: Fraction, pruning: bool) -> None:
    start = game("oshi_zumo", size=size, row_coins=row_coins, col_coins=col_coins, position=position, min_bid=1)
    assert solve(start, exact=True, pruning=pruning).value == value
    assert solve(start, pruning=pruning).value == pytest.approx(float(value), abs=1e-12)


KALAH = {
    ("standard", "either"): {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, None, 6, 8), 3: (0, 4, 2), 4: (2,)},
    ("empty", "either"): {1: (0, -2, 6, -2, 2, 0), 2: (2, -2, -2, -12, 6, 8), 3: (0, 4, 2), 4: (2,)},
    ("standard", "mover"): {1: (None, None, None, None, 0), 2: (None, None, None, -12)},
}
"""The first player's margin by rules, holes and beans (from 1)."""


@pytest.mark.parametrize(("capture", "end"), KALAH)
def test_kalah(capture: str, end: str) -> None:
    for holes, margins in KALAH[capture, end].items():
        for beans, margin in enumerate(margins, start=1):
            if margin is not None:
                start = game("kalah", holes=holes, beans=beans, capture=capture, end=end, score="margin")
                assert minimax(start, engine="python").value == margin, (holes, beans)
                if holes * beans <= 6:
                    assert solve(start).value == solve(start, pruning=True).value == margin, (holes, beans)


def outcome_class(toads: int, frogs: int, gap: int) -> str:
    """L if toads win whoever begins, R if frogs do, N if who begins does, P if the other does."""
    won = [
        minimax(game("toads_frogs", toads=toads, frogs=frogs, gap=gap, first=first), engine="python").value
        for first in ("toads", "frogs")
    ]
    return {(1.0, 1.0): "L", (0.0, 0.0): "R", (1.0, 0.0): "N", (0.0, 1.0): "P"}[won[0], won[1]]  # type: ignore[index]


def test_toads_and_frogs() -> None:
    for toads in range(1, 5):
        for frogs in range(1, 5):
            assert outcome_class(toads, frogs, 1) == "N"
            alone = "P" if toads == frogs == 1 else "R" if toads == 1 else "L" if frogs == 1 else "N"
            assert outcome_class(toads, frogs, 2) == alone
            if toads != frogs and toads + frogs < 7:
                assert outcome_class(toads, frogs, 3) == ("L" if toads > frogs else "R")


@pytest.mark.parametrize(("m", "n", "k", "value"), [(3, 3, 3, 0.5), (3, 4, 3, 1.0), (4, 3, 3, 1.0)])
def test_m_n_k(m: int, n: int, k: int, value: float) -> None:
    assert minimax(game("mnk", m=m, n=n, k=k), engine="python").value == value


def test_three_in_a_row_has_the_positions_of_tic_tac_toe() -> None:
    assert solve(game("mnk")).positions == 5478
