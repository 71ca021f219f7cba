"""Tables of figures: aligned text, the same on a terminal and on a pipe. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Columns with two spaces between them; the first `left` of them begin at the left, the others end at the right."""
    lines = [list(heads), *map(list, rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    return "\n".join(
        "  ".join(
            f"{cell:<{width}}" if k < left else f"{cell:>{width}}"
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def short_time(duration: float) -> str:
    """Seconds in the unit that suits."""
    scale, unit = next(((s, u) for s, u in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if duration >= s), (1e-9, "ns"))
    return f"{duration / scale:.3g} {unit}"
