"""The Tron tournament of the literature on simultaneous moves, by one command, at a smaller budget.

    python scripts/tron_tournament.py --iterations 500 --rounds 10

Each variant of the search meets each other on several boards, sides swapped, with the same number of playouts a move. After

- P. Perick, D. L. St-Pierre, F. Maes, D. Ernst, "Comparison of different selection strategies in Monte-Carlo tree search
  for the game of Tron" (IEEE CIG 2012): deterministic selection (UCB1-Tuned, then UCB1) before stochastic (Exp3 …);
- M. Lanctot, C. Wittlinger, M. H. M. Winands, N. G. P. Den Teuling, "Monte Carlo tree search for simultaneous move games: a
  case study in the game of Tron" (BNAIC 2013): decoupled UCB1-Tuned first with 62.3% of its games, regret matching 53.1%.

The order found here is printed, not judged: budgets, boards and time controls differ, and UCB1-Tuned is not among the
algorithms. With `--results FOLDER` it can be stopped and gone on with.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from parallel_mcts import game, tournament
from parallel_mcts.agents import Mcts
from parallel_mcts.tournament import Record, Standings

BOARDS = {
    "open": "........./........./........./........./........./........./........./........./.........",
    "pillars": "........./.#..#..#./........./........./.#..#..#./........./........./.#..#..#./.........",
    "bar": "........./........./........./........./..#####../........./........./........./.........",
    "rooms": "....#..../....#..../........./....#..../##.###.##/....#..../........./....#..../....#....",
}


def variants(iterations: int, engine: str) -> dict[str, Mcts]:
    """How the players of the tournament choose: inside the tree by the algorithm, on the board by `pick`."""

    def searching(algorithm: str, pick: str) -> Mcts:
        return Mcts(iterations=iterations, algorithm=algorithm, pick=pick, engine=engine)

    return {
        "decoupled UCB, best": searching("ucb", "best"),
        "decoupled UCB, mixed": searching("ucb", "sample"),
        "regret matching": searching("regret_matching", "sample"),
        "Exp3": searching("exp3", "sample"),
        "MatrixUCB": searching("matrix_ucb", "sample"),
        "uniform": searching("uniform", "best"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="The Tron tournament of the literature, at a smaller budget.")
    parser.add_argument("--iterations", type=int, default=500, help="playouts a move (default: 500)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of two games for each pair on a board (default: 5)")
    parser.add_argument("--boards", type=int, default=len(BOARDS), help="how many of the boards (default: all)")
    parser.add_argument("--engine", default="compiled", help="python, compiled (default) or auto; the result is the same")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="games at once (default: one for each processor)")
    parser.add_argument("--results", type=Path, help="a folder for the results, to go on from later")
    options = parser.parse_args()
    if options.results:
        options.results.mkdir(parents=True, exist_ok=True)
    agents, total = variants(options.iterations, options.engine), 0
    records: list[Record] = []
    for name, walls in list(BOARDS.items())[: options.boards]:
        standings = tournament(
            game("tron", walls=walls),
            agents,
            rounds=options.rounds,
            seed=options.seed,
            workers=options.workers,
            results_file=options.results and options.results / f"{name}.jsonl",
        )
        print(name, standings, "", sep="\n", flush=True)
        records += standings.records
        total += standings.total
        if standings.interrupted:
            break
    print("all boards", Standings(tuple(agents), tuple(records), total), sep="\n")


if __name__ == "__main__":
    main()
