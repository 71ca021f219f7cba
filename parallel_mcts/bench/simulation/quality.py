"""How good an answer gets, by playouts of each worker and by workers whose roots are merged.

Merging averages away what differs from worker to worker, and leaves what is wrong with all of them alike: the mean
square of the error is bias(n)² + variance(n) / workers, where n is the playouts of each. `fitted` finds both from what was
measured; beyond, they are taken to fall on as powers of n. One tree with all playouts is the case of one worker. Pure
functions of plain data.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...errors import InputError

TINY = 1e-12


@dataclass(frozen=True)
class Sample:
    """What was measured: the mean square of the error of so many answers, each merged from so many workers."""

    iterations: int
    """Of each worker."""
    workers: int
    answers: int
    mean_square: float

    @property
    def error(self) -> float:
        return math.sqrt(self.mean_square)


@dataclass(frozen=True)
class Curve:
    """A quantity that falls with n: straight between points on a double logarithmic scale, and a power of n beyond them."""

    points: tuple[tuple[int, float], ...]
    power: float

    def at(self, n: float) -> float:
        (first, high), (last, low) = self.points[0], self.points[-1]
        if n <= first:
            return high * math.pow(first / n, self.power)
        if n >= last:
            return low * math.pow(last / n, self.power)
        return next(_between(a, b, n) for a, b in itertools.pairwise(self.points) if n <= b[0])


def _between(a: tuple[int, float], b: tuple[int, float], n: float) -> float:
    if min(a[1], b[1]) <= TINY:
        return a[1]
    part = math.log(n / a[0]) / math.log(b[0] / a[0])
    return a[1] * math.pow(b[1] / a[1], part)


@dataclass(frozen=True)
class Quality:
    """The fit: what is left of the error when there are ever more workers, and what they remove."""

    bias: Curve
    """Squared."""
    variance: Curve

    def error(self, iterations: float, workers: int = 1) -> float | None:
        """The root of the mean square, or None without playouts."""
        if iterations < 1:
            return None
        return math.sqrt(self.bias.at(iterations) + self.variance.at(iterations) / workers)

    def guessed(self, iterations: float) -> bool:
        """Whether an error is read off beyond what was measured."""
        return not self.bias.points[0][0] <= iterations <= self.bias.points[-1][0]


def fitted(samples: Iterable[Sample]) -> Quality:
    """The curves through what was measured, at each number of playouts."""
    known: dict[int, list[Sample]] = {}
    for sample in samples:
        known.setdefault(sample.iterations, []).append(sample)
    if not known:
        raise InputError("no errors were measured, so none can be predicted")
    parts = {n: split(group) for n, group in sorted(known.items())}
    bias, variance = (curve([(n, part[k]) for n, part in parts.items()]) for k in (0, 1))
    return Quality(bias, variance)


def split(samples: Sequence[Sample]) -> tuple[float, float]:
    """The squared bias and the variance at one number of playouts: a line over 1 / workers, neither of them negative.

    Each sample counts by its answers, and relative to its size: large errors scatter more.
    """
    weights = [s.answers / max(s.mean_square, TINY) ** 2 for s in samples]
    xs, ys = [1.0 / s.workers for s in samples], [s.mean_square for s in samples]
    total = sum(weights)
    x, y = (sum(w * v for w, v in zip(weights, values, strict=True)) / total for values in (xs, ys))
    spread = sum(w * (a - x) ** 2 for w, a in zip(weights, xs, strict=True))
    if spread <= TINY * total:
        return 0.0, y / x  # one number of workers cannot tell them apart
    slope = sum(w * (a - x) * (b - y) for w, a, b in zip(weights, xs, ys, strict=True)) / spread
    if slope < 0:
        return max(y, 0.0), 0.0
    if y - slope * x < 0:  # all variance: the best line through the origin
        square = sum(w * a * a for w, a in zip(weights, xs, strict=True))
        return 0.0, sum(w * a * b for w, a, b in zip(weights, xs, ys, strict=True)) / square
    return y - slope * x, slope


def curve(points: Sequence[tuple[int, float]]) -> Curve:
    """Through points (n, value) in order; more playouts are never taken to make things worse.

    Where they seem to, what many playouts show counts: with few, errors are large and the parts of them hard to tell apart.
    """
    values = list(itertools.accumulate((value for _, value in reversed(points)), max))[::-1]
    falling = tuple((n, value) for (n, _), value in zip(points, values, strict=True))
    return Curve(falling, power_of(falling))


def power_of(points: Iterable[tuple[int, float]]) -> float:
    """The power of 1 / n with which points fall: the slope of the best line by the logarithms."""
    logs = [(math.log(n), math.log(value)) for n, value in points if value > TINY]
    if len(logs) < 2:
        return 0.0
    return max(0.0, -statistics.linear_regression([x for x, _ in logs], [y for _, y in logs]).slope)
