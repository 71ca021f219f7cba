"""`check_algorithm`: does a bandit choose, learn, answer and merge as the search expects?"""

from __future__ import annotations

from random import Random
from typing import Any

from ..engines.interpreted import make_tree
from ..locks import ALONE
from ..models.rollout import Rollout
from ..registry import ALGORITHMS
from ..rng import stream
from ..snapshot import empty_snapshot, merge
from .common import TOLERANCE, Table, check_distribution, require

SHAPES = ((1, 1), (1, 4), (4, 1), (2, 2), (3, 5))


def check_algorithm(algorithm: Any, *, iterations: int = 300, seed: int = 0) -> None:
    """Runs an algorithm (or the name of one) at nodes of every kind of shape, and reads and merges what it learnt."""
    import cloudpickle

    algorithm = ALGORITHMS.make(algorithm)
    for method in ("select", "update", "strategies"):
        require(callable(getattr(algorithm, method, None)), f"{algorithm!r} has no method {method}()")
    copy = cloudpickle.loads(cloudpickle.dumps(algorithm))
    require(repr(copy) == repr(algorithm), f"{algorithm!r} came back from pickling as {copy!r}")
    for shape in SHAPES:
        _check_choices(algorithm, shape, iterations, seed)
        _check_overlapping_playouts(algorithm, shape, iterations, seed)
        _check_merging(algorithm, shape, iterations, seed)


def _grown(algorithm: Any, shape: tuple[int, int], iterations: int, rng: Random) -> Any:
    tree = make_tree(Table(*shape), algorithm, Rollout(), ALONE, max_depth=100, rng=rng)
    tree.grow(rng, iterations)
    return tree


def _check_choices(algorithm: Any, shape: tuple[int, int], iterations: int, seed: int) -> None:
    """Every strategy on the way is a distribution, and one seed gives one answer."""
    rng = stream(seed, 0)
    tree = _grown(algorithm, shape, 0, rng)
    for _ in range(iterations):
        _check_strategies(algorithm, tree.snapshot(), shape)
        tree.grow(rng, 1)
    again = _grown(algorithm, shape, iterations, stream(seed, 0)).snapshot()
    require(
        tree.snapshot() == again,
        f"{algorithm!r} gave two answers for one seed on {_shape(shape)}; chance must come from rng alone",
    )


def _check_strategies(algorithm: Any, taken: Any, shape: tuple[int, int]) -> None:
    row, col = algorithm.strategies(taken)
    for player, strategy, count in (("row", row, shape[0]), ("column", col, shape[1])):
        what = (
            f"{algorithm!r}.strategies() gives {player} {list(strategy)!r} on {_shape(shape)} after {taken.visits} playouts"
        )
        check_distribution(strategy, count, what)


def _check_overlapping_playouts(algorithm: Any, shape: tuple[int, int], iterations: int, seed: int) -> None:
    """Several playouts set out before the first comes back, as they do with threads."""
    rng = Random(seed)
    node = _grown(algorithm, shape, 1, rng).root
    for _ in range(max(iterations // 8, 1)):
        actions = []
        for _ in range(8):
            node.visits += 1
            actions.append(algorithm.select(node, rng))
            _check_action(algorithm, actions[-1], shape)
        for action in actions:
            row = rng.random()
            algorithm.update(node, action, (row, 1.0 - row))


def _check_action(algorithm: Any, action: Any, shape: tuple[int, int]) -> None:
    what = f"{algorithm!r}.select() gave {action!r} on {_shape(shape)}"
    require(isinstance(action, tuple) and len(action) == 4, f"{what}; it must give (i, j, p, q)")
    i, j, p, q = action
    require(isinstance(i, int) and isinstance(j, int), f"{what}; actions are whole numbers")
    require(0 <= i < shape[0] and 0 <= j < shape[1], f"{what}; there is no such action")
    require(
        0.0 < p <= 1.0 + TOLERANCE and 0.0 < q <= 1.0 + TOLERANCE, f"{what}; p and q are probabilities of what was chosen"
    )


def _check_merging(algorithm: Any, shape: tuple[int, int], iterations: int, seed: int) -> None:
    parts = [_grown(algorithm, shape, iterations, stream(seed, k)).snapshot() for k in range(3)]
    alone = merge(parts[:1], algorithm)
    require(alone == parts[0], f"{algorithm!r}: merging one search on {_shape(shape)} changed it")
    before = [part.copy() for part in parts]
    merged = merge(parts, algorithm)
    require(parts[1:] == before[1:], f"{algorithm!r}.merge(into, other) changed `other`; it may change `into` only")
    require(merged.visits == 3 * iterations, f"{algorithm!r}.merge() lost visits on {_shape(shape)}: {merged.visits}")
    _check_strategies(algorithm, merged, shape)
    _check_strategies(algorithm, merge([empty_snapshot(algorithm, *shape), *parts], algorithm), shape)


def _shape(shape: tuple[int, int]) -> str:
    return f"a node of {shape[0]} × {shape[1]} actions"
