"""The course of a scaling benchmark: on a machine made up, and once on the real one."""

from __future__ import annotations

from typing import Any

import pytest
from fake_machine import FakeMachine

from parallel_mcts import NotCompilable, NotPicklable, ParameterError, SearchFailed, TurnState, game
from parallel_mcts.bench.scaling import ScalingProgress, ScalingReport, judging, measure_scaling
from parallel_mcts.bench.scaling.judging import ByMatches
from parallel_mcts.match import Results
from parallel_mcts.results import Move


def measured(machine: FakeMachine, name: Any = "rps", **options: Any) -> ScalingReport:
    given = {"backends": ["inline"], "workers": [1, 2], "engine": "python", "seed": 3, "rounds": 2, **options}
    return measure_scaling(name, instruments=machine.instruments, open_search=machine.open_search, **given)


def test_rates_start_up_and_speed_up_are_those_of_the_machine() -> None:
    machine = FakeMachine(rate=lambda backend, workers: 1000.0 if backend == "single" else 800.0 * workers)
    report = measured(machine, iterations=400)
    strong = {(cell.backend, cell.workers): cell for cell in report.of("regret_matching", "strong")}
    pair = strong["inline", 2]
    assert pair.rate == pytest.approx(1600.0)
    assert report.speed_up(pair) == pytest.approx(1.6)
    assert pair.iterations == 400
    assert pair.start_up == pytest.approx(0.25 + 2 / 1600)
    assert len(pair.rounds) == 2
    assert report.of("regret_matching", "weak")[-1].iterations == 800
    assert pair.foreign_load == 0.01
    assert pair.ping_pong_before == 45e-9
    assert not report.interrupted
    assert machine.open_sessions == 0


def test_without_a_budget_single_is_given_what_it_makes_in_the_seconds_asked_for() -> None:
    machine = FakeMachine(rate=lambda backend, workers: 12_345.0, open_seconds=0.0)
    report = measured(machine, seconds=2.0)
    assert report.cells[0].iterations == pytest.approx(24_690, rel=0.05)
    assert report.cells[0].seconds == pytest.approx(2.0, rel=0.05)


def test_all_settings_take_turns_in_every_round_and_one_worker_is_measured_once_for_both_modes() -> None:
    machine = FakeMachine()
    measured(machine, iterations=500, quality_rounds=1)
    long = [(name, workers, run["iterations"]) for name, workers, run in machine.runs if (run["iterations"] or 0) > 2]
    one_round = [("single", 1, 500), ("inline", 1, 500), ("inline", 2, 500), ("inline", 2, 1000)]
    assert long == [*one_round, *one_round[2:], *one_round[:2]]


def test_all_settings_of_a_round_have_one_seed_and_rounds_have_their_own() -> None:
    machine = FakeMachine()
    measured(machine, iterations=500, rounds=3)
    seeds = [options["seed"] for options in machine.opened]
    assert len(set(seeds[-9:])) == 3  # the trials of quality: three settings in three rounds
    assert seeds[-3] == seeds[-2] == seeds[-1]


def test_quality_is_measured_at_equal_wall_time_on_the_exact_solution() -> None:
    machine = FakeMachine()
    report = measured(machine, iterations=100, quality_seconds=0.5, quality_rounds=3)
    assert report.measure == "exploitability"
    assert report.solved == 10
    assert [run["seconds"] for _, _, run in machine.runs].count(0.5) == 9
    judged = {(cell.backend, cell.workers): cell.quality for cell in report.judged("regret_matching")}
    assert {key: quality.value for key, quality in judged.items() if quality is not None} == {
        ("single", 1): 0.1,
        ("inline", 1): 0.1,
        ("inline", 2): 0.05,
    }


def test_a_game_too_large_to_solve_is_judged_by_matches_against_single(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, str, int]] = []

    def run_match(start: Any, row: Any, col: Any, *, seed: int) -> Any:
        assert row.seconds == col.seconds == 0.05
        played.append((row.backend.name if hasattr(row.backend, "name") else row.backend, str(col.backend), seed))
        winner = 1.0 if row.backend != "single" else 0.5
        return type("F", (), {"results": Results(winner, 1 - winner, "won", (Move(1, "-"), Move("-", 2)), 0, (0.05, 0.05))})

    monkeypatch.setattr(judging, "run_match", run_match)
    report = measured(FakeMachine(), iterations=100, quality_seconds=0.05, solve_limit=3, workers=[2], rounds=2)
    assert report.measure == "score"
    cell = report.judged("regret_matching")[0]
    assert cell.quality is not None
    assert (cell.backend, cell.quality.value, cell.quality.games) == ("inline", 0.75, 4)  # won as row, drew as column
    assert cell.quality.seconds == pytest.approx(0.05)
    assert [row for row, _, _ in played] == ["inline", "single"] * 2  # sides swapped
    assert played[0][2] == played[1][2] != played[2][2]
    assert report.of("regret_matching", "strong")[0].quality is None


