"""Worker processes: started once, fed with anything, watched while they run, replaced when they die, gone at the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from leftovers import left_in_shared_memory, worker_processes

from parallel_mcts import (
    Heuristic,
    NotPicklable,
    ParallelMCTSError,
    Progress,
    Search,
    State,
    WorkerDied,
    WorkerReplaced,
    game,
    search,
)
from parallel_mcts.backends import board, process
from parallel_mcts.backends.process import ProcessSeat, _idle
from parallel_mcts.backends.worker import TreeWorker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="uses signals")


class Slow(State):
    """A choice that takes a millisecond to judge."""

    chosen: int = -1

    def shape(self) -> tuple[int, int]:
        return (2, 2) if self.chosen < 0 else (0, 0)

    def play(self, i: int, j: int) -> Slow:
        return Slow(2 * i + j)

    def payoff(self) -> float:
        time.sleep(0.001)
        return 1.0 if self.chosen in (0, 3) else 0.0


def pids_of(session: Search) -> list[int]:
    searcher: Any = session._open_searcher()
    return [member.seat.home.submit(os.getpid).result() for member in searcher.members]


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def run_script(text: str, tmp_path: Path, *args: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(text))
    return subprocess.run([sys.executable, str(script), *args], capture_output=True, text=True, timeout=60, check=False)


# ---------------------------------------------------------------------------------------------- what can be sent
def test_games_of_main_lambdas_and_closures_travel(tmp_path: Path) -> None:
    done = run_script(
        """
        from typing import NamedTuple
        from parallel_mcts import Heuristic, State, search

        class Mine(State):
            k: int = -1
            def shape(self): return (2, 2) if self.k < 0 else (0, 0)
            def play(self, i, j): return Mine(i)
            def payoff(self): return float(self.k)

        def local_game():
            win = 1.0
            class Local(NamedTuple):
                k: int = -1
                def shape(self): return (2, 1) if self.k < 0 else (0, 0)
                def play(self, i, j): return Local(i)
                def payoff(self): return win * self.k
            return Local()

        if __name__ == "__main__":
            for state, model in ((Mine(), "rollout"), (local_game(), Heuristic(lambda state: 0.5))):
                result = search(state, iterations=200, algorithm="ucb", model=model, backend="process", workers=2, seed=1)
                print(result.row.best, result.visits)
        """,
        tmp_path,
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["1", "200", "1", "200"]


class Unsendable(Slow):
    """Cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle a grudge")


def test_a_game_that_cannot_be_sent_is_refused_before_anything_starts() -> None:
    with pytest.raises(NotPicklable, match=r"the state .*Unsendable.* cannot be sent .*: cannot pickle a grudge"):
        search(Unsendable(), iterations=10, backend="process", workers=2)
    lock = threading.Lock()
    with pytest.raises(NotPicklable, match=r"the model .*Heuristic.* cannot be sent"):
        search(Slow(), iterations=10, backend="process", model=Heuristic(lambda state: 0.5 if lock else 0.0))


# ---------------------------------------------------------------------------------------------- re-use
def test_processes_are_started_once_and_used_again() -> None:
    with Search(Slow(), algorithm="uniform", backend="process", workers=2, seed=1) as session:
        first = set(pids_of(session))
        session.run(iterations=4)
    with Search(game("dice"), algorithm="uniform", backend="process", workers=2, seed=1) as session:
        assert set(pids_of(session)) <= {p.pid for p in worker_processes()}
        assert first & set(pids_of(session))


def test_a_worker_keeps_to_one_thread_and_may_grow_large() -> None:
    with Search(Slow(), algorithm="uniform", backend="process", workers=1, seed=1) as session:
        searcher: Any = session._open_searcher()
        home = searcher.members[0].seat.home
        for name in process.THREAD_COUNTS:
            assert home.submit(os.getenv, name).result() == "1"
        limit = home.submit(eval, "__import__('loky.process_executor').process_executor._MAX_MEMORY_LEAK_SIZE").result()
        assert limit > 10**15  # or else loky takes a large tree for a leak, and ends the process


def test_warming_up_starts_processes_ahead_of_the_first_search() -> None:
    process.warm_up(2)
    ready = {p.pid for p in worker_processes()}
    with Search(Slow(), algorithm="uniform", backend="process", workers=2, seed=1) as session:
        assert set(pids_of(session)) <= ready


def test_a_forked_child_does_not_touch_its_parents_workers() -> None:
    search(Slow(), iterations=4, algorithm="uniform", backend="process", workers=1, seed=1)
    assert process._idle
    child = os.fork()
    if child == 0:
        os._exit(len(process._idle))
    assert os.waitpid(child, 0)[1] == 0


# ---------------------------------------------------------------------------------------------- watching
def test_progress_is_seen_while_the_workers_run() -> None:
    seen: list[Progress] = []
    result = search(
        Slow(), iterations=1200, algorithm="regret_matching", backend="process", workers=2, seed=1, on_progress=seen.append
    )
    assert len(seen) >= 2
    assert [p.iterations for p in seen] == sorted(p.iterations for p in seen)
    assert 0 < seen[0].iterations < 1200
    assert seen[-1].iterations == result.iterations == 1200
    assert seen[0].workers == 2
    assert seen[0].nodes >= 2
    assert seen[0].memory > 0
    assert sum(seen[0].row) == pytest.approx(1.0)
    assert seen[-1].row == result.row


def test_asked_to_stop_the_workers_return_what_they_have() -> None:
    interrupted: list[int] = []

    def once(progress: Progress) -> None:
        if not interrupted:
            interrupted.append(progress.iterations)
            os.kill(os.getpid(), signal.SIGINT)

    result = search(Slow(), iterations=10**6, algorithm="uniform", backend="process", workers=2, seed=1, on_progress=once)
    assert result.interrupted
    assert interrupted[0] <= result.iterations < 10**5
    assert result.visits == result.iterations == sum(report.visits for report in result.row_actions)


