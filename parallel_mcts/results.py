"""What a search gives back: strategies, values, and how they came about. Plain data; any thread may read it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, overload

from .errors import InputError
from .matrix import gap
from .rng import Rng
from .state import IDLE, Label


class Strategy(Sequence[float]):
    """A probability for each action of a player: `strategy[k]` by number, `strategy.of("rock")` by label.

    Probabilities are doubles, or fractions where a solver was asked for exact ones.
    """

    def __init__(self, actions: Sequence[Label], probabilities: Sequence[Any]) -> None:
        self.actions = tuple(actions)
        self.probabilities: tuple[float, ...] = tuple(_probability(p) for p in probabilities)
        if len(self.actions) != len(self.probabilities):
            raise ValueError(f"{len(self.actions)} actions, but {len(self.probabilities)} probabilities")

    @overload
    def __getitem__(self, k: int) -> float: ...
    @overload
    def __getitem__(self, k: slice) -> tuple[float, ...]: ...
    def __getitem__(self, k: int | slice) -> float | tuple[float, ...]:
        return self.probabilities[k]

    def __len__(self) -> int:
        return len(self.probabilities)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Strategy):
            return self.actions == other.actions and self.probabilities == other.probabilities
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.actions, self.probabilities))

    def of(self, action: Label) -> float:
        """The probability of an action given by its label."""
        return self.probabilities[self.actions.index(action)]

    def items(self) -> Iterator[tuple[Label, float]]:
        return zip(self.actions, self.probabilities, strict=True)

    @property
    def best(self) -> Label:
        """The most probable action."""
        return self.actions[self.probabilities.index(max(self.probabilities))]

    def sample(self, rng: Rng) -> Label:
        """An action, drawn by its probability."""
        u = rng.random()
        for action, probability in self.items():
            u -= probability
            if u < 0.0:
                return action
        return self.best

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{action}: {float(p):.3f}" for action, p in self.items()) + "}"


def _probability(given: Any) -> Any:
    return given if isinstance(given, Fraction) else float(given)


@dataclass(frozen=True)
class ActionReport:
    """One action of a player at the root: how likely, how often tried, and what it gave (None before it was tried)."""

    action: Label
    probability: float
    visits: int
    value: float | None


@dataclass(frozen=True)
class Move:
    """One move of a line of play."""

    row: Label
    col: Label
    observation: Hashable = None

    def __str__(self) -> str:
        own = [str(action) for action in (self.row, self.col) if action != IDLE]
        return "/".join(own) if own else IDLE


@dataclass(frozen=True)
class Progress:
    """How a search is doing, while it runs."""

    iterations: int
    seconds: float
    rate: float
    row: Strategy
    col: Strategy
    row_value: float | None
    col_value: float | None
    nodes: int
    memory: int
    workers: int
    stage: str = "searching"
    """Or "compiling", told once, before a search that has not been compiled yet: it takes some seconds."""
    principal_line: tuple[Move, ...] = ()
    """The likeliest line of play; left out while several workers are busy with the tree."""


@dataclass(frozen=True)
class NodeView:
    """A node of the tree, for looking at. Values are in the game's payoff units, None before the first visit."""

    state: Any
    visits: int
    row_value: float | None
    col_value: float | None
    row: Strategy
    col: Strategy
    children: tuple[ChildView, ...]


@dataclass(frozen=True)
class ChildView:
    """A child of a node: the move that leads to it, and what is known of it."""

    move: Move
    visits: int
    row_value: float | None
    col_value: float | None


