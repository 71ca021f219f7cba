"""The table of lines, held against what the names of its classes mean."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts.gomoku.patterns import (
    FIVE,
    FOUR,
    NOTHING,
    OPEN_FOUR,
    OPEN_THREE,
    REACH,
    THREE,
    TWO,
    WINDOW,
    powers,
    table,
)

lines = st.text("x.o", min_size=WINDOW, max_size=WINDOW).map(lambda line: line[:REACH] + "." + line[REACH + 1 :])


def made(line: str, exact: bool) -> int:
    """What the table says of a line: x is one's own, . is free, anything else is blocked."""
    own = sum(1 << k for k, sign in enumerate(line) if sign == "x")
    blocked = sum(1 << k for k, sign in enumerate(line) if sign not in "x.")
    return int(table(exact)[powers()[own] + 2 * powers()[blocked]])


@cache
def meant(line: str, exact: bool) -> int:
    """What a stone in the middle makes of a line, told from the words: by putting stones and looking."""
    line = line[:REACH] + "x" + line[REACH + 1 :]
    first = last = REACH
    while first > 0 and line[first - 1] == "x":
        first -= 1
    while last < WINDOW - 1 and line[last + 1] == "x":
        last += 1
    length = last - first + 1
    if length == 5 or (length > 5 and not exact):
        return FIVE
    after = [meant_with(line, k, exact) for k in range(WINDOW) if line[k] == "."]
    if FIVE in after:
        return OPEN_FOUR if after.count(FIVE) > 1 else FOUR
    for nearer in (OPEN_FOUR, FOUR, OPEN_THREE, THREE):
        if nearer in after:
            return nearer - 2
    return NOTHING


def meant_with(line: str, k: int, exact: bool) -> int:
    return meant(line[:REACH] + "." + line[REACH + 1 : k] + "x" + line[k + 1 :] if k > REACH else with_left(line, k), exact)


def with_left(line: str, k: int) -> str:
    return line[:k] + "x" + line[k + 1 : REACH] + "." + line[REACH + 1 :]


@pytest.mark.parametrize("exact", [False, True])
@given(line=lines)
def test_the_table_says_of_a_line_what_its_words_mean(exact: bool, line: str) -> None:
    told, meaning = made(line, exact), meant(line, exact)
    assert told == meaning or (meaning == NOTHING and told < TWO)  # smaller things are for the evaluation


@pytest.mark.parametrize(
    ("line", "free", "exact"),
    [
        ("...xx.xx...", FIVE, FIVE),
        (".xxxx.xx...", FIVE, NOTHING),  # six and more are no line where it has to be five
        ("..xxx......", OPEN_FOUR, OPEN_FOUR),
        ("..xxx.o....", FOUR, FOUR),
        (".x.xx..x...", OPEN_FOUR, OPEN_FOUR),  # a stone in the middle makes five on either side
        ("...xx......", OPEN_THREE, OPEN_THREE),
        ("..oxx......", THREE, THREE),
        ("....o.o....", NOTHING, NOTHING),
    ],
)
def test_well_known_lines(line: str, free: int, exact: int) -> None:
    assert made(line, exact=False) == free
    assert made(line, exact=True) == exact


def test_the_edge_counts_like_a_stone_of_the_other() -> None:
    for line in ("..xxx......", "...xx.x....", "x.xx......."):
        for walls in range(1, 4):
            assert made("|" * walls + line[walls:], False) == made("o" * walls + line[walls:], False)


def test_more_stones_never_make_less() -> None:
    lines, own = table(False), powers()
    for bit in (0, 3, 4, 6, 7, 10):
        for others in range(0, 1 << WINDOW, 37):
            if not others >> bit & 1:
                assert lines[own[others | 1 << bit]] >= lines[own[others]]
