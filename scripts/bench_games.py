"""Random play-outs per second: our compiled games beside OpenSpiel's C++ ones, in one run, on one thread each.
`python scripts/bench_games.py` prints a table; nothing is asserted.

Both sides run as they do in a search: one position is judged by the mean of so many random games, all of them in machine
code. Ours go through the compiled engine's `Rollout(times=…)`, OpenSpiel's through the evaluator of its C++ search."""

from __future__ import annotations

import argparse

from parallel_mcts import Rollout, game, search
from parallel_mcts.bench.measuring import Rates, Run, header, measure
from parallel_mcts.bench.peers.base import GAMES
from parallel_mcts.bench.peers.open_spiel_mcts import cpp_playouts

TARGET = 3.0


def ours(name: str) -> Run:
    def run(count: int) -> object:
        model = Rollout(times=count)
        return search(game(name), iterations=1, algorithm="ucb", model=model, engine="compiled", backend="single", seed=1)

    run(1)  # compiles
    return run


def compare(name: str, seconds: float, rounds: int) -> Rates:
    candidates = {"parallel_mcts": ours(name), "OpenSpiel C++": cpp_playouts(name)}
    return measure(candidates, seconds=seconds, rounds=rounds)


def show(name: str, rates: Rates) -> None:
    print(f"\n{name}, random play-outs, one thread\n{header(rates.foreign_load)}")
    for candidate in rates.rounds:
        print(f"  {candidate:<14} {rates.median(candidate):>12,.0f} play-outs/s  ±{rates.spread(candidate) / 2:.0%}")
    ratio = rates.ratio("parallel_mcts", "OpenSpiel C++")
    print(f"  parallel_mcts is {ratio:.1f} × OpenSpiel C++ (target {TARGET:g} ×)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES), help=f"of: {', '.join(GAMES)}")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each candidate in each round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for name in options.games:
        show(name, compare(name, options.seconds, options.rounds))


if __name__ == "__main__":
    main()
