"""The script that makes the README's figures: what it writes between the markers, and what it leaves alone."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "make_figures.py"
README = (
    "# Title\n\n<!-- figures: simulate -->\nold\n<!-- end -->\n\nbetween\n\n<!-- figures: toy -->\n<!-- end -->\nlast\n"
)
SIMULATED = {
    "iterations": 5000,
    "search_seconds": 10.0,
    "measure": "exploitability",
    "checks": [{"backend": "process", "workers": 2, "measured_rate": 2000.4, "predicted_rate": 2100.0, "ratio": 1.05}],
    "predictions": [
        {
            "way": "one parent",
            "workers": n,
            "rate": 1e3 * n,
            "speed_up": n,
            "seconds": 10.5,
            "error": 0.0123,
            "guessed": n > 10,
        }
        for n in (3, 10, 100)
    ],
}


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("make_figures", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_figures"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    path.write_text(README)
    return path


def told(figures: dict[str, Any]) -> dict[str, Any]:
    return {"date": "2025-01-02", "machine": "2 × Toy", "command": "parallel-mcts bench toy", "figures": figures}


def test_a_part_is_written_between_its_markers_and_nowhere_else(script: Any, readme: Path) -> None:
    figures = readme.parent / "scripts" / "figures"
    figures.mkdir(parents=True)
    (figures / "toy.json").write_text(json.dumps(told({"a": 1})))
    drawn: list[str] = []
    part = script.Part((), lambda f: script.markdown(("x", "y"), [["a", f["a"]]]), lambda base, f: drawn.append(base))
    for _ in range(2):  # the second time changes nothing
        script.make("toy", part, keep=True, readme=readme, figures=figures)
        assert readme.read_text() == README.replace(
            "<!-- figures: toy -->\n",
            "<!-- figures: toy -->\n2025-01-02, 2 × Toy: `parallel-mcts bench toy`\n\n"
            "| x | y |\n| --- | ---: |\n| a | 1 |\n\n![toy](scripts/figures/toy.svg)\n",
        )
    assert drawn == [str(figures / "toy")] * 2


def test_a_simulation_is_shown_with_what_it_was_checked_against(script: Any) -> None:
    lines = script.simulated_table(SIMULATED).splitlines()
    assert "| process | 2 | 2,000 | 2,100 | 1.05 |" in lines
    assert "| one parent | 10 | 10,000 | 10.0 | 10.50 s | 0.012 |" in lines
    assert "| one parent | 100 | 100,000 | 100.0 | 10.50 s | ~0.012 |" in lines
    assert not any(line.startswith("| one parent | 3 ") for line in lines)


def test_a_part_without_a_place_is_refused_before_it_is_measured(
    script: Any, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "measured", lambda part: pytest.fail("measured"))
    with pytest.raises(SystemExit, match="no place for 'speed'"):
        script.make("speed", script.PARTS["speed"], keep=False, readme=readme, figures=readme.parent / "figures")


def test_what_was_never_measured_cannot_be_drawn(script: Any, readme: Path) -> None:
    with pytest.raises(SystemExit, match=r"no toy.json yet"):
        script.make("toy", script.Part(()), keep=True, readme=readme, figures=readme.parent / "figures")


def test_an_unknown_part_is_refused(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        script.main(["scalling"])
    assert (
        "unknown part 'scalling'; choose from: scaling, speed, strength, others, exploitability, simulate"
        in capsys.readouterr().err
    )


def test_a_command_is_run_and_its_figures_kept_with_date_machine_and_command(
    script: Any,
) -> None:
    def run(command: list[str], **_: Any) -> None:
        Path(command[-1]).write_text('{"rate": 5}')

    found = script.measured(script.Part(("bench", "toy", "a b")), run)
    assert found["figures"] == {"rate": 5}
    assert found["command"] == "parallel-mcts bench toy 'a b'"
    assert set(found) == {"date", "machine", "command", "figures"}
