"""What to choose for a game: backend, engine and number of workers, from a few seconds of measuring, with the reason.

`parallel-mcts bench advise` calls `advise`. `decide` is pure: what was measured goes in, the advice comes out. One thread.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import psutil

from ..backends.base import Job, cores
from ..backends.process import dumps_job, shut_down
from ..budget import Budget
from ..engines.choice import LOADING_SECONDS
from ..errors import NotPicklable
from ..rng import checked_seed
from ..search import MAX_DEPTH, Search, default_algorithm
from ..stats import gil_enabled
from .measuring import NOISY_LOAD, ForeignLoad
from .ping_pong import hand_over
from .subject import Compiled, Subject, compiled

SECONDS = 15.0
SEARCH_SECONDS = 10.0
ROUNDS = 3
SHARED_TREE, OWN_TREES = ("threaded",), ("forest", "process")
LEAF_PLAYOUTS = 500
WORTH = 1.15
"""What more workers must bring to be worth having."""
DEEPER = 1.3
"""In games of turns, how many more playouts trees of their own must make than one tree, which looks deeper with them."""
CHEAP_LEAF = 1e-5
"""Seconds of a leaf below which threads on one tree spend their time on each other."""
NEARLY = 0.95
"""As good as the best: then fewer workers, or less to send around, is preferred."""


@dataclass(frozen=True)
class Facts:
    """What is known of the game and of the machine before anything is searched at length."""

    game: str
    turns: bool
    """Whether one player moves at a time."""
    search_seconds: float
    cores: int
    physical_cores: int
    gil: bool
    compiled: Compiled
    leaf_seconds: dict[str, float]
    """By engine: a playout that goes no further than the root and judges one new position."""
    unpicklable: str | None = None
    memory: int = 2**62
    """Bytes that can be had."""

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(self.leaf_seconds)


@dataclass(frozen=True)
class Candidate:
    """One way to search, and what it did in each round."""

    backend: str
    workers: int
    engine: str
    rates: tuple[float, ...] = ()
    start_up: float = 0.0
    """Seconds until a new program makes its first playout."""
    playout_bytes: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.backend} × {self.workers}"

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    def playouts(self, seconds: float) -> float:
        """How many a search of so many seconds makes."""
        return self.rate * max(seconds - self.start_up, 0.0)


@dataclass(frozen=True)
class Advice:
    """What to choose, and why."""

    backend: str
    workers: int
    engine: str
    reason: str
    facts: Facts
    candidates: tuple[Candidate, ...]
    ruled_out: tuple[tuple[str, str], ...]
    """What was not measured, and why not."""
    foreign_load: float = 0.0
    ping_pong: tuple[float, float] = (0.0, 0.0)
    """Before and after."""
    interrupted: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether other programs took so much of the machine that a quiet one may call for something else."""
        return self.foreign_load > NOISY_LOAD

    def to_dict(self) -> dict[str, Any]:
        """Numbers, texts, lists and dictionaries, ready for JSON."""
        told, seconds = asdict(self), self.facts.search_seconds
        told["candidates"] = [
            {**asdict(c), "rates": list(c.rates), "rate": c.rate, "playouts": c.playouts(seconds)} for c in self.candidates
        ]
        told["ruled_out"] = [{"what": what, "why": why} for what, why in self.ruled_out]
        told["ping_pong"], told["doubtful"] = list(self.ping_pong), self.doubtful
        return told


def advise(
    state: Any,
    *,
    algorithm: Any = None,
    model: Any = "rollout",
    seconds: float = SECONDS,
    search_seconds: float = SEARCH_SECONDS,
    seed: int | None = None,
    on_progress: Callable[[str], None] = lambda text: None,
) -> Advice:
    """Measures for about `seconds`, beside what compiling takes, and advises for searches of `search_seconds`.

    Ctrl-C ends the measuring; the advice then rests on what was measured before.
    """
    Budget(seconds=seconds)
    Budget(seconds=search_seconds)
    subject, seed = Subject.of(state, algorithm, model), checked_seed(seed)
    on_progress("compiling, where that can be done")
    facts = examine(subject, search_seconds, seed)
    candidates, ruled_out = plan(facts)
    load, before = ForeignLoad(), hand_over()
    measured, interrupted = _measured(subject, candidates, seconds, seed, on_progress)
    chosen, reason = decide(facts, measured)
    return Advice(
        chosen.backend,
        chosen.workers,
        chosen.engine,
        reason,
        facts,
        tuple(measured),
        tuple(ruled_out),
        load.share(),
        (before, hand_over()),
        interrupted,
    )


