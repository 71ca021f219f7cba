"""Random trees: what a seed fixes, how chance is drawn, and the solution against a solver of the tests' own."""

from __future__ import annotations

import itertools
from itertools import accumulate
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.random_tree import BITS, HEAVIEST, MASK, STEP, RandomTree, child_of, mix, random_tree

ALMOST_ONE = 1 - 2**-53  # the largest number that a generator gives
hashes, seeds = st.integers(0, MASK), st.integers(0, 2**64 - 1)
small_trees = st.builds(
    random_tree, depth=st.integers(1, 2), actions=st.integers(1, 3), transitions=st.integers(1, 3), seed=seeds
)
wide_trees = st.builds(random_tree, depth=st.just(1), actions=st.integers(1, 5), transitions=st.integers(2, 8), seed=seeds)


def joint_actions(state: RandomTree) -> list[tuple[int, int]]:
    rows, cols = state.shape()
    return list(itertools.product(range(rows), range(cols)))


def leaf_payoffs(state: RandomTree) -> list[float]:
    """The payoffs of all leaves, in the order of the tree."""
    if state.left == 0:
        return [state.payoff()]
    return [payoff for i, j in joint_actions(state) for _, after in state.outcomes(i, j) for payoff in leaf_payoffs(after)]


# ---------------------------------------------------------------------------------------------- the tree of a seed
@pytest.mark.parametrize(
    ("seed", "root", "value"),
    [
        (0, 0x03C6174C, 0.45212871722351533),
        (1, 0x1B65A6EA, 0.5607941145300719),
        (2**31, 0x13A5A821, 0.5384919098325209),
        (2**64 - 1, 0x773B4EE6, 0.4656767475834309),
    ],
)
def test_a_seed_names_one_tree_for_good(exact_value: Any, seed: int, root: int, value: float) -> None:
    # Taken down when this test was written: a result that names its seed must stay reproducible.
    tree = random_tree(seed=seed)
    assert tree == RandomTree(actions=2, transitions=2, left=3, node=root)
    assert exact_value(tree) == pytest.approx(value, abs=1e-7)


@given(seeds, st.integers(0, 63))
def test_seeds_that_differ_in_a_single_bit_name_trees_that_differ_at_every_leaf(seed: int, bit: int) -> None:
    one, other = (leaf_payoffs(random_tree(depth=2, seed=s)) for s in (seed, seed ^ 1 << bit))
    assert len(one) == len(other) == 64
    assert all(a != b for a, b in zip(one, other, strict=True))


