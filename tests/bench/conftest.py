"""A user's own game, which does not compile: small, and measured without waiting for a compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from written_games import NIM


@pytest.fixture
def nim(tmp_path: Path) -> str:
    """As the command line names it."""
    path = tmp_path / "bench_sticks.py"
    path.write_text(NIM)
    return f"{path}:Sticks:sticks=7"


@pytest.fixture
def nim_state(nim: str) -> Any:
    """The same as an object."""
    from parallel_mcts.cli.things import game

    return game(nim)
