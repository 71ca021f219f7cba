"""What a scaling benchmark found: rounds of speed, trials of quality, a cell for each setting, and the report of them all.

Plain frozen values that travel as JSON and come back from it. Made by `running.py`, read by whoever tells them.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Self

from ...errors import InputError
from ...ratings import wilson
from ..conditions import Conditions, mean_load, spoiled

BASE = "single"
"""The backend that speed-ups are measured against."""
MODES = ("strong", "weak")
OVERTIME = 1.25
"""A search that takes so many times the seconds it was given is not compared at equal time."""


@dataclass(frozen=True)
class Round:
    """One search of a cell, in its steady state; `start_up` are the seconds before, until each worker had played once."""

    iterations: int
    seconds: float
    start_up: float
    nodes: int
    memory: int
    conditions: Conditions

    @property
    def rate(self) -> float:
        return self.iterations / self.seconds

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        return cls(**{**given, "conditions": Conditions.from_dict(given["conditions"])})


@dataclass(frozen=True)
class Trial:
    """One look at how good the answers are: the exploitability of one, or the score of so many games for each.

    `seconds` is what a search (or a move) took; `iterations` is None where games were played.
    """

    value: float
    games: int
    iterations: int | None
    seconds: float
    conditions: Conditions

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        return cls(**{**given, "conditions": Conditions.from_dict(given["conditions"])})


@dataclass(frozen=True)
class Quality:
    """How good the answers of a setting are at equal wall time.

    `measure` is "exploitability" (less is better; the median and the extremes of all trials) or "score" (of games against
    `single`, 0.5 is even; the mean, and the interval of 95% after Wilson).
    """

    measure: str
    wall_seconds: float
    trials: tuple[Trial, ...]

    @property
    def games(self) -> int:
        return sum(trial.games for trial in self.trials)

    @property
    def value(self) -> float:
        if self.measure == "score":
            return sum(trial.value * trial.games for trial in self.trials) / self.games
        return statistics.median(trial.value for trial in self.trials)

    @property
    def interval(self) -> tuple[float, float]:
        if self.measure == "score":
            return wilson(self.value * self.games, self.games)
        values = [trial.value for trial in self.trials]
        return min(values), max(values)

    @property
    def seconds(self) -> float:
        return statistics.median(trial.seconds for trial in self.trials)

    @property
    def iterations(self) -> float | None:
        counts = [trial.iterations for trial in self.trials if trial.iterations is not None]
        return statistics.median(counts) if counts else None

    @property
    def conditions(self) -> list[Conditions]:
        return [trial.conditions for trial in self.trials]

    def warnings(self) -> list[str]:
        """What spoils it, in words."""
        late = f"took {self.seconds:.3g} s where {self.wall_seconds:.3g} s were given"
        return spoiled(self.conditions) + [late] * (self.seconds > OVERTIME * self.wall_seconds)

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval
        derived = {"value": self.value, "low": low, "high": high, "games": self.games, "warnings": self.warnings()}
        return {**asdict(self), **derived}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        return cls(given["measure"], given["wall_seconds"], tuple(map(Trial.from_dict, given["trials"])))


@dataclass(frozen=True)
class Cell:
    """One setting in one mode: how fast it was in each round, what it kept, and how good its answers are.

    `first_start` is the start-up when no worker process was waiting. The quality depends on the setting alone, so cells
    that differ only in their mode share it.
    """

    backend: str
    workers: int
    algorithm: str
    engine: str
    mode: str
    rounds: tuple[Round, ...]
    first_start: float
    quality: Quality | None = None

    @property
    def name(self) -> str:
        return f"{self.backend} × {self.workers}"

    @property
    def iterations(self) -> int:
        """Of each round, over all workers."""
        return self.rounds[0].iterations

    @property
    def rates(self) -> list[float]:
        """Iterations per second, in each round."""
        return [each.rate for each in self.rounds]

    @property
    def rate(self) -> float:
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Highest less lowest rate, beside the median."""
        return (max(self.rates) - min(self.rates)) / self.rate

    @property
    def seconds(self) -> float:
        return statistics.median(each.seconds for each in self.rounds)

    @property
    def start_up(self) -> float:
        return statistics.median(each.start_up for each in self.rounds)

    @property
    def nodes(self) -> int:
        return int(statistics.median(each.nodes for each in self.rounds))

    @property
    def memory(self) -> int:
        return int(statistics.median(each.memory for each in self.rounds))

    @property
    def memory_per_node(self) -> float:
        return statistics.median(each.memory / max(each.nodes, 1) for each in self.rounds)

    @property
    def conditions(self) -> list[Conditions]:
        return [each.conditions for each in self.rounds]

    @property
    def foreign_load(self) -> float:
        return mean_load(self.conditions)

    @property
    def ping_pong_before(self) -> float | None:
        return _median([each.ping_pong_before for each in self.conditions])

    @property
    def ping_pong_after(self) -> float | None:
        return _median([each.ping_pong_after for each in self.conditions])

    def warnings(self) -> list[str]:
        """What spoils it, in words."""
        return spoiled(self.conditions)

    def to_dict(self) -> dict[str, Any]:
        """Also with what follows from the rounds, for whoever reads the file without this package."""
        names = ("iterations", "seconds", "rates", "rate", "spread", "start_up", "nodes", "memory", "memory_per_node")
        control = ("foreign_load", "ping_pong_before", "ping_pong_after")
        derived = {name: getattr(self, name) for name in (*names, *control)}
        quality = None if self.quality is None else self.quality.to_dict()
        return {**asdict(self), **derived, "quality": quality, "warnings": self.warnings()}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        own = {field.name: given[field.name] for field in fields(cls)}
        rounds = tuple(map(Round.from_dict, given["rounds"]))
        quality = None if given["quality"] is None else Quality.from_dict(given["quality"])
        return cls(**{**own, "rounds": rounds, "quality": quality})


