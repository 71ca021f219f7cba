"""Boards for the tests of the Gomoku engine: drawn, and random; and what the rules of the game itself say of them."""

from __future__ import annotations

from random import Random

from games.mnk import MNK, makes_line
from parallel_mcts.gomoku.position import BLACK, EXACT, RENJU_FREE, RULES, Position, Square


def drawn(board: str, *, to_move: int = 0, rule: str = "free") -> Position:
    """The position of a diagram; lines from the top, X is black. Any number of stones."""
    lines = [line.replace(" ", "") for line in board.strip().splitlines()][::-1]
    black, white = (tuple(sum(1 << c for c, sign in enumerate(line) if sign == own) for line in lines) for own in "XO")
    return Position(black, white, len(lines[0]), RULES.index(rule), to_move)


def scattered(rng: Random, *, size: int = 15, each: int = 12, spread: float = 2.2, rule: int = 0) -> Position:
    """Stones of both colours around the middle, as many of each, and nobody has five yet."""
    squares: set[Square] = set()
    while len(squares) < 2 * each:
        column, row = (min(size - 1, max(0, round(rng.gauss((size - 1) / 2, spread)))) for _ in "xy")
        squares.add((column, row))
    stones = sorted(squares)
    rng.shuffle(stones)
    rows = [[0] * size, [0] * size]
    for k, (column, row) in enumerate(stones):
        rows[k % 2][row] |= 1 << column
    state = MNK(tuple(rows[0]), tuple(rows[1]), size, 5, 0, 2 * each)
    if state.has_line(0) or state.has_line(1):
        return scattered(rng, size=size, each=each, spread=spread, rule=rule)
    return Position(state.black, state.white, size, rule, 0)


def free_squares(position: Position) -> list[Square]:
    every = ((column, row) for row in range(position.height) for column in range(position.width))
    return [square for square in every if position.is_free(square)]


def wins(position: Position, square: Square, colour: int) -> bool:
    """Whether a stone makes five, by the rules of the game."""
    after = position._replace(to_move=colour).played(square)
    exact = after.rule == EXACT or (after.rule == RENJU_FREE and colour == BLACK)
    return makes_line(after.white if colour else after.black, square[1], square[0], 5, exact)


def fives(position: Position, colour: int) -> list[Square]:
    """Where a colour makes five, by the rules of the game."""
    return [square for square in free_squares(position) if wins(position, square, colour)]


def winning_fours(position: Position, colour: int) -> list[Square]:
    """Where a colour makes two fives at once, by the rules of the game."""
    found = []
    for square in free_squares(position):
        after = position._replace(to_move=colour).played(square)
        if len(fives(after, colour)) >= 2:
            found.append(square)
    return found


FOURS = drawn("""
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . O . . . . .
    . . . X . . O . O X . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . O . . . . . . . .
    . . . . . X X . . . X . . . .
    . . . . . . X X O . . . . . .
    . O . . . . . O . . . . . . .
    . . . . . X . . O . . . . . .
    . . . . . . . . . . . . . . .
    . . . . X . . . . . . O . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
""")
"""Black wins by a long row of fours."""
