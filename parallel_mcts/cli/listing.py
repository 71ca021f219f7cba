"""`parallel-mcts games`, `algorithms`, `backends`, `models` and `agents`: what there is, a line each, or one at length."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable
from textwrap import shorten
from typing import Any

from .parsing import argument

KINDS = {
    "games": ("what can be played", "parallel-mcts search {spec} --iterations 10000"),
    "algorithms": ("how both players choose in a node", "parallel-mcts search goofspiel --algorithm {spec}"),
    "models": ("how a new position is judged", "parallel-mcts search tictactoe --model {spec}"),
    "backends": ("where a search runs", "parallel-mcts search tictactoe --backend {spec} --iterations 100000"),
    "agents": ("who plays in matches and tournaments", "parallel-mcts match nim:sticks=5 {spec} random"),
}
PARTICULAR = {
    ("models", "heuristic"): "parallel-mcts search tictactoe --model mygame.py:my_heuristic",
    ("models", "solved"): "parallel-mcts search random_tree --model solved --algorithm puct",
    ("models", "solved_monte_carlo"): "parallel-mcts search random_tree --model solved_monte_carlo --algorithm puct",
    ("agents", "file"): "parallel-mcts play nim --row file:path=game.txt --col random",
    ("agents", "human"): "parallel-mcts play kalah --row human --col mcts:seconds=2",
    ("agents", "smart"): "parallel-mcts match kalah:holes=3,beans=2 smart random",
    ("agents", "gomoku"): "parallel-mcts match gomoku:size=9 gomoku:seconds=0.1 random",
    ("models", "gomoku"): "parallel-mcts search gomoku --model gomoku --algorithm puct",
}
"""Examples for what cannot be tried on just any game."""
NEEDED = "(needed)"
UNSET = "…"
ABOUT = 90
"""How much of what a thing is goes on its line."""
STREAMS = ("reads", "writes", "stream")


def add_to(commands: Any) -> None:
    """Declares a command for each kind of thing."""
    for kind, (what, _) in KINDS.items():
        parser = commands.add_parser(
            kind,
            help=f"{what}, with parameters" if kind == "games" else what,
            description=f"Lists {what}: names, parameters with their defaults, and what they are.",
            epilog=f"examples:\n  parallel-mcts {kind}\n  parallel-mcts {kind} {_an_example(kind)}\n",
        )
        argument(parser, "name", metavar="NAME", nargs="?", completes=kind[:-1], help="tell all about one of them")
        parser.add_argument("--json", action="store_true", help="as one JSON object")
        parser.set_defaults(run=run, kind=kind)


def _an_example(kind: str) -> str:
    return {"games": "goofspiel", "algorithms": "exp3", "models": "rollout", "backends": "pool", "agents": "mcts"}[kind]


def run(options: argparse.Namespace) -> int:
    """Prints the list, or all about one name."""
    registry = _registry(options.kind)
    if options.name is not None:
        factory = registry.factory(options.name)
        told = _entry(options.name, factory, alone=True)
        print(json.dumps(told, indent=2) if options.json else _at_length(options.kind, told, factory))
        return 0
    factories = {name: registry.factory(name) for name in registry.names()}
    homes = Counter(factory.__module__ for factory in factories.values())
    entries = [_entry(name, factory, alone=homes[factory.__module__] == 1) for name, factory in factories.items()]
    if options.json:
        print(json.dumps({options.kind: entries}, indent=2))
    else:
        print("\n".join(_lines(entries)))
    return 0


def _registry(kind: str) -> Any:
    from .. import registry

    return getattr(registry, kind.upper())


def _entry(name: str, factory: Callable[..., Any], *, alone: bool) -> dict[str, Any]:
    """A thing by its name, what it is, and its parameters. One that has a file to itself is told of at its top."""
    from ..registry import parameters_of

    parameters = [
        {"name": key, "type": _type_name(p.annotation), "default": _default(p.default)}
        for key, p in parameters_of(factory).items()
        if key not in STREAMS and "Callable" not in str(p.annotation)  # no text stands for those
    ]
    own = inspect.getdoc(factory) or ""
    home = inspect.getdoc(sys.modules[factory.__module__]) or ""
    return {"name": name, "about": _sentence(home if alone and home else own), "parameters": parameters}


def _type_name(annotation: Any) -> str:
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return text.replace("collections.abc.", "").replace("typing.", "").replace("pathlib.", "")


def _default(given: Any) -> Any:
    if given is inspect.Parameter.empty:
        return NEEDED
    return given if given is None or isinstance(given, str | int | float | bool) else str(given)


def _sentence(text: str) -> str:
    """The first sentence."""
    words = " ".join(text.split("\n\n", 1)[0].split())
    first, stop, _ = words.partition(". ")
    return first + "." if stop else words


def written(parameters: list[dict[str, Any]]) -> str:
    """Parameters as they are typed: key=value,key=value."""
    return ",".join(f"{p['name']}={UNSET if p['default'] in (None, '') else p['default']}" for p in parameters)


def _lines(entries: list[dict[str, Any]]) -> list[str]:
    """A line each: name, what it is, parameters with their defaults."""
    width = max(len(entry["name"]) for entry in entries)
    return [
        f"{entry['name']:<{width}}  {shorten(entry['about'], ABOUT, placeholder=' …')}"
        + (f" [{written(entry['parameters'])}]" if entry["parameters"] else "")
        for entry in entries
    ]


def _at_length(kind: str, told: dict[str, Any], factory: Callable[..., Any]) -> str:
    """Rules or description, parameters, the start of a game, and a command to try."""
    own, home = inspect.getdoc(factory) or "", inspect.getdoc(sys.modules[factory.__module__]) or ""
    parts = [told["name"], home, own]
    if told["parameters"]:
        width = max(len(p["name"]) for p in told["parameters"])
        told_of = [
            f"  {p['name']:<{width}}  {p['type']}, {UNSET if p['default'] in (None, '') else p['default']}"
            for p in told["parameters"]
        ]
        parts.append("\n".join([f"parameters, with type and default ({UNSET} is none):", *told_of]))
    if kind == "games":
        parts.append(f"the start:\n{_indented(str(factory()))}")
    example = PARTICULAR.get((kind, told["name"]), KINDS[kind][1].format(spec=_example_spec(told)))
    parts.append(f"example:\n  {example}")
    return "\n\n".join(dict.fromkeys(part for part in parts if part))


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())


def _example_spec(told: dict[str, Any]) -> str:
    """The name with its first parameter, if that has a plain default."""
    plain = [p for p in told["parameters"] if isinstance(p["default"], int | float) and not isinstance(p["default"], bool)]
    return f"{told['name']}:{plain[0]['name']}={plain[0]['default']}" if plain else str(told["name"])
