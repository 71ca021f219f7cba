"""What is advised, from figures that are made up; and once from real ones."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from parallel_mcts import InputError, game
from parallel_mcts.bench.advice import Candidate, Facts, advise, decide, plan
from parallel_mcts.bench.subject import Compiled
from parallel_mcts.cli import main

FACTS = Facts(
    game="Go",
    turns=True,
    search_seconds=10.0,
    cores=4,
    physical_cores=4,
    gil=True,
    compiled=Compiled(seconds=3.0),
    leaf_seconds={"python": 1e-5, "compiled": 5e-7},
)


def measured(single: float, threaded: float, forest: float, process: float, **options: float) -> list[Candidate]:
    """Rates of the compiled ways, beside an interpreter that makes 1."""
    ways = {("single", 1): single, ("threaded", 4): threaded, ("forest", 4): forest, ("process", 4): process}
    compiled = [Candidate(b, n, "compiled", (rate,), 0.6, **options) for (b, n), rate in ways.items()]
    return [Candidate("single", 1, "python", (1.0,)), *compiled]


@pytest.mark.parametrize(
    ("rates", "turns", "advised", "because"),
    [
        (
            (50, 180, 190, 195),
            True,
            "threaded",
            "threaded × 4 makes 3.60 × the playouts of one worker, all in one tree",
        ),
        ((50, 180, 190, 195), False, "forest", "merging averages mixed strategies"),
        (
            (50, 30, 190, 195),
            True,
            "forest",
            "one shared tree makes 0.60 ×, whose threads pass cache lines around",
        ),
        ((50, 30, 150, 195), True, "process", "process × 4 makes 3.90 ×"),
        ((50, 52, 60, 61), True, "single", "more workers do not pay"),
        ((50, 40, 60, 61), False, "forest", "forest × 4 makes 1.20 ×"),
    ],
)
def test_rates_decide_and_where_they_are_close_the_depth_of_trees(
    rates: tuple[float, float, float, float], turns: bool, advised: str, because: str
) -> None:
    chosen, reason = decide(replace(FACTS, turns=turns), measured(*rates))
    assert chosen.backend == advised
    assert because in reason
    assert chosen.engine == "compiled"
    assert "machine code makes 47 × the playouts of the interpreter and takes 3.0 s once" in reason


def test_of_ways_that_do_as_well_the_one_with_fewer_workers_is_advised() -> None:
    ways = measured(50, 50, 190, 120)
    chosen, _ = decide(FACTS, [*ways, Candidate("forest", 2, "compiled", (185.0,), 0.6)])
    assert (chosen.backend, chosen.workers) == ("forest", 2)


def test_a_short_search_is_left_to_the_interpreter() -> None:
    chosen, reason = decide(replace(FACTS, search_seconds=0.5), measured(50, 180, 190, 195))
    assert (chosen.backend, chosen.engine) == ("single", "python")
    assert "machine code, which has to be loaded" in reason
    assert "so short a search is not worth starting workers for" in reason


def test_starting_processes_counts_against_them() -> None:
    ways = [c for c in measured(50, 30, 30, 195) if c.backend != "process"]
    slow = Candidate("process", 4, "compiled", (195.0,), start_up=9.0)
    assert decide(FACTS, [*ways, slow])[0].backend == "single"
    assert decide(replace(FACTS, search_seconds=100.0), [*ways, slow])[0].backend == "process"


def test_what_needs_more_memory_than_there_is_is_not_advised() -> None:
    ways = [replace(c, playout_bytes=100.0 if c.workers > 1 else 10.0) for c in measured(50, 180, 190, 195)]
    chosen, reason = decide(replace(FACTS, memory=10_000), ways)
    assert chosen.backend == "single"
    assert "others would need more memory" in reason


def test_a_game_that_does_not_compile_is_told_why_and_is_not_given_threads() -> None:
    facts = replace(FACTS, compiled=Compiled(refusal="line 7: a set"), leaf_seconds={"python": 1e-5})
    candidates, ruled_out = plan(facts)
    assert [(c.backend, c.engine) for c in candidates] == [("single", "python"), ("process", "python")]
    assert ruled_out[0] == ("compiled", "line 7: a set")
    assert ruled_out[1][0] == "threaded, forest"
    chosen, reason = decide(facts, [replace(c, rates=(10.0 * c.workers,)) for c in candidates])
    assert chosen.backend == "process"
    assert "since it does not compile (line 7: a set)" in reason


def test_what_cannot_travel_gets_no_processes_and_one_processor_no_workers() -> None:
    assert "process" not in {c.backend for c in plan(replace(FACTS, unpicklable="a lambda"))[0]}
    alone, ruled_out = plan(replace(FACTS, cores=1, physical_cores=1))
    assert {c.backend for c in alone} == {"single"}
    assert ruled_out == [("threaded, forest, process", "this program may use one processor")]
    assert "nothing to run in parallel" in decide(FACTS, [replace(c, rates=(5.0,)) for c in alone])[1]


def test_both_numbers_of_cores_are_tried() -> None:
    assert {c.workers for c in plan(replace(FACTS, physical_cores=2))[0]} == {1, 2, 4}


@pytest.mark.parametrize("wrong", [{"seconds": 0.0}, {"search_seconds": -1.0}])
def test_times_have_to_be_positive(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be a positive"):
        advise(game("rps"), **wrong)


def test_a_real_game_gets_advice_that_runs(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "advise", nim, "--seconds", "0.3", "--search-seconds", "0.1", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Sticks: ")
    assert "does not compile (Sticks cannot be compiled: it is no named tuple" in told
    command = next(line.strip() for line in told.splitlines() if line.startswith("  parallel-mcts search"))
    assert main(command.split()[1:]) == 0


def test_json_holds_the_figures_and_what_to_paste(nim: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bench", "advise", nim, "--seconds", "0.2", "--search-seconds", "9", "--algorithm", "exp3", "--json", "-"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["call"].startswith('search(state, seconds=9, algorithm="exp3", backend="')
    assert told["candidates"][0]["backend"] == "single"
    assert len(told["candidates"][0]["rates"]) == 3
    assert told["facts"]["turns"] is True


def test_ctrl_c_leaves_advice_on_what_was_measured(nim_state: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_mcts.bench import advice

    real, calls = advice._measure, list[str]()

    def stopped_later(subject: object, candidate: Candidate, *rest: object) -> Candidate:
        calls.append(candidate.backend)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return real(subject, candidate, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(advice, "_measure", stopped_later)
    given = advise(nim_state, seconds=0.1)
    assert given.interrupted
    assert [c.backend for c in given.candidates] == ["single"]
    assert given.backend == "single"
