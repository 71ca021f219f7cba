"""Where the games of a tournament are played: here, one after the other, or in processes, each with one game at a time.

The thread that called waits here and collects. The processes are those of the `process` backend, started once and kept.
"""

from __future__ import annotations

import copy
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol

from ..backends.process import give_back, take_home
from ..errors import NotPicklable, WorkerDied
from ..match import run_match
from .schedule import Record, Task

LOSSES_ALLOWED = 2


@dataclass(frozen=True)
class Setting:
    """What all games of a tournament have in common."""

    game: Any
    agents: dict[str, Any]
    options: dict[str, Any]

    def play(self, task: Task) -> Record:
        # an agent that is its own seat must not remember the last game
        row, col = (a if hasattr(a, "seat") else copy.deepcopy(a) for a in (self.agents[task.row], self.agents[task.col]))
        finished = run_match(self.game, row, col, seed=task.seed, undo=False, **self.options)
        return Record.of(task, finished.results)


class Queue(Protocol):
    """Gives the next game to be played, until there is none."""

    def take(self) -> Task | None: ...


def played(setting: Setting, queue: Queue, workers: int) -> Generator[Record, None, None]:
    """Plays the games of a queue and yields each when it is over."""
    return _here(setting, queue) if workers == 1 else _Processes(setting, queue, workers).records()


def _here(setting: Setting, queue: Queue) -> Generator[Record, None, None]:
    while (task := queue.take()) is not None:
        yield setting.play(task)


class _Processes:
    """Processes with a game each; one that dies is replaced, and its game played again."""

    def __init__(self, setting: Setting, queue: Queue, workers: int) -> None:
        self.setting, self.queue, self.workers = setting, queue, workers
        self.pickled = _dumps(setting)
        self.busy: dict[Future[Any], tuple[Any, Task]] = {}
        self.idle: list[Any] = []
        self.lost: dict[Task, int] = {}

    def records(self) -> Generator[Record, None, None]:
        try:
            self.idle = [take_home() for _ in range(self.workers)]
            while self._hand_out():
                done, _ = wait(self.busy, return_when=FIRST_COMPLETED)
                for future in done:
                    record = self._collected(future)
                    if record is not None:
                        yield record
        finally:
            for home, _ in self.busy.values():
                home.end()
            for home in self.idle:
                give_back(home)

    def _hand_out(self) -> bool:
        """Gives every idle process a game; whether anything is being played."""
        while self.idle and (task := self.queue.take()) is not None:
            self._start(self.idle.pop(), task)
        return bool(self.busy)

    def _start(self, home: Any, task: Task) -> None:
        self.busy[home.submit(_play, self.pickled, task)] = home, task

    def _collected(self, future: Future[Any]) -> Record | None:
        from loky.process_executor import BrokenProcessPool

        home, task = self.busy[future]
        try:
            record: Record = future.result()
        except BrokenProcessPool as error:
            del self.busy[future]
            home.end()
            self.lost[task] = self.lost.get(task, 0) + 1
            if self.lost[task] > LOSSES_ALLOWED:
                raise WorkerDied(
                    f"the process that played {task} died {self.lost[task]} times: {_first_line(error)}"
                ) from None
            self._start(take_home(), task)
            return None
        del self.busy[future]
        self.idle.append(home)
        return record


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _dumps(setting: Setting) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(setting)
    except Exception as error:
        raise NotPicklable(f"the tournament cannot be sent to other processes: {error}; use workers=1") from error
    return pickled


def _play(pickled: bytes, task: Task) -> Record:
    """Runs in a process."""
    import cloudpickle

    setting: Setting = cloudpickle.loads(pickled)
    return setting.play(task)
