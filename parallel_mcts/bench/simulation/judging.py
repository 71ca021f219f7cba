"""How wrong an answer is, and how that falls with playouts and with merged workers: measured on trees side by side.

Each tree is that of a worker of one and the same search, and roots are merged as the root-parallel backends merge them, so
a group of trees gives the very answer that as many workers would. One thread.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ...reading import Reader
from ...report.yardstick import by_solution, is_small
from ...results import Strategy
from ...search import search
from ...snapshot import Snapshot, merge
from ...solvers import solve
from ..subject import Subject
from .quality import Sample

TREES = 32
MERGED = (1, 2, 4, 8, 16)
SHUFFLES = 8
"""How often the trees are dealt into groups."""
BUDGETS = (64, 16, 4, 1)
"""Errors are measured after so many parts of the playouts."""
LONGER = 8
"""A game that cannot be solved is judged by a search of one worker that is so many times as long."""


@dataclass(frozen=True)
class Judge:
    """Says how wrong both strategies and the value of an answer are."""

    measure: str
    source: str
    error: Callable[[Strategy, Strategy, float | None], float]


def judge_for(subject: Subject, engine: str, *, limit: int, iterations: int, seed: int) -> Judge:
    """Exploitability, where the game has at most `limit` positions and is solved; else how far off the value is."""
    if is_small(subject.state, limit):
        exact = by_solution(solve(subject.state))
        return Judge("exploitability", exact.source, lambda row, col, _: exact.exploitability(row, col))
    long = search(subject.state, **subject.options(), engine=engine, iterations=LONGER * iterations, seed=seed)
    if long.interrupted:
        raise KeyboardInterrupt
    known = long.row_value or 0.0
    source = f"estimated: beside a search of one worker, {LONGER} times as long"
    return Judge("error of the value", source, lambda row, col, value: abs((value or 0.0) - known))


def samples(
    subject: Subject, engine: str, judge: Judge, iterations: int, seed: int, on_tree: Callable[[int], None] = lambda k: None
) -> list[Sample]:
    """The errors of groups of trees, at several sizes of them up to so many iterations."""
    budgets = sorted({max(1, iterations // part) for part in BUDGETS})
    grown: list[list[Snapshot]] = [[] for _ in budgets]
    for k in range(TREES):
        on_tree(k)
        for at, snapshot in enumerate(_growing(subject, engine, budgets, seed, k)):
            grown[at].append(snapshot)
    read = Reader.of(subject.state, subject.algorithm)

    def error(group: Sequence[Snapshot]) -> float:
        root = merge(group, subject.algorithm)
        return judge.error(*read.strategies(subject.state, root), read.values(root)[0])

    return [
        _sample(budget, workers, trees, error)
        for budget, trees in zip(budgets, grown, strict=True)
        for workers in MERGED
        if workers <= TREES
    ]


def _growing(subject: Subject, engine: str, budgets: Sequence[int], seed: int, worker: int) -> Iterator[Snapshot]:
    """The root of one tree, at each of its sizes."""
    tree, rng = subject.plant(engine, seed, worker)
    done = 0
    for budget in budgets:
        tree.grow(rng, budget - done)
        done = budget
        yield tree.snapshot()


def _sample(budget: int, workers: int, trees: Sequence[Any], error: Callable[[Sequence[Any]], float]) -> Sample:
    """Deals the trees into groups, several times over: each group is an answer."""
    rng, squares = Random(workers), []
    for _ in range(SHUFFLES if workers > 1 else 1):
        dealt = rng.sample(list(trees), len(trees))
        groups = [dealt[start : start + workers] for start in range(0, len(dealt) - workers + 1, workers)]
        squares += [error(group) ** 2 for group in groups]
    return Sample(budget, workers, len(trees) // workers, statistics.fmean(squares))
