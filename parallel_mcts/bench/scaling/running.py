"""`measure_scaling()`: measures every setting of a plan in rounds, then how good the answers are, and reports.

Everything that is compared is measured in turn, in rounds, in an order that moves on from round to round. Each search is
opened and played once by each worker first, which is its start-up; what is measured is the run after that. Ctrl-C ends
the benchmark with the report so far. The caller's thread runs here.
"""

from __future__ import annotations

import platform
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

from ...backends.base import cores
from ...backends.process import shut_down
from ...engines.choice import Choice
from ...errors import NotCompilable, NotPicklable, ThreadsCannotRunInParallel
from ...locks import ALONE
from ...registry import GAMES, MODELS
from ...rng import checked_seed, stream
from ...search import Search
from ...state import name_of
from ...stats import gil_enabled
from ..conditions import Instruments
from ..measuring import calibrate, machine
from . import judging
from .figures import BASE, Cell, Quality, Round, ScalingReport, Trial
from .plan import Plan, Setting, checked_count, checked_seconds, in_turn, plan_for

SECONDS, ROUNDS, QUALITY_SECONDS = 1.0, 5, 0.1
SOLVE_LIMIT = 50_000


@dataclass(frozen=True)
class ScalingProgress:
    """What a benchmark is about to do, how much of this stage is done, and for how long it has been at the stage."""

    stage: str
    """One of "getting ready", "measuring speed", "solving the game", "measuring quality"."""
    what: str
    done: int
    total: int
    seconds: float


OnProgress = Callable[[ScalingProgress], None]


@dataclass(frozen=True)
class Run:
    """So many iterations on a setting. With one worker, strong and weak scaling are the same run."""

    setting: Setting
    iterations: int


def measure_scaling(
    game: Any,
    *,
    backends: Sequence[Any] | None = None,
    workers: Sequence[int] | None = None,
    algorithms: Sequence[Any] | None = None,
    model: Any = "rollout",
    engine: str = "auto",
    mode: str = "both",
    iterations: int | None = None,
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    quality_seconds: float = QUALITY_SECONDS,
    quality_rounds: int | None = None,
    solve_limit: int = SOLVE_LIMIT,
    seed: int | None = None,
    title: str | None = None,
    on_progress: OnProgress | None = None,
    instruments: Instruments = Instruments(),  # noqa: B008  (a frozen value)
    open_search: Callable[..., Any] = Search,
) -> ScalingReport:
    """How a search of a game scales: backends × workers × algorithms, in speed and in quality at equal wall time.

    `game` is a position or a name. Without `backends`, all are measured whose workers run at once, always beside `single`;
    without `workers`, 1, 2, 4, … up to the processors and twice as many; without `algorithms`, the one that a search would
    take. `mode` is "strong" (so many iterations shared by all workers), "weak" (so many for each worker) or "both";
    `iterations` is how many, or as many as `single` makes in `seconds`. Where `engine` is "auto", games that compile are.

    Quality is what `quality_seconds` of wall time buy, in `quality_rounds` (as many as `rounds`, unless told) of a search,
    or of two games against `single`: exploitability if the game has at most `solve_limit` positions, else the score.
    """
    start = GAMES.make(game)
    benchmark = Benchmark(
        start=start,
        plan=plan_for(start, backends=backends, workers=workers, algorithms=algorithms, engine=engine, mode=mode),
        model=MODELS.make(model),
        iterations=None if iterations is None else checked_count("iterations", iterations),
        seconds=checked_seconds("seconds", seconds),
        rounds=checked_count("rounds", rounds),
        quality_seconds=checked_seconds("quality_seconds", quality_seconds),
        quality_rounds=checked_count("quality_rounds", rounds if quality_rounds is None else quality_rounds),
        solve_limit=solve_limit,
        seed=checked_seed(seed),
        instruments=instruments,
        open_search=open_search,
    )
    name = title or (game if isinstance(game, str) else name_of(start))
    interrupted = benchmark.run(_Teller(on_progress, instruments.clock))
    return benchmark.report(name, interrupted=interrupted)


class _Teller:
    """Tells `on_progress` of every step of a stage, before it is made."""

    def __init__(self, told: OnProgress | None, clock: Callable[[], float]) -> None:
        self.told, self.clock = told, clock

    def steps(self, stage: str, things: Sequence[Any]) -> Iterator[Any]:
        began = self.clock()
        for done, thing in enumerate(things):
            if self.told is not None:
                self.told(ScalingProgress(stage, str(thing), done, len(things), self.clock() - began))
            yield thing


