"""`tournament()`: many games between agents, sides swapped, in parallel, to be stopped and gone on with at any time.

Which games there are and their seeds are decided beforehand, and tests look at games in that order. So the standings depend
on the seed alone, whatever the number of workers and whenever a game ends; save for agents that play by the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..agents.base import described
from ..backends.base import cores
from ..match import MAX_MOVES, Match, Seconds
from ..ratings import Sprt
from ..registry import AGENTS, GAMES
from ..rng import checked_seed
from ..state import show
from .journal import Journal, recorded_seed
from .running import Setting, played
from .schedule import Plan, Record, Task, at_least_one, named_agents
from .standings import PairTest, Standing, Standings, Verdict

__all__ = ["Record", "Sprt", "Standing", "Standings", "TournamentProgress", "Verdict", "tournament"]


@dataclass(frozen=True)
class TournamentProgress:
    """How a tournament is doing: the game that has just ended, and where it stands."""

    done: int
    total: int
    record: Record | None
    standings: Standings


OnProgress = Callable[[TournamentProgress], None]


def tournament(
    game: Any,
    agents: Sequence[Any] | Mapping[str, Any],
    *,
    rounds: int = 10,
    kind: str = "round_robin",
    seed: int | None = None,
    workers: int | None = None,
    seconds: Seconds = None,
    isolation: str = "auto",
    max_moves: int = MAX_MOVES,
    sprt: Sprt | None = None,
    confidence: float = 0.95,
    results_file: str | Path | None = None,
    on_progress: OnProgress | None = None,
) -> Standings:
    """Plays every agent against every other (or, in a gauntlet, the first against the others): two games a round.

    `agents` are agents or names such as `"mcts:iterations=200"`, in a list or as {name: agent}. With `results_file` every
    game is written down as it ends; the same call with the same file goes on where it stopped, also with more rounds. With
    `sprt` a pair stops as soon as its test is decided. `workers` is how many games are played at once, each in a process.
    `seconds`, `isolation` and `max_moves` are those of a match. Ctrl-C ends it and returns where it stands, marked
    `interrupted`.
    """
    start = GAMES.make(game)
    named = {name: AGENTS.make(agent) for name, agent in named_agents(agents).items()}
    own_seed = checked_seed(recorded_seed(results_file) if seed is None else seed)
    plan = Plan.of(tuple(named), kind, rounds, own_seed)
    options: dict[str, Any] = {"seconds": seconds, "isolation": isolation, "max_moves": max_moves}
    for one, other in plan.pairs:
        Match(start, named[one], named[other], **options)  # says what is wrong with them
    run = _Run(plan, sprt, confidence)
    setting = Setting(start, named, options)
    at_once = cores() if workers is None else at_least_one("workers", workers)
    if results_file is None:
        return run.through(setting, at_once, None, on_progress)
    header = {
        "game": game if isinstance(game, str) else _named(start),
        "agents": {name: described(agent) for name, agent in named.items()},
        "kind": kind,
        "seed": own_seed,
        "seconds": seconds,
        "max_moves": max_moves,
    }
    with Journal(results_file, header) as journal:
        run.resume(journal.records)
        return run.through(setting, at_once, journal, on_progress)


def _named(start: Any) -> str:
    """A position in words that are the same the next time: no class may be called by its address."""
    cls: Any = type(start)
    return show(start) if cls.__repr__ is object.__repr__ else repr(start)


class _Run:
    """The games of a tournament: which are over, which are still to be handed out, and which no longer need be."""

    def __init__(self, plan: Plan, sprt: Sprt | None, confidence: float) -> None:
        self.names, self.tasks, self.confidence = plan.names, plan.tasks, confidence
        self.records: dict[tuple[int, str, str], Record] = {}
        self.upcoming = iter(plan.tasks)
        self.pairs = [_Pair(plan.tasks, one, other, sprt) for one, other in plan.pairs]
        self.pair_of = {key: pair for pair in self.pairs for key in pair.keys}

    def resume(self, records: Sequence[Record]) -> None:
        """Takes over games that were played before; those of rounds that are not asked for do not count."""
        self.records = {record.key: record for record in records if record.key in self.pair_of}
        for pair in self.pairs:
            pair.follow(self.records)

    def take(self) -> Task | None:
        """The next game that has to be played."""
        for task in self.upcoming:
            if task.key not in self.records and not self.pair_of[task.key].decided:
                return task
        return None

    def through(self, setting: Setting, workers: int, journal: Journal | None, told: OnProgress | None) -> Standings:
        """Plays what is missing."""
        interrupted = False
        games = played(setting, self, min(workers, len(self.tasks)))
        try:
            for record in games:
                if journal is not None:
                    journal.append(record)
                self.records[record.key] = record
                self.pair_of[record.key].follow(self.records)
                if told is not None:
                    told(TournamentProgress(len(self.records), len(self.tasks), record, self.standings()))
        except KeyboardInterrupt:
            interrupted = True
        finally:
            games.close()
        return self.standings(interrupted)

    def standings(self, interrupted: bool = False) -> Standings:
        counting = {key for pair in self.pairs for key in pair.counting(self.records)}
        records = tuple(self.records[task.key] for task in self.tasks if task.key in counting)
        verdicts = tuple(pair.test.verdict() for pair in self.pairs if pair.test is not None)
        left_out = len(self.records) - len(records)
        return Standings(self.names, records, len(self.tasks), self.confidence, verdicts, left_out, interrupted)


class _Pair:
    """The games of one agent with another, in their order, and the test that may cut them short."""

    def __init__(self, tasks: Sequence[Task], one: str, other: str, sprt: Sprt | None) -> None:
        self.keys = [task.key for task in tasks if {task.row, task.col} == {one, other}]
        self.test = None if sprt is None else PairTest(sprt, one, other)

    @property
    def decided(self) -> bool:
        return self.test is not None and self.test.accepted is not None

    def follow(self, records: Mapping[tuple[int, str, str], Record]) -> None:
        """Feeds the test as far as no game is missing: so it sees the same games whenever each of them ends."""
        while self.test is not None and not self.decided and self.test.games < len(self.keys):
            record = records.get(self.keys[self.test.games])
            if record is None:
                break
            self.test.feed(record)

    def counting(self, records: Mapping[tuple[int, str, str], Record]) -> list[tuple[int, str, str]]:
        keys = self.keys[: self.test.games] if self.test is not None else self.keys
        return [key for key in keys if key in records]