def _median(readings: Sequence[float | None]) -> float | None:
    known = [each for each in readings if each is not None]
    return statistics.median(known) if known else None


@dataclass(frozen=True)
class ScalingReport:
    """All cells of a benchmark, and what they were measured with; `print` it for tables.

    `cores` are the processors that could be used, `physical_cores` those of them that are not threads of another's (None
    where the system does not tell). `solved` is how many positions the exact solution has that exploitability was
    measured on.
    """

    game: str
    model: str
    seed: int
    seconds: float
    quality_seconds: float
    date: str
    version: str
    machine: str
    cores: int
    physical_cores: int | None
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    solved: int | None = None
    interrupted: bool = False

    @cached_property
    def algorithms(self) -> list[str]:
        return list(dict.fromkeys(cell.algorithm for cell in self.cells))

    @cached_property
    def modes(self) -> list[str]:
        return [mode for mode in MODES if any(cell.mode == mode for cell in self.cells)]

    @cached_property
    def workers(self) -> list[int]:
        """Every number of workers that was tried."""
        return sorted({cell.workers for cell in self.cells})

    @property
    def measure(self) -> str | None:
        """What quality was measured by, if it was."""
        found = {cell.quality.measure for cell in self.cells if cell.quality is not None}
        return found.pop() if found else None

    def of(self, algorithm: str, mode: str) -> list[Cell]:
        """The cells that can be compared with each other."""
        return [cell for cell in self.cells if cell.algorithm == algorithm and cell.mode == mode]

    def judged(self, algorithm: str) -> list[Cell]:
        """A cell for each setting of an algorithm whose answers were judged."""
        settings = {(c.backend, c.workers): c for c in self.cells if c.algorithm == algorithm and c.quality is not None}
        return list(settings.values())

    def base(self, cell: Cell) -> Cell | None:
        """The cell of `single` that another is compared with."""
        return next((each for each in self.of(cell.algorithm, cell.mode) if each.backend == BASE), None)

    def speed_up(self, cell: Cell) -> float | None:
        """How many times the iterations per second of `single`, median by median."""
        base = self.base(cell)
        return None if base is None else cell.rate / base.rate

    def efficiency(self, cell: Cell) -> float | None:
        """The speed-up of each worker."""
        speed_up = self.speed_up(cell)
        return None if speed_up is None else speed_up / cell.workers

    def oversubscribed(self, cell: Cell) -> bool:
        """Whether there are more workers than processors."""
        return cell.workers > self.cores

    def to_dict(self) -> dict[str, Any]:
        """The report as numbers, texts, lists and dictionaries, ready for JSON."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        cells = [
            {
                **cell.to_dict(),
                "speed_up": self.speed_up(cell),
                "efficiency": self.efficiency(cell),
                "oversubscribed": self.oversubscribed(cell),
            }
            for cell in self.cells
        ]
        return {"kind": "scaling", **own, "notes": list(self.notes), "measure": self.measure, "cells": cells}

    @classmethod
    def from_dict(cls, given: Any) -> Self:
        """The report that `to_dict` was made of."""
        if not isinstance(given, dict) or given.get("kind") != "scaling":
            raise InputError("this is not the report of a scaling benchmark: its kind is not 'scaling'")
        try:
            own = {field.name: given[field.name] for field in fields(cls)}
            cells = tuple(map(Cell.from_dict, given["cells"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"the report of a scaling benchmark cannot be read: {type(error).__name__} {error}") from error
        return cls(**{**own, "cells": cells, "notes": tuple(own["notes"])})

    def __str__(self) -> str:
        from .telling import text

        return text(self)
