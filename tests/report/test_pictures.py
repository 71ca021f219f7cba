"""`search --html`, `--svg` and `--dot`, from the command line."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import pytest

from parallel_mcts.cli import main
from parallel_mcts.cli.pictures import listening


def test_a_search_writes_the_files_that_were_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {kind: tmp_path / f"out.{kind}" for kind in ("html", "svg", "dot")}
    asked = [part for kind, path in files.items() for part in (f"--{kind}", str(path))]
    assert main(["search", "goofspiel:cards=3", "--iterations", "2000", "--seed", "1", "--tree-nodes", "12", *asked]) == 0
    assert "2,000 iterations in" in capsys.readouterr().out
    page = files["html"].read_text(encoding="utf-8")
    assert "<h1>goofspiel:cards=3</h1>" in page
    assert "The 12 most visited positions." in page
    assert page.count("<figure") == 6
    boxes = [rect for rect in ET.parse(files["svg"]).iter() if rect.get("class") == "box"]
    assert len(boxes) == 12
    assert files["dot"].read_text(encoding="utf-8").count(" -> ") == 11


@pytest.mark.parametrize("kind", ["html", "svg", "dot"])
def test_a_file_that_cannot_be_written_is_told_before_the_search(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "missing" / "out"
    assert main(["search", "rps", "--seconds", "60", f"--{kind}", str(nowhere)]) == 2
    assert capsys.readouterr().err == f"parallel-mcts: --{kind} {nowhere}: there is no folder {nowhere.parent}\n"
    assert main(["search", "rps", "--seconds", "60", f"--{kind}", str(tmp_path)]) == 2
    assert "this is a folder; give the name of a file" in capsys.readouterr().err


def test_a_tree_of_no_nodes_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "rps", "--seconds", "60", "--tree-nodes", "0"]) == 2
    assert "--tree-nodes is 0; it must be at least 1" in capsys.readouterr().err


def test_a_recorder_hears_everything_and_the_user_as_much_as_without_one() -> None:
    heard: list[float] = []
    told: list[tuple[str, float]] = []
    options = listening(lambda progress: told.append((progress.stage, progress.seconds)), lambda p: heard.append(p.seconds))
    for stage, seconds in [("compiling", 0.0), *(("searching", k / 10) for k in range(11))]:
        options["on_progress"](SimpleNamespace(stage=stage, seconds=seconds))
    assert options["progress_seconds"] == 0.0
    assert len(heard) == 12
    assert told == [("compiling", 0.0), ("searching", 0.3), ("searching", 0.6), ("searching", 0.9)]
    assert listening(print, None) == {"on_progress": print}


def test_a_search_without_files_loads_nothing_of_the_report() -> None:
    code = (
        "import sys; from parallel_mcts.cli import main; main(['search', 'rps', '--iterations', '10']); "
        "print([name for name in sys.modules if name.startswith('parallel_mcts.report')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
