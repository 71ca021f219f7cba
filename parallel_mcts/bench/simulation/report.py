"""What a simulation gives back: what was measured, what the model says of it, and what it says of many workers.

Frozen plain data, to JSON and back.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .costs import Costs
from .quality import Curve, Quality, Sample

OFF = 1.25
"""A prediction is called off if it is so many times what was measured, or that much less."""


@dataclass(frozen=True)
class Check:
    """One backend with so many workers: what the model foretold, and what then happened (medians of the rounds)."""

    backend: str
    workers: int
    iterations: int
    """Of all workers."""
    predicted_rate: float
    measured_rate: float
    spread: float
    """Highest less lowest rate, beside the median."""
    predicted_error: float | None
    measured_error: float | None
    foreign_load: float
    ping_pong: float
    oversubscribed: bool

    @property
    def ratio(self) -> float:
        """Predicted to measured."""
        return self.predicted_rate / self.measured_rate

    @property
    def off(self) -> bool:
        return not 1 / OFF <= self.ratio <= OFF


@dataclass(frozen=True)
class Prediction:
    """What so many workers, each on a processor of its own, would do in a search of a given time."""

    way: str
    workers: int
    iterations: int
    seconds: float
    """Until the answer is there."""
    rate: float
    speed_up: float
    """Beside one worker alone."""
    start_up: float
    """Before the first search, to start the workers."""
    error: float | None
    guessed: bool
    """Whether the error lies beyond the numbers of playouts at which errors were measured."""

    @property
    def efficiency(self) -> float:
        return self.speed_up / self.workers


@dataclass(frozen=True)
class SimulationReport:
    """All of a simulation."""

    game: str
    algorithm: str
    model: str
    engine: str
    seed: int
    machine: str
    date: str
    search_seconds: float
    latency: float
    bandwidth: float | None
    iterations: int
    """Of each worker in the checks."""
    costs: Costs
    measure: str
    source: str
    samples: tuple[Sample, ...]
    quality: Quality
    checks: tuple[Check, ...]
    predictions: tuple[Prediction, ...]
    interrupted: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Numbers, texts, lists and dictionaries, ready for JSON."""
        told = asdict(self)
        for row, check in zip(told["checks"], self.checks, strict=True):
            row["ratio"] = check.ratio
        for row, prediction in zip(told["predictions"], self.predictions, strict=True):
            row["efficiency"] = prediction.efficiency
        return {key: list(value) if isinstance(value, tuple) else value for key, value in told.items()}

    @staticmethod
    def from_dict(told: dict[str, Any]) -> SimulationReport:
        """The inverse of `to_dict`."""
        made = {
            "costs": Costs(**told["costs"]),
            "samples": tuple(Sample(**row) for row in told["samples"]),
            "quality": Quality(**{name: _curve(**part) for name, part in told["quality"].items()}),
            "checks": tuple(Check(**_without(row, "ratio")) for row in told["checks"]),
            "predictions": tuple(Prediction(**_without(row, "efficiency")) for row in told["predictions"]),
        }
        return SimulationReport(**{**told, **made})


def _without(row: dict[str, Any], derived: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != derived}


def _curve(points: list[list[float]], power: float) -> Curve:
    return Curve(tuple((int(n), value) for n, value in points), power)
