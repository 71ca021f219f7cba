"""Backends in which every worker has its own tree, and the statistics of the roots are merged.

One protocol, several placements: a backend only says in what `Seat` a worker sits. Worker k uses stream k of the seed and
its exact share of the iterations, so the answer depends on seed, workers and iterations alone, not on the placement. A
worker that dies is replaced: what it last published stays in the answer, and the rest of its share is done anew, with a
stream of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ..budget import Budget
from ..engines.base import Child, NodeReport, Step
from ..errors import WorkerDied, WorkerReplaced
from ..snapshot import Snapshot, flat_size, merge, unflatten
from .base import TICK_SECONDS, Counters, Job, Watch, cores
from .board import Board, BoardAddress, Notice, forget_name, local_board
from .worker import TreeWorker

RESTARTS = 3
"""How often a worker is replaced in one run before the search gives up."""


class SeatLost(Exception):
    """The worker behind a seat is gone (a process was killed)."""


class Seat(Protocol):
    """Where a worker sits. Calls are done one after the other; a future of a lost worker raises `SeatLost`."""

    ticks: bool
    """Whether a call runs in the caller's own thread, and so has to do the caller's watching as well."""

    def board(self, numbers: int) -> tuple[Board, BoardAddress]: ...

    def open(self, job: Job, index: int, restart: int, board: BoardAddress) -> Future[None]: ...

    def call(self, method: str, *args: Any) -> Future[Any]: ...

    def close(self) -> None: ...


# ---------------------------------------------------------------------------------------------- seats in this process
class InlineSeat:
    """In the caller's thread: a call is over when it returns."""

    ticks = True

    def __init__(self) -> None:
        self.worker: TreeWorker | None = None

    def board(self, numbers: int) -> tuple[Board, BoardAddress]:
        return local_board(numbers)

    def open(self, job: Job, index: int, restart: int, board: BoardAddress) -> Future[None]:
        def make() -> None:
            self.worker = TreeWorker(job, index, restart, board)

        return self._do(make)

    def call(self, method: str, *args: Any) -> Future[Any]:
        return self._do(lambda: getattr(self.worker, method)(*args))

    def _do(self, task: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(task())
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self) -> None:
        self.worker = None


class ThreadSeat(InlineSeat):
    """In a thread of its own."""

    ticks = False

    def __init__(self) -> None:
        super().__init__()
        self.thread = ThreadPoolExecutor(1, "parallel_mcts")

    def _do(self, task: Callable[[], Any]) -> Future[Any]:
        return self.thread.submit(task)

    def close(self) -> None:
        self.thread.shutdown()
        super().close()


@dataclass(frozen=True)
class Inline:
    """The workers of the other root-parallel backends, one after the other in the caller's thread: for tests."""

    name: ClassVar[str] = "inline"
    threads_share_interpreter: ClassVar[bool] = False

    def default_workers(self) -> int:
        return cores()

    def open(self, job: Job) -> RootParallel:
        return RootParallel(job, InlineSeat)


@dataclass(frozen=True)
class Forest:
    """A tree for each thread: nothing is pickled, nothing is shared."""

    name: ClassVar[str] = "forest"
    threads_share_interpreter: ClassVar[bool] = True

    def default_workers(self) -> int:
        return cores()

    def open(self, job: Job) -> RootParallel:
        return RootParallel(job, ThreadSeat)


# ---------------------------------------------------------------------------------------------- the searcher
class Member:
    """A worker as its owner sees it: a seat, a board, and how often it had to be replaced."""

    def __init__(self, index: int, seat: Seat) -> None:
        self.index, self.seat = index, seat
        self.restart = 0
        self.board: Board | None = None
        self.run: Future[int] | None = None
        self.share: int | None = None
        self.kept = 0  # playouts of this run that died with an earlier worker, but whose statistics live on

    def notice(self) -> Notice:
        return self.board.read() if self.board is not None else Notice(0, 0, 0, [])