def test_a_search_that_fails_in_a_match_is_an_error_and_not_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Results(0.0, 1.0, "row (mcts) failed in choose: GameError", (), 0, forfeit=("row",))
    monkeypatch.setattr(judging, "run_match", lambda *a, **o: type("F", (), {"results": lost}))
    with pytest.raises(SearchFailed, match=r"broke off: row .* failed in choose"):
        measured(FakeMachine(), iterations=100, solve_limit=0)


def test_ctrl_c_gives_the_report_so_far_and_closes_what_is_open() -> None:
    whole = FakeMachine()
    measured(whole, iterations=500)
    for stop in range(len(whole.runs)):
        machine = FakeMachine(interrupted_after=stop)
        report = measured(machine, iterations=500)
        assert report.interrupted
        assert machine.open_sessions == 0
        assert len(machine.runs) == stop + 1
        assert str(report)
    assert len(report.cells) == 6


def test_progress_names_the_stage_the_round_and_the_setting() -> None:
    seen: list[ScalingProgress] = []
    measured(FakeMachine(), iterations=500, on_progress=seen.append)
    assert list(dict.fromkeys(p.stage for p in seen)) == [
        "getting ready",
        "measuring speed",
        "solving the game",
        "measuring quality",
    ]
    speed = [p for p in seen if p.stage == "measuring speed"]
    assert speed[0].what == "round 1 of 2: single × 1, regret_matching, 500 iterations"
    assert [(p.done, p.total) for p in speed] == [(k, 8) for k in range(8)]
    assert speed[-1].seconds > speed[1].seconds > 0


class Unpicklable(TurnState):
    """A game that cannot leave its process."""

    def __init__(self, left: int = 2) -> None:
        self.left, self.player = left, left % 2

    def __reduce__(self) -> Any:
        raise TypeError("it stays here")

    def moves(self) -> list[int]:
        return [1, 2] if self.left else []

    def move(self, n: int) -> Unpicklable:
        return Unpicklable(self.left - 1)

    def payoff(self) -> float:
        return 0.5


def test_a_backend_that_cannot_run_the_game_is_left_out_and_said_so_unless_it_was_asked_for() -> None:
    options: dict[str, Any] = {"workers": [1], "iterations": 20, "rounds": 1, "quality_seconds": 0.01, "mode": "strong"}
    report = measure_scaling(Unpicklable(), **options)
    assert "process" not in {cell.backend for cell in report.cells}
    assert any(note.startswith("process is left out: the state") for note in report.notes)
    assert any("take turns, since this Python has a GIL" in note for note in report.notes) or not report.notes[1:]
    with pytest.raises(NotPicklable):
        measure_scaling(Unpicklable(), backends=["process"], **options)


def test_what_cannot_be_compiled_is_said_before_anything_is_measured() -> None:
    with pytest.raises(NotCompilable):
        measure_scaling(Unpicklable(), backends=["forest"], engine="compiled", iterations=10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds is 0; it must be a whole number of at least 1"),
        ({"seconds": 0.0}, "seconds is 0.0; it must be above 0 and finite"),
        ({"quality_seconds": float("nan")}, "quality_seconds is nan"),
        ({"iterations": -1}, "iterations is -1"),
        ({"quality_rounds": 0}, "quality_rounds is 0"),
    ],
)
def test_an_effort_that_is_none_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        measure_scaling("rps", **options)


def test_real_searches_are_measured_in_processes_and_judged_exactly() -> None:
    report = measure_scaling(
        "biased_rps",
        backends=["process"],
        workers=[1, 2],
        algorithms=["matrix_ucb"],
        engine="python",
        iterations=300,
        rounds=2,
        quality_seconds=0.02,
        seed=1,
    )
    assert [(cell.backend, cell.workers, cell.mode) for cell in report.cells] == [
        *(("single", 1, "strong"), ("process", 1, "strong"), ("process", 2, "strong")),
        *(("single", 1, "weak"), ("process", 1, "weak"), ("process", 2, "weak")),
    ]
    assert [cell.iterations for cell in report.cells] == [300, 300, 300, 300, 300, 600]
    assert all(cell.rate > 0 and cell.start_up > 0 and cell.nodes > 0 and cell.memory > 0 for cell in report.cells)
    assert all(cell.quality is not None and cell.quality.value < 2.0 for cell in report.cells)
    assert ScalingReport.from_dict(report.to_dict()) == report


def test_real_games_are_played_with_sides_swapped() -> None:
    start = game("nim:sticks=3")
    machine = FakeMachine()
    options = {"algorithm": "ucb", "model": "rollout", "backend": "inline", "workers": 2, "engine": "python"}
    judge = ByMatches(start, 0.01, machine.instruments)
    trial = judge.trial(judging.Search(options, lambda seed: None), 5)
    assert trial.games == 2
    assert trial.value == 0.5  # whoever begins wins
    assert trial.iterations is None
    assert trial.conditions.foreign_load == 0.01
