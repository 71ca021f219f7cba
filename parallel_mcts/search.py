"""`search()`: one call for every game, algorithm and backend; and `Search`, the session behind it, which keeps the tree.

The caller's thread runs here: it watches the clock, the workers and Ctrl-C, and it alone calls `on_progress`.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from .backends.base import Job, Searcher, Watch, check_workers
from .budget import Budget
from .engines.base import Step
from .engines.choice import TRIAL_SECONDS, Choice, check_engine
from .errors import GameError, IllegalAction, InputError, ParameterError, TerminalRoot, ThreadsCannotRunInParallel
from .interrupts import catching_interrupts
from .locks import ALONE
from .reading import Reader, named
from .registry import ALGORITHMS, BACKENDS, MODELS
from .results import Move, NodeView, Progress, SearchResult, Strategy
from .rng import checked_seed
from .snapshot import Snapshot, empty_snapshot
from .state import (
    ChanceControlled,
    action_index,
    action_names,
    apply_outcome,
    has_chance,
    is_over,
    labels,
    name_of,
    show,
)
from .stats import gil_enabled

PROGRESS_SECONDS = 0.25
LINE_LENGTH = 12
MAX_DEPTH = 100_000
DEEPEST = 10_000_000
"""A path of so many steps is made room for before the search begins."""

OnProgress = Callable[[Progress], None]


def search(
    state: Any,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    algorithm: Any = None,
    model: Any = "rollout",
    backend: Any = "single",
    workers: int | None = None,
    seed: int | None = None,
    engine: str = "auto",
    on_progress: OnProgress | None = None,
    progress_seconds: float = PROGRESS_SECONDS,
    max_depth: int = MAX_DEPTH,
) -> SearchResult:
    """Searches the game from a state and returns both players' strategies at it.

    `algorithm`, `model` and `backend` are objects or names such as `"exp3:gamma=0.2"`. Without an algorithm, games of turns
    get UCB and others regret matching. A search repeated with the same seed, workers and iterations gives the same
    result on `single` and on the root-parallel backends; not with a time limit, and not on `threaded` and `pool` with more
    than one worker, where the timing of the threads decides who sees what. Ctrl-C ends the search and returns the answer so
    far, marked `interrupted`; a second one raises KeyboardInterrupt.

    `engine` is "python", "compiled" (an error if the game, the model or the algorithm cannot be compiled), "mixed" (the
    search compiled, the game and the model in Python) or "auto", which compiles what it can where the search takes long
    enough to be worth it. It never changes the answer.

    `on_progress` is told how the search is doing, no more often than every `progress_seconds`, and once at the end.
    """
    budget = Budget(iterations, seconds)
    session = Search(
        state,
        algorithm=algorithm,
        model=model,
        backend=backend,
        workers=workers,
        seed=seed,
        engine=engine,
        max_depth=max_depth,
    )
    with session:
        return session._run(budget, on_progress, progress_seconds)


class Search:
    """A search that is kept open: run it again, read it, look into its tree, follow the game along it.

    Use it as a context manager, or `close()` it. One thread at a time may use it.
    """

    def __init__(
        self,
        state: Any,
        *,
        algorithm: Any = None,
        model: Any = "rollout",
        backend: Any = "single",
        workers: int | None = None,
        seed: int | None = None,
        engine: str = "auto",
        max_depth: int = MAX_DEPTH,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        require_live_state(state)
        self.state = state
        self.algorithm = ALGORITHMS.make(algorithm if algorithm is not None else default_algorithm(state))
        self.model = MODELS.make(model)
        self.backend = BACKENDS.make(backend)
        self.workers = check_workers(workers, self.backend)
        self.seed = checked_seed(seed)
        self._clock = clock
        if not isinstance(max_depth, int) or not 1 <= max_depth <= DEEPEST:
            raise ParameterError(f"max_depth is {max_depth!r}; it must be a whole number from 1 to {DEEPEST:,}")
        self.max_depth = max_depth
        self.engine = check_engine(engine)
        """As asked for, until the first run or look decides it."""
        sharing = getattr(self.backend, "sharing", ALONE)
        self._choice = Choice(self.engine, state, self.algorithm, self.model, sharing)
        self._searcher: Searcher | None = None
        self._closed = False
        self._reader = Reader.of(state, self.algorithm)
        self._last = _Run()

    # ------------------------------------------------------------------------ running
    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        on_progress: OnProgress | None = None,
        progress_seconds: float = PROGRESS_SECONDS,
    ) -> SearchResult:
        """Goes on searching, and returns what is known then."""
        return self._run(Budget(iterations, seconds), on_progress, progress_seconds)

    def _run(self, budget: Budget, on_progress: OnProgress | None, progress_seconds: float) -> SearchResult:
        if on_progress is not None:
            self._choice.announce = lambda: on_progress(self._compiling())
        with catching_interrupts() as interrupt:
            try:
                called = self._clock()
                before = self._open_searcher(budget).counters().iterations
                started = self._clock()
                if self.engine != "python" and self._choice.engine == "auto":
                    budget = _shortened(budget, started - called)  # nobody asked for the compiling
                reporter = _Reporter(self, on_progress, progress_seconds, started, before)
                watch = Watch(stopping=lambda: interrupt.requested, tick=reporter.tick, clock=self._clock)
                self._spend(budget, watch, started)
            except BaseException:
                self.close()  # the trees may be torn, and nothing is to be left running
                raise
        done, took = self._open_searcher().counters().iterations - before, self._clock() - started
        self._last = _Run(done, took, interrupt.requested)
        if on_progress is not None:
            reporter.report()
        return self.result()

    def _spend(self, budget: Budget, watch: Watch, started: float) -> None:
        """Runs the searcher; one that began in the interpreter for want of a reason to compile may find one on the way.

        Then it is stopped, compiled and begun again, so that every worker does its whole share in one piece: the answer is
        the one that either engine would have given alone.
        """
        searcher = self._open_searcher()
        on_trial = self._choice.engine == "auto" and self.engine == "python" and self._choice.is_open()
        if budget.iterations is None or not on_trial or searcher.counters().iterations:
            searcher.run(budget, watch)
            return
        trial = _Trial(budget, watch, searcher, self._choice, started)
        searcher.run(budget, Watch(trial.stopping, trial.tick, watch.clock))
        if not trial.failed or watch.stopping():
            return
        engine = self._choice.compiled()
        seconds = None if budget.seconds is None else budget.seconds - (watch.clock() - started)
        if seconds is None or seconds > 0:  # else what the interpreter found must do
            self._begin_again(engine)
            self._open_searcher().run(Budget(budget.iterations, seconds), watch)

    def _compiling(self) -> Progress:
        nothing = empty_snapshot(self.algorithm, *self.state.shape())
        strategies = self._reader.strategies(self.state, nothing)
        return Progress(0, 0.0, 0.0, *strategies, None, None, 0, 0, self.workers, "compiling")

    def _begin_again(self, engine: str) -> None:
        self._open_searcher().close()
        self._searcher = None  # closed once, also if the next line fails
        self.engine = engine
        self._searcher = self.backend.open(self._job())

    def _open_searcher(self, budget: Budget | None = None) -> Searcher:
        """The searcher; the first time, when it is known how long it will run, the engine is chosen and it is opened."""
        if self._closed:
            raise InputError("this search is closed; make a new one")
        if self._searcher is None:
            self.engine = self._choice.at_start(budget)
            self._warn_of_gil()
            self._searcher = self.backend.open(self._job())
        return self._searcher

    def _job(self) -> Job:
        return Job(self.state, self.algorithm, self.model, self.seed, self.workers, self.max_depth, self.engine)

    def _warn_of_gil(self) -> None:
        interpreted = self.engine != "compiled" and gil_enabled()
        if interpreted and self.workers > 1 and self.backend.threads_share_interpreter:
            warnings.warn(
                f"backend {self.backend.name!r}: threads cannot run a game written in Python in parallel on this "
                "interpreter, which has a GIL; 'process' can",
                ThreadsCannotRunInParallel,
                stacklevel=5,
            )

    # ------------------------------------------------------------------------ reading
    def result(self) -> SearchResult:
        """What the search knows of the current root."""
        searcher, read = self._open_searcher(), self._reader
        root, counters = searcher.snapshot(), searcher.counters()
        row, col = read.strategies(self.state, root)
        row_value, col_value = read.values(root)
        return SearchResult(
            row=row,
            col=col,
            row_value=row_value,
            col_value=col_value,
            row_actions=read.row_actions(row, root),
            col_actions=read.col_actions(col, root),
            cell_means=read.cell_means(root),
            principal_line=self._principal_line(searcher, root, row, col),
            iterations=self._last.iterations,
            seconds=self._last.seconds,
            visits=root.visits,
            seed=self.seed,
            workers=self.workers,
            backend=self.backend.name,
            engine=self.engine,
            algorithm=self.algorithm,
            model=self.model,
            game=name_of(self.state),
            nodes=counters.nodes,
            memory=counters.memory,
            interrupted=self._last.interrupted,
            lost_workers=searcher.lost_workers,
        )

    def strategies(self) -> tuple[Strategy, Strategy]:
        """Both players' strategies at the current root."""
        return self._reader.strategies(self.state, self._open_searcher().snapshot())

    def node(self, *moves: Sequence[Any]) -> NodeView | None:
        """The node reached from the root by moves (row action, column action[, observation]); None if it has none."""
        searcher, path, state = self._open_searcher(), list[Step](), self.state
        for move in moves:
            path.append(self._step(state, *move))
            if not has_chance(state):
                state = state.play(path[-1].i, path[-1].j)
            elif len(path) < len(moves):  # only the tree knows which position chance led to
                between = searcher.report(path)
                if between is None:
                    return None
                state = between.state
        report = searcher.report(path)
        return None if report is None else self._reader.view(report)

    def _principal_line(self, searcher: Searcher, root: Snapshot, row: Strategy, col: Strategy) -> tuple[Move, ...]:
        """The most probable joint action, and what was most visited after it."""
        first = row.actions.index(row.best), col.actions.index(col.best)
        if root.cell_visits[first[0]][first[1]] == 0:
            return ()
        moves, path = [], searcher.line(first, LINE_LENGTH)
        state = self.state
        for k, step in enumerate(path):
            moves.append(named(labels(state), step))
            if k + 1 < len(path):
                state = self._after(state, step, path[: k + 1])
        return tuple(moves)

    def _after(self, state: Any, step: Step, path: Sequence[Step]) -> Any:
        """The position after a step; where only the tree can tell what chance did, it is asked for that path."""
        if not has_chance(state):
            return state.play(step.i, step.j)
        if isinstance(state, ChanceControlled):
            return apply_outcome(state, step.i, step.j, step.observation)
        if hasattr(step.observation, "shape") and hasattr(step.observation, "play"):
            return step.observation  # a game without observation(): the next state is its own
        report = self._open_searcher().report(path)
        if report is not None:
            return report.state
        raise IllegalAction(
            f"cannot tell which position the observation {step.observation!r} stands for in {name_of(state)}, since the "
            "search has not been there; give the game outcomes(i, j), or no observation()"
        )

    # ------------------------------------------------------------------------ following the game
    def advance(self, *actions: Any, observation: Any = None) -> Any:
        """Moves the root along a joint action and keeps what the search knows there; returns the new state.

        Give both players' actions, or one where only one player has a choice. In a game with chance, say what happened
        by `observation` (the next state itself, unless the game defines observations).
        """
        step = self._step(self.state, *actions, observation=observation)
        state = self._after(self.state, step, [step])
        require_live_state(state)
        try:
            self._open_searcher().advance(step, state)
        except BaseException:
            self.close()  # some trees may have moved on, and others not
            raise
        self.state = state
        self._last = _Run()
        return state

    def _step(self, state: Any, *actions: Any, observation: Any = None) -> Step:
        rows, cols = labels(state)
        if len(actions) == 3 and observation is None:
            *actions, observation = actions  # type: ignore[assignment]
        if len(actions) == 1 and 1 in (len(rows), len(cols)):
            actions = (actions[0], cols[0]) if len(cols) == 1 else (rows[0], actions[0])
        if len(actions) != 2:
            raise IllegalAction(f"{len(actions)} actions given at {show(state)}; give one for row and one for column")
        i = action_index(rows, actions[0], "row", state)
        j = action_index(cols, actions[1], "column", state)
        if has_chance(state) and observation is None:
            raise IllegalAction(
                f"chance takes part in {action_names(state, i, j)} at {show(state)}; say what happened by observation=…"
            )
        if observation is not None and not has_chance(state):
            raise IllegalAction(
                f"no chance takes part in {name_of(state)}; observation={observation!r} means nothing there"
            )
        return Step(i, j, observation)

    def close(self) -> None:
        """Frees the tree; worker processes are kept for the next search."""
        self._closed = True
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


