"""Numbers as people read them: payoffs, counts, probabilities, bytes, and the ticks of an axis. Pure functions."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10

NOTHING = "–"


def payoff(value: float | None) -> str:
    """Three decimals, or as few as tell a large number apart."""
    if value is None or not isfinite(value):
        return NOTHING
    size = abs(value)
    text = f"{value:,.0f}" if size >= 10_000 else f"{value:,.1f}" if size >= 100 else f"{value:.3f}"
    return text.replace("-", "\N{MINUS SIGN}") if float(text.replace(",", "")) != 0 else text.lstrip("-")


def percent(probability: float) -> str:
    """With one decimal; what is possible is never shown as nothing, nor what is not certain as all."""
    if 0 < probability < 0.0005:
        return "<0.1%"
    if 0.9995 <= probability < 1:
        return ">99.9%"
    return f"{100 * float(probability):.1f}%"


def count(number: float) -> str:
    return f"{number:,.0f}"


def short_count(number: float) -> str:
    """12, 3.4k, 12k, 1.2M: for where there is little room."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            scaled = number / size
            return f"{scaled:.0f}{unit}" if scaled >= 100 or scaled == int(scaled) else f"{scaled:.1f}{unit}"
    return f"{number:.0f}"


def seconds(duration: float) -> str:
    if duration < 0.1:
        return f"{1000 * duration:.3g} ms"
    return f"{duration:.2f} s" if duration < 100 else f"{duration:,.0f} s"


def size(number: float) -> str:
    """Bytes, in the unit that suits."""
    return f"{number / 1e6:,.1f} MB" if number >= 1e6 else f"{number / 1e3:,.1f} kB"


# ---------------------------------------------------------------------------------------------- ticks
def linear_ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers from `low` to `high`: multiples of 1, 2 or 5 times a power of ten."""
    if not high > low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * (1 - 1e-9))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def log_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Powers of ten from `low` to `high`, not more than `most` of them."""
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    apart = max(1, ceil((last - first + 1) / most))
    return [10.0**k for k in range(first, last + 1, apart)]


def tick_text(value: float) -> str:
    """A tick without needless zeros."""
    if abs(value) >= 1000:
        return ("\N{MINUS SIGN}" if value < 0 else "") + short_count(abs(value))
    return f"{value:.10g}".replace("-", "\N{MINUS SIGN}") if abs(value) > 1e-12 else "0"
