"""The shape of the package: what it shows, what it loads, and that imports only point down."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import parallel_mcts

PACKAGE = Path(parallel_mcts.__file__).parent
GAMES = PACKAGE.parent / "games"

LAYERS = [
    {"errors", "records"},
    {"budget", "rng", "matrix", "interrupts", "ratings"},
    {"state"},
    {"models.base", "stats"},
    {"models.rollout", "models.heuristic", "locks", "snapshot", "scoring"},
    {"models.solved"},
    {"models"},
    {"algorithms.base"},
    {"algorithms.common"},
    {"algorithms.exp3", "algorithms.regret_matching", "algorithms.ucb", "algorithms.puct", "algorithms.uniform"},
    {"algorithms.exp3p", "algorithms.matrix_ucb"},
    {"algorithms", "descent"},
    {"engines", "engines.base", "engines.collection", "engines.failures"},
    {"engines.interpreted", "engines.choice", "engines.engine"},
    {"engines.compiled", "engines.compiled.layout", "engines.compiled.builtins", "engines.compiled.digest"},
    {"engines.compiled.types", "engines.compiled.cache"},
    {"engines.compiled.nodes", "engines.compiled.arenas", "engines.compiled.blocks", "engines.compiled.checked"},
    {"engines.compiled.spinlocks", "engines.compiled.streams", "engines.compiled.memory", "engines.compiled.tuples"},
    {"engines.compiled.paths", "engines.compiled.scratch", "engines.compiled.methods"},
    {"engines.compiled.callbacks", "engines.compiled.watched"},
    {"engines.compiled.failures", "engines.compiled.entry", "engines.compiled.separate", "engines.compiled.moving"},
    {"engines.compiled.compilation"},
    {"engines.compiled.tree"},
    {"engines.compiled.mixed"},
    {"models.searching", "results", "backends.base", "backends.board", "positions"},
    {"checking", "solvers.rational"},
    {"solvers.bimatrix", "solvers.alphabeta"},
    {"solvers.arithmetic"},
    {"solvers.memory", "solvers.solution", "solvers.minimax"},
    {"solvers.pruning", "solvers.native"},
    {"solvers.exact"},
    {"solvers.response"},
    {"solvers"},
    {"backends.worker", "backends.shared_tree", "reading", "registry"},
    {"backends.root_parallel"},
    {"backends.process"},
    {"backends"},
    {"search"},
    {"gomoku", "gomoku.position", "gomoku.patterns"},
    {"gomoku.thinking", "gomoku.board", "gomoku.lines", "gomoku.timing", "gomoku.opening"},
    {"gomoku.players", "gomoku.threats"},
    {"gomoku.alphabeta"},
    {"gomoku.engine", "gomoku.model"},
    {"gomoku.searching"},
    {"report.markup", "report.numbers", "report.recorder", "report.excerpt", "report.yardstick"},
    {"report.charts", "report.strategies", "report.heatmap", "report.drawing", "report.dot", "report.document"},
    {"report.convergence", "report.explorer", "report.scaling"},
    {"report.page"},
    {"report"},
    {"agents.base"},
    {"agents.simple", "agents.gomoku", "agents.file", "agents.mcts", "agents.minimax", "agents.solver", "agents.calling"},
    {"agents.human"},
    {"agents"},
    {"match"},
    {"tournament.schedule"},
    {"tournament.journal", "tournament.running", "tournament.standings"},
    {"tournament"},
    {"testing.common"},
    {"testing.states", "testing.agents", "testing.algorithms", "testing.backends"},
    {"testing.models"},
    {"testing", ""},
    {"gomoku.brain", "gomoku.contest"},
    {"gomoku.pbrain"},
    {"bench", "bench.measuring", "bench.ping_pong", "bench.plotting", "bench.subject"},
    {"bench.conditions", "bench.peers.bit_boards"},
    {"bench.peers", "bench.peers.base"},
    {"bench.peers.open_spiel_mcts", "bench.peers.open_spiel_cfr", "bench.peers.multimcts_search"},
    {"bench.peers.mctspy_search", "bench.peers.monte_carlo_tree_search", "bench.peers.mcts_simple_search"},
    {"bench.peers.known", "bench.peers.speed", "bench.peers.strength", "bench.peers.exploitability"},
    {"bench.peers.comparison"},
    {"bench.scaling.figures"},
    {"bench.scaling.plan", "bench.scaling.judging", "bench.scaling.telling"},
    {"bench.scaling.page", "bench.scaling.plots", "bench.scaling.running"},
    {"bench.scaling"},
    {"bench.advice", "bench.simulation.costs", "bench.simulation.events", "bench.simulation.quality"},
    {"bench.simulation.root_parallel", "bench.simulation.judging", "bench.simulation.report"},
    {"bench.simulation.shared_tree", "bench.simulation.plots"},
    {"bench.simulation.probing", "bench.simulation.checking"},
    {"bench.simulation.running"},
    {"bench.simulation"},
    {"cli.parsing", "cli.things", "cli.moves", "cli.drawing", "cli.live"},
    {"cli.options", "cli.panel", "cli.listing", "cli.groups"},
    {"cli.output", "cli.pictures", "cli.table", "cli.transcripts", "cli.thinking"},
    {"cli.search", "cli.play", "cli.tournament", "cli.solve", "cli.check", "cli.explore", "cli.completion"},
    {"cli.gomoku.options"},
    {"cli.gomoku.contest", "cli.gomoku.pbrain"},
    {"cli.match", "cli.gomoku", "cli.bench.files", "cli.bench.tables", "cli.bench.watching"},
    {"cli.bench.scaling", "cli.bench.advise", "cli.bench.simulate", "cli.bench.peers"},
    {"cli.bench"},
    {"cli"},
    {"__main__"},
]
"""From the ground up. A module imports modules of lower layers only; a new one has to find its place here."""

HEAVY = ["numpy", "numba", "scipy", "loky", "cloudpickle", "rich", "ray", "psutil", "pyspiel", "games"]


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports when it is loaded; imports inside functions come later."""
    name, found = module_name(path), set()
    here = name.split(".") if name else []
    package = here if path.name == "__init__.py" else here[:-1]
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                target = ".".join([*base, alias.name])
                found.add(target if target in NAMES else ".".join(base))
    return found


