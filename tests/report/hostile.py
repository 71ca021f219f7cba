"""A game that says the worst things it can in every place where a report repeats what games say."""

from __future__ import annotations

from parallel_mcts import State

HOSTILE = [
    "</script><script>window.broken = 1</script>",
    "<img src=x onerror='window.broken = 2'>",
    '"><svg onload="window.broken = 3">',
    "</details></ul></main><h1>",
    "<!-- & ]]> &lt;",
    "javascript:alert(1)//\\\\\"'`",
]


class Hostile(State):
    """Two rounds of any two words."""

    left: int = 2
    said: int = 0

    def shape(self) -> tuple[int, int]:
        return (len(HOSTILE), len(HOSTILE)) if self.left else (0, 0)

    def play(self, i: int, j: int) -> Hostile:
        return Hostile(self.left - 1, (self.said + i * j) % 7)

    def payoff(self) -> float:
        return self.said / 6

    def labels(self) -> tuple[list[str], list[str]]:
        return (HOSTILE, HOSTILE) if self.left else ([], [])

    def __str__(self) -> str:
        return "\n".join([f"</pre>{self.said}", *HOSTILE])
