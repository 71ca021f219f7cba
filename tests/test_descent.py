"""The one search: what it counts, in what order it does things, and how deep it can go."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Any, NamedTuple

import pytest

from parallel_mcts import Algorithm, PerCell, Rollout, Search, State, game, search
from parallel_mcts.algorithms.base import Action, Policies, Value
from parallel_mcts.backends.base import Job, Watch
from parallel_mcts.backends.shared_tree import SharedTree
from parallel_mcts.budget import Budget
from parallel_mcts.locks import Sharing
from parallel_mcts.registry import ALGORITHMS, GAMES
from parallel_mcts.rng import Rng
from parallel_mcts.state import observation, play, transitions
from parallel_mcts.stats import PerRow, fields, node_class

PLIES = 10_000


class Corridor(State):
    """Ten thousand moves without a choice, then a coin that shows 1."""

    left: int = PLIES

    def shape(self) -> tuple[int, int]:
        return (1, 1) if self.left else (0, 0)

    def play(self, i: int, j: int) -> Corridor:
        return Corridor(self.left - 1)

    def payoff(self) -> float:
        return 1.0


class Half(NamedTuple):
    """Knows nothing, at once."""

    value: float = 0.5

    def evaluate(self, state: Any, rng: Rng) -> float:
        return self.value


def tree_of(state: Any, algorithm: Any, iterations: int, **options: Any) -> Any:
    session = Search(state, algorithm=algorithm, seed=1, engine="python", **options)
    session.run(iterations=iterations)
    searcher: Any = session._searcher
    return searcher.tree


def test_a_game_of_ten_thousand_plies_is_searched_to_its_end() -> None:
    result = search(Corridor(), iterations=PLIES + 5, algorithm="uniform", model=Half(), seed=1)
    assert result.nodes == PLIES + 1
    assert result.row_value == pytest.approx((PLIES * 0.5 - 0.5 + 6) / (PLIES + 5))  # the end was reached six times


def test_below_the_depth_limit_positions_are_judged_and_not_expanded() -> None:
    result = search(Corridor(), iterations=50, algorithm="uniform", model=Half(0.25), seed=1, max_depth=3)
    assert result.nodes == 4
    assert result.row_value == 0.25


@pytest.mark.parametrize("name", GAMES.names())
@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
def test_every_playout_is_counted_once_at_every_node(algorithm: str, name: str) -> None:
    tree = tree_of(game(name), algorithm, 400)
    assert tree.root.visits == 400
    counted = 0
    for node in tree.walk():
        counted += 1
        below = sum(child.visits for _, child in tree.children(node))
        if node is tree.root:
            assert node.visits == below
        elif node.rows:
            assert node.visits == below + 1  # its own evaluation, and the choices made at it
    assert counted == tree.nodes


@pytest.mark.parametrize("name", GAMES.names())
def test_what_a_node_is_worth_is_what_its_playouts_were_worth(name: str) -> None:
    tree = tree_of(game(name), "uniform", 300)
    for values in ("row_value", "col_value"):
        total = sum(getattr(child, values) for _, child in tree.children(tree.root))
        assert getattr(tree.root, values) == pytest.approx(total)
    if name not in ("chicken", "prisoners_dilemma"):
        assert tree.root.row_value + tree.root.col_value == pytest.approx(300)


@pytest.mark.parametrize("name", ["dice", "goofspiel:prizes=random,cards=3", "random_tree", "mold:depth=1"])
def test_children_are_found_by_joint_action_and_then_by_observation(name: str) -> None:
    start = game(name)
    tree = tree_of(start, "uniform", 2000)
    assert any(len(tree.outcomes(tree.root, slot)) > 1 for slot in range(len(tree.root.kids)))
    for node in tree.walk():
        for (i, j, seen), child in tree.children(node):
            assert observation(child.state) == seen
            assert seen in {t.observation for t in transitions(node.state, i, j)}


def test_outcomes_are_visited_as_often_as_chance_brings_them() -> None:
    tree = tree_of(game("dice"), "uniform", 40_000)
    rolled = Counter({seen: child.visits for seen, child in tree.outcomes(tree.root, 3)})
    assert len(rolled) == 36
    expected = rolled.total() / 36
    assert all(abs(count - expected) < 6 * expected**0.5 for count in rolled.values())


class Watched(NamedTuple):
    """Looks, while it judges, at whether anybody holds a lock."""

    held: list[bool]
    trees: list[Any]

    def evaluate(self, state: Any, rng: Rng) -> float:
        self.held.extend(node.lock._is_owned() for tree in self.trees for node in tree.walk())
        return 0.5


def test_nothing_is_judged_under_a_lock() -> None:
    model = Watched([], [])
    job = Job(game("tictactoe"), ALGORITHMS.make("ucb"), model, seed=1, workers=1, max_depth=100)
    searcher = SharedTree(job, Sharing(threads=True))
    model.trees.append(searcher.tree)
    searcher.run(Budget(60), Watch())
    assert len(model.held) > 60
    assert not any(model.held)


class Taped(Algorithm):
    """Writes down what it is told."""

    tape: Any

    class Stats:
        counts: PerCell

    def select(self, node: Any, rng: Rng) -> Action:
        self.tape.append(("select", node.state, node.visits))
        return 0, 0, 1.0, 1.0

    def update(self, node: Any, action: Action, value: Value) -> None:
        self.tape.append(("update", node.state, value))

    def strategies(self, node: Any) -> Policies:
        return [1.0 / node.rows] * node.rows, [1.0 / node.cols] * node.cols


def test_a_playout_selects_on_the_way_down_and_updates_on_the_way_back() -> None:
    tape: list[Any] = []
    start = game("tictactoe")
    search(start, iterations=3, algorithm=Taped(tape), model=Half(0.75), seed=1, engine="python")
    first = start
    second = first.play(0, 0)
    third = second.play(0, 0)
    up = (0.75, 0.25)
    assert tape == [
        ("select", first, 1),
        ("update", first, up),
        ("select", first, 2),
        ("select", second, 2),
        ("update", second, up),
        ("update", first, up),
        ("select", first, 3),
        ("select", second, 3),
        ("select", third, 2),
        ("update", third, up),
        ("update", second, up),
        ("update", first, up),
    ]


class Averaging(Taped):
    """Learns means."""

    averages = True


def test_with_averages_a_node_learns_the_mean_of_its_child() -> None:
    tape: list[Any] = []
    values = iter([1.0, 0.0, 0.5])

    class Dictated(NamedTuple):
        value: float = 0.0

        def evaluate(self, state: Any, rng: Rng) -> float:
            return next(values)

    search(game("tictactoe"), iterations=3, algorithm=Averaging(tape), model=Dictated(), seed=1, engine="python")
    learnt = [entry[2][0] for entry in tape if entry[0] == "update"]
    # 1: the leaf itself. 2: the second node learns its leaf (0), the root the mean of the second node (1 and 0).
    # 3: the third node learns its leaf (0.5), the second the mean of the third (0, 0.5), the root that of the second
    #    (1, 0, and 0.25: what came back to it).
    assert learnt == pytest.approx([1.0, 0.0, 0.5, 0.5, 0.25, 1.25 / 3])


def test_general_sum_payoffs_reach_both_players() -> None:
    start = game("chicken")
    result = search(start, iterations=4000, algorithm="uniform", seed=3)
    cells = [play(start, i, j, None).payoff() for i in range(2) for j in range(2)]  # type: ignore[arg-type]
    assert result.row_value == pytest.approx(sum(c[0] for c in cells) / 4, abs=0.2)
    assert result.col_value == pytest.approx(sum(c[1] for c in cells) / 4, abs=0.2)
    assert result.row_actions[0].value == pytest.approx((6 + 2) / 2, abs=0.2)
    assert result.col_actions[1].value == pytest.approx((7 + 0) / 2, abs=0.2)


def test_a_rollout_of_many_games_is_their_mean() -> None:
    start = game("tictactoe")
    once = search(start, iterations=200, algorithm="uniform", model=Rollout(), seed=1)
    many = search(start, iterations=200, algorithm="uniform", model=Rollout(times=50), seed=1)
    assert once.row_value == pytest.approx(many.row_value, abs=0.1)
    node = Search(start, algorithm="uniform", model=Rollout(times=50), seed=1)
    node.run(iterations=1)
    assert (50 * (node.result().row_value or 0)) % 0.5 == 0


@pytest.mark.parametrize("algorithm", ALGORITHMS.names())
def test_unboxed_statistics_give_the_same_answer(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter without a GIL keeps numbers in arrays; nothing else may change."""
    boxed = search(game("goofspiel"), iterations=300, algorithm=algorithm, seed=1)
    monkeypatch.setattr("parallel_mcts.stats.gil_enabled", lambda: False)
    node_class.cache_clear()
    tree = tree_of(game("goofspiel"), algorithm, 300)
    node_class.cache_clear()
    stored = [getattr(tree.root, name) for name, shape in fields(tree.algorithm).items() if shape is PerRow]
    assert all(isinstance(numbers, array) for numbers in stored)
    row, col = tree.algorithm.strategies(tree.snapshot())
    assert (list(boxed.row), list(boxed.col)) == (row, col)
