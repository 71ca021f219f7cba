"""What there is, as the command line lists it."""

from __future__ import annotations

import json

import pytest

from parallel_mcts.cli import main
from parallel_mcts.registry import AGENTS, ALGORITHMS, BACKENDS, GAMES, MODELS

Told = pytest.CaptureFixture[str]
REGISTRIES = {"games": GAMES, "algorithms": ALGORITHMS, "backends": BACKENDS, "models": MODELS, "agents": AGENTS}


@pytest.mark.parametrize("kind", REGISTRIES)
def test_everything_registered_is_on_a_line_of_its_own(kind: str, capsys: Told) -> None:
    assert main([kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == REGISTRIES[kind].names()
    assert all(len(line.split()) > 1 for line in lines)


def test_parameters_are_listed_with_their_defaults(capsys: Told) -> None:
    main(["games"])
    kalah = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("kalah "))
    assert "[holes=6,beans=4,capture=standard,end=either,score=win]" in kalah
    main(["algorithms"])
    assert "[gamma=0.1,averages=False]" in capsys.readouterr().out


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, all_of in REGISTRIES.items() for name in all_of.names()])
def test_each_can_be_told_of_at_length_with_an_example(kind: str, name: str, capsys: Told) -> None:
    assert main([kind, name]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{name}\n\n")
    assert "\n\nexample:\n  parallel-mcts " in out


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in ("algorithms", "models", "backends", "agents") for name in REGISTRIES[kind].names()],
)
def test_the_example_runs(kind: str, name: str, capsys: Told) -> None:
    if name in ("heuristic", "file", "human", "mcts"):
        pytest.skip("needs a file, a person or some seconds")
    main([kind, name])
    example = capsys.readouterr().out.splitlines()[-1].split()[1:]
    assert name in " ".join(example)
    quick = ["--iterations", "20"] if example[0] == "search" else []
    assert main([*example, *quick, "--seed", "1"]) == 0


def test_a_game_is_told_with_its_rules_parameters_start_and_an_example_that_runs(capsys: Told) -> None:
    main(["games", "nim"])
    out = capsys.readouterr().out
    assert "who takes the last stick wins" in out
    assert "  sticks  int, 10\n" in out
    assert "  |||||||||| (10 left, row to move)\n" in out
    example = out.splitlines()[-1].split()
    assert main([*example[1:-1], "20"]) == 0


def test_lists_can_be_had_as_json(capsys: Told) -> None:
    main(["games", "--json"])
    games = {game["name"]: game for game in json.loads(capsys.readouterr().out)["games"]}
    assert games["nim"]["parameters"] == [{"name": "sticks", "type": "int", "default": 10}]
    main(["backends", "pool", "--json"])
    assert json.loads(capsys.readouterr().out)["parameters"][0]["default"] == 256


def test_a_near_miss_is_a_suggestion(capsys: Told) -> None:
    assert main(["games", "kala"]) == 2
    assert "unknown game 'kala' (did you mean 'kalah'?)" in capsys.readouterr().err