@dataclass(frozen=True)
class SearchResult:
    """Both players' strategies at the root, and everything needed to judge or repeat the search.

    `print` it for a table. Values are in the game's payoff units, None before the first playout. `iterations` and
    `seconds` are those of this run; `visits` counts all playouts through the root, with those of earlier runs on the tree.
    """

    row: Strategy
    col: Strategy
    row_value: float | None
    col_value: float | None
    row_actions: tuple[ActionReport, ...]
    col_actions: tuple[ActionReport, ...]
    cell_means: tuple[tuple[float | None, ...], ...] = field(repr=False)
    principal_line: tuple[Move, ...]
    iterations: int
    seconds: float
    visits: int
    seed: int
    workers: int
    backend: str
    engine: str
    algorithm: Any
    model: Any
    game: str
    nodes: int
    memory: int
    interrupted: bool = False
    lost_workers: int = 0

    @property
    def strategies(self) -> tuple[Strategy, Strategy]:
        return self.row, self.col

    @property
    def values(self) -> tuple[float | None, float | None]:
        return self.row_value, self.col_value

    @property
    def rate(self) -> float:
        """Iterations per second."""
        return self.iterations / self.seconds if self.seconds > 0 else 0.0

    def exploitability(self, matrix: Any = None) -> float | None:
        """The mean of what each player could gain by leaving its strategy at the root, in payoff units.

        Measured on a solved game (see `solve`), on a matrix of row's payoffs, else on the means that the search found;
        None while some joint action that matters has not been tried.
        """
        if hasattr(matrix, "matrices"):
            return self._gain(*matrix.matrices()) / 2.0
        cells = matrix if matrix is not None else self.cell_means
        if any(value is None for line in cells for value in line):
            return None
        return gap([list(line) for line in cells], list(self.row), list(self.col)) / 2.0

    def _gain(self, row_cells: Sequence[Sequence[Any]], col_cells: Sequence[Sequence[Any]]) -> float:
        """What both players together could gain, each by its own payoffs."""
        if (len(row_cells), len(row_cells[0]) if row_cells else 0) != (len(self.row), len(self.col)):
            raise InputError(f"the solved game is not that of this result: {len(self.row)} by {len(self.col)} actions here")
        for_row = [[float(value) for value in line] for line in row_cells]
        for_col = [[float(value) for value in line] for line in zip(*col_cells, strict=True)]
        return gain_of(for_row, self.row, self.col) + gain_of(for_col, self.col, self.row)

    def to_dict(self) -> dict[str, Any]:
        """The result as numbers, texts, lists and dictionaries, ready for JSON."""
        return {
            "game": self.game,
            "algorithm": repr(self.algorithm),
            "model": repr(self.model),
            "backend": self.backend,
            "engine": self.engine,
            "workers": self.workers,
            "seed": self.seed,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "visits": self.visits,
            "row_value": self.row_value,
            "col_value": self.col_value,
            "row": [_action_dict(report) for report in self.row_actions],
            "col": [_action_dict(report) for report in self.col_actions],
            "principal_line": [str(move) for move in self.principal_line],
            "nodes": self.nodes,
            "memory": self.memory,
            "interrupted": self.interrupted,
            "lost_workers": self.lost_workers,
        }

    def __str__(self) -> str:
        values = ["-" if value is None else f"{value:.3f}" for value in self.values]
        lines = [f"{self.game}: row {values[0]}, column {values[1]}"]
        for player, reports in (("row", self.row_actions), ("column", self.col_actions)):
            lines += ["", *_table(player, reports)]
        if self.principal_line:
            lines += ["", "line " + " ".join(str(move) for move in self.principal_line)]
        lines += ["", self._summary()]
        return "\n".join(lines)

    def _summary(self) -> str:
        parts = [
            f"{self.iterations:,} iterations in {self.seconds:.2f} s ({self.rate:,.0f}/s)",
            f"{self.nodes:,} nodes",
            f"{self.algorithm!r}",
            f"{self.backend} × {self.workers}",
            self.engine,
            f"seed {self.seed}",
        ]
        return ", ".join(parts + ["interrupted"] * self.interrupted)


def gain_of(cells: list[list[float]], own: Strategy, other: Strategy) -> float:
    """What a player could gain by leaving its strategy."""
    values = [sum(value * p for value, p in zip(line, other, strict=True)) for line in cells]
    return max(values) - sum(p * value for p, value in zip(own, values, strict=True))


def _json_label(label: Label) -> Any:
    return label if isinstance(label, str | int | float | bool) else str(label)


def _action_dict(report: ActionReport) -> dict[str, Any]:
    return {
        "action": _json_label(report.action),
        "probability": report.probability,
        "visits": report.visits,
        "value": report.value,
    }


def _table(player: str, reports: Sequence[ActionReport]) -> list[str]:
    """A player's actions, one on a line."""
    if len(reports) == 1:
        return [f"{player:<7} {reports[0].action!s} (no choice)"]
    rows = [
        (str(r.action), f"{r.probability:.3f}", f"{r.visits:,}", "-" if r.value is None else f"{r.value:.3f}")
        for r in reports
    ]
    rows.insert(0, ("action", "probability", "visits", "value"))
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = [
        f"{action:<{widths[0]}}  " + "  ".join(f"{text:>{width}}" for text, width in zip(numbers, widths[1:], strict=True))
        for action, *numbers in rows
    ]
    return [f"{name:<7} {line}" for name, line in zip([player] + [""] * len(reports), lines, strict=True)]
