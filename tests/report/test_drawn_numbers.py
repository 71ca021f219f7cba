"""Numbers for people, scales and ticks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts.report import numbers
from parallel_mcts.report.charts import Axis, Series, line_chart, scale_for

FLOATS = st.floats(-1e6, 1e6, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (0.0, "0.000"), (-0.0001, "0.000"), (-0.5, "−0.500"), (1234.5, "1,234.5"), (-12345.6, "−12,346")],
)
def test_payoffs_are_short_and_have_a_true_minus(value: float | None, text: str) -> None:
    assert numbers.payoff(value) == text


@pytest.mark.parametrize(
    ("probability", "text"), [(0.0, "0.0%"), (1e-9, "<0.1%"), (0.5, "50.0%"), (0.99999, ">99.9%"), (1.0, "100.0%")]
)
def test_what_is_possible_is_not_shown_as_impossible_nor_as_certain(probability: float, text: str) -> None:
    assert numbers.percent(probability) == text


@pytest.mark.parametrize(
    ("number", "text"), [(12, "12"), (3400, "3.4k"), (12_000, "12k"), (1_250_000, "1.2M"), (2e9, "2G")]
)
def test_counts_are_shortened(number: float, text: str) -> None:
    assert numbers.short_count(number) == text


@given(FLOATS, FLOATS)
def test_linear_ticks_are_few_even_and_inside(a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    if high - low < 1e-6 * max(1.0, abs(low), abs(high)):
        return
    ticks = numbers.linear_ticks(low, high)
    air = 1e-6 * (high - low)
    assert 1 <= len(ticks) <= 6
    assert all(low - air <= tick <= high + air for tick in ticks)


@given(st.floats(1e-9, 1e9), st.floats(1.0, 1e9))
def test_log_ticks_are_powers_of_ten_inside(low: float, ratio: float) -> None:
    ticks = numbers.log_ticks(low, low * ratio)
    assert len(ticks) <= 6
    assert all(low * 0.999 <= tick <= low * ratio * 1.001 for tick in ticks)


@given(st.lists(FLOATS, min_size=1, max_size=30), st.booleans(), st.booleans())
def test_a_scale_keeps_every_value_inside_and_in_order(values: list[float], zero: bool, log: bool) -> None:
    scale = scale_for(values, 0.0, 100.0, zero=zero, log=log)
    places = [scale.at(value) for value in sorted(values)]
    assert all(-0.01 <= place <= 100.01 for place in places)
    assert places == sorted(places)


@given(st.lists(st.tuples(st.floats(1e-3, 1e9), FLOATS), min_size=1, max_size=20))
def test_a_chart_holds_its_lines_within_its_frame(points: list[tuple[float, float]]) -> None:
    import re

    chart = line_chart("T", "n", [Series("s", "row", sorted(points))], Axis("x", numbers.tick_text), known=0.0)
    found = re.search(r'points="([^"]*)"', chart)
    assert found is not None
    spots = [tuple(map(float, spot.split(","))) for spot in found[1].split()]
    assert len(spots) == len(points)
    assert all(46 <= x <= 348 and 10 <= y <= 182 for x, y in spots)
