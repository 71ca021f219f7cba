"""An agent that is seen to think: on a terminal, a word while it chooses, so that its opponent knows why to wait."""

from __future__ import annotations

from typing import Any

from ..agents.base import described
from ..agents.calling import seated


class Thinking:
    """Any agent, which says so while it chooses; in all else it is that agent."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    def seat(self, seed: int) -> ThinkingSeat:
        return ThinkingSeat(seated(self.agent, seed), described(self.agent))

    def __str__(self) -> str:
        return described(self.agent)


class ThinkingSeat:
    """Passes every call on."""

    def __init__(self, seat: Any, name: str) -> None:
        self._seat, self._name = seat, name

    def choose(self, state: Any) -> Any:
        from rich.console import Console
        from rich.text import Text

        with Console().status(Text(f"{self._name} is thinking …")):
            return self._seat.choose(state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seat, name)
