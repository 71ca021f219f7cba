"""Measures what the parts of a parallel search cost on this machine: what the models are fed with.

Everything is measured where a search does it, on trees, boards and processes of the package's own. One thread.
"""

from __future__ import annotations

import math
import statistics
import time
from array import array
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from ...backends.base import Job, cores
from ...backends.board import forget_name, local_board
from ...backends.process import Process, ProcessSeat, shut_down
from ...backends.shared_tree import Threaded
from ...engines.base import SearchTree, TreeReader
from ...models.rollout import Rollout
from ...search import MAX_DEPTH, Search
from ...snapshot import flat_size, flatten, merge, unflatten
from ...state import has_chance
from ...stats import gil_enabled
from ..ping_pong import hand_over
from ..subject import Subject
from .costs import Costs
from .shared_tree import PLIES

BUNCH_SECONDS = 50e-6
WORKERS = 4
"""Trees that are grown to see how far workers differ."""
CALLS = 30
"""How often something short is timed."""
WALKS = 300
LINE_BYTES = 64
LINES_WRITTEN = 2
"""Of a node, by a playout: the line of its lock and counts, and one of the statistics."""
DEPTHS = (1, 2, 4)
RANDOM_GAMES = 100


def probe(subject: Subject, engine: str, iterations: int, seed: int) -> Costs:
    """All costs; `iterations` is how large the trees get on which they are measured."""
    trees = [subject.plant(engine, seed, k) for k in range(WORKERS)]
    paces = [_pace(tree, rng, iterations) for tree, rng in trees]
    tree, rng = trees[0]
    playout = statistics.median(paces)
    path, width = shape_of(tree, Random(seed))
    root, number = merging(subject.algorithm, *subject.state.shape())
    spawn, boot = starting(subject, engine, seed)
    trip, each = errands(subject, engine, seed)
    numbers = flat_size(subject.algorithm, *subject.state.shape())
    return Costs(
        playout=playout,
        playout_spread=_spread(tree, rng, playout),
        unevenness=statistics.stdev(paces) / statistics.fmean(paces),
        publish=publishing(subject, tree),
        numbers=numbers,
        merge_root=root,
        merge_number=number,
        dispatch=max(each - root - number * numbers, 0.0),
        round_trip=trip,
        spawn=spawn,
        boot=boot,
        path=path,
        step=min(step_of(subject, engine, iterations, seed, playout, path), playout / path),
        locking=max(0.0, (locked_pace(subject, engine, iterations, seed) - playout) / path),
        width=width,
        hand_over=hand_over(),
        lines=min(LINES_WRITTEN, max(1.0, tree.memory() / tree.nodes / LINE_BYTES)),
        interpreter_lock=engine == "python" and gil_enabled(),
        cores=cores(),
    )


def timed(action: Callable[[], Any], clock: Callable[[], float] = time.thread_time) -> float:
    """What this thread computes for an action: other programs may slow the machine down meanwhile."""
    began = clock()
    action()
    return clock() - began


def typical(action: Callable[[], Any], clock: Callable[[], float] = time.thread_time) -> float:
    """The median time of something short."""
    return statistics.median(timed(action, clock) for _ in range(CALLS))


# ---------------------------------------------------------------------------------------------- playouts
def _pace(tree: SearchTree, rng: Any, iterations: int) -> float:
    """Seconds of a playout, over the growth of a whole tree."""
    return timed(lambda: tree.grow(rng, iterations)) / iterations


def locked_pace(subject: Subject, engine: str, iterations: int, seed: int) -> float:
    """The same in a tree with a lock in each node, which one thread has to itself; the median tree."""
    trees = (subject.plant(engine, seed, k, sharing=Threaded.sharing) for k in range(WORKERS))
    return statistics.median(_pace(tree, rng, iterations) for tree, rng in trees)