class RootParallel:
    """A tree for each worker; a `Searcher`."""

    def __init__(self, job: Job, seat: Callable[[], Seat]) -> None:
        self.job = job
        self.seat = seat
        self.state = job.state
        self.iterations = 0
        self.lost_workers = 0
        self.remains: list[Snapshot] = []
        self.members = [Member(k, seat()) for k in range(job.workers)]
        try:
            self._finish_opening([(m, *self._start_opening(m)) for m in self.members])
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------------------ opening and replacing workers
    def _start_opening(self, member: Member) -> tuple[BoardAddress, Future[None]]:
        rows, cols = self.state.shape()
        member.board, address = member.seat.board(flat_size(self.job.algorithm, rows, cols))
        job = Job(**{**vars(self.job), "state": self.state})
        return address, member.seat.open(job, member.index, member.restart, address)

    def _finish_opening(self, started: list[tuple[Member, BoardAddress, Future[None]]], attempts: int = RESTARTS) -> None:
        """Waits until workers have begun; one whose process was dead already, or died in the attempt, gets another."""
        try:
            ended = [(member, future.exception()) for member, _, future in started]
        finally:
            for _, address, _ in started:
                forget_name(address)
        for member, error in ended:
            if isinstance(error, SeatLost) and attempts:
                member.seat.close()
                member.seat = self.seat()
                self._finish_opening([(member, *self._start_opening(member))], attempts - 1)
            elif isinstance(error, SeatLost):
                raise WorkerDied(f"a worker died while it was starting: {error}") from error
            elif error is not None:
                raise error

    def _replace(self, member: Member, lost: Exception) -> None:
        """Puts a new worker where one died; what that one last published stays in the answer."""
        notice = member.notice()
        if notice.numbers:
            self.remains.append(unflatten(notice.numbers, self.job.algorithm, *self.state.shape()))
        member.kept += notice.iterations
        member.restart += 1
        self.lost_workers += 1
        warnings.warn(
            f"worker {member.index} died ({lost}); its published statistics were kept and it was replaced",
            WorkerReplaced,
            stacklevel=2,
        )
        member.seat.close()
        member.seat = self.seat()
        self._finish_opening([(member, *self._start_opening(member))])

    # ------------------------------------------------------------------------ running
    def run(self, budget: Budget, watch: Watch) -> None:
        started = watch.clock()
        for member, share in zip(self.members, budget.shares(self.job.workers), strict=True):
            member.share, member.kept, member.run = share, 0, None
            if member.board is not None:
                member.board.start()
        try:
            self._send_off(budget, watch, started)
            self._watch_over(budget, watch, started)
        finally:
            self._halt()
            self.iterations += self._running_iterations()
            for member in self.members:
                member.run, member.kept = None, 0

    def _send_off(self, budget: Budget, watch: Watch, started: float) -> None:
        for member in self.members:
            self._dispatch(member, budget, watch, started)
            if watch.stopping():
                self._ask_to_stop()

    def _dispatch(self, member: Member, budget: Budget, watch: Watch, started: float) -> None:
        """Sends one worker off to do what is left of its share in the time that is left."""
        share = None if member.share is None else member.share - member.kept
        seconds = None if budget.seconds is None else max(budget.seconds - (watch.clock() - started), 0.0)
        if not member.seat.ticks:
            member.run = member.seat.call("run", share, seconds)
            return
        if seconds is not None:  # they take turns: each gets its part of the time
            seconds /= self.job.workers - member.index

        def tick() -> None:
            if watch.stopping():
                self._ask_to_stop()
            watch.tick()

        member.run = member.seat.call("run", share, seconds, tick)

    def _watch_over(self, budget: Budget, watch: Watch, started: float) -> None:
        while True:
            futures = {member.run: member for member in self.members if member.run is not None}
            done, waiting = wait(futures, timeout=TICK_SECONDS)
            for future in done:
                self._settle(futures[future], budget, watch, started)
            if not waiting and all(m.run is not None and m.run.done() and not m.run.exception() for m in self.members):
                return
            if watch.stopping():
                self._ask_to_stop()
            watch.tick()

    def _settle(self, member: Member, budget: Budget, watch: Watch, started: float) -> None:
        """Looks at a worker that came back: replaces it if it is dead, raises what it raised."""
        assert member.run is not None
        error = member.run.exception()
        if error is None:
            return
        if not isinstance(error, SeatLost):
            raise error
        before = member.restart
        self._replace(member, error)
        if before + 1 > RESTARTS:
            raise WorkerDied(f"worker {member.index} died {before + 1} times: {error}") from error
        if watch.stopping() and member.board is not None:
            member.board.stop()
        self._dispatch(member, budget, watch, started)

    def _ask_to_stop(self) -> None:
        for member in self.members:
            if member.board is not None:
                member.board.stop()

    def _halt(self) -> None:
        """Nobody goes on behind the caller's back: stops the workers that are still running and waits for them."""
        running = [member.run for member in self.members if member.run is not None and not member.run.done()]
        if running:
            self._ask_to_stop()
            wait(running)

    def _running_iterations(self) -> int:
        return sum(m.kept + (m.notice().iterations if m.run is not None else 0) for m in self.members)

    # ------------------------------------------------------------------------ reading
    def snapshot(self) -> Snapshot:
        """From the boards, so that it can be had while the workers run."""
        notices = [member.notice() for member in self.members]
        shape = self.state.shape()
        parts = [unflatten(n.numbers, self.job.algorithm, *shape) for n in notices if n.numbers] + self.remains
        if not parts:
            parts = self._ask_all("snapshot")
        return merge(parts, self.job.algorithm)

    def counters(self) -> Counters:
        notices = [member.notice() for member in self.members]
        nodes, memory = sum(n.nodes for n in notices), sum(n.memory for n in notices)
        return Counters(self.iterations + self._running_iterations(), nodes, memory)

    def report(self, path: Sequence[Step]) -> NodeReport | None:
        found = [report for report in self._ask_all("report", list(path)) if report is not None]
        if not found:
            return None
        snapshots = [report.snapshot for report in found] + (self.remains if not path else [])
        return NodeReport(found[0].state, merge(snapshots, self.job.algorithm), _merged([r.children for r in found]))

    def line(self, first: tuple[int, int], limit: int) -> list[Step]:
        """That of the worker which knows its first step best."""
        shape = self.state.shape()

        def visits(member: Member) -> float:
            numbers = member.notice().numbers
            i, j = first
            return unflatten(numbers, self.job.algorithm, *shape).cell_visits[i][j] if numbers else 0.0

        best = max(self.members, key=visits)
        line: list[Step] = self._ask(best, "line", first, limit)
        return line

    def _ask_all(self, method: str, *args: Any) -> list[Any]:
        return [self._ask(member, method, *args) for member in self.members]

    def _ask(self, member: Member, method: str, *args: Any) -> Any:
        try:
            return member.seat.call(method, *args).result()
        except SeatLost as lost:
            self._replace(member, lost)
            member.kept = 0
            return member.seat.call(method, *args).result()

    # ------------------------------------------------------------------------ moving on and closing
    def advance(self, step: Step, state: Any) -> None:
        self.state = state
        self.remains = []
        rows, cols = state.shape()
        sent = []
        for member in self.members:
            board, address = member.seat.board(flat_size(self.job.algorithm, rows, cols))
            member.board = board
            sent.append((member, address, member.seat.call("advance", step, state, address)))
        for member, address, future in sent:
            try:
                future.result()
            except SeatLost as lost:
                self._replace(member, lost)
                member.kept = 0
            finally:
                forget_name(address)

    def close(self) -> None:
        for member in self.members:
            member.seat.close()


def _merged(lists: list[list[Child]]) -> list[Child]:
    """The children that several trees know of one node."""
    sums: dict[Step, Child] = {}
    for child in (child for children in lists for child in children):
        seen = sums.get(child.step)
        if seen is None:
            sums[child.step] = child
        else:
            sums[child.step] = Child(
                child.step,
                seen.visits + child.visits,
                seen.row_value + child.row_value,
                seen.col_value + child.col_value,
            )
    return sorted(sums.values(), key=lambda child: (child.step.i, child.step.j))