@dataclass(frozen=True)
class _Run:
    """How the last run went."""

    iterations: int = 0
    seconds: float = 0.0
    interrupted: bool = False


class _Trial:
    """Watches a search that began in the interpreter, and stops it once if it turns out to be worth compiling."""

    def __init__(self, budget: Budget, watch: Watch, searcher: Searcher, choice: Choice, started: float) -> None:
        self._budget, self._watch, self._searcher, self._choice, self._started = budget, watch, searcher, choice, started
        self._next_look = TRIAL_SECONDS
        self.failed = False

    def stopping(self) -> bool:
        return self.failed or self._watch.stopping()

    def tick(self) -> None:
        self._watch.tick()
        took = self._watch.clock() - self._started
        if took > self._next_look and not self.failed:
            self._next_look = 2.0 * took  # a search may turn out to take longer than it first seemed
            self.failed = self._choice.after_trial(self._seconds_left(took))

    def _seconds_left(self, took: float) -> float:
        """How long the rest would take in the interpreter, or may take at all."""
        assert self._budget.iterations is not None
        done = self._searcher.counters().iterations
        needed = took * (self._budget.iterations - done) / max(done, 1)
        return needed if self._budget.seconds is None else min(needed, self._budget.seconds - took)


def _shortened(budget: Budget, seconds: float) -> Budget:
    """What is left of a time limit; a tenth of it in any case, or there would be no answer."""
    if budget.seconds is None:
        return budget
    return Budget(budget.iterations, max(budget.seconds - seconds, budget.seconds / 10))


