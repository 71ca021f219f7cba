"""Snapshots: numbers in a row and back, and searches of one position merged into one, for every algorithm there is."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts.algorithms.ucb import UCB
from parallel_mcts.engines.interpreted import make_tree
from parallel_mcts.locks import ALONE
from parallel_mcts.models.rollout import Rollout
from parallel_mcts.registry import ALGORITHMS, game
from parallel_mcts.rng import stream
from parallel_mcts.snapshot import (
    NODE_FIELDS,
    Snapshot,
    add_field,
    clear_field,
    empty_snapshot,
    flat_size,
    flatten,
    merge,
    unflatten,
)
from parallel_mcts.stats import PerCell, PerCol, PerNode, PerRow, fields

deterministic = settings(deadline=None, derandomize=True, max_examples=15)
every_algorithm = pytest.mark.parametrize("name", ALGORITHMS.names())
numbers = st.floats(-1e6, 1e6)

GAMES = ("biased_rps", "goofspiel:cards=3", "dice:rounds=2", "nim:sticks=5")
"""A game that ends at once, one of several moves, one of chance, and one in which column only waits."""


@cache
def _grown(name: str, start: str, seed: int, iterations: int) -> Snapshot:
    rng = stream(seed, 0)
    tree = make_tree(game(start), ALGORITHMS.make(name), Rollout(), ALONE, max_depth=100, rng=rng)
    assert tree.grow(rng, iterations) == iterations
    return tree.snapshot()


def grown(name: str, start: str, seed: int, iterations: int) -> Snapshot:
    """The root of a small tree; the caller may do with it what it likes."""
    return _grown(name, start, seed, iterations).copy()


@st.composite
def searched_apart(draw: st.DrawFn, name: str, *, at_least: int = 2) -> list[Snapshot]:
    """A few searches of one position, of different lengths."""
    start = draw(st.sampled_from(GAMES))
    searches = st.tuples(st.integers(0, 9), st.sampled_from((0, 12, 25, 60)))
    return [grown(name, start, *search) for search in draw(st.lists(searches, min_size=at_least, max_size=4))]


def strategies(snapshot: Snapshot, name: str) -> list[float]:
    row, col = ALGORITHMS.make(name).strategies(snapshot)
    return [*row, *col]


def flat(value: Any) -> list[float]:
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def totals(snapshots: Sequence[Snapshot], field: str) -> list[float]:
    return [sum(column) for column in zip(*(flat(getattr(snapshot, field)) for snapshot in snapshots), strict=True)]


# ---------------------------------------------------------------------------------------------- as a row of numbers
class Declared:
    """One statistic of every shape."""

    class Stats:
        one: PerNode
        per_row: PerRow
        per_col: PerCol
        per_cell: PerCell


def test_numbers_are_written_field_by_field_and_line_by_line() -> None:
    size = flat_size(Declared(), 2, 3)
    assert size == 3 + 3 * 6 + 1 + 2 + 3 + 6
    snapshot = unflatten(range(size), Declared(), 2, 3)
    assert (snapshot.rows, snapshot.cols) == (2, 3)
    assert (snapshot.visits, snapshot.row_value, snapshot.col_value) == (0, 1, 2)
    assert snapshot.cell_visits == [[3, 4, 5], [6, 7, 8]]
    assert snapshot.cell_row_values == [[9, 10, 11], [12, 13, 14]]
    assert snapshot.cell_col_values == [[15, 16, 17], [18, 19, 20]]
    assert snapshot.one == 21
    assert snapshot.per_row == [22, 23]
    assert snapshot.per_col == [24, 25, 26]
    assert snapshot.per_cell == [[27, 28, 29], [30, 31, 32]]
    assert flatten(snapshot, Declared()) == list(range(size))


@every_algorithm
@deterministic
@given(rows=st.integers(1, 5), cols=st.integers(1, 5), data=st.data())
def test_any_numbers_come_back_from_a_snapshot(name: str, rows: int, cols: int, data: st.DataObject) -> None:
    algorithm = ALGORITHMS.make(name)
    size = flat_size(algorithm, rows, cols)
    visits = float(data.draw(st.integers(0, 2**50)))
    written = [visits, *data.draw(st.lists(numbers, min_size=size - 1, max_size=size - 1))]
    snapshot = unflatten(written, algorithm, rows, cols)
    assert flatten(snapshot, algorithm) == written
    assert (snapshot.visits, type(snapshot.visits)) == (int(visits), int)
    shape = {PerNode: 1, PerRow: rows, PerCol: cols, PerCell: rows}
    for field, kind in {**NODE_FIELDS, **fields(algorithm)}.items():
        value = getattr(snapshot, field)
        assert (1 if kind is PerNode else len(value)) == shape[kind]


@every_algorithm
@deterministic
@given(data=st.data())
def test_a_snapshot_of_a_search_comes_back_from_its_numbers(name: str, data: st.DataObject) -> None:
    algorithm = ALGORITHMS.make(name)
    for snapshot in data.draw(searched_apart(name)):
        written = flatten(snapshot, algorithm)
        assert len(written) == flat_size(algorithm, snapshot.rows, snapshot.cols)
        assert unflatten(written, algorithm, snapshot.rows, snapshot.cols) == snapshot


@every_algorithm
def test_an_empty_snapshot_is_all_zeros_and_leaves_every_action_open(name: str) -> None:
    algorithm = ALGORITHMS.make(name)
    empty = empty_snapshot(algorithm, 2, 4)
    assert (empty.rows, empty.cols) == (2, 4)
    assert flatten(empty, algorithm) == [0.0] * flat_size(algorithm, 2, 4)
    row, col = algorithm.strategies(empty)
    assert (sum(row), sum(col)) == (1.0, 1.0)
    assert (len(row), len(col)) == (2, 4)


# ---------------------------------------------------------------------------------------------- a snapshot as a value
def test_a_copy_shares_nothing_with_its_original() -> None:
    snapshot = grown("exp3", "biased_rps", 1, 25)
    copy, before = snapshot.copy(), flatten(snapshot, ALGORITHMS.make("exp3"))
    assert copy == snapshot
    copy.cell_visits[0][0] += 1.0
    copy.row_sums[0] += 1.0
    copy.visits += 1
    assert flatten(snapshot, ALGORITHMS.make("exp3")) == before
    assert copy != snapshot


def test_a_snapshot_is_equal_to_one_of_the_same_numbers_only() -> None:
    assert Snapshot(rows=1, a=[1.0]) == Snapshot(rows=1, a=[1.0])
    assert Snapshot(rows=1, a=[1.0]) != Snapshot(rows=1, a=[2.0])
    assert Snapshot(rows=1, a=[1.0]) != Snapshot(rows=1, b=[1.0])
    assert Snapshot(rows=1) != {"rows": 1}
    with pytest.raises(TypeError, match="unhashable"):
        hash(Snapshot(rows=1))


def test_a_snapshot_shows_its_numbers_and_comes_back_from_pickling() -> None:
    snapshot = Snapshot(rows=1, cols=2, row_gains=[0.5])
    assert repr(snapshot) == "Snapshot(rows=1, cols=2, row_gains=[0.5])"
    assert pickle.loads(pickle.dumps(snapshot)) == snapshot


def test_a_statistic_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = Snapshot(rows=1, cols=2, row_gains=[0.5]).row_totals
    assert str(caught.value) == "the snapshot has no statistic 'row_totals'; it has rows, cols, row_gains"


def test_a_statistic_of_any_shape_is_added_and_cleared() -> None:
    into, other = Snapshot(a=1.0, b=[1.0, 2.0], c=[[1.0], [2.0]]), Snapshot(a=10.0, b=[10.0, 20.0], c=[[10.0], [20.0]])
    for name in "abc":
        add_field(into, other, name)
    assert into == Snapshot(a=11.0, b=[11.0, 22.0], c=[[11.0], [22.0]])
    assert other == Snapshot(a=10.0, b=[10.0, 20.0], c=[[10.0], [20.0]])
    for name in "abc":
        clear_field(into, name)
    assert into == Snapshot(a=0.0, b=[0.0, 0.0], c=[[0.0], [0.0]])


def test_statistics_of_positions_of_different_shapes_are_not_added() -> None:
    with pytest.raises(ValueError, match="shorter"):
        add_field(Snapshot(a=[1.0, 2.0]), Snapshot(a=[1.0]), "a")


# ---------------------------------------------------------------------------------------------- merging
@every_algorithm
@deterministic
@given(data=st.data())
def test_visits_values_and_cells_of_merged_searches_are_sums(name: str, data: st.DataObject) -> None:
    parts = data.draw(searched_apart(name, at_least=1))
    merged = merge(parts, ALGORITHMS.make(name))
    assert (merged.rows, merged.cols) == (parts[0].rows, parts[0].cols)
    assert merged.visits == sum(part.visits for part in parts)
    for field in NODE_FIELDS:
        assert flat(getattr(merged, field)) == pytest.approx(totals(parts, field), rel=1e-12)


@every_algorithm
@deterministic
@given(data=st.data())
def test_the_order_of_merged_searches_does_not_change_the_strategies(name: str, data: st.DataObject) -> None:
    parts = data.draw(searched_apart(name))
    others = data.draw(st.permutations(parts))
    algorithm = ALGORITHMS.make(name)
    one, other = merge(parts, algorithm), merge(others, algorithm)
    assert strategies(one, name) == pytest.approx(strategies(other, name), abs=1e-9)


@every_algorithm
@deterministic
@given(data=st.data())
def test_searches_merged_one_by_one_or_in_groups_have_the_same_strategies(name: str, data: st.DataObject) -> None:
    parts = data.draw(searched_apart(name, at_least=3))
    algorithm = ALGORITHMS.make(name)
    at_once = strategies(merge(parts, algorithm), name)
    from_the_left = merge([merge(parts[:2], algorithm), *parts[2:]], algorithm)
    from_the_right = merge([parts[0], merge(parts[1:], algorithm)], algorithm)
    assert strategies(from_the_left, name) == pytest.approx(at_once, abs=1e-9)
    assert strategies(from_the_right, name) == pytest.approx(at_once, abs=1e-9)


@every_algorithm
@deterministic
@given(data=st.data())
def test_merging_changes_none_of_the_searches(name: str, data: st.DataObject) -> None:
    parts = data.draw(searched_apart(name, at_least=1))
    before = [part.copy() for part in parts]
    merged = merge(parts, ALGORITHMS.make(name))
    assert parts == before
    merged.cell_visits[0][0] += 1.0
    assert parts == before


@every_algorithm
def test_one_search_merged_is_that_search(name: str) -> None:
    alone = grown(name, "goofspiel:cards=3", 3, 25)
    assert merge([alone], ALGORITHMS.make(name)) == alone


@every_algorithm
def test_a_search_that_saw_nothing_adds_nothing(name: str) -> None:
    algorithm, alone = ALGORITHMS.make(name), grown(name, "goofspiel:cards=3", 3, 60)
    nothing = empty_snapshot(algorithm, 3, 3)
    for parts in ([alone, nothing], [nothing, alone]):
        assert strategies(merge(parts, algorithm), name) == pytest.approx(strategies(alone, name), abs=1e-9)


@every_algorithm
def test_a_search_merged_with_itself_keeps_its_strategies(name: str) -> None:
    alone = grown(name, "goofspiel:cards=3", 4, 60)
    assert strategies(merge([alone, alone], ALGORITHMS.make(name)), name) == pytest.approx(
        strategies(alone, name), abs=1e-9
    )


def test_means_merge_as_means_weighted_by_their_visits() -> None:
    common = {"visits": 4, "row_value": 2.0, "col_value": 2.0, "rows": 2, "cols": 1}
    cells = {"cell_visits": [[3.0], [1.0]], "cell_row_values": [[1.5], [0.5]], "cell_col_values": [[1.5], [0.5]]}
    col = {"col_visits": [0.0], "col_means": [0.0], "col_tries": [0.0], "col_spreads": [0.0]}
    parts = [
        Snapshot(**common, **cells, **col, row_visits=visits, row_means=means, row_tries=visits, row_spreads=[1.0, 1.0])
        for visits, means in (([3.0, 1.0], [0.2, 0.9]), ([1.0, 0.0], [0.6, 0.0]), ([4.0, 3.0], [0.5, 0.1]))
    ]
    merged = merge(parts, UCB())
    assert merged.row_visits == merged.row_tries == [8.0, 4.0]
    assert merged.row_means == pytest.approx([(3 * 0.2 + 0.6 + 4 * 0.5) / 8, (0.9 + 3 * 0.1) / 4])
    assert merged.col_means == [0.0]


@pytest.mark.parametrize("start", GAMES[1:3])
def test_merged_means_are_those_of_all_playouts_together(start: str) -> None:
    merged = merge([grown("ucb", start, seed, iterations) for seed, iterations in ((1, 25), (2, 60), (3, 12))], UCB())
    for visits, means, cells in (
        (merged.row_visits, merged.row_means, merged.cell_row_values),
        (merged.col_visits, merged.col_means, [list(column) for column in zip(*merged.cell_col_values, strict=True)]),
    ):
        assert sum(visits) == merged.visits == 97
        assert min(means) < max(means)
        assert [mean * count for mean, count in zip(means, visits, strict=True)] == pytest.approx([sum(c) for c in cells])


@pytest.mark.parametrize("name", ["exp3", "exp3p", "regret_matching"])
def test_average_policies_merge_as_averages_over_all_playouts(name: str) -> None:
    parts = [grown(name, "goofspiel:cards=3", seed, iterations) for seed, iterations in ((1, 25), (2, 60))]
    short, long = (ALGORITHMS.make(name).strategies(part)[0] for part in parts)
    row, _ = ALGORITHMS.make(name).strategies(merge(parts, ALGORITHMS.make(name)))
    assert short != pytest.approx(long, abs=1e-3)
    assert row == pytest.approx([(25 * a + 60 * b) / 85 for a, b in zip(short, long, strict=True)])


def test_the_statistics_of_an_algorithm_that_cannot_merge_are_summed() -> None:
    size = flat_size(Declared(), 2, 3)
    one, other = unflatten(range(size), Declared(), 2, 3), unflatten(range(100, 100 + size), Declared(), 2, 3)
    assert flatten(merge([one, other, other], Declared()), Declared()) == [200 + 3 * k for k in range(size)]


def test_an_algorithm_merges_its_own_before_the_visits_are_added() -> None:
    seen: list[tuple[int, int]] = []

    class Watching(Declared):
        def merge(self, into: Snapshot, other: Snapshot) -> None:
            seen.append((into.visits, other.visits))

    parts = [unflatten([float(visits)] * flat_size(Watching(), 1, 1), Watching(), 1, 1) for visits in (3, 4, 5)]
    merged = merge(parts, Watching())
    assert seen == [(3, 4), (7, 5)]
    assert (merged.visits, merged.one) == (12, 3.0)
