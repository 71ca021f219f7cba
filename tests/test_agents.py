"""Agents one by one: that each plays legally everywhere, and does what it is for."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import (
    CheckFailed,
    IllegalAction,
    InputError,
    Move,
    MovesRanOut,
    Search,
    game,
    match,
    register,
    run_match,
)
from parallel_mcts.agents import File, First, Human, Mcts, RandomMoves
from parallel_mcts.agents.file import written
from parallel_mcts.registry import AGENTS, GAMES
from parallel_mcts.results import Strategy
from parallel_mcts.state import labels
from parallel_mcts.testing import check_agent

QUICK = {
    "mcts": "mcts:iterations=30",
    "random": "random",
    "first": "first",
}
SMALL = [
    "tictactoe",
    "nim:sticks=5",
    "goofspiel:cards=3",
    "goofspiel:cards=3,prizes=random",
    "dice:rounds=2",
    "rps",
    "chicken",
]


# ---------------------------------------------------------------------------------------------- all of them
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("agent", QUICK.values(), ids=QUICK)
def test_every_agent_plays_every_kind_of_game_to_its_end_on_either_side(agent: str, name: str) -> None:
    for agents in ((agent, "random"), ("random", agent)):
        results = run_match(name, *agents, seed=3).results
        assert results.forfeit == (), results.reason


@pytest.mark.parametrize("agent", QUICK.values(), ids=QUICK)
def test_an_agent_repeats_itself_for_the_same_seed(agent: str) -> None:
    first, again = (run_match("goofspiel:cards=4", agent, agent, seed=5).results for _ in range(2))
    assert first.moves == again.moves


def test_agents_are_values_and_print_as_they_are_written() -> None:
    assert AGENTS.make("mcts:iterations=1000,algorithm=ucb,backend=process") == Mcts(
        1000, algorithm="ucb", backend="process"
    )
    assert str(Mcts(1000, algorithm="ucb")) == "mcts:iterations=1000,algorithm=ucb"
    assert str(RandomMoves(4)) == "random:seed=4"
    assert [str(First()), str(Human()), str(File("a.txt"))] == ["first", "human", "file:path=a.txt"]
    assert AGENTS.make(str(Mcts(seconds=0.5, pick="best"))) == Mcts(seconds=0.5, pick="best")


def test_an_agent_of_a_users_own_joins_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AGENTS, "_added", {})

    class Last:
        def __init__(self, skip: int = 0) -> None:
            self.skip = skip

        def begin(self, state: Any, player: str) -> None:
            self.column = player == "col"

        def choose(self, state: Any) -> Any:
            return labels(state)[self.column][-1 - self.skip]

    register("agent", "last", Last)
    assert run_match("goofspiel:cards=3", "last", "first").results.moves[0] == Move(3, 1)
    assert run_match("goofspiel:cards=3", "last:skip=1", "first").results.reason.startswith("row (")


# ---------------------------------------------------------------------------------------------- random
@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_a_seed_of_its_own_goes_before_that_of_the_match(seed: int) -> None:
    moves = {run_match("goofspiel:cards=4", RandomMoves(seed), "first", seed=k).results.moves for k in range(3)}
    assert len(moves) == 1


def test_random_moves_are_about_equally_likely() -> None:
    seat, state = RandomMoves(1).seat(0), game("rps")
    seat.begin(state, "row")
    counts = [0, 0, 0]
    for _ in range(3000):
        counts[labels(state)[0].index(seat.choose(state))] += 1
    assert all(900 < count < 1100 for count in counts)


# ---------------------------------------------------------------------------------------------- mcts
def test_mcts_wins_at_nim_wherever_that_can_be_done() -> None:
    for sticks in (5, 6, 7, 10):
        results = run_match(f"nim:sticks={sticks}", "mcts:iterations=3000", "random", seed=sticks).results
        assert results.winner == "row"


def test_mcts_does_not_lose_at_tictactoe() -> None:
    for seed in range(4):
        assert run_match("tictactoe", "mcts:iterations=800", "random", seed=seed).results.winner != "col"
        assert run_match("tictactoe", "random", "mcts:iterations=800", seed=seed).results.winner != "row"


def test_the_tree_is_kept_from_move_to_move() -> None:
    seat = Mcts(iterations=500, seed=1).seat(0)
    state = game("tictactoe")
    seat.begin(state, "row")
    choice = seat.choose(state)
    after = state.play(labels(state)[0].index(choice), 0)
    seat.told(state, Move(choice, "-"), after)
    reply = after.play(0, 0)
    seat.told(after, Move("-", labels(after)[1][0]), reply)
    seat.choose(reply)
    assert seat.result is not None
    assert seat.result.visits > 500  # those of the first search are among them
    seat.end(None, reply)
    assert seat.session is None


def test_without_reuse_each_move_is_searched_afresh() -> None:
    seat = Mcts(iterations=500, reuse=False, seed=1).seat(0)
    state = game("goofspiel:cards=4")
    seat.begin(state, "row")
    seat.choose(state)
    seat.told(state, Move(1, 1), state.play(0, 0))
    seat.choose(state.play(0, 0))
    assert seat.result is not None
    assert seat.result.visits == 500


def test_the_session_follows_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = []
    plain = Search.advance

    def advance(self: Search, *actions: Any, observation: Any = None) -> Any:
        followed.append(observation)
        return plain(self, *actions, observation=observation)

    monkeypatch.setattr(Search, "advance", advance)
    results = run_match("dice:rounds=4", "mcts:iterations=50", "first", seed=2).results
    assert results.forfeit == ()
    assert followed == [move.observation for move in results.moves[:-1]]


def test_a_move_taken_back_does_not_confuse_the_search() -> None:
    seat = Mcts(iterations=50, seed=1).seat(0)
    state = game("goofspiel:cards=4")
    seat.begin(state, "col")
    seat.choose(state)
    seat.told(state, Move(1, 1), state.play(0, 0))
    seat.taken_back(state, [Move(1, 1)])
    assert seat.choose(state) in labels(state)[1]
    assert seat.session is not None
    assert seat.session.state == state


@pytest.mark.parametrize(("pick", "drawn"), [("auto", True), ("sample", True), ("best", False)])
def test_a_mixed_strategy_is_drawn_from_or_maximised(pick: str, drawn: bool) -> None:
    seat = Mcts(iterations=2000, pick=pick, seed=1).seat(0)
    state = game("biased_rps")
    seat.begin(state, "row")
    strategy = Strategy(labels(state)[0], [0.3, 0.4, 0.3])
    picked = {seat._picked(state, strategy) for _ in range(100)}
    assert (len(picked) == 3) is drawn


def test_where_only_one_player_has_a_choice_the_best_action_is_taken_unless_told() -> None:
    state = game("tictactoe")
    strategy = Strategy(labels(state)[0], [0.2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
    seats = {pick: Mcts(iterations=1, pick=pick, seed=1).seat(0) for pick in ("auto", "sample")}
    for seat in seats.values():
        seat.begin(state, "row")
    assert {seats["auto"]._picked(state, strategy) for _ in range(50)} == {0}
    assert len({seats["sample"]._picked(state, strategy) for _ in range(50)}) > 1


def test_parameters_of_an_algorithm_inside_a_text_are_parted_by_semicolons() -> None:
    agent = AGENTS.make("mcts:iterations=20,algorithm=exp3:gamma=0.2;averages=yes,model=rollout")
    assert agent.algorithm == "exp3:gamma=0.2;averages=yes"
    seat = agent.seat(1)
    seat.begin(game("rps"), "col")
    assert seat.choose(game("rps")) in labels(game("rps"))[1]
    assert (seat.session.algorithm.gamma, seat.session.algorithm.averages) == (0.2, True)
    seat.end(None, game("rps"))


def test_a_single_move_is_not_searched_for() -> None:
    seat = Mcts(iterations=10).seat(0)
    start = game("nim:sticks=1")
    seat.begin(start, "row")
    assert seat.choose(start) == 1
    assert seat.session is None


# ---------------------------------------------------------------------------------------------- file
MOVES = """# a game that row wins

