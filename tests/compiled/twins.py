"""The same search grown by both engines, and what tells their trees apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parallel_mcts.engines.engine import engine_named
from parallel_mcts.locks import ALONE, Sharing
from parallel_mcts.models import Rollout
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.rng import stream


def grown(
    engine: str,
    state: Any,
    algorithm: Any,
    iterations: int,
    *,
    model: Any = None,
    seed: int = 1,
    sharing: Sharing = ALONE,
    max_depth: int = 1000,
) -> Any:
    """A tree grown by one thread."""
    maker = engine_named(engine)
    rng = maker.make_stream(stream(seed, 0))
    made = ALGORITHMS.make(algorithm)
    tree = maker.make_tree(state, made, model or Rollout(), sharing, max_depth=max_depth, rng=rng)
    assert tree.grow(rng, iterations) == iterations
    return tree


def both(state: Any, algorithm: Any, iterations: int, **options: Any) -> tuple[Any, Any]:
    return tuple(grown(engine, state, algorithm, iterations, **options) for engine in ("python", "compiled"))  # type: ignore[return-value]


def differences(one: Any, other: Any) -> Iterator[str]:
    """Every node at which two trees differ in a bit: positions, counts, values, statistics or children."""
    waiting = [((), one.root, other.root)]
    while waiting:
        path, a, b = waiting.pop()
        if one.position(a) != other.position(b):
            yield f"{path}: {one.position(a)} and {other.position(b)}"
        if one.numbers(a) != other.numbers(b):
            yield f"{path}: {one.numbers(a)} and {other.numbers(b)}"
        ours, theirs = one.statistics(a), other.statistics(b)
        if ours and ours != theirs:  # an interpreted node that was visited once has none yet
            yield f"{path}: {ours} and {theirs}"
        below_a, below_b = list(one.children(a)), list(other.children(b))
        if [step for step, _ in below_a] != [step for step, _ in below_b]:
            yield f"{path}: children {[step for step, _ in below_a]} and {[step for step, _ in below_b]}"
            continue
        waiting += [((*path, step), x, y) for (step, x), (_, y) in zip(below_a, below_b, strict=True)]