# ---------------------------------------------------------------------------------------------- death
def kill_at_first_report(session: Search, victims: list[int]) -> Callable[[Progress], None]:
    def strike(progress: Progress) -> None:
        while victims and progress.iterations > 0:
            os.kill(victims.pop(), signal.SIGKILL)

    return strike


def test_a_killed_worker_is_replaced_and_what_it_published_is_kept() -> None:
    with Search(Slow(), algorithm="regret_matching", backend="process", workers=2, seed=1) as session:
        victim = pids_of(session)[0]
        with pytest.warns(WorkerReplaced, match=r"worker 0 died .*; its published statistics were kept"):
            result = session.run(iterations=1500, on_progress=kill_at_first_report(session, [victim]))
        assert result.iterations == 1500
        assert result.visits == 1500
        assert sum(report.visits for report in result.row_actions) == 1500
        assert result.lost_workers == 1
        assert victim not in pids_of(session)
        assert session.run(iterations=50).visits == 1550


def test_a_worker_killed_between_runs_is_replaced_when_it_is_needed() -> None:
    with Search(game("tictactoe"), algorithm="ucb", backend="process", workers=2, seed=1) as session:
        before = session.run(iterations=400)
        os.kill(pids_of(session)[1], signal.SIGKILL)
        with pytest.warns(WorkerReplaced):
            after = session.run(iterations=100)
        assert (before.visits, after.visits) == (400, 500)
        os.kill(pids_of(session)[0], signal.SIGKILL)
        with pytest.warns(WorkerReplaced):
            session.advance(4)
        assert session.run(iterations=50).visits >= 50


class Suicidal(Slow):
    """Takes its process along."""

    def play(self, i: int, j: int) -> Slow:
        os._exit(9)


def test_a_game_that_kills_every_worker_is_given_up_with_an_error() -> None:
    with pytest.warns(WorkerReplaced), pytest.raises(WorkerDied, match=r"worker \d died 4 times"):
        search(Suicidal(), iterations=100, algorithm="uniform", backend="process", workers=2, seed=1)


SEARCHING_SCRIPT = """
    import sys, time
    from parallel_mcts import search, State

    class Endless(State):
        k: int = -1
        def shape(self): return (2, 2) if self.k < 0 else (0, 0)
        def play(self, i, j): return Endless(i)
        def payoff(self): time.sleep(0.001); return 0.5

    if __name__ == "__main__":
        print("ready", flush=True)
        result = search(Endless(), seconds=60, algorithm="uniform", backend="process", workers=2, seed=1,
                        engine="python", on_progress=lambda progress: print("going", flush=True))
        print("interrupted" if result.interrupted else "done", result.visits == result.iterations > 0, flush=True)
"""


def start_script(tmp_path: Path) -> subprocess.Popen[str]:
    script = tmp_path / "searching.py"
    script.write_text(textwrap.dedent(SEARCHING_SCRIPT))
    running = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert running.stdout is not None
    while running.stdout.readline().strip() != "going":
        pass
    return running


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_when_the_caller_is_killed_its_workers_end_too(number: int, tmp_path: Path) -> None:
    running = start_script(tmp_path)
    children = psutil.Process(running.pid).children(recursive=True)
    assert len(children) >= 2
    os.kill(running.pid, number)
    running.wait()
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []
    assert left_in_shared_memory(running.pid) == []


def test_ctrl_c_at_the_terminal_returns_the_answer_so_far(tmp_path: Path) -> None:
    running = start_script(tmp_path)
    children = psutil.Process(running.pid).children(recursive=True)
    os.killpg(running.pid, signal.SIGINT)  # a terminal sends it to the workers too
    out, _ = running.communicate(timeout=30)
    assert out.splitlines()[-1] == "interrupted True"
    assert running.returncode == 0
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []
    assert left_in_shared_memory(running.pid) == []


def test_a_full_disk_is_reported_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(board.os, "posix_fallocate", full)
    with pytest.raises(ParallelMCTSError, match=r"no room for \d+ bytes of shared memory in .*No space left on device"):
        search(Slow(), iterations=10, algorithm="uniform", backend="process", workers=2)
    assert left_in_shared_memory() == []


def test_shared_memory_has_no_name_while_the_workers_run() -> None:
    with Search(Slow(), algorithm="uniform", backend="process", workers=2, seed=1) as session:
        session.run(iterations=10)
        assert left_in_shared_memory() == []


def test_workers_killed_between_two_searches_are_replaced_in_silence() -> None:
    options: dict[str, Any] = {"algorithm": "uniform", "backend": "process", "workers": 2, "seed": 1, "engine": "python"}
    first = search(game("tictactoe"), iterations=50, **options)
    for idle in worker_processes():
        idle.kill()
        idle.wait()
    again = search(game("tictactoe"), iterations=50, **options)
    assert (again.row, again.visits) == (first.row, first.visits)


def test_a_process_is_given_back_once() -> None:
    seat = ProcessSeat()
    seat.close()
    seat.close()
    assert sum(home is seat.home for home in _idle) == 1


def test_a_wide_root_is_not_published_after_every_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    published = []
    before = TreeWorker._publish

    def counted(self: Any, done: int) -> None:
        published.append(done)
        before(self, done)

    monkeypatch.setattr(TreeWorker, "_publish", counted)
    wide = game("matrix", payoffs=[[(i * j) % 7 for j in range(120)] for i in range(120)])
    result = search(wide, iterations=3000, algorithm="uniform", backend="inline", workers=1, seed=1, engine="python")
    assert result.visits == published[-1] == 3000
    assert len(published) < 100
