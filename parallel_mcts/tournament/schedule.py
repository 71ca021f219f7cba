"""Who plays whom, on which side, with which seed: decided before the first game, so nothing depends on when one ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from ..agents.base import Player, described
from ..errors import InputError, ParameterError, unknown_name
from ..match import Results
from ..rng import stream

KINDS = ("round_robin", "gauntlet")


@dataclass(frozen=True)
class Task:
    """A game to be played; the two games of a round between two agents differ only in who is row."""

    round: int
    row: str
    col: str
    seed: int

    @property
    def key(self) -> tuple[int, str, str]:
        return self.round, self.row, self.col

    def __str__(self) -> str:
        return f"round {self.round}, {self.row} against {self.col}"


@dataclass(frozen=True)
class Plan:
    """All games of a tournament, round by round; more rounds only add to the end."""

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    tasks: tuple[Task, ...]

    @staticmethod
    def of(names: tuple[str, ...], kind: str, rounds: int, seed: int) -> Plan:
        if kind not in KINDS:
            raise unknown_name("kind of tournament", kind, KINDS)
        rounds = at_least_one("rounds", rounds)
        pairs = [(names[0], other) for other in names[1:]] if kind == "gauntlet" else list(combinations(names, 2))
        tasks = []
        for number in range(1, rounds + 1):
            for k, (one, other) in enumerate(pairs):
                own = stream(seed, k, number).getrandbits(32)
                tasks += [Task(number, one, other, own), Task(number, other, one, own)]
        return Plan(names, tuple(pairs), tuple(tasks))


def at_least_one(name: str, number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ParameterError(f"{name} is {number!r}; it must be a whole number of at least 1")
    return number


@dataclass(frozen=True)
class Record:
    """A game that was played. `seconds` is the time each player thought, `reason` how it ended in words."""

    round: int
    row: str
    col: str
    seed: int
    row_payoff: float
    col_payoff: float
    winner: Player | None
    forfeit: tuple[Player, ...]
    reason: str
    moves: int
    seconds: tuple[float, float]

    @staticmethod
    def of(task: Task, results: Results) -> Record:
        return Record(
            task.round,
            task.row,
            task.col,
            task.seed,
            results.row,
            results.col,
            results.winner,
            results.forfeit,
            results.reason,
            len(results.moves),
            results.seconds,
        )

    @property
    def key(self) -> tuple[int, str, str]:
        return self.round, self.row, self.col

    def score_of(self, name: str) -> float:
        """1 for a win, 0.5 for a draw, 0 for a loss."""
        if self.winner is None:
            return 0.5
        return float((self.row if self.winner == "row" else self.col) == name)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_dict(told: dict[str, Any]) -> Record:
        known = {**told, "forfeit": tuple(told["forfeit"]), "seconds": tuple(told["seconds"])}
        return Record(**known)


def named_agents(agents: Any) -> dict[str, Any]:
    """The agents by name: as given, or called what they are written as."""
    if isinstance(agents, Mapping):
        named = {str(name): agent for name, agent in agents.items()}
    else:
        listed = [(described(agent), agent) for agent in agents]
        named = dict(listed)
        if len(named) != len(listed):
            twice = sorted({name for name, _ in listed if [n for n, _ in listed].count(name) > 1})
            raise InputError(f"two agents are called {twice[0]!r}; give them names: {{'one': …, 'other': …}}")
    if len(named) < 2:
        raise InputError(f"a tournament needs two agents or more; given: {', '.join(named) or 'none'}")
    return named
