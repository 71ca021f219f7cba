"""The script that compares two commits: its arithmetic, its order, and a real comparison of two commits of a toy."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "bench_compare"
TOY = """
__version__ = "{version}"


class Result:
    def __init__(self, seconds):
        self.iterations, self.seconds = {rate} * seconds, seconds


class Search:
    def __init__(self, state, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, seconds):
        return Result(seconds)


def game(name):
    return name
"""


@pytest.fixture(scope="module")
def script() -> Any:
    loader = importlib.machinery.SourceFileLoader("bench_compare", str(SCRIPT))
    spec = importlib.util.spec_from_loader("bench_compare", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_compare"] = module
    loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _no_ping_pong(monkeypatch: pytest.MonkeyPatch) -> None:
    from parallel_mcts.bench import ping_pong

    monkeypatch.setattr(ping_pong, "hand_over", lambda: 1e-7)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Three commits of a package of the same name: 1000, 800 and 1200 iterations a second."""
    place = tmp_path / "repo"
    (place / "parallel_mcts").mkdir(parents=True)
    git(place, "init", "-q", "-b", "main")
    for version, rate in (("one", 1000), ("two", 800), ("three", 1200)):
        (place / "parallel_mcts" / "__init__.py").write_text(TOY.format(version=version, rate=rate))
        git(place, "add", "-A")
        git(place, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", version)
        git(place, "tag", version)
    return place


def git(place: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(place), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


# ---------------------------------------------------------------------------------------------- the arithmetic
@pytest.mark.parametrize("rounds", [2, 15, 16, 40])
def test_a_ratio_that_is_always_the_same_is_certain(script: Any, rounds: int) -> None:
    rates = [100.0 + k for k in range(rounds)]
    ratio = script.ratio_of(rates, [1.5 * rate for rate in rates])
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((1.5, 1.5, 1.5))


def test_the_interval_is_that_of_students_t(script: Any) -> None:
    ratio = script.ratio_of([1.0, 1.0, 1.0], [math.e**0.1, math.e**0.2, math.e**0.3])
    assert math.log(ratio.value) == pytest.approx(0.2)
    assert math.log(ratio.high / ratio.value) == pytest.approx(4.303 * 0.1 / math.sqrt(3))
    assert ratio.low * ratio.high == pytest.approx(ratio.value**2)


def test_turning_the_commits_round_turns_the_ratio_round(script: Any) -> None:
    a, b = [10.0, 12.0, 9.0], [11.0, 11.0, 13.0]
    assert script.ratio_of(a, b).value == pytest.approx(1 / script.ratio_of(b, a).value)


def test_one_round_says_nothing_of_how_certain_it_is(script: Any) -> None:
    assert script.ratio_of([1.0], [2.0]) == script.Ratio(pytest.approx(2.0), 0.0, math.inf, 1)
    with pytest.raises(script.Refused, match="no round"):
        script.ratio_of([], [])


def test_neither_commit_always_goes_first(script: Any) -> None:
    assert ["".join(pair) for pair in script.order(4)] == ["ab", "ba", "ab", "ba"]


# ---------------------------------------------------------------------------------------------- the command
def test_two_commits_are_compared_by_their_own_source(script: Any, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["one", "three", "--repo", str(repo), "--rounds", "3", "--seconds", "0.1", "--fail-below", "0.9"]
    assert script.main(arguments) == 0
    told = capsys.readouterr()
    assert "B / A = 1.200  (95%: 1.200 to 1.200)" in told.out
    assert "other programs used" in told.out
    assert "version one" in told.err
    assert "version three" in told.err
    assert len(git(repo, "worktree", "list").splitlines()) == 1
    assert not list(Path(git(repo, "rev-parse", "--absolute-git-dir").strip()).glob("worktrees/*"))


def test_a_slower_commit_fails_where_that_was_asked_for(
    script: Any, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["one", "two", "--repo", str(repo), "--rounds", "2", "--seconds", "0.1"]
    assert script.main(arguments) == 0
    assert script.main([*arguments, "--fail-below", "0.9"]) == 1
    assert "B / A = 0.800" in capsys.readouterr().out


def test_ctrl_c_tells_the_rounds_so_far_and_leaves_nothing(
    script: Any, repo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = script.measure, list[str]()

    def stopped_later(place: Path, *rest: Any) -> Any:
        calls.append(place.name)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return real(place, *rest)

    monkeypatch.setattr(script, "measure", stopped_later)
    assert script.main(["one", "two", "--repo", str(repo), "--rounds", "50", "--seconds", "0.1"]) == 130
    assert ": 1 rounds" in capsys.readouterr().out
    assert calls == ["a", "b", "a", "b", "b", "a"]
    assert len(git(repo, "worktree", "list").splitlines()) == 1


def test_source_from_elsewhere_is_not_measured(script: Any, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(repo, "rm", "-rq", "--cached", "parallel_mcts")
    git(repo, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "no package")
    assert script.main(["one", "HEAD", "--repo", str(repo), "--rounds", "1", "--seconds", "0.1", "--engine", "python"]) == 2
    assert "not from the commit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nosuch", "main"], "'nosuch' is no commit of "),
        (["main", "main", "--rounds", "0"], "--rounds is 0; it must be at least 1"),
        (["main", "main", "--seconds", "0"], "--seconds is 0.0; it must be above 0"),
    ],
)
def test_bad_input_is_said_in_a_line(
    arguments: list[str], message: str, script: Any, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main([*arguments, "--repo", str(repo)]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert len(told.err.splitlines()) == 1


def test_the_script_can_be_run_as_it_is() -> None:
    done = subprocess.run([SCRIPT, "--help"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "REV_A" in done.stdout
