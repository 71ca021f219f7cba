"""Compiled games: beside a loop written by hand in C++, beside OpenSpiel's C++, and two workers beside one.

`python scripts/bench_compiled.py [PART …]` prints tables; nothing is asserted. Parts: one_thread, peers, threads, roots,
memory, start. Figures about threads stand between two ping-pongs of a cache line, which tell what state the machine is in.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

from peers import reference_cpp

from parallel_mcts import Rollout, Search, game, search
from parallel_mcts.bench.measuring import Rates, Run, header, measure
from parallel_mcts.bench.peers.open_spiel_mcts import OpenSpielCpp
from parallel_mcts.bench.ping_pong import described, round_trip

MOLD = "mold:actions=2,depth=10"
MOLD_5 = "mold:actions=5,depth=10"
COSTLY = Rollout(times=32)
"""Many rollouts a leaf: what a costly game or model is like."""


def ours(name: str, algorithm: str, **options: Any) -> Run:
    start = game(name)
    return lambda n: search(start, iterations=n, algorithm=algorithm, seed=1, engine="compiled", **options)


def show(title: str, rates: Rates, base: str) -> None:
    print(f"\n{title}\n{header(rates.foreign_load)}")
    for name in rates.rounds:
        ratio = "" if name == base else f"   {rates.ratio(name, base):6.2f} × {base}"
        print(f"  {name:<34} {rates.median(name):>12,.0f} iterations/s  ±{rates.spread(name) / 2:.0%}{ratio}")


def one_thread(options: argparse.Namespace) -> None:
    candidates: dict[str, Run] = {}
    if reference_cpp.available():
        candidates["C++ by hand, mold 2×2, Exp3"] = reference_cpp.mold_exp3(2, 10)
    candidates["mold 2×2, Exp3"] = ours(MOLD, "exp3")
    candidates["mold 2×2, MatrixUCB"] = ours(MOLD, "matrix_ucb")
    candidates["mold 5×5, MatrixUCB"] = ours(MOLD_5, "matrix_ucb")
    rates = measure(candidates, seconds=options.seconds, rounds=options.rounds)
    show("One thread, beside a loop by hand", rates, next(iter(candidates)))


def peers(options: argparse.Namespace) -> None:
    for name in ("connect_four", "tictactoe"):
        candidates = {"OpenSpiel C++": OpenSpielCpp().run(name), name: ours(name, "ucb")}
        show(f"{name}, UCB", measure(candidates, seconds=options.seconds, rounds=options.rounds), "OpenSpiel C++")
    for name in ("goofspiel:cards=13", "connect_four", "kalah", "tron", "oshi_zumo", "pig", "gomoku"):
        with_tree = {"random games alone": random_games(name), f"{name}, Exp3": ours(name, "exp3")}
        rates = measure(with_tree, seconds=options.seconds, rounds=options.rounds)
        show(f"{name}: the search beside bare random play", rates, "random games alone")


def random_games(name: str) -> Run:
    """Random games and nothing else: a playout of one ply whose leaf plays many."""
    start = game(name)
    each = 1000
    options: dict[str, Any] = {"algorithm": "uniform", "model": Rollout(times=each), "max_depth": 1, "seed": 1}
    return lambda n: search(start, iterations=max(n // each, 1), engine="compiled", **options)


def threads(options: argparse.Namespace) -> None:
    for model, what in ((Rollout(), "cheap leaves"), (COSTLY, f"{COSTLY.times} rollouts a leaf")):
        for name, algorithm in ((MOLD, "exp3"), ("connect_four", "ucb")):
            for backend in ("threaded", "pool"):
                pair = {f"{n} × {backend}": ours(name, algorithm, backend=backend, workers=n, model=model) for n in (1, 2)}
                between_ping_pongs(f"{name}, {algorithm}, {what}", pair, options)


def roots(options: argparse.Namespace) -> None:
    for name, algorithm in ((MOLD, "exp3"), ("connect_four", "ucb")):
        for backend in ("forest", "process"):
            single = {"1 × single": ours(name, algorithm)}
            pair = {**single, f"2 × {backend}": ours(name, algorithm, backend=backend, workers=2)}
            between_ping_pongs(f"{name}, {algorithm}, root-parallel", pair, options)


def between_ping_pongs(title: str, candidates: Mapping[str, Run], options: argparse.Namespace) -> None:
    before = round_trip()
    rates = measure(candidates, seconds=options.seconds, rounds=options.rounds)
    show(title, rates, next(iter(candidates)))
    print(f"  before: {described(before)}; after: {described(round_trip())}")


def memory(options: argparse.Namespace) -> None:
    print("\nMemory: mold 2×2, Exp3")
    with Search(game("mold:actions=2,depth=40"), algorithm="exp3", seed=1, engine="compiled") as session:
        small = _pace(session, 100_000)
        print(f"  {small * 1e9:.0f} ns a playout at 100,000 nodes")
        while session.result().nodes < options.nodes:
            session.run(iterations=min(1_000_000, options.nodes))
        large, result = _pace(session, 100_000), session.result()
        print(f"  {large * 1e9:.0f} ns a playout at {result.nodes:,} nodes: {large / small:.2f} × as long")
        print(f"  {result.memory / result.nodes:.0f} bytes a node, {result.memory / 2**30:.2f} GB in all")
        assert result.visits == session.node().visits  # type: ignore[union-attr]


def _pace(session: Search, count: int) -> float:
    """Seconds of a playout, at the size that the tree has."""
    session.run(iterations=count)
    return statistics.median(1.0 / session.run(iterations=count // 5).rate for _ in range(5))


STARTING = """
import time
began = time.perf_counter()
from parallel_mcts import game, search
search(game({game!r}), iterations=1000, algorithm={algorithm!r}, seed=1, engine={engine!r})
print(time.perf_counter() - began)
"""


def start(options: argparse.Namespace) -> None:
    """A search of 1000 iterations in a new process: compiled for the first time, from the cache, and interpreted."""
    print("\nStart-up: seconds of a search of 1000 iterations, from the first import on")
    for name, algorithm in (("connect_four", "ucb"), (MOLD, "exp3"), ("goofspiel:cards=5", "regret_matching")):
        with tempfile.TemporaryDirectory() as folder:
            first = _start(name, algorithm, "compiled", folder)
            cached = _typical(lambda n=name, a=algorithm, f=folder: _start(n, a, "compiled", f))
            plain = _typical(lambda n=name, a=algorithm, f=folder: _start(n, a, "python", f))
        print(f"  {name}, {algorithm}: first {first:.2f}, cached {cached:.2f}, interpreted {plain:.2f}")


def _typical(run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(3))


def _start(name: str, algorithm: str, engine: str, folder: str) -> float:
    code = STARTING.format(game=name, algorithm=algorithm, engine=engine)
    environment = {**os.environ, "PARALLEL_MCTS_CACHE": folder}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


PARTS = {part.__name__: part for part in (one_thread, peers, threads, roots, memory, start)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="which tables (default: all)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each candidate in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=10_000_000, help="of the large tree")
    options = parser.parse_args()
    started = time.perf_counter()
    for name in options.parts or PARTS:
        PARTS[name](options)
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
