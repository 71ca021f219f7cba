"""What all tests share: quiet threads, and nothing left behind when they are over."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import psutil
import pytest
from hypothesis import settings
from leftovers import left_in_shared_memory, worker_processes

from parallel_mcts import ThreadsCannotRunInParallel
from parallel_mcts.backends.process import shut_down

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a job that a shell runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _threads_need_not_be_fast(recwarn: pytest.WarningsRecorder) -> Iterator[None]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThreadsCannotRunInParallel)
        yield


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Threads take turns as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    yield
    shut_down()
    _, alive = psutil.wait_procs(worker_processes(), timeout=10)
    assert alive == []
    assert left_in_shared_memory() == []