# ---------------------------------------------------------------------------------------------- measuring
def examine(subject: Subject, search_seconds: float, seed: int) -> Facts:
    """What can be told of the game and the machine at a glance."""
    compiling = compiled(subject)
    engines = ["python"] if compiling.refusal else ["python", "compiled"]
    return Facts(
        game=subject.game,
        turns=default_algorithm(subject.state) == "ucb",
        search_seconds=search_seconds,
        cores=cores(),
        physical_cores=min(psutil.cpu_count(logical=False) or cores(), cores()),
        gil=gil_enabled(),
        compiled=compiling,
        leaf_seconds={engine: _leaf(subject, engine, seed) for engine in engines},
        unpicklable=_unpicklable(subject, seed),
        memory=psutil.virtual_memory().available,
    )


def _leaf(subject: Subject, engine: str, seed: int) -> float:
    tree, rng = subject.plant(engine, seed, max_depth=1)
    tree.grow(rng, LEAF_PLAYOUTS)
    began = time.thread_time()
    tree.grow(rng, LEAF_PLAYOUTS)
    return (time.thread_time() - began) / LEAF_PLAYOUTS


def _unpicklable(subject: Subject, seed: int) -> str | None:
    try:
        dumps_job(Job(subject.state, subject.algorithm, subject.model, seed, 1, MAX_DEPTH))
    except NotPicklable as error:
        return str(error).splitlines()[0]
    return None


def plan(facts: Facts) -> tuple[list[Candidate], list[tuple[str, str]]]:
    """What to measure, and what there is no use in measuring."""
    ruled_out = []
    if facts.compiled.refusal:
        ruled_out.append(("compiled", facts.compiled.refusal))
    candidates = [Candidate("single", 1, engine) for engine in facts.engines]
    engine = facts.engines[-1]
    backends = [*SHARED_TREE, *OWN_TREES]
    if facts.cores == 1:
        return candidates, [*ruled_out, (", ".join(backends), "this program may use one processor")]
    if engine == "python" and facts.gil:
        ruled_out.append(("threaded, forest", "threads take turns in an interpreter with a GIL"))
        backends = ["process"]
    if facts.unpicklable and "process" in backends:
        ruled_out.append(("process", facts.unpicklable))
        backends.remove("process")
    counts = sorted({max(facts.physical_cores, 2), facts.cores})
    return candidates + [Candidate(backend, n, engine) for backend in backends for n in counts], ruled_out


def _measured(
    subject: Subject, candidates: Sequence[Candidate], seconds: float, seed: int, told: Callable[[str], None]
) -> tuple[list[Candidate], bool]:
    """All candidates in turn, in rounds; the first round also tells how long they take to start."""
    each = seconds / (len(candidates) * ROUNDS)
    found: dict[Candidate, Candidate] = {}
    shut_down()  # so that starting processes is part of starting up
    try:
        for at in range(ROUNDS):
            for candidate in candidates:
                told(f"measuring {candidate.name}, {candidate.engine}, round {at + 1} of {ROUNDS}")
                found[candidate] = _measure(subject, found.get(candidate, candidate), each, seed + at)
    except KeyboardInterrupt:
        if not found:
            raise
        return list(found.values()), True
    return list(found.values()), False


def _measure(subject: Subject, so_far: Candidate, seconds: float, seed: int) -> Candidate:
    began = time.perf_counter()
    options = {**subject.options(), "backend": so_far.backend, "workers": so_far.workers, "engine": so_far.engine}
    with Search(subject.state, **options, seed=seed) as session:
        session.run(iterations=so_far.workers)  # compiles, if its locks were not compiled before
        if not so_far.rates:
            so_far = _started(so_far, time.perf_counter() - began)
        result = session.run(seconds=seconds)
    if result.interrupted:
        raise KeyboardInterrupt
    rates = (*so_far.rates, result.rate)
    playout_bytes = result.memory / max(result.visits, 1)
    return Candidate(so_far.backend, so_far.workers, so_far.engine, rates, so_far.start_up, playout_bytes)


def _started(candidate: Candidate, took: float) -> Candidate:
    """Machine code is kept and only has to be loaded; new processes are what else has to be waited for."""
    loading = LOADING_SECONDS if candidate.engine == "compiled" else 0.0
    waiting = took if candidate.backend == "process" else 0.0
    return Candidate(candidate.backend, candidate.workers, candidate.engine, start_up=loading + waiting)


