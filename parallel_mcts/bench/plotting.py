"""What the plots of the benchmarks have in common: they need matplotlib, draw without a screen, and come in two kinds."""

from __future__ import annotations

from typing import Any

from ..errors import MissingDependency

KINDS = ("png", "svg")


def require_matplotlib() -> Any:
    """The part of matplotlib that draws without a screen."""
    try:
        import matplotlib.figure as figure
    except ImportError as error:
        raise MissingDependency("plots need matplotlib: pip install 'parallel-mcts[plot]'") from error
    return figure