def undone(number: int, shift: int) -> int:
    """The number of which `number ^ number >> shift` is given."""
    original = number
    for _ in range(BITS // shift + 1):
        original = number ^ original >> shift
    return original


def unmixed(number: int) -> int:
    """The number that `mix` scattered to the one given."""
    inverse = pow(0x045D9F3B, -1, MASK + 1)
    number = undone(number, 16) * inverse & MASK
    number = undone(number, 15) * inverse & MASK
    return undone(number, 16)


@given(hashes)
def test_numbers_that_differ_stay_different_when_they_are_mixed(number: int) -> None:
    assert 0 <= mix(number) <= MASK
    assert unmixed(mix(number)) == number


@given(hashes, st.integers(0, MASK - 1))
def test_a_child_tells_which_step_from_its_parent_led_to_it(node: int, step: int) -> None:
    steps_and_one = (unmixed(child_of(node, step)) - node) * pow(STEP, -1, MASK + 1) & MASK
    assert steps_and_one == step + 1


# ---------------------------------------------------------------------------------------------- rules
@given(st.integers(1, 20), st.integers(1, 4), st.integers(1, 4), seeds)
def test_both_have_the_same_actions_until_the_end_which_comes_at_the_depth(
    random_walk: Any, depth: int, actions: int, transitions: int, seed: int
) -> None:
    walk = list(random_walk(random_tree(depth, actions, transitions, seed), Random(seed)))
    assert [state.shape() for state in walk] == [(actions, actions)] * depth + [(0, 0)]
    assert all(len(state.outcomes(i, j)) == transitions for state in walk for i, j in joint_actions(state))


@given(wide_trees)
def test_every_outcome_of_every_joint_action_is_a_position_of_its_own(tree: RandomTree) -> None:
    reached = {after for i, j in joint_actions(tree) for _, after in tree.outcomes(i, j)}
    assert len(reached) == tree.actions**2 * tree.transitions


@given(wide_trees)
def test_no_outcome_is_more_likely_than_its_rivals_beyond_the_limit(tree: RandomTree) -> None:
    for i, j in joint_actions(tree):
        probabilities = [probability for probability, _ in tree.outcomes(i, j)]
        assert max(probabilities) <= HEAVIEST * min(probabilities) * (1 + 1e-12)


def test_payoffs_and_probabilities_are_spread_evenly() -> None:
    tree = random_tree(depth=1, actions=64, transitions=2, seed=3)
    payoffs = leaf_payoffs(tree)
    first_shares = [tree.outcomes(i, j)[0][0] for i, j in joint_actions(tree)]
    tenths = [sum(k <= 10 * payoff < k + 1 for payoff in payoffs) for k in range(10)]
    assert len(payoffs) == 2 * 64**2
    assert all(abs(count - 819.2) < 5 * (819.2 * 0.9) ** 0.5 for count in tenths)  # five standard deviations
    assert sum(first_shares) / len(first_shares) == pytest.approx(0.5, abs=0.02)
    assert min(first_shares) < 0.02
    assert max(first_shares) > 0.98


@given(wide_trees, st.data())
def test_one_random_number_draws_the_outcome_in_whose_share_it_falls(
    numbers: Any, tree: RandomTree, data: st.DataObject
) -> None:
    i, j = data.draw(st.sampled_from(joint_actions(tree)))
    listed = tree.outcomes(i, j)
    k = data.draw(st.integers(0, len(listed) - 1))
    below = [0.0, *accumulate(probability for probability, _ in listed)][k]
    into_its_share = data.draw(st.floats(1e-6, 1 - 1e-6))
    probability, expected = listed[k]
    assert tree.play(i, j, numbers(below + into_its_share * probability)) == expected


@given(wide_trees)
def test_the_lowest_random_number_draws_the_first_outcome_and_the_highest_the_last(numbers: Any, tree: RandomTree) -> None:
    listed = [after for _, after in tree.outcomes(0, 0)]
    assert tree.play(0, 0, numbers(0.0)) == listed[0]
    assert tree.play(0, 0, numbers(ALMOST_ONE)) == listed[-1]


# ---------------------------------------------------------------------------------------------- solution
@settings(max_examples=40)
@given(small_trees)
def test_the_solution_has_the_value_that_solving_every_position_gives(exact_value: Any, tree: RandomTree) -> None:
    solution = tree.solution()
    assert solution.row_value == pytest.approx(exact_value(tree), abs=1e-7)
    assert solution.col_value == pytest.approx(1 - exact_value(tree), abs=1e-7)


@settings(max_examples=40)
@given(small_trees)
def test_the_strategies_of_a_solution_secure_its_value_against_every_answer(exact_value: Any, tree: RandomTree) -> None:
    solution, everyone = tree.solution(), range(tree.actions)
    worth = [[sum(p * exact_value(after) for p, after in tree.outcomes(i, j)) for j in everyone] for i in everyone]
    assert sum(solution.row) == pytest.approx(1)
    assert sum(solution.col) == pytest.approx(1)
    for k in everyone:
        assert sum(solution.row[i] * worth[i][k] for i in everyone) >= solution.row_value - 1e-7
        assert sum(worth[k][j] * solution.col[j] for j in everyone) <= solution.row_value + 1e-7


@given(hashes)
def test_the_solution_of_a_leaf_is_its_payoff(node: int) -> None:
    leaf = RandomTree(2, 2, 0, node)
    assert 0 <= leaf.payoff() <= 1
    assert leaf.solution() == ((), (), leaf.payoff(), 1 - leaf.payoff())


def test_a_position_says_where_it_is_and_how_far_the_end_or_what_it_pays() -> None:
    assert str(random_tree(depth=3, seed=0)) == "node 03c6174c, joint actions to come: 3"
    leaf = RandomTree(2, 2, 0, 0x60D99EE1)
    assert str(leaf) == f"leaf 60d99ee1, payoff {leaf.payoff():.4f}"
