"""How long a search may run: `Budget`, named limits of which at least one is set.

Leaf module. The clock is a parameter of whoever spends the budget, so time limits are tested without sleeping.
"""

from __future__ import annotations

import numbers
import sys
from dataclasses import dataclass

from .errors import BudgetError


@dataclass(frozen=True)
class Budget:
    """Stop after so many iterations, or so many seconds, whichever comes first."""

    iterations: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations is None and self.seconds is None:
            raise BudgetError("a search needs a limit: give iterations=…, seconds=… or both")
        if self.iterations is not None:
            _require_whole_positive(self.iterations)
        if self.seconds is not None:
            _require_positive(self.seconds)

    def shares(self, workers: int) -> list[int | None]:
        """The iterations of each worker, with no remainder lost; None where only time limits them."""
        if self.iterations is None:
            return [None] * workers
        whole, extra = divmod(int(self.iterations), workers)
        return [whole + (k < extra) for k in range(workers)]


def _require_whole_positive(iterations: object) -> None:
    if not isinstance(iterations, numbers.Integral) or isinstance(iterations, bool) or iterations < 1:
        raise BudgetError(f"iterations is {iterations!r}; it must be a whole number of at least 1")


def _require_positive(seconds: object) -> None:
    real = isinstance(seconds, numbers.Real) and not isinstance(seconds, bool)
    if not real or not 0 < seconds <= sys.float_info.max:  # type: ignore[operator]
        raise BudgetError(f"seconds is {seconds!r}; it must be a positive, finite number")
