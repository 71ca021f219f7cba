"""A whole simulation: measure the costs, measure the quality, check the model on this machine, look beyond it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ...budget import Budget
from ...errors import ParameterError
from ...rng import checked_seed
from ..measuring import machine
from ..subject import Subject, engine_for
from .checking import compared, measure, plan
from .costs import Costs, Network
from .judging import judge_for, samples
from .probing import probe
from .quality import Quality, fitted
from .report import Prediction, SimulationReport
from .root_parallel import FAN, Outcome, root_parallel, start_up
from .shared_tree import shared_tree

SECONDS = 0.5
ROUNDS = 3
SEARCH_SECONDS = 10.0
CHECKED = (1, 2, 4, 8, 16)
PREDICTED = (1, 10, 30, 100, 300, 1000, 3000, 10_000)
POSITIONS = 20_000
"""A game with no more positions is solved, so that answers can be judged."""
FLAT, STAGED, SHARED = "one parent", "in stages", "shared tree"
FIRST_COUNT = 100


def simulate(
    state: Any,
    *,
    algorithm: Any = None,
    model: Any = "rollout",
    engine: str = "auto",
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    search_seconds: float = SEARCH_SECONDS,
    network: Network | None = None,
    checked: Sequence[int] = CHECKED,
    workers: Sequence[int] = PREDICTED,
    limit: int = POSITIONS,
    seed: int | None = None,
    on_progress: Callable[[str], None] = lambda text: None,
) -> SimulationReport:
    """What a search of `search_seconds` would give on each number of `workers`, and how far the model can be trusted.

    In the checks, each worker searches for about `seconds`, in so many rounds. Ctrl-C ends the checks.
    """
    _require(seconds, rounds, search_seconds, checked, workers)
    subject, network, seed = Subject.of(state, algorithm, model), network or Network(), checked_seed(seed)
    on_progress("compiling, where that can be done")
    engine = engine_for(subject, engine)
    iterations = _count(subject, engine, seconds, seed)
    on_progress("measuring what the parts cost")
    costs = probe(subject, engine, iterations, seed)
    on_progress("measuring how good the answers are")
    judge = judge_for(subject, engine, limit=limit, iterations=iterations, seed=seed)
    errors = samples(
        subject, engine, judge, iterations, seed, lambda k: on_progress(f"measuring how good the answers are: tree {k + 1}")
    )
    quality = fitted(errors)
    cells, interrupted = plan(checked), False
    others = seed + 1  # other trees than those that the errors were fitted to
    try:
        measure(cells, subject, engine, judge, iterations=iterations, rounds=rounds, seed=others, told=on_progress)
    except KeyboardInterrupt:
        interrupted = True
    on_progress("simulating")
    return SimulationReport(
        game=subject.game,
        algorithm=repr(subject.algorithm),
        model=repr(subject.model),
        engine=engine,
        seed=seed,
        machine=machine(),
        date=time.strftime("%Y-%m-%d"),
        search_seconds=search_seconds,
        latency=network.latency,
        bandwidth=network.bandwidth,
        iterations=iterations,
        costs=costs,
        measure=judge.measure,
        source=judge.source,
        samples=tuple(errors),
        quality=quality,
        checks=compared(cells, costs, quality, iterations, seed),
        predictions=predictions(costs, quality, network, workers=workers, seconds=search_seconds, seed=seed),
        interrupted=interrupted,
    )


def _require(seconds: float, rounds: int, search_seconds: float, checked: Sequence[int], workers: Sequence[int]) -> None:
    Budget(seconds=seconds)
    Budget(seconds=search_seconds)
    if rounds < 1:
        raise ParameterError(f"rounds is {rounds!r}; it must be at least 1")
    for name, counts in (("checked", checked), ("workers", workers)):
        if not counts or any(n < 1 for n in counts):
            raise ParameterError(f"{name} is {list(counts)!r}; it must be numbers of workers of at least 1")


def _count(subject: Subject, engine: str, seconds: float, seed: int) -> int:
    """How many playouts one worker makes in about so many seconds."""
    tree, rng = subject.plant(engine, seed)
    made, count, began = 0, FIRST_COUNT, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds / 2:
        made += tree.grow(rng, count)
        count *= 2
    return max(1, int(made * seconds / took))


def predictions(
    costs: Costs, quality: Quality, network: Network, *, workers: Sequence[int], seconds: float, seed: int = 0
) -> tuple[Prediction, ...]:
    """What each number of workers would do in a search of so many seconds, each on a processor of its own."""
    found, budget = list[Prediction](), Budget(seconds=seconds)
    for n in sorted(set(workers)):
        starting = start_up(costs, workers=n, network=network)
        for way, fan in ((FLAT, None), (STAGED, FAN)):
            outcome = root_parallel(costs, workers=n, budget=budget, network=network, fan=fan, seed=seed)
            found.append(_prediction(way, outcome, costs, quality, outcome.iterations / n, n, starting))
        outcome = shared_tree(costs, workers=n, seconds=seconds, seed=seed)
        found.append(_prediction(SHARED, outcome, costs, quality, outcome.iterations, 1, 0.0))
    return tuple(found)


def _prediction(
    way: str, outcome: Outcome, costs: Costs, quality: Quality, each: float, merged: int, starting: float
) -> Prediction:
    """`each` is the playouts of a tree, `merged` the number of trees that the answer is merged from."""
    return Prediction(
        way=way,
        workers=outcome.workers,
        iterations=outcome.iterations,
        seconds=outcome.seconds,
        rate=outcome.rate,
        speed_up=outcome.rate * costs.playout,
        start_up=starting,
        error=quality.error(each, merged),
        guessed=quality.guessed(each),
    )
