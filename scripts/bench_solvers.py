"""What pruning saves the exact solver, and what compiling gains alpha-beta: positions, nodes and seconds, in one run."""

from __future__ import annotations

import sys
import time
from typing import Any

from parallel_mcts import game, minimax, solve

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("tictactoe", {}),
    ("goofspiel", {"cards": 4}),
    ("goofspiel", {"cards": 5}),
    ("goofspiel", {"cards": 5, "score": "points"}),
    ("goofspiel", {"cards": 6}),
    ("goofspiel", {"cards": 4, "prizes": "random"}),
    ("dice", {"rounds": 4}),
    ("random_tree", {"depth": 4, "actions": 3, "transitions": 1}),
]


def compare_pruning() -> None:
    print("| game | positions | with pruning | share | seconds | with pruning |\n|---|---|---|---|---|---|")
    for name, parameters in GAMES:
        state = game(name, **parameters)
        found = []
        for pruning in (False, True):
            started = time.perf_counter()
            solved = solve(state, pruning=pruning)
            found.append((solved.positions, time.perf_counter() - started, solved.value))
        (whole, slow, value), (pruned, quick, again) = found
        assert abs(value - again) < 1e-9
        words = ", ".join(f"{key}={value}" for key, value in parameters.items())
        print(f"| {name}({words}) | {whole:,} | {pruned:,} | {pruned / whole:.0%} | {slow:.2f} | {quick:.2f} |", flush=True)


def compare_engines(depth: int) -> None:
    print("\n| connect four | nodes | seconds | nodes/s |\n|---|---|---|---|")
    minimax(game("connect_four"), depth=1, engine="compiled")  # not to count the compiler
    for engine, plies in (("python", depth), ("compiled", depth), ("compiled", depth + 4)):
        found = minimax(game("connect_four"), depth=plies, engine=engine)
        rate = found.nodes / found.seconds
        print(f"| {engine}, {plies} plies | {found.nodes:,} | {found.seconds:.2f} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    compare_pruning()
    compare_engines(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
