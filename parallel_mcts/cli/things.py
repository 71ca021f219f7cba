"""What the texts on the command line stand for: registered games, algorithms and agents, or those of a user's own file.

`path/to/mygame.py:MyGame:sticks=12` names a class or a function of a file and its parameters. The file is run once, as a
module of its own, with its folder on the path. Only the thread that runs the program comes here.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from ..backends.process import shut_down
from ..errors import InputError, unknown_name
from ..registry import Registry, call, parse

FILE_SPEC = re.compile(r"(?P<path>(?:[A-Za-z]:)?[^:]+\.py)(?::(?P<name>[^:=,]*))?(?::(?P<rest>.*))?$", re.DOTALL)
"""A colon parts the path from the rest; only that of a drive belongs to it."""
_loaded: dict[Path, ModuleType] = {}


def is_file(spec: str) -> bool:
    """Whether a text names something in a file."""
    return FILE_SPEC.match(spec) is not None


def made(registry: Registry, spec: str) -> Any:
    """The game, algorithm, model, backend or agent that a text names, registered or in a file."""
    found = FILE_SPEC.match(spec)
    if found is None:
        return registry.make(spec)
    thing = _from_file(found["path"], found["name"] or "", registry.kind)
    name = found["name"] or getattr(thing, "__name__", registry.kind)
    _, parameters = parse(f"{name}:{found['rest'] or ''}")
    if registry.kind == "model" and inspect.isfunction(thing):
        return registry.make("heuristic", function=thing)
    makes = isinstance(thing, type) or inspect.isroutine(thing)
    return registry.make(call(thing, name, parameters)) if makes else registry.make(thing, **parameters)


def game(spec: str) -> Any:
    """The game that a text names, at its start."""
    from ..registry import GAMES

    return made(GAMES, spec)


def function(spec: str) -> Any:
    """The function that `file.py:name` names."""
    found = FILE_SPEC.match(spec)
    assert found is not None
    return _from_file(found["path"], found["name"] or "", "function")


def _from_file(path: str, name: str, kind: str) -> Any:
    module = _module(Path(path))
    if not name:
        own = [key for key, thing in vars(module).items() if _is_game(thing, module)] if kind == "game" else []
        if len(own) != 1:
            listed = f" ({', '.join(own)})" if own else ""
            raise InputError(f"say which {kind} of {path} is meant{listed}: {path}:name")
        name = own[0]
    if not hasattr(module, name):
        public = [key for key, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
        raise unknown_name(f"name in {path}", name, public)
    return getattr(module, name)


def _is_game(thing: Any, module: ModuleType) -> bool:
    methods = ("shape", "play", "payoff")
    return isinstance(thing, type) and thing.__module__ == module.__name__ and all(hasattr(thing, m) for m in methods)


def _module(path: Path) -> ModuleType:
    """The file as a module, whose classes can travel: other processes import it, or get them whole if its name is taken."""
    place = path.resolve()
    if place in _loaded:
        return _loaded[place]
    if not place.is_file():
        raise InputError(f"there is no file {str(path)!r}")
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))
        importlib.invalidate_caches()
        shut_down()  # processes that are waiting for work do not know of the folder
    by_name = _is_found_by_name(place)
    name = place.stem if by_name else f"parallel_mcts_file_{len(_loaded)}_{place.stem}"
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InputError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    if not by_name:
        import cloudpickle

        cloudpickle.register_pickle_by_value(module)
    _loaded[place] = module
    return module


def _is_found_by_name(place: Path) -> bool:
    """Whether importing a file by its name, as another process will, gives this very file."""
    if not place.stem.isidentifier() or place.stem in sys.modules:
        return False
    found = importlib.util.find_spec(place.stem)
    return found is not None and found.origin is not None and Path(found.origin).resolve() == place
