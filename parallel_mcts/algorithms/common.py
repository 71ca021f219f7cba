"""What several algorithms share: turning numbers into policies, drawing from them, merging means.

The functions that run at every step of a search (`draw`, `explore`, `meant`) stay within the Python that numba compiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ParameterError
from ..snapshot import Snapshot, add_field, clear_field
from .base import Policies


def draw(policy: Any, u: float) -> int:
    """The index at which the cumulated policy passes u."""
    last = len(policy) - 1
    for k in range(last):
        u -= policy[k]
        if u < 0.0:
            return k
    return last


def explore(policy: Any, sums: Any, gamma: float, u: float) -> tuple[int, float]:
    """Draws an action of a policy mixed with `gamma` of the uniform one; returns it and its probability.

    What is added to `sums`, from which the final answer is averaged, is the policy without that exploration.
    """
    count = len(policy)
    floor = gamma / count
    keep = 1.0 - gamma
    chosen = -1
    probability = 1.0
    for k in range(count):
        share = policy[k]
        sums[k] += share
        if chosen < 0:
            mixed = keep * share + floor
            u -= mixed
            if u < 0.0 or k == count - 1:
                chosen = k
                probability = mixed
    return chosen, probability


def meant(probability: float, count: int, gamma: float) -> float:
    """How far an action was meant by its player's policy and not explored, as a weight that is 1 on average.

    Who learns in this proportion answers to what the other player means to do: the averages of both, which leave the
    exploration out, then fit each other. Without it they would be answers to an opponent who explores for ever.
    """
    return (1.0 - gamma / (count * probability)) / (1.0 - gamma)


def normalised(weights: Sequence[float]) -> list[float]:
    """The weights as probabilities; uniform where they are all zero."""
    total = sum(weights)
    return [w / total if total > 0 else 1.0 / len(weights) for w in weights]


def average_policies(node: Any) -> Policies:
    """The averages of the policies that both players went through."""
    return normalised(node.row_sums), normalised(node.col_sums)


def merge_averages(into: Snapshot, other: Snapshot, *cleared: str) -> None:
    """Adds up the policies; zeroes the statistics that only mean something within the search that made them."""
    add_field(into, other, "row_sums")
    add_field(into, other, "col_sums")
    for name in cleared:
        clear_field(into, name)


def merge_means(into: Snapshot, other: Snapshot, means: str, counts: str) -> None:
    """Merges means, each weighted by its count (call it before the counts are added)."""
    pairs = ((into, means), (into, counts), (other, means), (other, counts))
    columns = zip(*(getattr(snapshot, name) for snapshot, name in pairs), strict=True)
    setattr(into, means, [(a * n + b * m) / (n + m) if n + m > 0 else 0.0 for a, n, b, m in columns])


def require_share(name: str, parameter: str, value: float) -> None:
    """A parameter that is a share of something lies between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise ParameterError(f"{name}: {parameter} is {value!r}; it must be above 0 and below 1")


def require_not_negative(name: str, parameter: str, value: float) -> None:
    if not 0.0 <= value < float("inf"):
        raise ParameterError(f"{name}: {parameter} is {value!r}; it must be a number of 0 or more")
