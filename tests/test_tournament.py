"""Tournaments: who meets whom, that nothing depends on when a game ends, and that one can be stopped and gone on with."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from parallel_mcts import Sprt, Standings, WorkerDied, game, run_match, tournament
from parallel_mcts.errors import InputError, NotPicklable, ParameterError, UnknownName
from parallel_mcts.state import labels
from parallel_mcts.tournament import TournamentProgress
from parallel_mcts.tournament.journal import Journal
from parallel_mcts.tournament.schedule import Plan, Record

AGENTS = ["random", "first", "mcts:iterations=20"]


def outcome(standings: Standings) -> list[Any]:
    """All that a tournament says, but for how long it took."""
    kept = ("round", "row", "col", "seed", "row_payoff", "col_payoff", "winner", "forfeit", "reason", "moves")
    games = [tuple(getattr(record, name) for name in kept) for record in standings.records]
    return [games, standings.verdicts, [(row.name, row.elo, row.rate) for row in standings.rows]]


# ---------------------------------------------------------------------------------------------- the schedule
def test_each_agent_meets_each_other_on_both_sides_in_every_round() -> None:
    plan = Plan.of(("a", "b", "c"), "round_robin", 2, seed=1)
    met = [(task.round, task.row, task.col) for task in plan.tasks]
    assert len(met) == len(set(met)) == 12
    assert {(row, col) for _, row, col in met} == {(x, y) for x in "abc" for y in "abc" if x != y}


def test_in_a_gauntlet_only_the_first_meets_the_others() -> None:
    plan = Plan.of(("a", "b", "c", "d"), "gauntlet", 3, seed=1)
    assert all("a" in (task.row, task.col) for task in plan.tasks)
    assert len(plan.tasks) == 18


def test_swapped_sides_share_a_seed_and_no_two_rounds_or_pairs_do() -> None:
    plan = Plan.of(("a", "b", "c"), "round_robin", 5, seed=1)
    seeds = [task.seed for task in plan.tasks]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 15


def test_more_rounds_only_add_games_to_the_end() -> None:
    short, long = (Plan.of(("a", "b", "c"), "round_robin", rounds, seed=4) for rounds in (3, 6))
    assert long.tasks[: len(short.tasks)] == short.tasks


# ---------------------------------------------------------------------------------------------- playing
def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    here = tournament("goofspiel:cards=4", AGENTS, rounds=3, seed=5, workers=1)
    there = tournament("goofspiel:cards=4", AGENTS, rounds=3, seed=5, workers=3)
    assert outcome(there) == outcome(here)
    assert len(here.records) == here.total == 18


def test_a_game_of_a_tournament_can_be_played_again_from_its_record() -> None:
    record = tournament("tictactoe", ["random", "mcts:iterations=20"], rounds=2, seed=3, workers=1).records[2]
    again = run_match("tictactoe", record.row, record.col, seed=record.seed).results
    assert (again.row, again.reason, len(again.moves)) == (record.row_payoff, record.reason, record.moves)


def test_the_standings_count_what_happened() -> None:
    standings = tournament("tictactoe", {"good": "mcts:iterations=300", "bad": "first"}, rounds=4, seed=1, workers=1)
    good, bad = standings.rows
    assert (good.name, bad.name) == ("good", "bad")
    assert (good.wins, good.draws, good.losses) == standings.score("good", "bad") == (bad.losses, bad.draws, bad.wins)
    assert good.games == good.wins + good.draws + good.losses == 8
    assert good.rate == (good.wins + good.draws / 2) / 8
    assert good.rate_low < good.rate <= good.rate_high
    assert good.elo == pytest.approx(-bad.elo)
    assert good.elo > 100
    assert good.seconds_per_move > 0
    assert standings["bad"] is bad
    table = str(standings).splitlines()
    assert table[0].split() == ["agent", "games", "wins", "draws", "losses", "rate", "95%", "Elo", "±"]
    assert table[1].split()[:3] == ["1", "good", "8"]
    assert table[-1] == "8 of 8 games"
    assert json.loads(json.dumps(standings.to_dict()))["standings"][0]["name"] == "good"


def test_progress_is_told_game_by_game() -> None:
    heard: list[TournamentProgress] = []
    tournament("rps", ["random", "first"], rounds=3, seed=1, workers=1, on_progress=heard.append)
    assert [(p.done, p.total) for p in heard] == [(k, 6) for k in range(1, 7)]
    assert all(p.record in p.standings.records for p in heard)


class Stuck:
    """Never moves."""

    def choose(self, state: Any) -> Any:
        threading.Event().wait()


def test_a_time_limit_holds_in_a_tournament_too() -> None:
    standings = tournament("rps", {"stuck": Stuck(), "first": "first"}, rounds=1, seed=1, workers=1, seconds=0.05)
    assert standings["stuck"].losses == standings["stuck"].forfeits == 2


class Forgetful:
    """Plays the first action in its first game, and would play the last one in any other."""

    def __init__(self) -> None:
        self.games = 0

    def begin(self, state: Any, player: str) -> None:
        self.games += 1

    def choose(self, state: Any) -> Any:
        return labels(state)[0][0 if self.games == 1 else -1]


def test_an_agent_of_a_users_own_starts_every_game_afresh() -> None:
    standings = tournament("biased_rps", [Forgetful(), "first"], rounds=3, seed=1, workers=1)
    assert standings["Forgetful"].draws == 6


class Fatal:
    """Takes its process with it, unless the file is there that it leaves behind the first time."""

    def __init__(self, marker: str) -> None:
        self.marker = marker

    def choose(self, state: Any) -> Any:
        if not self.marker or not Path(self.marker).exists():
            Path(self.marker or os.devnull).write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return labels(state)[0][0]


def test_a_process_that_dies_is_replaced_and_its_game_played_again(tmp_path: Path) -> None:
    agents = {"fatal": Fatal(str(tmp_path / "marker")), "first": "first"}
    standings = tournament("rps", agents, rounds=2, seed=1, workers=2)
    assert (len(standings.records), standings["fatal"].draws) == (4, 4)


def test_a_game_that_kills_every_process_is_given_up_with_its_name() -> None:
    with pytest.raises(
        WorkerDied, match=r"the process that played round 1, \w+ against \w+ died 3 times: A worker process"
    ):
        tournament("rps", {"fatal": Fatal(""), "first": "first"}, rounds=1, seed=1, workers=2)


def test_what_cannot_travel_is_said_before_anything_is_played() -> None:
    class Locked(Stuck):
        def __init__(self) -> None:
            self.lock = threading.Lock()

    with pytest.raises(NotPicklable, match="use workers=1"):
        tournament("rps", [Locked(), "first"], rounds=1, workers=2)


# ---------------------------------------------------------------------------------------------- the results file
def stop_after(games: int) -> Any:
    """A callback that does what Ctrl-C does."""

    def told(progress: TournamentProgress) -> None:
        if progress.done == games:
            raise KeyboardInterrupt

    return told


def played(path: Path | None, rounds: int = 3, workers: int = 1, **options: Any) -> Standings:
    return tournament("goofspiel:cards=3", AGENTS, rounds=rounds, seed=9, workers=workers, results_file=path, **options)


def test_ctrl_c_returns_where_it_stands() -> None:
    standings = played(None, on_progress=stop_after(5))
    assert standings.interrupted
    assert len(standings.records) == 5
    assert "5 of 18 games, interrupted" in str(standings)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_tournament_that_was_stopped_goes_on_to_the_same_end(tmp_path: Path, workers: int) -> None:
    path = tmp_path / "results.jsonl"
    stopped = played(path, workers=workers, on_progress=stop_after(7))
    assert stopped.interrupted
    heard: list[int] = []
    resumed = played(path, workers=workers, on_progress=lambda progress: heard.append(progress.done))
    assert heard == list(range(8, 19))
    assert outcome(resumed) == outcome(played(None))
    assert not resumed.interrupted
    assert len(path.read_text().splitlines()) == 19


def test_a_finished_tournament_is_read_and_can_be_made_longer(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    done = played(path, rounds=2)
    assert outcome(played(path, rounds=2, on_progress=stop_after(0))) == outcome(done)
    assert outcome(played(path, rounds=4)) == outcome(played(None, rounds=4))
    assert outcome(played(path, rounds=1)) == outcome(played(None, rounds=1))


@pytest.mark.parametrize("keep", [0, 1, 40])
def test_a_broken_last_line_is_taken_off(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "results.jsonl"
    whole = played(path, rounds=1)
    text = path.read_bytes()
    last = text.splitlines(keepends=True)[-1]
    path.write_bytes(text[: len(text) - len(last) + keep])
    assert outcome(played(path, rounds=1)) == outcome(whole)
    assert all(json.loads(line) for line in path.read_text().splitlines())
    path.write_bytes(text[: len(text) - len(last)] + b"\0\0\0\n")
    assert outcome(played(path, rounds=1)) == outcome(whole)


def test_a_header_cut_short_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    played(path, rounds=1)
    path.write_bytes(path.read_bytes()[:20])
    assert len(played(path, rounds=1).records) == 6


def test_damage_in_the_middle_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    played(path, rounds=1)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "{oops", *lines[3:], ""]))
    with pytest.raises(InputError, match=r"results\.jsonl, line 3 is damaged: '\{oops'"):
        played(path, rounds=1)
    path.write_text("\n".join([*lines[:2], '{"round": 1}', *lines[3:], ""]))
    with pytest.raises(InputError, match=r"results\.jsonl, line 3 is not the result of a game"):
        played(path, rounds=1)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"game": "goofspiel:cards=4"}, "its game is 'goofspiel:cards=3', not 'goofspiel:cards=4'"),
        ({"seed": 10}, "its seed is 9, not 10"),
        ({"kind": "gauntlet"}, "its kind is 'round_robin', not 'gauntlet'"),
        ({"seconds": 5.0}, "its seconds is None, not 5.0"),
        ({"agents": ["random", "first"]}, "its agents is"),
    ],
)
def test_the_file_of_another_tournament_is_refused_and_left_alone(tmp_path: Path, change: Any, named: str) -> None:
    path = tmp_path / "results.jsonl"
    played(path, rounds=1)
    before = path.read_bytes()
    given: dict[str, Any] = {"game": "goofspiel:cards=3", "agents": AGENTS, "seed": 9, **change}
    with pytest.raises(InputError) as caught:
        tournament(given.pop("game"), given.pop("agents"), rounds=1, workers=1, results_file=path, **given)
    assert named in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["my diary", "my diary\n", '{"dear": "diary"}\n', "[1]\n"])
def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "diary.txt"
    path.write_text(text)
    with pytest.raises(InputError, match="is not the results file of a tournament"):
        played(path)
    assert path.read_text() == text


def test_a_file_in_use_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "results.jsonl"
    with Journal(path, {"game": "x"}), pytest.raises(InputError, match="in use by another tournament"):
        Journal(path, {"game": "x"})


def test_without_a_seed_that_of_the_file_is_used(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    first = tournament("rps", ["random", "first"], rounds=2, workers=1, results_file=path)
    longer = tournament("rps", ["random", "first"], rounds=3, workers=1, results_file=path)
    assert longer.records[:4] == first.records
    assert json.loads(path.read_text().splitlines()[0])["seed"] >= 0


def test_a_record_is_read_as_it_was_written() -> None:
    record = tournament("rps", ["random", "first"], rounds=1, seed=1, workers=1).records[0]
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record


# ---------------------------------------------------------------------------------------------- stopping early
@pytest.mark.parametrize("workers", [1, 3])
def test_a_decided_test_ends_the_games_of_its_pair_alone(workers: int) -> None:
    agents = {"good": "mcts:iterations=100", "bad": "first", "same": "mcts:iterations=101"}
    standings = tournament("tictactoe", agents, rounds=20, seed=1, workers=workers, sprt=Sprt(0, 200))
    verdicts = {(verdict.one, verdict.other): verdict for verdict in standings.verdicts}
    assert verdicts["good", "bad"].accepted == "elo1"
    assert verdicts["bad", "same"].accepted == "elo0"  # the first of a pair is the one that may be stronger
    assert verdicts["good", "bad"].games == sum(standings.score("good", "bad")) < 40
    assert verdicts["good", "bad"].llr >= verdicts["good", "bad"].bounds[1]
    assert "good against bad: elo1 accepted after" in str(standings)
    one = tournament("tictactoe", agents, rounds=20, seed=1, workers=1, sprt=Sprt(0, 200))
    assert outcome(standings) == outcome(one)


def test_games_played_past_a_decision_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    agents = {"good": "mcts:iterations=100", "bad": "first"}
    tournament("tictactoe", agents, rounds=10, seed=1, workers=1, results_file=path)
    judged = tournament("tictactoe", agents, rounds=10, seed=1, workers=1, results_file=path, sprt=Sprt(0, 200))
    assert judged.left_out == 20 - len(judged.records) > 0
    assert outcome(judged) == outcome(tournament("tictactoe", agents, rounds=10, seed=1, workers=1, sprt=Sprt(0, 200)))


# ---------------------------------------------------------------------------------------------- bad input
@pytest.mark.parametrize(
    ("agents", "options", "error", "message"),
    [
        (["first"], {}, InputError, "a tournament needs two agents or more; given: first"),
        (["first", "first"], {}, InputError, "two agents are called 'first'; give them names"),
        (["first", "fist"], {}, UnknownName, "unknown agent 'fist' (did you mean 'first'?)"),
        (["first", "random", 3], {}, InputError, "3 cannot play col"),
        (["first", "random"], {"kind": "knockout"}, UnknownName, "unknown kind of tournament 'knockout'"),
        (["first", "random"], {"rounds": 0}, ParameterError, "rounds is 0"),
        (["first", "random"], {"workers": 0}, ParameterError, "workers is 0"),
        (["first", "random"], {"seconds": -1}, InputError, "seconds is -1"),
        (["first", "random"], {"isolation": "jail"}, UnknownName, "unknown isolation"),
    ],
)
def test_bad_input_is_refused(agents: Any, options: Any, error: Any, message: str) -> None:
    with pytest.raises(error) as caught:
        tournament(game("rps"), agents, **options)
    assert message in str(caught.value)