class Benchmark:
    """One benchmark, and all that it has found so far."""

    def __init__(
        self,
        *,
        start: Any,
        plan: Plan,
        model: Any,
        iterations: int | None,
        seconds: float,
        rounds: int,
        quality_seconds: float,
        quality_rounds: int,
        solve_limit: int,
        seed: int,
        instruments: Instruments,
        open_search: Callable[..., Any],
    ) -> None:
        self.start, self.plan, self.model, self.seed = start, plan, model, seed
        self.iterations, self.seconds, self.rounds = iterations, seconds, rounds
        self.quality_seconds, self.quality_rounds, self.solve_limit = quality_seconds, quality_rounds, solve_limit
        self.instruments, self.open_search = instruments, open_search
        self.settings = list(plan.settings)
        self.engines: dict[str, str] = {}
        self.budgets: dict[str, int] = {}
        """Iterations of `single`, for each algorithm."""
        self.first_starts: dict[Setting, float] = {}
        self.speeds: dict[Run, list[Round]] = {}
        self.trials: dict[Setting, list[Trial]] = {}
        self.judge: Any = None
        self.notes: list[str] = []

    def run(self, teller: _Teller) -> bool:
        """Measures everything; returns whether Ctrl-C cut it short."""
        try:
            with _threads_may_take_turns():
                self._get_ready(teller)
                self._measure_speed(teller)
                self._measure_quality(teller)
        except KeyboardInterrupt:
            return True
        return False

    # ------------------------------------------------------------------------ getting ready
    def _get_ready(self, teller: _Teller) -> None:
        """Chooses engines and budgets, and runs everything once: what cannot run is known before hours are spent."""
        self.instruments.ping_pong()  # compiles
        for algorithm in teller.steps("getting ready", list(self.plan.algorithms)):
            self.engines[algorithm] = self._engine(algorithm)
            self.budgets[algorithm] = self.iterations or self._calibrated(Setting(BASE, 1, algorithm))
        for setting in teller.steps("getting ready", self.plan.settings):
            try:
                self.first_starts[setting] = self._first_start(setting)
            except (NotPicklable, NotCompilable) as error:
                if not self.plan.optional or setting.backend == BASE:
                    raise
                self._leave_out(setting, error)
        for setting in teller.steps("getting ready", self._largest()):
            self._opened(setting, self.seed)[0].close()  # leaves as many processes waiting as any of them needs
        self._note_what_takes_turns()

    def _engine(self, algorithm: str) -> str:
        """The engine that all backends run an algorithm on."""
        if self.plan.engine != "auto":
            return self.plan.engine
        choice = Choice("auto", self.start, self.plan.algorithms[algorithm], self.model, ALONE)
        return "compiled" if choice.compiled() == "compiled" else "python"  # threads on one tree know no other

    def _calibrated(self, setting: Setting) -> int:
        """How many iterations take the seconds asked for, with two figures that count."""

        def search(count: int) -> None:
            with self._opened(setting, self.seed)[0] as session:
                if session.run(iterations=count).interrupted:
                    raise KeyboardInterrupt

        count = calibrate(search, self.seconds, self.instruments.clock)
        return max(1, int(float(f"{count:.2g}")))

    def _first_start(self, setting: Setting) -> float:
        """Seconds to open a search while no process is waiting for one; machine code is ready by then."""
        if not any((s.backend, s.algorithm) == (setting.backend, setting.algorithm) for s in self.first_starts):
            self._opened(setting, self.seed)[0].close()
        shut_down()
        session, start_up = self._opened(setting, self.seed)
        session.close()
        return start_up

    def _largest(self) -> list[Setting]:
        """The setting of each backend and algorithm that has the most workers."""
        return list({(s.backend, s.algorithm): s for s in self.settings}.values())

    def _leave_out(self, setting: Setting, error: Exception) -> None:
        self.settings.remove(setting)
        words = f"{setting.backend} is left out: {str(error).splitlines()[0]}"
        if words not in self.notes:
            self.notes.append(words)

    def _note_what_takes_turns(self) -> None:
        interpreted = [name for name, engine in self.engines.items() if engine == "python"]
        threads = [n for n, b in self.plan.backends.items() if b.threads_share_interpreter and n != BASE]
        if interpreted and threads and gil_enabled():
            self.notes.append(
                f"{', '.join(threads)}: threads that run a game in the interpreter take turns, since this Python has a GIL"
            )

    # ------------------------------------------------------------------------ searching
    def _options(self, setting: Setting) -> dict[str, Any]:
        return {
            "algorithm": self.plan.algorithms[setting.algorithm],
            "model": self.model,
            "backend": self.plan.backends[setting.backend],
            "workers": setting.workers,
            "engine": self.engines[setting.algorithm],
        }

    def _opened(self, setting: Setting, seed: int) -> tuple[Any, float]:
        """A search in which each worker has played once, and the seconds that took."""
        began = self.instruments.clock()
        session = self.open_search(self.start, **self._options(setting), seed=seed)
        if session.run(iterations=setting.workers).interrupted:
            session.close()
            raise KeyboardInterrupt
        return session, self.instruments.clock() - began

    # ------------------------------------------------------------------------ speed
    def _runs(self) -> list[Run]:
        """What is to be measured; a run that stands for two modes is made once."""
        found = [Run(s, self._budget(s, mode)) for mode in self.plan.modes for s in self.settings]
        return list(dict.fromkeys(found))

    def _budget(self, setting: Setting, mode: str) -> int:
        return self.plan.budget(setting, mode, self.budgets[setting.algorithm])

    def _measure_speed(self, teller: _Teller) -> None:
        runs = self._runs()
        turns = [(k, run) for k in range(self.rounds) for run in in_turn(runs, k, self.rounds)]
        steps = [_Step(f"{run.setting}, {run.iterations:,} iterations", k, self.rounds, run) for k, run in turns]
        for step in teller.steps("measuring speed", steps):
            self.speeds.setdefault(step.thing, []).append(self._round(step.thing, self._seed(step.number)))

    def _round(self, run: Run, seed: int) -> Round:
        session, start_up = self._opened(run.setting, seed)
        with session:
            result, conditions = self.instruments.observing(lambda: session.run(iterations=run.iterations))
        if result.interrupted:
            raise KeyboardInterrupt
        return Round(result.iterations, result.seconds, start_up, result.nodes, result.memory, conditions)

    def _seed(self, number: int) -> int:
        """That of a round: one for all settings."""
        return stream(self.seed, number).getrandbits(32)

    # ------------------------------------------------------------------------ quality
    def _measure_quality(self, teller: _Teller) -> None:
        for _ in teller.steps("solving the game", [f"if it has at most {self.solve_limit:,} positions"]):
            self.judge = judging.judge_of(self.start, self.quality_seconds, self.solve_limit, self.instruments)
        settings = [setting for setting in self.settings if self.judge.judges(setting.backend)]
        turns = [(k, s) for k in range(self.quality_rounds) for s in in_turn(settings, k, self.quality_rounds)]
        steps = [_Step(f"{setting}, {self.judge.measure}", k, self.quality_rounds, setting) for k, setting in turns]
        for step in teller.steps("measuring quality", steps):
            self.trials.setdefault(step.thing, []).append(self._trial(step.thing, self._seed(step.number)))

    def _trial(self, setting: Setting, seed: int) -> Trial:
        searching = judging.Search(self._options(setting), lambda seed: self._opened(setting, seed)[0])
        return self.judge.trial(searching, seed)  # type: ignore[no-any-return]

    # ------------------------------------------------------------------------ what was found
    def report(self, name: str, *, interrupted: bool) -> ScalingReport:
        """All that is known, of settings that were measured at least once."""
        from ... import __version__

        return ScalingReport(
            game=name,
            model=repr(self.model),
            seed=self.seed,
            seconds=self.seconds,
            quality_seconds=self.quality_seconds,
            date=time.strftime("%Y-%m-%d"),
            version=f"parallel_mcts {__version__}, Python {platform.python_version()}",
            machine=machine(),
            cores=cores(),
            physical_cores=psutil.cpu_count(logical=False),
            cells=tuple(self._cells()) if self.speeds else (),
            notes=tuple(self.notes),
            solved=self._positions(),
            interrupted=interrupted,
        )

    def _positions(self) -> int | None:
        solved = getattr(self.judge, "solved", None)
        return None if solved is None else solved.positions

    def _cells(self) -> Iterator[Cell]:
        for mode in self.plan.modes:
            for setting in self.settings:
                rounds = self.speeds.get(Run(setting, self._budget(setting, mode)))
                if rounds:
                    yield self._cell(setting, mode, rounds)

    def _cell(self, setting: Setting, mode: str, rounds: Sequence[Round]) -> Cell:
        engine = self.engines[setting.algorithm]
        backend, workers, algorithm = setting.backend, setting.workers, setting.algorithm
        trials = tuple(self.trials.get(setting, ()))
        quality = Quality(self.judge.measure, self.quality_seconds, trials) if trials else None
        first_start = self.first_starts[setting]
        return Cell(backend, workers, algorithm, engine, mode, tuple(rounds), first_start, quality)


@dataclass(frozen=True)
class _Step:
    """A measurement in its round, as progress names it."""

    what: str
    number: int
    of: int
    thing: Any

    def __str__(self) -> str:
        return f"round {self.number + 1} of {self.of}: {self.what}"


@contextmanager
def _threads_may_take_turns() -> Iterator[None]:
    """The report says so once; not every search has to."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThreadsCannotRunInParallel)
        yield
