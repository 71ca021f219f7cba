"""The clockwork and the models of the simulation: order, sharing, and the limits that can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts import Budget, ParameterError
from parallel_mcts.bench.simulation.costs import Costs, Network
from parallel_mcts.bench.simulation.events import Desk, Loop, Processors, Turnstile
from parallel_mcts.bench.simulation.root_parallel import dealt, root_parallel, start_up
from parallel_mcts.bench.simulation.shared_tree import shared_tree

FREE = Costs(playout=1e-4)
"""Playouts cost something, everything else nothing."""
REAL = Costs(
    playout=1e-6,
    playout_spread=1e-6,
    unevenness=0.05,
    publish=5e-5,
    numbers=50,
    merge_root=5e-5,
    merge_number=2e-7,
    dispatch=3e-4,
    round_trip=5e-4,
    spawn=0.01,
    boot=0.5,
    path=8.0,
    step=5e-8,
    width=2.0,
    hand_over=1e-7,
    lines=2.0,
)
COUNTS = st.integers(1, 300)


# ---------------------------------------------------------------------------------------------- the clockwork
def test_events_happen_in_the_order_of_their_time_and_then_of_their_asking() -> None:
    loop, seen = Loop(), list[tuple[str, float]]()

    def note(name: str) -> None:
        seen.append((name, loop.now))
        if name == "a":
            loop.after(0.0, lambda: note("now"))
            loop.at(0.5, lambda: note("not in the past"))

    for time, name in ((2.0, "c"), (1.0, "a"), (1.0, "b")):
        loop.at(time, lambda name=name: note(name))  # type: ignore[misc]
    loop.run()
    assert seen == [("a", 1.0), ("b", 1.0), ("now", 1.0), ("not in the past", 1.0), ("c", 2.0)]


def test_a_turnstile_serves_one_after_the_other() -> None:
    loop, ended = Loop(), list[float]()
    door = Turnstile(loop)
    for arrival in (0.0, 0.5, 10.0):
        loop.at(arrival, lambda: door.pass_through(1.0, lambda: ended.append(loop.now)))
    loop.run()
    assert ended == [1.0, 2.0, 11.0]


def test_two_processors_are_shared_evenly_by_three_tasks() -> None:
    loop, ended = Loop(), dict[str, float]()
    processors = Processors(loop, 2)
    for name, seconds in (("short", 1.0), ("long", 2.0), ("longest", 3.0)):
        processors.compute(seconds, lambda name=name: ended.update({name: loop.now}))  # type: ignore[misc]
    loop.run()
    # at 2/3 of a processor each to 1.5; then each has one to itself
    assert ended == pytest.approx({"short": 1.5, "long": 2.5, "longest": 3.5})


def test_who_computes_until_a_time_is_told_what_that_gave() -> None:
    loop, given_to = Loop(), list[float]()
    processors = Processors(loop, 1)
    processors.compute_until(2.0, given_to.append)
    loop.at(1.0, lambda: processors.compute_until(2.0, given_to.append))
    loop.run()
    assert given_to == pytest.approx([1.5, 0.5])


def test_a_desk_does_one_task_at_a_time_and_shares_the_processor() -> None:
    loop, ended = Loop(), list[float]()
    processors = Processors(loop, 1)
    desk = Desk(processors)
    for _ in range(2):
        desk.do(1.0, lambda: ended.append(loop.now))
    processors.compute(4.0, lambda: ended.append(loop.now))
    loop.run()
    assert ended == pytest.approx([2.0, 4.0, 6.0])


@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=20), st.integers(1, 4))
def test_processors_are_neither_idle_nor_overworked(tasks: list[float], count: int) -> None:
    loop, ended = Loop(), list[float]()
    processors = Processors(loop, count)
    for seconds in tasks:
        processors.compute(seconds, lambda: ended.append(loop.now))
    loop.run()
    assert len(ended) == len(tasks)
    assert ended == sorted(ended)
    assert max(*tasks, sum(tasks) / count) - 1e-9 <= ended[-1] <= sum(tasks) + 1e-9


# ---------------------------------------------------------------------------------------------- trees merged at the root
@given(COUNTS)
def test_where_nothing_but_playouts_costs_the_speed_up_is_linear(workers: int) -> None:
    outcome = root_parallel(FREE, workers=workers, budget=Budget(iterations=1000 * workers))
    assert outcome.iterations == 1000 * workers
    assert outcome.rate == pytest.approx(workers / FREE.playout)


@given(COUNTS)
def test_on_one_processor_there_is_no_speed_up(workers: int) -> None:
    outcome = root_parallel(FREE, workers=workers, budget=Budget(iterations=1000 * workers), cores=1)
    assert outcome.rate == pytest.approx(1 / FREE.playout)
    timed = root_parallel(FREE, workers=workers, budget=Budget(seconds=2.0), cores=1)
    assert timed.iterations == pytest.approx(2.0 / FREE.playout, abs=workers)


def test_a_parent_that_merges_slowly_lets_no_more_through_than_it_can_merge() -> None:
    costs = replace(FREE, merge_root=0.01)
    rates = [root_parallel(costs, workers=n, budget=Budget(iterations=10 * n)).rate for n in (10, 1000, 10_000)]
    assert rates[0] < rates[1] < rates[2]
    assert rates[2] == pytest.approx(10 / costs.merge, rel=0.01)


def test_latency_only_shifts_the_answer() -> None:
    budget = Budget(iterations=20_000)
    near, far = (root_parallel(REAL, workers=20, budget=budget, network=Network(latency=s)) for s in (0.0, 0.25))
    assert far.iterations == near.iterations
    assert far.seconds == pytest.approx(near.seconds + 2 * 0.25)


def test_messages_queue_for_a_narrow_link() -> None:
    narrow = Network(bandwidth=REAL.message / 0.1)
    wide = root_parallel(FREE, workers=50, budget=Budget(iterations=50))
    costs = replace(FREE, numbers=REAL.numbers)
    queued = root_parallel(costs, workers=50, budget=Budget(iterations=50), network=narrow)
    assert queued.seconds == pytest.approx(wide.seconds + 50 * 0.1)


def test_with_a_time_limit_nobody_works_on_beyond_it_and_latecomers_do_less() -> None:
    costs = replace(FREE, dispatch=0.1)
    outcome = root_parallel(costs, workers=20, budget=Budget(seconds=1.0))
    assert outcome.seconds == pytest.approx(2.0)  # who is sent off after the end finds no time left
    assert outcome.iterations == pytest.approx(sum(1.0 - 0.1 * k for k in range(1, 10)) / costs.playout, abs=20)


def test_stages_help_where_one_parent_is_too_slow() -> None:
    one = root_parallel(REAL, workers=10_000, budget=Budget(seconds=1.0))
    staged = root_parallel(REAL, workers=10_000, budget=Budget(seconds=1.0), fan=16)
    assert staged.rate > 2 * one.rate
    assert staged.seconds < 1.1
    with pytest.raises(ParameterError, match="fan is 1"):
        root_parallel(REAL, workers=4, budget=Budget(seconds=1.0), fan=1)


@given(st.integers(1, 2000), st.integers(2, 40))
def test_parts_hold_every_worker_once_and_differ_by_one_at_most(workers: int, fan: int) -> None:
    parts = dealt(range(workers), fan)
    assert [k for part in parts for k in part] == list(range(workers))
    assert len(parts) == min(fan, workers)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@given(COUNTS, st.sampled_from([None, 2, 16]), st.sampled_from([None, 1, 2]))
def test_every_worker_does_its_share_and_is_merged(workers: int, fan: int | None, cores: int | None) -> None:
    budget = Budget(iterations=100 * workers + 1)
    outcome = root_parallel(REAL, workers=workers, budget=budget, fan=fan, cores=cores, seed=1)
    assert outcome.iterations == 100 * workers + 1
    assert outcome.seconds > REAL.round_trip + REAL.dispatch + REAL.merge
    assert outcome == root_parallel(REAL, workers=workers, budget=budget, fan=fan, cores=cores, seed=1)


@given(COUNTS, st.integers(1, 50), st.sampled_from(["dispatch", "merge_root", "publish", "round_trip", "playout"]))
def test_nothing_gets_quicker_by_costing_more(workers: int, more: int, name: str) -> None:
    budget = Budget(iterations=200 * workers)
    dearer = replace(REAL, **{name: getattr(REAL, name) * (1 + more)})
    rates = [root_parallel(costs, workers=workers, budget=budget, seed=2).rate for costs in (REAL, dearer)]
    assert rates[1] <= rates[0] * (1 + 1e-9)


@given(st.integers(1, 40))
def test_more_processors_never_slow_a_search_down(workers: int) -> None:
    even = replace(REAL, unevenness=0.0, playout_spread=0.0)
    seconds = [
        root_parallel(even, workers=workers, budget=Budget(iterations=500 * workers), cores=cores).seconds
        for cores in (1, 2, 4, None)
    ]
    assert all(a >= b - 1e-9 for a, b in pairwise(seconds))


def test_workers_start_one_after_the_other_and_get_ready_side_by_side() -> None:
    assert start_up(REAL, workers=100) == pytest.approx(100 * REAL.spawn + REAL.boot)
    assert start_up(REAL, workers=4, cores=1) == pytest.approx(4 * (REAL.spawn + REAL.boot))
    assert start_up(REAL, workers=1, network=Network(latency=0.2)) == pytest.approx(REAL.spawn + REAL.boot + 0.4)


def test_slow_workers_hold_up_those_who_count_iterations() -> None:
    uneven = replace(FREE, unevenness=0.3)
    even, held_up = (root_parallel(c, workers=200, budget=Budget(iterations=20_000), seed=3) for c in (FREE, uneven))
    assert held_up.seconds > 1.5 * even.seconds


@pytest.mark.parametrize("wrong", [{"latency": -1.0}, {"latency": float("inf")}, {"bandwidth": 0.0}])
def test_a_network_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))} is "):
        Network(**wrong)


# ---------------------------------------------------------------------------------------------- threads on one tree
def test_threads_that_never_meet_scale_linearly() -> None:
    outcome = shared_tree(replace(FREE, path=1.0), workers=16, seconds=10.0)
    assert outcome.rate == pytest.approx(16 / FREE.playout, rel=0.02)


def test_locks_cost_a_single_thread_what_they_cost_and_count_among_what_is_done_under_them() -> None:
    costs = Costs(playout=1e-5, path=4.0, step=1e-6, locking=5e-7, width=3.0)
    assert shared_tree(costs, workers=1, seconds=1.0).rate == pytest.approx(1 / 1.2e-5, rel=1e-4)
    assert shared_tree(costs, workers=400, seconds=1.0).rate == pytest.approx(1 / 1.5e-6, rel=0.05)


def test_the_lock_of_the_root_is_a_limit_whatever_the_number_of_threads() -> None:
    costs = Costs(playout=1e-5, path=1.0, step=1e-6)
    rates = [shared_tree(costs, workers=n, seconds=1.0).rate for n in (2, 50, 400)]
    assert rates[0] < rates[1]
    assert rates[1] == pytest.approx(1 / costs.step, rel=0.05)
    assert rates[2] == pytest.approx(1 / costs.step, rel=0.05)


def test_lines_that_change_hands_make_two_threads_slower_than_one_where_leaves_are_cheap() -> None:
    cheap = replace(REAL, playout=5e-7, step=3e-8)
    costly = replace(REAL, playout=5e-5)
    for costs, low, high in ((cheap, 0.3, 1.0), (costly, 1.7, 2.0)):
        speed_up = shared_tree(costs, workers=2, seconds=1.0).rate * costs.playout
        assert low < speed_up < high


def test_threads_beyond_the_processors_and_those_with_an_interpreters_lock_add_nothing() -> None:
    assert shared_tree(REAL, workers=8, seconds=1.0, cores=1).rate == pytest.approx(1 / REAL.playout, rel=0.01)
    held = replace(REAL, interpreter_lock=True)
    assert shared_tree(held, workers=8, seconds=1.0).rate == pytest.approx(1 / REAL.playout, rel=0.01)
    assert shared_tree(REAL, workers=8, seconds=1.0, cores=2).rate == shared_tree(REAL, workers=2, seconds=1.0).rate


def test_the_same_seed_gives_the_same_crowd() -> None:
    assert shared_tree(REAL, workers=7, seconds=1.0, seed=4) == shared_tree(REAL, workers=7, seconds=1.0, seed=4)
    assert shared_tree(REAL, workers=7, seconds=1.0, seed=4) != shared_tree(REAL, workers=7, seconds=1.0, seed=5)
