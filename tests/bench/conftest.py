"""A user's own game, which does not compile: small, and measured without waiting for a compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

NIM = '''
from parallel_mcts import TurnState


class Sticks(TurnState):
    """Take one to three sticks; who takes the last one wins."""

    def __init__(self, sticks: int = 7, player: int = 0):
        self.sticks, self.player = sticks, player

    def moves(self):
        return [n for n in (1, 2, 3) if n <= self.sticks]

    def move(self, n):
        return Sticks(self.sticks - n, 1 - self.player)

    def payoff(self):
        return 1.0 if self.player == 1 else 0.0

    def __eq__(self, other):
        return (self.sticks, self.player) == (other.sticks, other.player)

    def __hash__(self):
        return hash((self.sticks, self.player))
'''


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
