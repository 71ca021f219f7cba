"""The Gomoku engine as black from the empty board, beside a search that knows nothing of Gomoku and beside OpenSpiel's.

`python scripts/bench_gomoku.py` plays so many games against each at equal time and prints the score; nothing is asserted.
`parallel-mcts bench peers strength --on gomoku` plays both sides, from random openings.
"""

from __future__ import annotations

import argparse
from typing import Any

from parallel_mcts import run_match
from parallel_mcts.agents import Gomoku, Mcts
from parallel_mcts.bench.measuring import ForeignLoad, header
from parallel_mcts.bench.peers.base import PeerAgent
from parallel_mcts.bench.peers.open_spiel_mcts import OpenSpielCpp
from parallel_mcts.ratings import wilson

TARGETS = {"mcts": 0.9, "OpenSpiel C++": 0.95}


def opponents(seconds: float) -> dict[str, Any]:
    return {
        "mcts": Mcts(seconds=seconds, engine="compiled"),
        "OpenSpiel C++": PeerAgent(OpenSpielCpp(), "gomoku", seconds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="against each")
    parser.add_argument("--seconds", type=float, default=0.2, help="for each move, of both")
    parser.add_argument("--player", default="alphabeta", help="alphabeta (default), threats, mcts or combined")
    options = parser.parse_args()
    load = ForeignLoad()
    for name, opponent in opponents(options.seconds).items():
        points, plies, used = 0.0, 0, [0.0, 0.0]
        for seed in range(options.games):
            results, _ = run_match("gomoku", Gomoku(options.player, options.seconds), opponent, seed=seed)
            points += results.row
            plies += len(results.moves)
            used = [total + seconds for total, seconds in zip(used, results.seconds, strict=True)]
        low, high = wilson(points, options.games)
        each = ", ".join(f"{2 * seconds / plies:.3f} s" for seconds in used)
        print(
            f"{options.player} as black against {name}: {points:g} of {options.games} ({low:.0%} to {high:.0%}), "
            f"target {TARGETS[name]:.0%}; {plies / options.games:.0f} plies a game, {each} a move"
        )
    print(header(load.share()))


if __name__ == "__main__":
    main()
