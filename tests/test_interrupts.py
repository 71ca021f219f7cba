"""Ctrl-C at the wrong moment: held back where it would do harm, and never lost."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any

import pytest

from parallel_mcts.backends.process import give_back, take_home
from parallel_mcts.interrupts import catching_interrupts, holding_interrupts_back


def test_an_interrupt_that_is_held_back_comes_afterwards() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 — it is to come at the end of the inner block
        with holding_interrupts_back():
            signal.raise_signal(signal.SIGINT)
            done.append("what was begun")
        done.append("what comes after")
    assert done == ["what was begun"]


def test_the_first_interrupt_asks_and_the_second_insists() -> None:
    with catching_interrupts() as interrupt:
        signal.raise_signal(signal.SIGINT)
        assert interrupt.requested
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_process_that_is_started_meanwhile_has_them_blocked() -> None:
    code = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with holding_interrupts_back():
        meanwhile = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    afterwards = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (meanwhile.stdout, afterwards.stdout) == ("True\n", "False\n")


def _how_interrupts_are_met() -> tuple[bool, Any]:
    blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    return blocked, signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_a_worker_process_leaves_interrupts_to_its_parent_without_blocking_them_for_what_it_starts() -> None:
    home = take_home()
    try:
        assert home.submit(_how_interrupts_are_met).result() == (False, True)
    finally:
        give_back(home)