def _spread(tree: SearchTree, rng: Any, playout: float) -> float:
    """The standard deviation of single playouts, from small bunches of them; those that were disturbed are left out."""
    bunch = max(1, round(BUNCH_SECONDS / playout))
    times = sorted(timed(lambda: tree.grow(rng, bunch)) for _ in range(400))
    return statistics.stdev(times[: len(times) * 95 // 100]) / math.sqrt(bunch)


def publishing(subject: Subject, tree: SearchTree) -> float:
    """A worker writes its root down, as `TreeWorker` does."""
    board, _ = local_board(flat_size(subject.algorithm, *subject.state.shape()))

    def publish() -> None:
        board.publish(1, tree.nodes, tree.memory(), flatten(tree.snapshot(), subject.algorithm))

    return typical(publish)


def shape_of(tree: SearchTree, rng: Random) -> tuple[float, float]:
    """How many nodes a playout passes, and between how many children those of the topmost nodes spread.

    Found by going down at random as playouts did: the whole tree need not be read.
    """
    assert isinstance(tree, TreeReader)
    lengths, widths = [], []
    for _ in range(WALKS):
        node, length = tree.root, 0
        while node is not None:
            length += 1
            children = [(child, tree.numbers(child).visits) for _, child in tree.children(node)]
            if length <= PLIES and children:
                widths.append(evenness([visits for _, visits in children]))
            node = _next(children, tree.numbers(node).visits, rng)
        lengths.append(length)
    return statistics.fmean(lengths), statistics.fmean(widths) if widths else 1.0


def evenness(visits: Sequence[int]) -> float:
    """Among how many equals as many visits would be as concentrated (inverse Simpson index)."""
    return sum(visits) ** 2 / sum(v * v for v in visits)


def _next(children: Sequence[tuple[Any, int]], visits: int, rng: Random) -> Any:
    """Where one of the playouts that came through a node went on; None for one that ended there."""
    at = rng.random() * visits
    for child, count in children:
        at -= count
        if at < 0:
            return child
    return None


# ---------------------------------------------------------------------------------------------- at a node
def step_of(subject: Subject, engine: str, iterations: int, seed: int, playout: float, path: float) -> float:
    """Seconds that a playout spends at a node of its path.

    Trees of several depths tell: a playout that goes down one node further costs one step more, and its random game is one
    move shorter. What such a move costs follows from a playout that is all random game.
    """
    points = [(path, playout)]
    for depth in DEPTHS:
        if depth < path:
            tree, rng = subject.plant(engine, seed, 0, depth)
            tree.grow(rng, iterations // 4 + 1)
            points.append((shape_of(tree, Random(seed))[0], _pace(tree, rng, iterations // 4 + 1)))
    start, slope = line_through(points)
    if not isinstance(subject.model, Rollout):
        return max(slope, 0.0)
    return max(slope + max(start, 0.0) / length_of_games(subject.state, seed), 0.0)


def line_through(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where the best straight line starts, and its slope; level through a single point."""
    if len({x for x, _ in points}) < 2:
        return statistics.fmean(y for _, y in points), 0.0
    found = statistics.linear_regression([x for x, _ in points], [y for _, y in points])
    return found.intercept, found.slope


def length_of_games(state: Any, seed: int) -> float:
    """How many moves random games have, on the mean."""
    rng, moves = Random(seed), 0
    chance = (rng,) if has_chance(state) else ()
    for _ in range(RANDOM_GAMES):
        at = state
        rows, cols = at.shape()
        while rows:
            at = at.play(rng.randrange(rows), rng.randrange(cols), *chance)
            rows, cols = at.shape()
            moves += 1
    return max(moves / RANDOM_GAMES, 1.0)


# ---------------------------------------------------------------------------------------------- merging
def merging(algorithm: Any, rows: int, cols: int) -> tuple[float, float]:
    """Seconds to read and merge a root: for the root, and for each of its numbers.

    Measured on roots of this shape and on larger ones of the same kind.
    """
    shapes = {(rows, cols), (rows if rows == 1 else 2 * rows + 8, cols if cols == 1 else 2 * cols + 8), (12, 12)}
    points = [(float(flat_size(algorithm, *shape)), _merge_one(algorithm, *shape)) for shape in shapes]
    start, slope = line_through(points)
    return max(start, 0.0), max(slope, 0.0)


def _merge_one(algorithm: Any, rows: int, cols: int) -> float:
    """One worker's part of `RootParallel.snapshot`, `.counters` and `.line`, as every result asks for them."""
    board, _ = local_board(flat_size(algorithm, rows, cols))
    board.publish(1, 1, 1, array("d", [1.0] * flat_size(algorithm, rows, cols)))

    def root() -> Any:
        return unflatten(board.read().numbers, algorithm, rows, cols)

    total = root()

    def ask() -> None:
        merge([total, root()], algorithm)
        root()  # for the line of play
        board.read()  # and twice for the counters
        board.read()

    return max(typical(ask) - typical(total.copy), 0.0)


# ---------------------------------------------------------------------------------------------- processes
def starting(subject: Subject, engine: str, seed: int) -> tuple[float, float]:
    """Seconds that the parent takes to start a worker's process, and that this then takes to be ready."""
    shut_down()
    job = Job(subject.state, subject.algorithm, subject.model, seed, 1, MAX_DEPTH, engine)
    began = time.perf_counter()
    seat = ProcessSeat()
    board, address = seat.board(flat_size(subject.algorithm, *subject.state.shape()))
    try:
        opened = seat.open(job, 0, 0, address)
        sent = time.perf_counter()
        opened.result()
        return sent - began, time.perf_counter() - sent
    finally:
        forget_name(address)
        seat.close()
        board.close()


def errands(subject: Subject, engine: str, seed: int) -> tuple[float, float]:
    """Seconds of a search of next to nothing on processes that wait for it: for one worker, and for each one more."""
    points = [(float(n), _errand(subject, engine, seed, n)) for n in (1, 2, 2 * cores() + 1)]
    start, slope = line_through(points)
    return max(start, 0.0), max(slope, 0.0)


def _errand(subject: Subject, engine: str, seed: int, workers: int) -> float:
    options = {**subject.options(), "backend": Process(), "workers": workers, "seed": seed, "engine": engine}
    with Search(subject.state, **options) as session:

        def errand() -> None:
            if session.run(iterations=workers).interrupted:
                raise KeyboardInterrupt

        errand()
        return typical(errand, time.perf_counter)