FILES = sorted(PACKAGE.rglob("*.py"))
NAMES = {module_name(path) for path in FILES}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def test_every_module_has_its_place() -> None:
    assert set(LEVEL) == NAMES


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_only_point_down(path: Path) -> None:
    name = module_name(path)
    upward = {other for other in imported(path) if LEVEL[other] >= LEVEL[name]}
    assert upward == set()


def test_the_package_does_not_import_the_games_nor_the_games_the_search() -> None:
    for path in FILES:
        assert "games" not in {n.module for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ImportFrom)}
    allowed = {"parallel_mcts.state", "parallel_mcts.errors", "parallel_mcts.matrix"}
    for path in GAMES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("parallel_mcts"):
                assert node.module in allowed, path.name


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, parallel_mcts; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_module_opens_with_a_paragraph_that_says_what_it_is() -> None:
    for path in [*FILES, *GAMES.glob("*.py")]:
        text = ast.get_docstring(ast.parse(path.read_text()))
        assert text, path
        assert len(text) > 40, path


def test_the_public_surface_is_what_it_was() -> None:
    assert set(parallel_mcts.__all__) == {
        *("search", "Search", "SearchResult", "Progress", "Strategy", "Move", "NodeView", "Budget"),
        *("solve", "SolvedGame", "SolvedPosition", "best_response", "BestResponse", "exploitability", "nash_conv"),
        *("minimax", "MinimaxResult", "bfs_find", "Found", "path_exists", "check_invariant", "Checked", "Play"),
        *("UnknownPosition", "TooManyPositions"),
        *("State", "TurnState", "Solution", "replaced", "game", "register"),
        *("match", "run_match", "Results", "tournament", "Standings", "Sprt", "MovesRanOut"),
        *("Algorithm", "UCB", "PUCT", "Exp3", "Exp3P", "RegretMatching", "MatrixUCB", "Uniform"),
        *("PerNode", "PerRow", "PerCol", "PerCell", "starts_at", "scratch", "scratch_cells"),
        *("Rollout", "Heuristic", "Solved", "SolvedMonteCarlo", "Searching"),
        *("Single", "Threaded", "Pool", "Inline", "Forest", "Process"),
        *("ParallelMCTSError", "InputError", "UnknownName", "ParameterError", "BudgetError", "IllegalAction"),
        *("TerminalRoot", "NotPicklable", "NotCompilable", "MissingDependency", "SearchFailed", "GameError", "PayoffError"),
        *("EndlessGame", "ModelError", "AlgorithmError", "WorkerDied", "CheckFailed"),
        *("ThreadsCannotRunInParallel", "WorkerReplaced"),
    }
    assert all(hasattr(parallel_mcts, name) for name in parallel_mcts.__all__)