0
   1
# the last one
2
"""


def test_moves_are_read_from_a_file_comments_and_blank_lines_skipped(tmp_path: Any) -> None:
    path = tmp_path / "moves.txt"
    path.write_text(MOVES)
    results = run_match("tictactoe", File(path), File(stream=["3", "4"])).results
    assert (results.winner, [str(move) for move in results.moves]) == ("row", ["0", "3", "1", "4", "2"])


def test_a_stream_is_read_only_as_far_as_it_is_needed() -> None:
    stream = io.StringIO("0\n1\n2\nthe rest is not ours\n")
    run_match("tictactoe", File(stream=stream), File(stream=iter(["3", "4"])))
    assert stream.read() == "the rest is not ours\n"


def test_an_illegal_line_is_named_with_its_number() -> None:
    results = run_match("tictactoe", File(stream=io.StringIO(MOVES.replace("   1", "9"))), "first").results
    assert results.forfeit == ("row",)
    assert "the stream, line 4: row cannot play '9' in" in results.reason
    assert results.reason.endswith("legal: 2, 3, 4, 5, 6, 7, 8")


def test_running_out_of_moves_says_how_many_there_were() -> None:
    results = run_match("tictactoe", File(stream=["8"]), "first").results
    assert results.forfeit == ("row",)
    assert "the stream has no more moves for row after 1 of them; legal: 1, 2, 3, 4, 5, 6, 7" in results.reason
    seat = File(stream=[]).seat(0)
    seat.begin(game("rps"), "row")
    with pytest.raises(MovesRanOut):
        seat.choose(game("rps"))
    seat = File(stream=["well"]).seat(0)
    seat.begin(game("rps"), "row")
    with pytest.raises(IllegalAction, match="line 1"):
        seat.choose(game("rps"))


def test_a_file_that_is_not_there_is_an_error_of_input(tmp_path: Any) -> None:
    with pytest.raises(InputError, match="cannot read"):
        list(match("tictactoe", File(tmp_path / "absent.txt"), "first"))


def test_a_file_goes_back_when_moves_are_taken_back() -> None:
    human = Human(reads=io.StringIO("4\nundo\n0\n1\n2\n"), writes=io.StringIO())
    results = run_match("tictactoe", human, File(stream=["3", "5"])).results
    assert [str(move) for move in results.moves] == ["0", "3", "1", "5", "2"]


@settings(max_examples=30)
@given(st.sampled_from(sorted(GAMES.names())), st.integers(0, 1000))
def test_every_game_can_be_written_down_and_played_from_the_text(name: str, seed: int) -> None:
    played = run_match(name, "random", "random", seed=seed, max_moves=60).results
    lines = written(played.moves)
    again = run_match(name, File(stream=lines), File(stream=lines), seed=seed, max_moves=60).results
    assert again.moves == played.moves


# ---------------------------------------------------------------------------------------------- the kit
@pytest.mark.parametrize("agent", QUICK.values(), ids=QUICK)
def test_our_own_agents_pass_the_kit(agent: str) -> None:
    check_agent(agent)
    check_agent(agent, "dice:rounds=2", "nim:sticks=4", matches=1, seconds=60.0)


def test_the_kit_names_what_is_wrong_with_an_agent() -> None:
    class Wrong:
        def choose(self, state: Any) -> Any:
            return 9

    with pytest.raises(CheckFailed, match=r"row \(Wrong\) cannot play 9 in .*; legal: 0, 1, 2 \[Table, seed 0\]"):
        check_agent(Wrong())

    numbers = iter(range(10**6))

    class Fickle(First):
        def seat(self, seed: int) -> Any:
            return RandomMoves(next(numbers)).seat(seed)

    with pytest.raises(CheckFailed, match="with the same seed; chance must come from the seed of its seat alone"):
        check_agent(Fickle())
    check_agent(Fickle(), repeatable=False)
