"""Names for games, algorithms, models, backends and agents, so that a command line can say `exp3:gamma=0.2`.

What the package brings is listed here; anything else joins by an entry point of the group `parallel_mcts.games`,
`.algorithms`, `.models`, `.backends` or `.agents` (the games of this project do so too). Nothing is imported before
it is asked for.
"""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .errors import ParameterError, UnknownName, did_you_mean, unknown_name

Factory = Callable[..., Any]


class Registry:
    """What there is of one kind, by name."""

    def __init__(self, kind: str, built_in: dict[str, str]) -> None:
        self.kind = kind
        self._places: dict[str, str] = dict(built_in)
        self._added: dict[str, Factory] = {}

    @property
    def group(self) -> str:
        return f"parallel_mcts.{self.kind}s"

    def names(self) -> list[str]:
        return sorted({*self._places, *self._added, *self._entry_points()})

    def add(self, name: str, factory: Factory) -> None:
        """Registers something for this process; it joins everything that goes through the registry."""
        self._added[name] = factory

    def factory(self, name: str) -> Factory:
        """What makes the thing of a name: a class or a function, whose parameters are those of the thing."""
        if name in self._added:
            return self._added[name]
        if name in self._places:
            module, _, attribute = self._places[name].partition(":")
            return typing.cast(Factory, getattr(import_module(module), attribute))
        points = self._entry_points()
        if name in points:
            return typing.cast(Factory, points[name].load())
        raise unknown_name(self.kind, name, self.names())

    def make(self, spec: Any, **parameters: Any) -> Any:
        """The thing that a text such as `exp3:gamma=0.2` names, a class makes, or that was given as it is."""
        if isinstance(spec, str):
            name, given = parse(spec)
            made = call(self.factory(name), name, {**given, **parameters})
        elif isinstance(spec, type):
            made = call(spec, spec.__name__, parameters)
        elif spec is None:
            raise UnknownName(f"no {self.kind} given; choose from: {', '.join(self.names())}")
        elif parameters:
            raise ParameterError(f"{spec!r} is made already; {', '.join(parameters)} cannot be given beside it")
        else:
            made = spec
        validate = getattr(made, "validate", None)
        if validate is not None:
            validate()
        return made

    def _entry_points(self) -> dict[str, Any]:
        from importlib.metadata import entry_points  # slow to import, and rarely needed

        return {point.name: point for point in entry_points(group=self.group)}


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """`name:key=value,key=value` taken apart."""
    name, _, rest = spec.partition(":")
    parameters = {}
    for part in filter(None, (p.strip() for p in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise ParameterError(f"cannot read {part!r} in {spec!r}; write it as {name}:key=value,key=value")
        if key.strip() in parameters:
            raise ParameterError(f"{key.strip()} is given twice in {spec!r}")
        parameters[key.strip()] = value.strip()
    return name.strip(), parameters


def call(factory: Factory, name: str, given: dict[str, Any]) -> Any:
    """Calls a factory with parameters by name; texts become what its annotations say."""
    known = parameters_of(factory)
    for key in given:
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise ParameterError(f"{name} has no parameter {key!r}{did_you_mean(key, known)}; it has: {allowed}")
    missing = [k for k, p in known.items() if p.default is inspect.Parameter.empty and k not in given]
    if missing:
        raise ParameterError(f"{name} needs {', '.join(missing)}; write {name}:{missing[0]}=… or give it by keyword")
    return factory(**{k: convert(v, known[k].annotation, name, k) if isinstance(v, str) else v for k, v in given.items()})


def parameters_of(factory: Factory) -> dict[str, inspect.Parameter]:
    """The named parameters of a factory, with their annotations resolved as far as they can be."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = {k: p for k, p in inspect.signature(factory).parameters.items() if p.kind in kinds}
    names = vars(sys.modules.get(getattr(factory, "__module__", ""), builtins))
    return {k: p.replace(annotation=_resolved(p.annotation, names)) for k, p in found.items()}


def _resolved(annotation: Any, names: dict[str, Any]) -> Any:
    """What an annotation stands for; one that cannot be told stays a text."""
    text = annotation.__forward_arg__ if isinstance(annotation, typing.ForwardRef) else annotation
    if not isinstance(text, str):
        return annotation
    try:
        return eval(text, dict(names))
    except Exception:
        return annotation


def convert(text: str, annotation: Any, name: str, key: str) -> Any:
    """A text as a value of an annotated type."""
    for option in _options(annotation):
        try:
            return _READERS.get(option, str)(text)
        except ValueError:
            continue
    wanted = " or ".join(getattr(o, "__name__", str(o)) for o in _options(annotation))
    raise ParameterError(f"{name}: {key} is {text!r}; it must be of type {wanted}")


def _options(annotation: Any) -> list[Any]:
    """The alternatives of a union, in order; texts last, since anything is one."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        parts = [part for part in typing.get_args(annotation) if part is not type(None)]
        return sorted(parts, key=lambda part: part is str)
    return [annotation]


def _read_bool(text: str) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if text.lower() not in known:
        raise ValueError(text)
    return known[text.lower()]


_READERS: dict[Any, Callable[[str], Any]] = {int: int, float: float, bool: _read_bool, str: str}

_HERE = "parallel_mcts"
ALGORITHMS = Registry(
    "algorithm",
    {
        "exp3": f"{_HERE}.algorithms.exp3:Exp3",
        "exp3p": f"{_HERE}.algorithms.exp3p:Exp3P",
        "matrix_ucb": f"{_HERE}.algorithms.matrix_ucb:MatrixUCB",
        "puct": f"{_HERE}.algorithms.puct:PUCT",
        "regret_matching": f"{_HERE}.algorithms.regret_matching:RegretMatching",
        "ucb": f"{_HERE}.algorithms.ucb:UCB",
        "uniform": f"{_HERE}.algorithms.uniform:Uniform",
    },
)
MODELS = Registry(
    "model",
    {
        "gomoku": f"{_HERE}.gomoku.model:GomokuThreats",
        "heuristic": f"{_HERE}.models.heuristic:Heuristic",
        "rollout": f"{_HERE}.models.rollout:Rollout",
        "searching": f"{_HERE}.models.searching:Searching",
        "solved": f"{_HERE}.models.solved:Solved",
        "solved_monte_carlo": f"{_HERE}.models.solved:SolvedMonteCarlo",
    },
)
BACKENDS = Registry(
    "backend",
    {
        "forest": f"{_HERE}.backends.root_parallel:Forest",
        "inline": f"{_HERE}.backends.root_parallel:Inline",
        "pool": f"{_HERE}.backends.shared_tree:Pool",
        "process": f"{_HERE}.backends.process:Process",
        "single": f"{_HERE}.backends.shared_tree:Single",
        "threaded": f"{_HERE}.backends.shared_tree:Threaded",
    },
)
AGENTS = Registry(
    "agent",
    {
        "alphabeta": f"{_HERE}.agents.minimax:AlphaBeta",
        "file": f"{_HERE}.agents.file:File",
        "first": f"{_HERE}.agents.simple:First",
        "gomoku": f"{_HERE}.agents.gomoku:Gomoku",
        "human": f"{_HERE}.agents.human:Human",
        "mcts": f"{_HERE}.agents.mcts:Mcts",
        "minimax": f"{_HERE}.agents.minimax:Minimax",
        "random": f"{_HERE}.agents.simple:RandomMoves",
        "smart": f"{_HERE}.agents.minimax:Smart",
        "solver": f"{_HERE}.agents.solver:Solver",
    },
)
GAMES = Registry("game", {})


def game(name: str, **parameters: Any) -> Any:
    """A registered game at its start: `game("goofspiel", cards=4)`, or `game("goofspiel:cards=4")`."""
    return GAMES.make(name, **parameters)


def register(kind: str, name: str, factory: Factory) -> None:
    """Gives a game, an algorithm, a model, a backend or an agent of one's own a name in this process.

    `register("algorithm", "greedy", Greedy)` makes `search(…, algorithm="greedy:epsilon=0.2")` work. A package that
    is installed declares an entry point instead.
    """
    registries = {registry.kind: registry for registry in (GAMES, ALGORITHMS, MODELS, BACKENDS, AGENTS)}
    if kind not in registries:
        raise unknown_name("kind of thing to register", kind, registries)
    registries[kind].add(name, factory)
