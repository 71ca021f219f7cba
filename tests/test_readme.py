"""The examples of the README are run as they stand there, and its commands are those that CI runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
EXAMPLES = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [text.strip() for language, text in BLOCKS if language == "bash"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[text.strip().splitlines()[-1][:40] for text in EXAMPLES])
def test_an_example_runs_as_a_script(example: str, tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_there_are_two_commands_and_ci_runs_the_second() -> None:
    search, test = COMMANDS
    assert search.startswith("python3 -m venv .venv && .venv/bin/pip install")
    assert "parallel-mcts search" in search
    assert test in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_main_command_prints_a_strategy() -> None:
    arguments = COMMANDS[0].split("parallel-mcts ")[-1].split()
    done = subprocess.run(
        [sys.executable, "-m", "parallel_mcts", *arguments], capture_output=True, text=True, timeout=120, check=True
    )
    assert "Goofspiel: row" in done.stdout
    assert "probability" in done.stdout
