"""`solve`, `check` and `explore`: exact answers, witnesses and trees on the command line; and completion scripts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from parallel_mcts import Search, game
from parallel_mcts.cli import build_parser, main
from parallel_mcts.cli.parsing import commands_of

Told = pytest.CaptureFixture[str]


# ---------------------------------------------------------------------------------------------- solve
def test_a_small_game_is_solved_exactly(capsys: Told) -> None:
    assert main(["solve", "biased_rps", "--exact"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["value:", "row", "0,", "column", "0"] in lines
    assert ["row", "rock", "1/16", "(0.0625)"] in lines
    assert ["paper", "5/8", "(0.625)"] in lines


def test_a_solution_can_be_had_as_json_from_any_position(capsys: Told) -> None:
    assert main(["solve", "nim:sticks=9", "--moves", "2 1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["row_value"], told["col_value"]) == (1.0, 0.0)
    assert told["row"] == {"1": 0.0, "2": 1.0, "3": 0.0}
    assert told["complete"] is True
    assert told["positions"] > 6


def test_a_general_sum_game_is_said_to_have_other_equilibria_perhaps(capsys: Told) -> None:
    main(["solve", "chicken"])
    assert "one equilibrium of possibly many" in capsys.readouterr().out


def test_what_is_too_large_or_over_is_refused(capsys: Told) -> None:
    assert main(["solve", "connect_four", "--limit", "100"]) == 2
    assert "100" in capsys.readouterr().err
    assert main(["solve", "nim:sticks=1", "--moves", "1"]) == 2
    assert "there is nothing to solve" in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- check
def test_a_position_is_found_with_a_shortest_line(capsys: Told) -> None:
    assert main(["check", "nim:sticks=5", "--find", "state.sticks == 1 and state.player == 0"]) == 0
    assert capsys.readouterr().out.startswith("found, after 2 moves: 1 3\n\n| (1 left, row to move)\n")


def test_what_cannot_happen_is_not_found_and_the_exit_code_says_so(capsys: Told) -> None:
    assert main(["check", "nim:sticks=5", "--find", "state.sticks == 9"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("there is no such position\n")
    assert "every position within reach" in out


def test_a_rule_holds_or_is_broken_by_a_line_of_play(capsys: Told) -> None:
    assert main(["check", "kalah:holes=2,beans=2", "--always", "sum(state.pits) == 8"]) == 0
    assert capsys.readouterr().out.startswith("it holds\n")
    assert main(["check", "tictactoe", "--never", "payoff(state) == 1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["answer"] is False
    assert len(told["moves"]) == 5


def test_a_line_on_which_one_thing_comes_true_after_the_other(capsys: Told) -> None:
    assert main(["check", "nim:sticks=6", "--path", "state.sticks == 4", "state.sticks == 1"]) == 0
    assert capsys.readouterr().out.startswith("there is such a line, after 2 moves: 2 3")
    assert main(["check", "nim:sticks=6", "--path", "state.sticks == 1", "state.sticks == 4"]) == 1
    assert capsys.readouterr().out == "there is no such line\n"


def test_a_predicate_may_be_a_function_of_a_file(nim_file: Path, capsys: Told) -> None:
    arguments = ["check", f"{nim_file}:Sticks:sticks=6", "--find", f"{nim_file}:hopeless"]
    assert main(arguments) == 0
    assert "Sticks(sticks=4, player=1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("state.stick == 1", "the predicate 'state.stick == 1' raised AttributeError: "),
        ("state.sticks =", "cannot read the predicate 'state.sticks ='"),
        ("sticks.py:few", "there is no file 'sticks.py'"),
    ],
)
def test_a_faulty_predicate_is_bad_input(predicate: str, message: str, capsys: Told) -> None:
    assert main(["check", "nim", "--find", predicate]) == 2
    assert message in capsys.readouterr().err


# ---------------------------------------------------------------------------------------------- explore
def test_the_tree_is_printed_indented_with_the_most_visited_first(capsys: Told) -> None:
    assert main(["explore", "tictactoe", "--iterations", "600", "--seed", "2", "--depth", "2", "--width", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    tree = lines[lines.index(next(line for line in lines if line.startswith("600 visits"))) + 1 : -2]
    assert len(tree) == 6
    assert [len(line) - len(line.lstrip()) for line in tree] == [2, 4, 4, 2, 4, 4]
    with Search(game("tictactoe"), seed=2) as session:
        session.run(iterations=600)
        best = max(session.node().children, key=lambda child: child.visits)  # type: ignore[union-attr]
    assert tree[0].split()[:2] == [str(best.move), str(best.visits)]


def test_a_tree_is_pruned_by_visits(capsys: Told) -> None:
    main(["explore", "goofspiel:cards=3,prizes=random", "--iterations", "500", "--min-visits", "100", "--json"])
    told = json.loads(capsys.readouterr().out)

    def visits(nodes: list[dict[str, object]]) -> list[int]:
        return [v for n in nodes for v in (n["visits"], *visits(n["children"]))]  # type: ignore[arg-type,misc]

    assert [node["move"] for node in told["children"]] != []
    assert {node["move"] for node in told["children"]} <= {"-@1", "-@2", "-@3"}
    assert min(visits(told["children"])) >= 100


def test_exploring_refuses_what_cannot_be_shown(capsys: Told) -> None:
    assert main(["explore", "nim", "--depth", "0"]) == 2
    assert main(["explore", "nim", "--iterations", "20", "--min-visits", "500"]) == 0
    assert "nothing was tried often enough" in capsys.readouterr().out


# ---------------------------------------------------------------------------------------------- completion
def test_bash_completes_commands_options_and_names(capsys: Told, tmp_path: Path) -> None:
    main(["completion", "bash"])
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out)
    tries = [
        ["sea"],
        ["search", "tict"],
        ["search", "rps", "--algorithm", "exp"],
        ["search", "rps", "--it"],
        ["search", "rps", "--engine", "c"],
        ["play", "nim", "--col", "hu"],
        ["solve", "rps", "--ex"],
        ["games", "gom"],
    ]
    asking = "\n".join(
        f"COMP_WORDS=(parallel-mcts {' '.join(words)}); COMP_CWORD={len(words)}; _parallel_mcts; echo ${{COMPREPLY[@]}}"
        for words in tries
    )
    done = subprocess.run(
        ["bash", "-c", f"source {script}\n{asking}"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    answers = ["search", "tictactoe", "exp3 exp3p", "--iterations", "compiled", "human", "--exact", "gomoku"]
    assert done.stdout.splitlines() == answers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_the_script(shell: str, capsys: Told) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, command in commands_of(build_parser()).items():
        assert name in script
        for option in ("--algorithm", "--transcript", "--json"):
            if option in command.format_help():
                assert option in script or f"-l {option[2:]}" in script
    assert "oshi_zumo" in script
    assert "regret_matching" in script
