"""A benchmark as a person sees it: what is being measured, and Ctrl-C for the figures so far."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses pseudo-terminals")
Start = Callable[..., Any]


def test_a_benchmark_says_what_it_measures_and_ctrl_c_gives_the_table_so_far(terminal: Start) -> None:
    options = ["--backends", "inline", "--workers", "1", "--engine", "python", "--iterations", "300", "--rounds", "100000"]
    screen = terminal("bench", "scaling", "rps", *options, columns=140)
    shown = screen.read_until("round 4 of 100000")
    for piece in ("measuring speed", "of 200000", "left", "Ctrl-C for the figures so far", "inline × 1, regret_matching"):
        assert piece in shown, piece
    screen.interrupt()
    assert screen.code() == 130
    assert "interrupted: the figures so far" in screen.text
    assert "speed-up" in screen.text
    assert "1.00 ×" in screen.text
    assert "Traceback" not in screen.text
