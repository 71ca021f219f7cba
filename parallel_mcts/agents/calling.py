"""How a match calls a seat: directly, in a thread of its own, or in a process of its own.

A seat that does not answer in time is given up: its thread is left to itself and frees what it holds if it ever comes back;
its process is ended. One thread, that of the match, makes the calls.
"""

from __future__ import annotations

import itertools
import os
import threading
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, Protocol, TypeAlias

from ..backends.process import give_back, take_home
from ..errors import NotPicklable, ParallelMCTSError

Call: TypeAlias = tuple[Future[Any], str, tuple[Any, ...]]


class Stuck(ParallelMCTSError):
    """A seat did not answer in time, and is not to be called again."""


class Caller(Protocol):
    """Calls the methods of one seat; what the seat raises comes through."""

    def call(self, method: str, *args: Any, seconds: float | None = None) -> Any: ...

    def close(self) -> None: ...


def call_seat(seat: Any, method: str, args: tuple[Any, ...]) -> Any:
    """Calls a method of a seat; only `choose` has to be there. A seat that knows nothing of undo begins again."""
    if method == "taken_back":
        state, moves, player = args
        knows = hasattr(seat, "taken_back")
        return seat.taken_back(state, moves) if knows else call_seat(seat, "begin", (state, player))
    own = getattr(seat, method, None)
    return own(*args) if own is not None else None


class Direct:
    """In the caller's thread: quickest, and with nothing to stop a seat that hangs."""

    def __init__(self, seat: Any) -> None:
        self.seat = seat

    def call(self, method: str, *args: Any, seconds: float | None = None) -> Any:
        return call_seat(self.seat, method, args)

    def close(self) -> None:
        pass


class OwnThread:
    """In a thread that is the seat's for the whole match."""

    def __init__(self, seat: Any) -> None:
        self.calls: SimpleQueue[Call | None] = SimpleQueue()
        self.stuck = False
        threading.Thread(target=_serve, args=(seat, self.calls), daemon=True, name="parallel_mcts seat").start()

    def call(self, method: str, *args: Any, seconds: float | None = None) -> Any:
        if self.stuck:
            raise Stuck("it is still busy with an earlier call")
        future: Future[Any] = Future()
        self.calls.put((future, method, args))
        wait([future], timeout=seconds)
        if not future.done():
            self.stuck = True
            self.calls.put((Future(), "end", (None, None)))
            raise Stuck(f"no answer after {seconds:g} s")
        return future.result()

    def close(self) -> None:
        self.calls.put(None)


def _serve(seat: Any, calls: SimpleQueue[Call | None]) -> None:
    while (call := calls.get()) is not None:
        future, method, args = call
        try:
            future.set_result(call_seat(seat, method, args))
        except BaseException as error:
            future.set_exception(error)


class OwnProcess:
    """In a process that is the seat's for the whole match, and is ended if it has to be."""

    _keys = itertools.count()

    def __init__(self, agent: Any, seed: int) -> None:
        self.key = f"{os.getpid()}-{next(self._keys)}"
        opening = _dumps((agent, seed), agent)
        self.home: Any = take_home()
        self.waiting = False
        self.opened: Future[Any] | None = self.home.submit(_open_seat, self.key, opening)

    def call(self, method: str, *args: Any, seconds: float | None = None) -> Any:
        import cloudpickle

        if self.home is None:
            raise Stuck("its process was ended")
        if self.opened is not None:
            self._answer(self.opened, None)
            self.opened = None
        future = self.home.submit(_call_seat, self.key, method, cloudpickle.dumps(args))
        return cloudpickle.loads(self._answer(future, seconds))

    def _answer(self, future: Future[Any], seconds: float | None) -> Any:
        from loky.process_executor import BrokenProcessPool

        self.waiting = True
        wait([future], timeout=seconds)
        self.waiting = False
        if not future.done():
            self._end()
            raise Stuck(f"no answer after {seconds:g} s")
        try:
            return future.result()
        except BrokenProcessPool:
            self._end()
            raise ParallelMCTSError("its process died") from None

    def _end(self) -> None:
        self.home.end()
        self.home = None

    def close(self) -> None:
        if self.waiting:  # cut short by Ctrl-C
            self._end()
        elif self.home is not None:
            self.home.submit(_close_seat, self.key)
            give_back(self.home)
            self.home = None


def _dumps(thing: Any, agent: Any) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(thing)
    except Exception as error:
        raise NotPicklable(f"the agent {agent!r} cannot be sent to another process: {error}") from error
    return pickled


# ---------------------------------------------------------------------------------------------- the far side
_seats: dict[str, Any] = {}


def _open_seat(key: str, opening: bytes) -> None:
    import cloudpickle

    agent, seed = cloudpickle.loads(opening)
    _seats[key] = seated(agent, seed)


def _call_seat(key: str, method: str, args: bytes) -> bytes:
    import cloudpickle

    answer: bytes = cloudpickle.dumps(call_seat(_seats[key], method, cloudpickle.loads(args)))
    return answer


def _close_seat(key: str) -> None:
    _seats.pop(key, None)


def seated(agent: Any, seed: int) -> Any:
    """What plays: the seat of an agent, or the agent itself if it is one of the user's that has no `seat`."""
    return agent.seat(seed) if hasattr(agent, "seat") else agent