# ---------------------------------------------------------------------------------------------- deciding
def decide(facts: Facts, measured: Sequence[Candidate]) -> tuple[Candidate, str]:
    """The best candidate by the playouts of a search, and why; how good they are decides where that is close."""
    roomy = [c for c in measured if c.playout_bytes * c.playouts(facts.search_seconds) <= facts.memory]
    judge = _Judge(facts, roomy or list(measured))
    reasons = [judge.of_engines()]
    chosen = judge.single
    for better in (judge.shared(), judge.own_trees()):
        if better is not None and judge.beats(better, chosen):
            chosen = better
    reasons.append(judge.of_choice(chosen))
    if len(roomy) < len(measured):
        which = "others" if roomy else "all of them"
        reasons.append(f"{which} would need more memory than there is")
    return chosen, "; ".join(reason for reason in reasons if reason) + "."


class _Judge:
    """Compares candidates by the playouts that they make in the intended time."""

    def __init__(self, facts: Facts, candidates: Sequence[Candidate]) -> None:
        self.facts, self.candidates = facts, candidates
        singles = [c for c in candidates if c.backend == "single"] or list(candidates)
        self.single = max(singles, key=self.playouts)

    def playouts(self, candidate: Candidate) -> float:
        return candidate.playouts(self.facts.search_seconds)

    def times(self, candidate: Candidate, other: Candidate) -> float:
        """How many times the playouts of another."""
        return self.playouts(candidate) / max(self.playouts(other), 1e-9)

    def shared(self) -> Candidate | None:
        return self._best(SHARED_TREE)

    def own_trees(self) -> Candidate | None:
        return self._best(OWN_TREES)

    def _best(self, backends: Sequence[str]) -> Candidate | None:
        """The most playouts; of those that make nearly as many, that with the fewest workers, then the first named."""
        ways = [c for c in self.candidates if c.backend in backends and c.engine == self.single.engine]
        if not ways:
            return None
        enough = NEARLY * max(map(self.playouts, ways))
        return min((c for c in ways if self.playouts(c) >= enough), key=lambda c: (c.workers, backends.index(c.backend)))

    def beats(self, candidate: Candidate, other: Candidate) -> bool:
        """Whether a candidate is better than one with a single tree, and better by enough."""
        enough = DEEPER if self.facts.turns and candidate.backend in OWN_TREES else WORTH
        if candidate.backend in OWN_TREES and other.backend in SHARED_TREE and not self.facts.turns:
            enough = 1.0
        return self.times(candidate, other) > enough

    # ------------------------------------------------------------------------ in words
    def of_engines(self) -> str:
        """Why this engine."""
        facts, single = self.facts, self.single
        if facts.compiled.refusal:
            return f"the game is searched by the interpreter, since it does not compile ({facts.compiled.refusal})"
        others = [c for c in self.candidates if c.backend == "single" and c.engine != single.engine]
        if not others:
            return ""
        if single.engine == "python":
            return f"in {facts.search_seconds:g} s the interpreter gets further than machine code, which has to be loaded"
        once = "was kept from before" if facts.compiled.kept else f"takes {facts.compiled.seconds:.1f} s once and is kept"
        return f"machine code makes {self.times(single, others[0]):.0f} × the playouts of the interpreter and {once}"

    def of_choice(self, chosen: Candidate) -> str:
        """Why this backend."""
        shared, own = self.shared(), self.own_trees()
        if shared is None and own is None:
            measured = any(c.backend != "single" for c in self.candidates)
            return (
                "so short a search is not worth starting workers for" if measured else "there is nothing to run in parallel"
            )
        if chosen is self.single:
            others = ", ".join(self._beside(c, chosen) for c in (shared, own) if c)
            return f"more workers do not pay ({others})"
        gained = f"{self._beside(chosen, self.single)} of one worker"
        if chosen.backend in SHARED_TREE:
            apart = "" if own is None else f"; {own.name}, with trees apart, makes {self.times(own, self.single):.2f} ×"
            return f"{gained}, all in one tree, which looks deeper{apart}"
        rest = "what is merged at the root averages out chance" if self.facts.turns else "merging averages mixed strategies"
        if shared is not None:
            rest += f", and one shared tree makes {self.times(shared, self.single):.2f} ×{self._why(shared)}"
        return f"{gained}: {rest}"

    def _beside(self, candidate: Candidate, other: Candidate) -> str:
        return f"{candidate.name} makes {self.times(candidate, other):.2f} × the playouts"

    def _why(self, shared: Candidate | None) -> str:
        """Why threads on one tree get in each other's way, if they do."""
        leaf = self.facts.leaf_seconds.get(self.single.engine, 1.0)
        if shared is None or leaf > CHEAP_LEAF or self.times(shared, self.single) > DEEPER:
            return ""
        return f", whose threads pass cache lines around for leaves that cost only {leaf * 1e6:.1f} µs"
