"""The control measurements themselves: what others take, and how fast a cache line changes hands."""

from __future__ import annotations

import subprocess
import sys

import pytest
from fake_machine import FakeMachine

from parallel_mcts.bench import conditions
from parallel_mcts.bench.measuring import ForeignLoad
from parallel_mcts.bench.ping_pong import round_trip

BUSY = "import time\nwhile time.process_time() < 0.3: pass\n"
"""At least 0.2 seconds, as the system counts."""


def test_a_child_that_has_ended_is_not_another_program() -> None:
    load = ForeignLoad()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert load._own() - load.own > 0.2


def test_a_child_is_counted_once_while_it_runs_and_when_it_has_ended() -> None:
    command = [sys.executable, "-c", BUSY + "print(flush=True)\ninput()"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    before = ForeignLoad()
    child.stdout.readline()
    during = before._own()
    child.communicate(b"\n")
    assert during - before.own > 0.1
    assert before._own() - during < 0.2


def test_a_share_of_the_processors_is_between_none_and_all() -> None:
    load = ForeignLoad()
    load.all -= 1e9
    assert load.share() == 1.0
    load.own -= 2e9
    assert load.share() == 0.0


def test_conditions_stand_around_what_was_done() -> None:
    machine = FakeMachine(load=0.2)
    seen: list[str] = []
    instruments = conditions.Instruments(lambda: 0.0, lambda: machine, lambda: seen.append("ball") or 50e-9)  # type: ignore[func-returns-value]
    done, around = instruments.observing(lambda: seen.append("done"))
    assert done is None
    assert seen == ["ball", "done", "ball"]
    assert around == conditions.Conditions(0.2, 50e-9, 50e-9)


def test_a_hand_over_takes_a_while_but_not_for_ever() -> None:
    assert round_trip(2_000, patience=1.0) > 0
    assert round_trip(2_000, patience=0.0) == float("inf")


def test_on_one_processor_there_is_no_hand_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "cores", lambda: 1)
    assert conditions.ping_pong() is None
