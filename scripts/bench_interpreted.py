"""Games in Python: one thread of ours, interpreted and with the search compiled, beside multimcts, OpenSpiel and a search
written by hand, and two processes beside one. `python scripts/bench_interpreted.py` prints a table; nothing is asserted."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from peers import hand_written

from parallel_mcts import game, search
from parallel_mcts.bench.measuring import Rates, header, measure
from parallel_mcts.bench.peers.multimcts_search import Multimcts
from parallel_mcts.bench.peers.open_spiel_mcts import OpenSpielPython

GAMES = ("tictactoe", "connect_four")


def ours(name: str, engine: str, backend: str = "single", workers: int = 1) -> Callable[[int], object]:
    return lambda n: search(
        game(name), iterations=n, algorithm="ucb", backend=backend, workers=workers, seed=1, engine=engine
    )


def one_thread(name: str, seconds: float, rounds: int) -> None:
    start = game(name)
    rates = measure(
        {
            "mixed": ours(name, "mixed"),
            "python": ours(name, "python"),
            "by hand": lambda n: hand_written.uct(start, n),
            "multimcts": Multimcts().run(name),
            "OpenSpiel Python": OpenSpielPython().run(name),
        },
        seconds=seconds,
        rounds=rounds,
    )
    show(f"{name}, UCB, one thread", rates, "mixed")


def two_processes(name: str, rounds: int) -> None:
    single, process = ours(name, "python"), ours(name, "python", "process", 2)
    rates = measure({"single": single, "process × 2": process}, seconds=2.5, rounds=rounds)
    show(f"{name}, UCB, root-parallel", rates, "process × 2")


def show(title: str, rates: Rates, subject: str) -> None:
    print(f"\n{title}\n{header(rates.foreign_load)}")
    for name in rates.rounds:
        ratio = "" if name == subject else f"   {subject} is {rates.ratio(subject, name):.2f} ×"
        print(f"  {name:<18} {rates.median(name):>10,.0f} iterations/s  ±{rates.spread(name) / 2:.0%}{ratio}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each candidate in each round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name in GAMES:
        one_thread(name, options.seconds, options.rounds)
    for name in GAMES:
        two_processes(name, options.rounds)


if __name__ == "__main__":
    main()
