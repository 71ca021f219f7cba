"""What the games ask of a random generator. Spelled out here so that a game needs `parallel_mcts.state` and no more."""

from __future__ import annotations

from typing import Protocol


class Rng(Protocol):
    """Gives doubles in [0, 1)."""

    def random(self) -> float: ...