class _Reporter:
    """Tells `on_progress` how a run is doing, as often as asked for."""

    def __init__(self, session: Search, told: OnProgress | None, apart: float, started: float, before: int) -> None:
        self.session, self.told, self.apart = session, told, apart
        self.started, self.before, self.latest = started, before, started

    def tick(self) -> None:
        if self.told is not None and self.session._clock() - self.latest >= self.apart:
            self.report()

    def report(self) -> None:
        assert self.told is not None
        session, now = self.session, self.session._clock()
        self.latest = now
        searcher = session._open_searcher()
        root, counters = searcher.snapshot(), searcher.counters()
        done, seconds = counters.iterations - self.before, now - self.started
        row, col = session._reader.strategies(session.state, root)
        quiet = session.workers == 1 and session.backend.name == "single"  # no one else is at work on the tree
        self.told(
            Progress(
                done,
                seconds,
                done / seconds if seconds > 0 else 0.0,
                row,
                col,
                *session._reader.values(root),
                counters.nodes,
                counters.memory,
                session.workers,
                principal_line=session._principal_line(searcher, root, row, col) if quiet else (),
            )
        )


def default_algorithm(state: Any) -> str:
    """UCB where only one player has a choice, as in games of turns; regret matching where both have."""
    rows, cols = state.shape()
    return "ucb" if (rows == 1) != (cols == 1) else "regret_matching"


def require_live_state(state: Any) -> None:
    """Raises what is wrong with a state to search from."""
    missing = [name for name in ("shape", "play", "payoff") if not callable(getattr(state, name, None))]
    if missing:
        hint = "; it is a class: give an instance" if isinstance(state, type) else ""
        raise InputError(f"{state!r} is not a state: it has no {', '.join(missing)}(){hint}")
    if isinstance(state, type):
        raise InputError(f"{state!r} is a class; give an instance of it: {state.__name__}()")
    try:
        over = is_over(state)
    except Exception as error:
        raise GameError(f"{name_of(state)}.shape() raised {type(error).__name__}: {error} at {show(state)}") from error
    if over:
        raise TerminalRoot(f"the game is over at {show(state)}: there is nothing to search")
