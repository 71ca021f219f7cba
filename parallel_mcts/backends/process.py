"""The `process` backend: root-parallel workers in processes that are started once, kept, and used again.

Each worker has a process to itself (a loky executor of one), because it keeps its tree between calls and because the death
of one must not touch the others. Idle processes wait in `_idle` for the next search; all of them end with the interpreter,
and a process whose parent was killed ends by itself. Only the caller's side of this module touches `_idle`, under its lock.
"""

from __future__ import annotations

import atexit
import itertools
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import NotPicklable, ParallelMCTSError
from ..interrupts import holding_interrupts_back, let_interrupts_through
from .base import Job, cores
from .board import Board, BoardAddress, file_board
from .root_parallel import RootParallel, SeatLost
from .worker import TreeWorker

THREAD_COUNTS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
WORKER_ENVIRONMENT = {
    # One worker per core: libraries that start threads of their own would only get in its way.
    **dict.fromkeys(THREAD_COUNTS, "1"),
    # loky replaces a process that has grown by 300 MB between calls, taking it for a leak. Here it is a tree.
    "LOKY_MAX_MEMORY_LEAK_SIZE": "1e18",
}

PARENT_CHECK_SECONDS = 1.0

_idle: list[_Home] = []
_idle_lock = threading.Lock()
_keys = itertools.count()


@dataclass(frozen=True)
class Process:
    """A tree for each process: runs in parallel whatever the game is written in."""

    name: ClassVar[str] = "process"
    threads_share_interpreter: ClassVar[bool] = False

    def default_workers(self) -> int:
        return cores()

    def open(self, job: Job) -> RootParallel:
        dumps_job(job)  # says what cannot travel, before any process is started
        return RootParallel(job, ProcessSeat)


# ---------------------------------------------------------------------------------------------- what travels
def dumps_job(job: Job) -> bytes:
    """The job as bytes; games of `__main__`, lambdas and closures travel too."""
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(job)
        return pickled
    except Exception as error:
        for what in ("state", "algorithm", "model"):
            try:
                cloudpickle.dumps(getattr(job, what))
            except Exception as cause:
                raise NotPicklable(
                    f"the {what} {getattr(job, what)!r} cannot be sent to another process: {cause}; "
                    "use backend='single', 'threaded' or 'forest', or make it picklable"
                ) from cause
        raise NotPicklable(f"the search cannot be sent to another process: {error}") from error


# ---------------------------------------------------------------------------------------------- the far side
_workers: dict[str, TreeWorker] = {}


def _settle_in(parent: int) -> None:
    """Runs once in each new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business: it asks its workers to stop
    let_interrupts_through()
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)


def _open_worker(key: str, job: bytes, index: int, restart: int, board: BoardAddress) -> None:
    import cloudpickle

    _workers[key] = TreeWorker(cloudpickle.loads(job), index, restart, board)


def _call_worker(key: str, method: str, args: bytes) -> bytes:
    import cloudpickle

    result: bytes = cloudpickle.dumps(getattr(_workers[key], method)(*cloudpickle.loads(args)))
    return result


def _close_worker(key: str) -> None:
    _workers.pop(key, None)


# ---------------------------------------------------------------------------------------------- the caller's side
class _Home:
    """A process that lasts, and the executor that feeds it."""

    def __init__(self) -> None:
        from loky import ProcessPoolExecutor  # slow to import

        self.executor = ProcessPoolExecutor(1, initializer=_settle_in, initargs=(os.getpid(),), env=WORKER_ENVIRONMENT)

    def submit(self, function: Any, *args: Any) -> Future[Any]:
        try:
            with holding_interrupts_back():  # it may start the process, which is not to be ended while it settles in
                future: Future[Any] = self.executor.submit(function, *args)
        except Exception as error:  # the executor knows already that its process is gone
            future = Future()
            future.set_exception(error)
        return future

    def end(self) -> None:
        self.executor.shutdown(wait=True, kill_workers=True)


def take_home() -> _Home:
    """A process for the caller alone: one that is idle, or a new one."""
    with _idle_lock:
        return _idle.pop() if _idle else _Home()


def give_back(home: _Home) -> None:
    """Leaves a process, which must be well and have nothing to do, to whoever needs one next."""
    with _idle_lock:
        _idle.append(home)


class ProcessSeat:
    """A worker in a process of its own."""

    ticks = False

    def __init__(self) -> None:
        self.home = take_home()
        self.key = f"{os.getpid()}-{next(_keys)}"
        self.pending: list[Future[Any]] = []
        self.closed = False

    def board(self, numbers: int) -> tuple[Board, BoardAddress]:
        return file_board(numbers)

    def open(self, job: Job, index: int, restart: int, board: BoardAddress) -> Future[None]:
        return self._submit(_open_worker, self.key, dumps_job(job), index, restart, board)

    def call(self, method: str, *args: Any) -> Future[Any]:
        import cloudpickle

        return self._submit(_call_worker, self.key, method, cloudpickle.dumps(args), decode=cloudpickle.loads)

    def _submit(self, function: Any, *args: Any, decode: Any = None) -> Future[Any]:
        """Like the executor's submit, but a dead process is a `SeatLost` and the result is decoded."""
        outer: Future[Any] = Future()
        inner = self.home.submit(function, *args)

        def pass_on(done: Future[Any]) -> None:
            error = done.exception()
            if error is not None:
                outer.set_exception(_translated(error))
            else:
                outer.set_result(decode(done.result()) if decode else done.result())

        inner.add_done_callback(pass_on)
        self.pending = [f for f in self.pending if not f.done()] + [outer]
        return outer

    def close(self) -> None:
        """Gives the process back, if it is well; one that is dead or still busy is ended."""
        if self.closed:  # a process given back twice would be two workers'
            return
        self.closed = True
        busy = any(not future.done() for future in self.pending)
        lost = any(future.done() and isinstance(future.exception(), SeatLost) for future in self.pending)
        if busy or lost:
            self.home.end()
            return
        self.home.submit(_close_worker, self.key)
        give_back(self.home)


def _translated(error: BaseException) -> BaseException:
    from concurrent.futures.process import BrokenProcessPool

    from loky.process_executor import BrokenProcessPool as LokyBroken

    if isinstance(error, BrokenProcessPool | LokyBroken):
        return SeatLost(str(error).splitlines()[0][:200])
    if isinstance(error, ParallelMCTSError):
        return error
    return ParallelMCTSError(f"a worker failed: {type(error).__name__}: {error}").with_traceback(error.__traceback__)


def warm_up(workers: int) -> None:
    """Starts processes ahead of time, so that the next search need not wait for them."""
    with _idle_lock:
        while len(_idle) < workers:
            _idle.append(_Home())
        ready = [home.submit(os.getpid) for home in _idle]
    for future in ready:
        future.result()


def shut_down() -> None:
    """Ends the idle processes; those of open searches end when they are closed."""
    with _idle_lock:
        homes, _idle[:] = list(_idle), []
    for home in homes:
        home.end()


atexit.register(shut_down)
if sys.platform != "win32":
    os.register_at_fork(after_in_child=_idle.clear)  # a forked child must not use its parent's workers
