"""What is made of peers: matches at equal time, exploitability at equal time, tables and targets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from parallel_mcts import BudgetError, ParameterError, UnknownName, game, run_match, solve
from parallel_mcts.agents.mcts import Mcts
from parallel_mcts.bench.peers import comparison as comparisons
from parallel_mcts.bench.peers.base import PeerAgent
from parallel_mcts.bench.peers.comparison import Comparison, Request, compare
from parallel_mcts.bench.peers.exploitability import Exploitability, OurSearch, gap_of, measured, stops
from parallel_mcts.bench.peers.open_spiel_cfr import FORMS, SOLVERS, simultaneous
from parallel_mcts.bench.peers.speed import COMPILED, INTERPRETED, MIXED, Speed, speeds
from parallel_mcts.bench.peers.strength import Clocked, Plan, Strength, matches, random_opening
from parallel_mcts.state import labels


class FirstMove:
    """Always the first move, and notes what it was told."""

    def __init__(self, log: list[list[int]]) -> None:
        self.log = log
        log.append([])

    def follow(self, number: int) -> None:
        self.log[-1].append(number)

    def think(self) -> int:
        return 0


class Hopeless(FirstMove):
    """A move that nobody has."""

    def think(self) -> int:
        return 1000


@dataclass(frozen=True)
class Stub:
    """A peer that is always there."""

    mind_class: Any = FirstMove
    log: Any = None
    name: str = "stub"
    title: str = "stub"
    module: str = "json"
    in_python: bool = True

    def run(self, game: str) -> Any:
        return lambda count: sum(range(count))

    def mind(self, game: str, seconds: float, seed: int) -> Any:
        return self.mind_class(self.log if self.log is not None else [])


QUICK = Plan(games=4, seconds=0.002, seed=3, ours=Mcts(engine="python", reuse=False))


# ---------------------------------------------------------------------------------------------- strength
def test_both_games_of_a_pair_begin_with_the_same_moves_and_sides_are_swapped() -> None:
    log: list[list[int]] = []
    *_, last = matches("tictactoe", Stub(log=log), QUICK)
    openings = [tuple(told[:2]) for told in log]
    assert openings[0] == openings[1]
    assert openings[2] == openings[3]
    assert openings[0] != openings[2]
    assert last.games == 4
    assert len(last.seeds) == 2
    assert (last.engine, last.backend, last.workers) == ("python", "single", 1)
    # who moves third, after the opening, is the one who began: ours in the first game, the peer in the second
    assert [told[2] == 0 for told in log][1::2] == [True, True]


def test_every_game_counts_once_and_the_score_is_ours() -> None:
    standings = list(matches("connect_four", Stub(), replace(QUICK, seconds=0.01)))
    assert [standing.games for standing in standings] == [1, 2, 3, 4]
    assert standings[-1].wins == 4  # against somebody who stacks the first column
    assert standings[-1].score == 1.0
    low, high = standings[-1].interval
    assert 0.4 < low < 0.6
    assert high == pytest.approx(1.0)
    assert standings[-1].own_seconds >= 0.0095 > standings[-1].peer_seconds


def test_a_peer_that_fails_is_told_and_its_game_does_not_count() -> None:
    (standing,) = matches("tictactoe", Stub(Hopeless), QUICK)
    assert standing.games == 0
    assert "stub" in standing.trouble
    assert "IndexError" in standing.trouble


def test_openings_are_repeatable_and_do_not_end_the_game() -> None:
    start = game("tictactoe")
    assert random_opening(start, 5) == random_opening(start, 5)
    assert len({random_opening(start, seed) for seed in range(20)}) > 10
    assert len(random_opening(start, 1, plies=9)) < 9


def test_a_clocked_player_makes_its_opening_and_times_what_comes_after() -> None:
    start, ticks = game("tictactoe"), iter(range(1000))
    opening = random_opening(start, 2)
    players = [Clocked(PeerAgent(Stub(), "tictactoe", 1.0), opening, clock=lambda: next(ticks)) for _ in range(2)]
    results, _ = run_match(start, *players, seed=1)
    assert results.moves[:2] == opening
    choices = sum(len(names) > 1 for names in _choices(start, results.moves[2:], opening))
    assert sum(player.choices for player in players) == choices
    told = 2 * len(results.moves[2:])
    assert sum(player.spent for player in players) == choices + told  # each takes one tick


def _choices(start: Any, moves: Sequence[Any], opening: Sequence[Any]) -> list[Any]:
    """What the player to move could do at each move after the opening."""
    state, found = start, []
    for k, move in enumerate([*opening, *moves]):
        row, col = labels(state)
        if k >= len(opening):
            found.append(row if len(col) == 1 and move.col == "-" else col)
        state = state.play(row.index(move.row), col.index(move.col))
    return found


# ---------------------------------------------------------------------------------------------- exploitability
def test_equilibria_are_not_exploitable_and_other_strategies_are_as_a_search_says() -> None:
    start = game("goofspiel:cards=4")
    solved = solve(start)
    assert gap_of(solved, list(solved.row), list(solved.col)) == pytest.approx(0.0, abs=1e-9)
    from parallel_mcts import search

    result = search(start, iterations=200, seed=1, engine="python")
    assert gap_of(solved, list(result.row), list(result.col)) == pytest.approx(result.exploitability(solved))
    assert gap_of(solved, [1.0, 0.0, 0.0, 0.0], [0.25] * 4) > 0.1
    unequal = solve(game("goofspiel:row_hand=2-3-4,col_hand=1-3-4,prizes=3-2-1"))
    assert gap_of(unequal, list(unequal.row), list(unequal.col)) == pytest.approx(0.0, abs=1e-9)


class Worker:
    """Half a second an iteration, on a clock of its own."""

    def __init__(self) -> None:
        self.now, self.asked = 0.0, list[float]()

    def run(self, seconds: float) -> int:
        self.asked.append(seconds)
        count = int(-(-seconds // 0.5))
        self.now += count * 0.5
        return count


def test_a_run_is_read_at_each_time_and_what_reading_takes_does_not_count() -> None:
    work, read = Worker(), []
    for count in stops(work, [1.2, 2.0, 3.0], clock=lambda: work.now):  # type: ignore[arg-type]
        read.append(count)
        work.now += 100.0
    assert read == [3, 4, 6]
    assert work.asked == pytest.approx([1.2, 0.5, 1.0])


@pytest.mark.parametrize("name", FORMS)
def test_open_spiels_matrix_at_the_root_is_ours(name: str) -> None:
    """Ten steps of CFR and the exact solution agree on who may do what; at the end of any line payoffs agree."""
    pytest.importorskip("pyspiel")
    start, theirs = game(FORMS[name].ours), simultaneous(name).new_initial_state()
    row, col = labels(start)
    offset = 1 if name.startswith("goofspiel") else 0
    assert [action + offset for action in theirs.legal_actions(0)] == row
    assert [action + offset for action in theirs.legal_actions(1)] == col
    run = SOLVERS["cfr_plus"].open(name, 1)
    run.run(0.0)
    assert [len(strategy) for strategy in run.strategies()] == [len(row), len(col)]


def test_cfr_plus_and_both_samplers_come_close_to_the_exact_solution() -> None:
    pytest.importorskip("pyspiel")
    for solver in SOLVERS.values():
        first, last = measured("goofspiel_4", solver, seconds=[0.002, 0.25], seeds=[1, 2])
        assert last.mean < first.mean
        assert last.mean < 0.05, solver.title
        assert len(last.values) == (2 if solver.samples else 1)
        assert last.iterations[0] > first.iterations[0]


def test_a_search_of_ours_is_measured_like_the_others() -> None:
    (found,) = measured("goofspiel_4", OurSearch("regret_matching"), seconds=[0.1], seeds=[1, 2])
    assert found.mean < 0.02
    assert found.candidate == "parallel_mcts regret_matching"
    assert min(found.iterations) > 1000


def test_times_must_be_above_zero() -> None:
    with pytest.raises(ParameterError, match="give one time or more, above 0"):
        measured("goofspiel_4", SOLVERS["cfr"], seconds=[0.0], seeds=[1])


# ---------------------------------------------------------------------------------------------- speed
def test_speeds_are_compared_in_one_run() -> None:
    found = {row.candidate: row for row in speeds("tictactoe", [Stub()], seconds=0.01, rounds=2)}
    assert list(found) == [COMPILED, MIXED, INTERPRETED, "stub"]
    assert found[COMPILED].ratios[COMPILED] == 1.0
    assert found["stub"].ratios[COMPILED] < 1  # adding numbers up is quicker than searching
    assert [row.in_python for row in found.values()] == [False, True, True, True]


# ---------------------------------------------------------------------------------------------- requests, targets
@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"parts": ["sped"]}, UnknownName, "unknown part 'sped' .did you mean 'speed'"),
        ({"games": ["chess"]}, UnknownName, "unknown game to compare on 'chess'; choose from: connect_four, "),
        (
            {"parts": ["speed"], "games": ["goofspiel_5"]},
            UnknownName,
            "choose from: connect_four, gomoku, kalah, tictactoe",
        ),
        ({"against": ["multimct"]}, UnknownName, "unknown peer 'multimct' .did you mean 'multimcts'"),
        ({"rounds": 0}, ParameterError, "rounds is 0"),
        ({"seeds": 0}, ParameterError, "seeds is 0"),
        ({"round_seconds": 0.0}, ParameterError, "round_seconds is 0.0"),
        ({"times": ()}, ParameterError, "give one time or more"),
        ({"workers": 0}, ParameterError, "workers is 0"),
        ({"plan": Plan(games=3)}, ParameterError, "games is 3; it must be an even number"),
        ({"plan": Plan(seconds=-1.0)}, BudgetError, "seconds is -1.0"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        compare(Request(**changes), Comparison())


def test_what_is_not_installed_is_noted_and_the_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Stub(name="absent", title="Absent", module="a_package_that_does_not_exist")
    monkeypatch.setattr(comparisons, "PEERS", {"absent": absent, "stub": Stub()})
    found, heard = Comparison(), list[str]()
    compare(Request(parts=["strength"], games=["tictactoe"], plan=replace(QUICK, games=2)), found, heard.append)
    assert found.missing == {"Absent": "a_package_that_does_not_exist is not installed: pip install 'parallel-mcts[bench]'"}
    assert [(row.peer, row.games) for row in found.strength] == [("stub", 2)]
    assert heard[0] == "tictactoe against stub: 2 games of 0.002 s a move"
    assert heard[-2] == "tictactoe against stub: 2 of 2 games"


def test_peers_of_one_kind_do_not_set_the_other_parts_to_work() -> None:
    found = Comparison()
    compare(Request(parts=["speed", "strength"], against=["cfr"]), found)
    assert (found.speed, found.strength) == ([], [])


def strength(game: str, peer: str, wins: int, draws: int, losses: int) -> Strength:
    return Strength(game, peer, "compiled", "UCB(c=0.7)", "single", 1, 0.2, wins, draws, losses)


def filled() -> Comparison:
    """A comparison with made-up figures."""
    found = Comparison(command="parallel-mcts bench peers", date="2000-01-01 00:00", machine="a machine")
    for name, rate, python in (
        (COMPILED, 9.0, False),
        (MIXED, 6.0, True),
        (INTERPRETED, 3.0, True),
        ("C++", 4.0, False),
        ("Python", 5.0, True),
    ):
        found.speed.append(
            Speed("kalah", name, rate, 0.1, {COMPILED: 9 / rate, MIXED: 6 / rate, INTERPRETED: 3 / rate}, python, 0.02)
        )
    found.strength = [
        strength("connect_four", "OpenSpiel C++", 7, 0, 3),
        strength("kalah", "OpenSpiel C++", 6, 0, 4),
        strength("gomoku", "mctspy", 5, 0, 5),
        replace(strength("gomoku", "OpenSpiel C++", 9, 0, 1), algorithm="gomoku"),
        strength("tictactoe", "mctspy", 0, 10, 0),
        replace(strength("kalah", "mctspy", 0, 0, 0), trouble="it broke"),
    ]
    for candidate, value in (("parallel_mcts regret_matching", 0.02), ("OpenSpiel outcome-sampling MCCFR", 0.03)):
        found.exploitability.append(Exploitability("goofspiel_5", candidate, 1.0, (value, value + 0.002), (10, 12), 0.0))
    return found


def test_targets_say_what_is_reached_and_what_is_not() -> None:
    found = {target.words: (target.found, target.reached) for target in filled().targets()}
    assert found == {
        "kalah: parallel_mcts compiled is faster than every peer": ("1.80 × Python, the nearest", True),
        "kalah: parallel_mcts mixed is faster than every peer with its games in Python": (
            "1.20 × Python, the nearest",
            True,
        ),
        "kalah: parallel_mcts interpreted is faster than every peer with its games in Python": (
            "0.60 × Python, the nearest",
            False,
        ),
        "gomoku: the engine gomoku scores 95% or more against OpenSpiel C++": ("90.0% (60% to 98%) of 10 games", False),
        "connect_four: parallel_mcts scores 75% or more against OpenSpiel C++": ("70.0% (40% to 89%) of 10 games", False),
        "kalah: parallel_mcts scores 60% or more against OpenSpiel C++": ("60.0% (31% to 83%) of 10 games", True),
        "gomoku: parallel_mcts scores more than half against mctspy": ("50.0% (24% to 76%) of 10 games", False),
        "tictactoe: parallel_mcts scores 50% or more against mctspy": ("50.0% (24% to 76%) of 10 games", True),
        "goofspiel_5: parallel_mcts regret_matching is less exploitable than MCCFR after 1 s": ("0.0210 to 0.0310", True),
    }


def test_all_figures_are_in_the_json_and_one_a_line_in_the_csv() -> None:
    told = json.loads(json.dumps(filled().to_dict()))
    assert told["strength"][0]["score"] == 0.7
    assert told["exploitability"][0]["mean"] == pytest.approx(0.021)
    assert told["exploitability"][0]["reach"] == pytest.approx(0.001)
    assert {row["foreign_load"] for row in told["speed"]} == {0.02}
    assert (told["command"], told["machine"], told["interrupted"]) == ("parallel-mcts bench peers", "a machine", False)
    head, *lines = filled().csv_rows()
    assert ("speed", "kalah", "C++", f"{COMPILED} is so many times as fast", 2.25, *lines[0][5:]) in lines
    assert head == ("part", "game", "candidate", "figure", "value", "date", "machine")
    assert ("strength", "kalah", "OpenSpiel C++", "wins", 6, "2000-01-01 00:00", "a machine") in lines
    assert (
        "exploitability",
        "goofspiel_5",
        "parallel_mcts regret_matching",
        "values",
        "0.02 0.022",
        *lines[0][5:],
    ) in lines
