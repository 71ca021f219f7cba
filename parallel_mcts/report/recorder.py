"""A recorder of convergence: give it to a search as `on_progress`, and it keeps how value and strategies moved.

It is called by the thread that runs the search, and keeps a bounded number of points however long that takes. What it
kept may be read by any thread once the search is over; `write_html` draws it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log2

from ..errors import ParameterError
from ..results import Progress, Strategy

POINTS = 300


@dataclass(frozen=True)
class Point:
    """What the search knew at one moment. Times and iterations count from the first run that was recorded."""

    seconds: float
    iterations: int
    row_value: float | None
    col_value: float | None
    row: Strategy
    col: Strategy

    @property
    def row_entropy(self) -> float:
        return entropy(self.row)

    @property
    def col_entropy(self) -> float:
        return entropy(self.col)


class Recorder:
    """Keeps the progress of a search, at most `points` moments of it, spread evenly over the logarithm of the iterations.

        recorder = Recorder()
        session.run(seconds=5, on_progress=recorder, progress_seconds=0.0)

    Several runs on one tree make one record. A new root (`advance`) begins a new one, and so does a search that was
    begun again as machine code. `progress_seconds` says how often to look: 0 is as often as the search can tell.
    """

    def __init__(self, points: int = POINTS) -> None:
        if points < 2:
            raise ParameterError(f"points is {points!r}; it must be at least 2")
        self.limit = points
        self.points: list[Point] = []
        self._base = (0.0, 0)
        self._last = (0.0, 0)

    def clear(self) -> None:
        """Forgets everything."""
        self.points, self._base, self._last = [], (0.0, 0), (0.0, 0)

    def __call__(self, progress: Progress) -> None:
        if progress.stage != "searching":
            return
        if self.points and not _same_root(self.points[-1], progress):
            self.clear()
        told = (progress.seconds, progress.iterations)
        if told[0] < self._last[0]:  # another run: its clock began anew
            self._base = (self._base[0] + self._last[0], self._base[1] + self._last[1])
        elif told[1] < self._last[1]:  # the same run, begun again by another engine: what was known is gone
            self.points = [point for point in self.points if point.iterations <= self._base[1]]
        self._last = told
        self._keep(progress)

    def _keep(self, progress: Progress) -> None:
        seconds, iterations = self._base[0] + progress.seconds, self._base[1] + progress.iterations
        if iterations < 1:
            return
        if self.points and self.points[-1].iterations == iterations:
            self.points.pop()  # the last word of a run repeats the last tick
        row, col = progress.row, progress.col
        self.points.append(Point(seconds, iterations, progress.row_value, progress.col_value, row, col))
        if len(self.points) > self.limit:
            del self.points[_least_missed(self.points)]


def entropy(strategy: Strategy) -> float:
    """How mixed a strategy is, in bits: 0 for a single action, log2(n) for n equally likely ones."""
    return sum(-float(p) * log2(p) for p in strategy if p > 0) + 0.0


def _same_root(point: Point, progress: Progress) -> bool:
    return (point.row.actions, point.col.actions) == (progress.row.actions, progress.col.actions)


def _least_missed(points: list[Point]) -> int:
    """The point, neither first nor last, whose neighbours are nearest to each other on a logarithmic scale."""
    best, nearest = 1, inf
    for k in range(1, len(points) - 1):
        apart = points[k + 1].iterations / points[k - 1].iterations
        if apart <= nearest:
            best, nearest = k, apart
    return best
