"""Compiled searches on disk: an edit that matters compiles anew, and no file is trusted that is not whole."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parallel_mcts.engines.compiled import cache
from parallel_mcts.engines.compiled.digest import Uncertain, digest_of

GAME = """
    import outer
    import shared
    import numpy as np
    from typing import NamedTuple
    from shared import helper

    SCORES = (0.25, 0.5)
    TABLE = np.array([1.0, 2.0])
    STEP = 1

    def made(bonus):
        def inner(x):
            return x + bonus
        return inner

    closed = made(0.125)

    moment = 1

    class Game(NamedTuple):
        '''Rules.'''
        round: int = 0
        moment: int = 5

        def shape(self):
            return (2, 2) if self.round == 0 else (0, 0)

        def play(self, i, j):
            return Game(self.round + STEP + outer.inner_shared.FAR * self.moment)  # a comment

        def payoff(self):
            parts = [x * shared.FACTOR for x in (1.0, 2.0)]
            return helper(SCORES[0]) + closed(0.0) + TABLE[0] * 0.0 + parts[0] * 0.0
"""
SHARED = """
    FACTOR = 2.0
    DEPTH = 3
    FAR = 0

    def deeper(x):
        return x * DEPTH / 3

    def helper(x):
        return deeper(x)
"""


def digest(game: str = GAME, shared: str = SHARED) -> str:
    """The digest of a game written in two modules."""
    modules = {}
    outer = sys.modules["outer"] = types.ModuleType("outer")
    for name, source in (("shared", shared), ("written", game)):
        module = types.ModuleType(name)
        sys.modules[name] = module
        exec(compile(textwrap.dedent(source), f"{name}.py", "exec"), module.__dict__)
        modules[name] = module
        outer.__dict__[f"inner_{name}"] = module
    return digest_of([modules["written"].Game])


def written(source: str, name: str) -> Any:
    """What a source calls by this name."""
    space: dict[str, Any] = {"__name__": "written"}
    exec(compile(textwrap.dedent(source), "written.py", "exec"), space)
    return space[name]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(2, 2) if", "(2, 3) if"),
        ("SCORES = (0.25, 0.5)", "SCORES = (0.5, 0.5)"),
        ("STEP = 1", "STEP = 2"),
        ("np.array([1.0, 2.0])", "np.array([1.0, 3.0])"),
        ("made(0.125)", "made(0.25)"),
        ("x * shared.FACTOR for", "x + shared.FACTOR for"),
        ("round: int = 0", "turn: int = 0"),
        ("moment: int = 5", "moment: int = 6"),
    ],
)
def test_an_edit_of_the_game_changes_its_digest(old: str, new: str) -> None:
    assert old in GAME
    assert digest(GAME.replace(old, new)) != digest()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("FACTOR = 2.0", "FACTOR = 3.0"),
        ("DEPTH = 3", "DEPTH = 4"),
        ("FAR = 0", "FAR = 1"),
        ("x * DEPTH / 3", "x * DEPTH / 4"),
        ("deeper(x)\n", "deeper(x + 1)\n"),
    ],
)
def test_an_edit_of_what_another_file_holds_changes_it_too(old: str, new: str) -> None:
    assert old in SHARED
    assert digest(shared=SHARED.replace(old, new)) != digest()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# a comment", "# another"),
        ("Rules.", "Better rules."),
        ("STEP = 1", "\n\n    STEP = 1"),
        ("moment = 1", "moment = 2"),
    ],
)
def test_comments_docstrings_empty_lines_and_what_only_shares_a_name_change_nothing(old: str, new: str) -> None:
    assert digest(GAME.replace(old, new)) == digest()


BANDIT = """
    from parallel_mcts import PerCol, PerRow, starts_at
    from typing import NamedTuple

    class Bandit(NamedTuple):
        c: float = 1.0

        class Stats:
            gains: PerRow
            losses: PerRow
            spread: PerCol = starts_at(1.0)

        def select(self, node, rng):
            return 0, 0, 1.0, 1.0
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gains: PerRow\n            losses: PerRow", "losses: PerRow\n            gains: PerRow"),
        ("gains: PerRow", "gains: PerCol"),
        ("starts_at(1.0)", "starts_at(2.0)"),
    ],
)
def test_statistics_declared_otherwise_change_the_digest_of_an_algorithm(old: str, new: str) -> None:
    assert old in BANDIT
    assert digest_of([written(BANDIT.replace(old, new), "Bandit")]) != digest_of([written(BANDIT, "Bandit")])
    assert digest_of([written(BANDIT, "Bandit")]) == digest_of([written(BANDIT, "Bandit")])


