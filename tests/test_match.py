"""Matches: what is yielded, who is asked and told, and how a match ends when an agent does not do its part."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from parallel_mcts import GameError, InputError, Move, State, game, match, run_match
from parallel_mcts.agents import First, RandomMoves, Resigned, TakeBack
from parallel_mcts.errors import BudgetError, NotPicklable, ParameterError, UnknownName
from parallel_mcts.match import Finished, Match, Played
from parallel_mcts.state import labels, show


class Clock:
    """A clock that stands still unless it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """Plays what it is given, and writes down what it is told; a function among the moves is called for one."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.heard: list[Any] = []

    def begin(self, state: Any, player: str) -> None:
        self.heard.append(("begin", state, player))

    def choose(self, state: Any) -> Any:
        self.heard.append(("choose", state))
        move = self.script.pop(0)
        if isinstance(move, BaseException):
            raise move
        return move() if callable(move) else move

    def told(self, state: Any, moves: Move, after: Any) -> None:
        self.heard.append(("told", state, moves, after))

    def end(self, results: Any, state: Any) -> None:
        self.heard.append(("end", results, state))

    def __str__(self) -> str:
        return "scripted"


ROW_WINS = (0, 1, 2), (3, 4)


# ---------------------------------------------------------------------------------------------- the course of a match
def test_a_match_yields_the_start_each_move_and_the_results() -> None:
    start, *moves, last = match("tictactoe", Scripted(0, 1, 2), Scripted(3, 4))
    assert start == game("tictactoe")
    assert [(number, str(played)) for number, played, _ in moves] == [(1, "0"), (2, "3"), (3, "1"), (4, "4"), (5, "2")]
    assert all(isinstance(event, Played) for event in moves)
    results, state = last
    assert (results.row, results.col, results.winner) == (1.0, 0.0, "row")
    assert (results["row"], results["col"], results[0], results[1]) == (1.0, 0.0, 1.0, 0.0)
    assert results.reason == "row won after 5 moves"
    assert state == moves[-1].state
    assert [move.row for move in results.moves] == [0, "-", 1, "-", 2]


def test_agents_are_told_of_the_beginning_of_each_move_and_of_the_end() -> None:
    row, col = Scripted(0, 1, 2), Scripted(3, 4)
    start, *moves, (results, final) = match("tictactoe", row, col)
    states = [start, *(event.state for event in moves)]
    told = [("told", states[k], moves[k].moves, states[k + 1]) for k in range(5)]
    assert [entry for entry in col.heard if entry[0] == "told"] == told
    assert [entry for entry in row.heard if entry[0] == "told"] == told
    assert (row.heard[0], col.heard[0]) == (("begin", start, "row"), ("begin", start, "col"))
    assert row.heard[-1] == col.heard[-1] == ("end", results, final)
    assert [entry[1] for entry in col.heard if entry[0] == "choose"] == [states[1], states[3]]


@pytest.mark.parametrize(
    "agents",
    [
        lambda a, b: (a, b),
        lambda a, b: ([a, b],),
        lambda a, b: ({"row": a, "col": b},),
        lambda a, b: ({1: b, 0: a},),
        lambda a, b: ({"column": b, "row": a},),
    ],
)
def test_agents_are_given_one_by_one_as_a_list_or_by_player(agents: Any) -> None:
    assert run_match("tictactoe", *agents(Scripted(0, 1, 2), Scripted(3, 4))).results.winner == "row"


def test_both_players_are_asked_before_simultaneous_moves_are_applied() -> None:
    row, col = Scripted("rock"), Scripted("paper")
    (results, state), start = run_match("rps", row, col), game("rps")
    assert ("choose", start) in row.heard
    assert ("choose", start) in col.heard
    assert results.moves == (Move("rock", "paper"),)
    assert results.winner == "col"
    assert (results.row, results.col) == (state.payoff(), sum(start.payoff_range) - state.payoff())


def test_a_general_sum_game_pays_each_player_its_own() -> None:
    defect = labels(game("prisoners_dilemma"))[0][1]
    results, state = run_match("prisoners_dilemma", Scripted(defect), Scripted(defect))
    assert (results.row, results.col) == state.payoff()
    assert results.winner is None


def test_chance_and_random_agents_follow_the_seed_of_the_match() -> None:
    games = [run_match("dice", "random", "random", seed=seed) for seed in (1, 1, 2, 3, 4)]
    assert games[0].results.moves == games[1].results.moves
    assert games[0].state == games[1].state
    assert len({game.results.moves for game in games}) > 1
    assert all(move.observation is not None for move in games[0].results.moves)


def test_chance_does_not_depend_on_who_plays() -> None:
    by_first = run_match("dice:rounds=3", "first", "first", seed=5).results
    by_copy = run_match("dice:rounds=3", Scripted(*[m.row for m in by_first.moves]), "first", seed=5).results
    assert by_copy.moves == by_first.moves


def test_the_seed_is_recorded_and_a_fresh_one_is_made() -> None:
    assert run_match("tictactoe", "first", "first", seed=7).results.seed == 7
    played = run_match("tictactoe", "random", "random").results
    assert run_match("tictactoe", "random", "random", seed=played.seed).results.moves == played.moves


def test_one_agent_object_on_both_sides_keeps_its_sides_apart() -> None:
    class Player:
        player = ""

        def begin(self, state: Any, player: str) -> None:
            self.player = player

        def choose(self, state: Any) -> Any:
            return labels(state)[self.player == "col"][0]

    agent = Player()
    moves = run_match("tictactoe", agent, agent).results.moves
    assert moves == run_match("tictactoe", "first", "first").results.moves


def test_an_agent_needs_nothing_but_choose() -> None:
    class Mute:
        def choose(self, state: Any) -> Any:
            return labels(state)[0][0]

    assert run_match("tictactoe", Mute(), "first").results.forfeit == ()


def test_a_match_that_is_left_early_still_tells_its_agents() -> None:
    row = Scripted(0, 1, 2)
    events = match("tictactoe", row, "first")
    next(events), next(events)
    events.close()
    assert row.heard[-1][:2] == ("end", None)


def test_a_match_without_an_end_is_a_draw_after_so_many_moves() -> None:
    class Endless(State):
        turns: int = 0

        def shape(self) -> tuple[int, int]:
            return 2, 1

        def play(self, i: int, j: int) -> Endless:
            return Endless(self.turns + 1)

        def payoff(self) -> float:
            return 1.0

    results, state = run_match(Endless(), "first", "first", max_moves=12)
    assert (results.row, results.col, results.winner, state.turns) == (0.5, 0.5, None, 12)
    assert results.reason == "a draw: not over after 12 moves"


def test_a_game_that_raises_is_named_with_move_and_position() -> None:
    class Broken(State):
        turns: int = 0

        def shape(self) -> tuple[int, int]:
            return 2, 2

        def play(self, i: int, j: int) -> Broken:
            raise ZeroDivisionError("no such square")

        def payoff(self) -> float:
            return 0.5

    row = Scripted(1)
    with pytest.raises(
        GameError, match=r"Broken raised ZeroDivisionError: no such square at \(1, 0\) in Broken\(turns=0\)"
    ):
        run_match(Broken(), row, "first")
    assert row.heard[-1][0] == "end"


# ---------------------------------------------------------------------------------------------- losing otherwise
def test_an_illegal_move_loses_with_a_message_that_names_it() -> None:
    results, state = run_match("tictactoe", Scripted(4), Scripted(4))
    assert (results.winner, results.row, results.col, results.forfeit) == ("row", 1.0, 0.0, ("col",))
    assert results.reason == f"col (scripted) cannot play 4 in {show(state)}; legal: 0, 1, 2, 3, 5, 6, 7, 8"
    assert str(state).split()[4] == "X"


def test_an_agent_that_raises_loses_with_its_error_named() -> None:
    results = run_match("tictactoe", Scripted(RuntimeError("out of ideas")), "first").results
    assert (results.winner, results.forfeit) == ("col", ("row",))
    assert results.reason == "row (scripted) failed in choose: RuntimeError: out of ideas"


def test_an_agent_that_would_end_the_program_only_loses() -> None:
    for seconds in (None, 60.0):
        results = run_match("tictactoe", Scripted(SystemExit(3)), "first", seconds=seconds).results
        assert results.reason == "row (scripted) failed in choose: SystemExit: 3"


def test_an_agent_that_fails_at_the_beginning_loses_after_the_start_was_shown() -> None:
    class Unready(Scripted):
        def begin(self, state: Any, player: str) -> None:
            raise OSError("no licence")

    start, last = match("tictactoe", "first", Unready())
    assert start == game("tictactoe")
    assert last.results.reason == "col (scripted) failed in begin: OSError: no licence"
    assert last.results.winner == "row"


def test_an_agent_that_gives_up_loses() -> None:
    results = run_match("tictactoe", "first", Scripted(Resigned("it is late"))).results
    assert (results.winner, results.reason) == ("row", "col (scripted) gave up (it is late)")


def test_two_who_go_wrong_at_once_share_the_result() -> None:
    results = run_match("rps", Scripted("lizard"), Scripted("spock")).results
    assert (results.winner, results.forfeit) == (None, ("row", "col"))
    assert "row (scripted) cannot play 'lizard'" in results.reason
    assert "col (scripted) cannot play 'spock'" in results.reason


@pytest.mark.parametrize(("limit", "winner"), [(2.0, "col"), ({"row": 2.0}, "col"), ({1: 2.0}, "row"), ([4.0, 2.0], "row")])
def test_who_exceeds_the_time_limit_loses(limit: Any, winner: str) -> None:
    clock = Clock()

    def slowly() -> int:
        clock.now += 3.0
        return 0

    results = run_match("tictactoe", Scripted(slowly, 1, 2), Scripted(3, 4), seconds=limit, clock=clock).results
    assert results.winner == winner
    if winner == "col":
        assert results.reason == "row (scripted) took 3 s over a move; the limit is 2 s"
    assert results.seconds == (3.0, 0.0)


@pytest.fixture
def blocked() -> Iterator[Any]:
    """A move that does not come before the test is over."""
    gate = threading.Event()
    yield gate.wait
    gate.set()


def test_a_stuck_agent_cannot_hang_the_match_and_is_let_go_of_when_it_wakes() -> None:
    gate, ended = threading.Event(), threading.Event()

    class Sleeper:
        def choose(self, state: Any) -> Any:
            gate.wait()

        def end(self, results: Any, state: Any) -> None:
            ended.set()

        def __str__(self) -> str:
            return "sleeper"

    results = run_match("tictactoe", Sleeper(), "first", seconds=0.05).results
    assert (results.winner, results.forfeit) == ("col", ("row",))
    assert results.reason == "row (sleeper) hung in choose: no answer after 0.05 s"
    assert not ended.is_set()
    gate.set()
    assert ended.wait(20)


def test_the_other_player_may_take_its_time_where_only_one_is_limited(blocked: Any) -> None:
    clock = Clock()

    def slowly() -> int:
        clock.now += 1e6
        return 3

    results = run_match("tictactoe", Scripted(0, blocked), Scripted(slowly), seconds={"row": 0.05}, clock=clock).results
    assert results.forfeit == ("row",)
    assert len(results.moves) == 2


def test_an_agent_in_a_process_of_its_own_plays_the_same_match() -> None:
    here = run_match("goofspiel:cards=4", "random", "mcts:iterations=50", seed=3).results
    there = run_match("goofspiel:cards=4", "random", "mcts:iterations=50", seed=3, isolation="process").results
    assert there.moves == here.moves
    assert there.reason == here.reason


class Hangs:
    """Never moves."""

    def choose(self, state: Any) -> Any:
        threading.Event().wait()


class Dies:
    """Takes its whole process with it."""

    def choose(self, state: Any) -> Any:
        import os

        os._exit(3)


def test_a_process_that_hangs_is_ended_and_loses() -> None:
    results = run_match("tictactoe", "first", Hangs(), seconds={"col": 0.2}, isolation="process").results
    assert results.forfeit == ("col",)
    assert "hung in choose: no answer after 0.2 s" in results.reason


def test_a_process_that_dies_loses() -> None:
    results = run_match("tictactoe", Dies(), "first", isolation="process").results
    assert results.forfeit == ("row",)
    assert "its process died" in results.reason


def test_an_agent_that_cannot_travel_is_refused() -> None:
    agent = Scripted(threading.Lock())
    with pytest.raises(NotPicklable, match="cannot be sent to another process"):
        run_match("tictactoe", "first", agent, isolation="process")


# ---------------------------------------------------------------------------------------------- taking moves back
def test_a_move_taken_back_returns_to_where_its_player_last_decided() -> None:
    row, col = Scripted(0, TakeBack(), 4, 1, 7), Scripted(3, 3, 2)
    events = list(match("tictactoe", row, col))
    back = events[3]
    assert (back.number, back.moves, back.state) == (0, None, game("tictactoe"))
    assert [str(event.moves) for event in events[4:-1]] == ["4", "3", "1", "2", "7"]
    assert [str(move) for move in events[-1].results.moves] == ["4", "3", "1", "2", "7"]
    # an agent that knows nothing of undo begins again, where the match now is
    assert [entry[1] for entry in col.heard if entry[0] == "begin"] == [game("tictactoe")] * 2


def test_an_agent_that_knows_of_undo_is_told_what_was_not_played() -> None:
    class Careful(Scripted):
        def taken_back(self, state: Any, moves: Any) -> None:
            self.heard.append(("taken_back", state, [str(move) for move in moves]))

    col = Careful(3, 3, 2)
    run_match("tictactoe", Scripted(0, TakeBack(), 4, 1, 7), col)
    assert ("taken_back", game("tictactoe"), ["0", "3"]) in col.heard
    assert [entry[0] for entry in col.heard].count("begin") == 1


@pytest.mark.parametrize(("undo", "script"), [(True, (TakeBack(),)), (False, (0, TakeBack()))])
def test_a_move_cannot_be_taken_back_where_there_is_none_or_it_is_not_allowed(undo: bool, script: Any) -> None:
    results = run_match("tictactoe", Scripted(*script), Scripted(3), undo=undo).results
    assert results.reason == "row (scripted) wanted a move back, which cannot be done here"


# ---------------------------------------------------------------------------------------------- transcripts
@pytest.mark.parametrize("name", ["tictactoe", "goofspiel:cards=5", "nim", "dice:rounds=4", "rps"])
def test_a_transcript_replays_the_match_from_either_side(name: str, tmp_path: Any) -> None:
    played, final = run_match(name, "random", "random", seed=11)
    path = tmp_path / "match.txt"
    path.write_text(played.transcript(name))
    for agents in ((f"file:path={path}",) * 2, (f"file:path={path}", "random"), ("random", f"file:path={path}")):
        replayed, end = run_match(name, *agents, seed=11)
        assert replayed.moves == played.moves
        assert end == final


def test_a_transcript_says_what_was_played_by_whom_and_how_it_ended() -> None:
    results = run_match("rps", First(), RandomMoves(3), seed=1).results
    row, col = results.moves[0].row, results.moves[0].col
    assert results.transcript("rps").splitlines() == [
        *("# game: rps", "# row: first", "# col: random:seed=3", "# seed: 1"),
        *(f"row: {row}", f"col: {col}"),
        f"# {results.reason}: {results.row:g} to {results.col:g}",
    ]


# ---------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("agents", "options", "error", "message"),
    [
        (("first",), {}, InputError, "are not two agents"),
        (("first", "first", "first"), {}, InputError, "are not two agents"),
        (({"row": "first"},), {}, InputError, "are not two agents"),
        (({"row": "first", 0: "first"},), {}, InputError, "are not two agents"),
        (({"row": "first", "north": "first"},), {}, InputError, "no player 'north'"),
        (("fist", "first"), {}, UnknownName, "unknown agent 'fist' (did you mean 'first'?)"),
        (("first", 7), {}, InputError, "7 cannot play col: it has no choose(state)"),
        (("first", "first"), {"seconds": 0}, BudgetError, "seconds is 0"),
        (("first", "first"), {"seconds": [1, 2, 3]}, InputError, "give one number, or one for each player"),
        (("first", "first"), {"seconds": {"both": 1}}, InputError, "no player 'both'"),
        (("first", "first"), {"isolation": "jail"}, UnknownName, "unknown isolation 'jail'"),
        (("first", "first"), {"max_moves": 0}, ParameterError, "max_moves is 0"),
        (("first", "first"), {"seed": -1}, InputError, "seed is -1"),
        (("mcts:pick=worst", "first"), {}, ParameterError, "pick is 'worst'; choose from: auto, sample, best"),
        (("mcts:algorithm=ucbb", "first"), {}, UnknownName, "did you mean 'ucb'?"),
        (("mcts:iterations=0", "first"), {}, BudgetError, "iterations is 0"),
        (("file", "first"), {}, InputError, "give one of them"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(agents: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        match("tictactoe", *agents, **options)
    assert message in str(caught.value)


def test_the_driver_can_be_looked_at_while_it_plays() -> None:
    driver = Match("tictactoe", Scripted(0, 1, 2), Scripted(3, 4), seed=1)
    for event in driver.events():
        assert driver.state == (event.state if isinstance(event, Played | Finished) else event)
    assert len(driver.history) == 5
