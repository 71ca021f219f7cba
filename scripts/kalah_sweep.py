"""Does kalah's smart player beat the bad one on every board, from both sides?  `python scripts/kalah_sweep.py --seconds 1`

The bad player always plays the first legal hole. For every board to 6 holes by 6 beans the smart player plays row and then
column. Where it does not win, every line of play against the bad player is tried, to see whether anybody could have won: on
a board of one hole nobody has a choice, and there are few others.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

from parallel_mcts import game, run_match
from parallel_mcts.agents import First, Smart
from parallel_mcts.agents.base import PLAYERS, Player
from parallel_mcts.state import payoffs

MOST_POSITIONS = 2_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Kalah's smart player against the bad one on every board.")
    parser.add_argument("--seconds", type=float, default=1.0, help="of thought a move (default: 1)")
    parser.add_argument("--depth", type=int, help="turns to look ahead, instead of --seconds")
    parser.add_argument("--engine", default="python", help="python (default), compiled or auto")
    parser.add_argument("--end", default="mover", help="when the game ends: mover (default) or either")
    parser.add_argument("--holes", type=int, default=6)
    parser.add_argument("--beans", type=int, default=6)
    options = parser.parse_args()
    seconds = None if options.depth else options.seconds
    smart = Smart(depth=options.depth, seconds=seconds, engine=options.engine)
    slowest = 0.0
    for holes in range(1, options.holes + 1):
        for beans in range(1, options.beans + 1):
            start = game("kalah", holes=holes, beans=beans, end=options.end)
            for side in PLAYERS:
                words, seconds = outcome(start, smart, side)
                slowest = max(slowest, seconds)
                print(f"kalah({holes}, {beans}), smart is {side}: {words}", flush=True)
    print(f"slowest move: {slowest:.2f} s")


def outcome(start: Any, smart: Smart, side: Player) -> tuple[str, float]:
    """How the smart player did, in words, and the time of its slowest move."""
    timed = Timed(smart)
    agents = {"row": First(), "col": First(), side: timed}
    results = run_match(start, agents).results
    if results.winner == side:
        return f"won {results.reason.partition('won ')[2]}", timed.slowest
    if results.forfeit:
        return results.reason, timed.slowest
    could = can_be_won(start, PLAYERS.index(side))
    chance = {True: "and could have won", False: "and nobody could have won", None: "and it is not known who could"}[could]
    return f"{'lost' if results.winner else 'drew'} {chance}", timed.slowest


class Timed:
    """Another agent, with its slowest move written down."""

    def __init__(self, agent: Any) -> None:
        self.playing, self.slowest = agent.seat(0), 0.0

    def begin(self, state: Any, player: Player) -> None:
        self.playing.begin(state, player)

    def choose(self, state: Any) -> Any:
        started = perf_counter()
        move = self.playing.choose(state)
        self.slowest = max(self.slowest, perf_counter() - started)
        return move


def can_be_won(start: Any, player: int) -> bool | None:
    """Whether some line of play beats the bad player; None if there are too many to try."""
    ahead, seen = [start], {start}
    while ahead and len(seen) < MOST_POSITIONS:
        state = ahead.pop()
        rows, cols = state.shape()
        if rows == 0:
            if payoffs(state)[player] > payoffs(state)[1 - player]:
                return True
            continue
        choices = range(rows * cols) if state.player == player else (0,)
        for k in choices:
            after = state.play(k, 0) if state.player == 0 else state.play(0, k)
            if after not in seen:
                seen.add(after)
                ahead.append(after)
    return None if ahead else False


if __name__ == "__main__":
    main()