def test_what_cannot_be_seen_through_is_not_cached() -> None:
    secret = object()

    def function() -> object:
        return secret

    with pytest.raises(Uncertain):
        digest_of([function])


# ---------------------------------------------------------------------------------------------- files
@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    return tmp_path


def test_a_file_that_is_not_whole_is_not_read(own_folder: Path) -> None:
    path = own_folder / "one.native"
    cache._write(path, b"machine code")
    assert cache._read(path) == b"machine code"
    path.write_bytes(path.read_bytes()[:-1])
    assert cache._read(path) is None
    path.write_bytes(b"")
    assert cache._read(path) is None
    assert cache._read(own_folder / "absent.native") is None


def test_the_files_used_longest_ago_are_removed_first(own_folder: Path) -> None:
    for age, name in enumerate(["old", "middle", "new"]):
        path = own_folder / f"{name}.native"
        cache._write(path, b"x" * 1000)
        os.utime(path, (age, age))
    cache._read(own_folder / "old.native")  # used just now
    cache._keep_below(2500)
    assert sorted(path.stem for path in own_folder.glob("*.native")) == ["new", "old"]


def test_a_full_disk_leaves_no_file_and_fails_no_search(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache.os, "replace", full)
    with cache._tolerance():
        cache._write(own_folder / "one.native", b"machine code")
    assert list(own_folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("PARALLEL_MCTS_CACHE", str(blocked))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "user"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    assert str(cache.folder.__wrapped__()).startswith(str(tmp_path / "user"))


# ---------------------------------------------------------------------------------------------- whole programs
SCRIPT = """
    import sys
    from parallel_mcts import State, search
    from rules import worth

    class Coin(State):
        side: int = -1
        def shape(self): return (2, 2) if self.side < 0 else (0, 0)
        def play(self, i, j): return Coin(i ^ j)
        def payoff(self): return worth(self.side)

    from parallel_mcts.engines.compiled.compilation import is_compiled
    from parallel_mcts.engines.compiled.tree import locks_for
    from parallel_mcts.locks import ALONE
    from parallel_mcts import Rollout, Uniform
    print(is_compiled(Coin(), Uniform(), Rollout(), locks_for(ALONE)))
    print(search(Coin(), iterations=100, algorithm="uniform", seed=1, engine="compiled").row_value)
"""
RULES = "def worth(side):\n    return 0.25 if side else 0.25\n"


def run_script(folder: Path, *, at_once: int = 1) -> list[list[str]]:
    """What so many processes print that run the script at once."""
    (folder / "script.py").write_text(textwrap.dedent(SCRIPT))
    environment = {**os.environ, "PARALLEL_MCTS_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(folder / "script.py")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(at_once)]
    return [process.communicate()[0].split() for process in running]


def test_a_game_of_a_script_is_cached_and_an_edit_of_its_helper_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    assert run_script(tmp_path, at_once=2) == [["False", "0.25"]] * 2  # two compile at once and do not meet
    files = set((tmp_path / "cache").glob("*.native"))
    assert files
    assert not list((tmp_path / "cache").glob("*.part"))
    assert run_script(tmp_path) == [["True", "0.25"]]
    for file in files:  # a file that something else has written over is compiled anew
        file.write_bytes(b"not machine code")
    assert run_script(tmp_path) == [["True", "0.25"]]
    (tmp_path / "rules.py").write_text(RULES.replace("0.25", "0.75"))
    assert run_script(tmp_path) == [["False", "0.75"]]


def test_arrays_among_the_constants_are_told_apart_by_their_contents() -> None:
    assert digest_of([np.array([1, 2])]) != digest_of([np.array([1, 3])])
    assert digest_of([np.array([1, 2])]) != digest_of([np.array([1.0, 2.0])])
