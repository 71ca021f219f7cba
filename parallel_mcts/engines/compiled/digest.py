"""A digest of everything that goes into a compiled function: any edit that matters compiles anew, and no other does.

It covers code (bytecode, constants, defaults, closures), the classes and functions that code names, and the values of
constants, also those it reads from other modules. A comment, a docstring or a line moved changes nothing. What it
cannot see through is refused by `Uncertain`: such a function is compiled each time rather than trusted to a cache.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from ...stats import fields, initial_values

PACKAGE = Path(__file__).parents[2]
STEADY = ("builtins", "typing", "types", "math", "cmath", "operator", "functools", "collections", "numpy", "numba", "abc")
"""Modules whose contents change only with the version of Python or of the package, which the cache's key names."""


class Uncertain(Exception):
    """Something whose value cannot be told from outside."""


@functools.cache
def package_digest() -> str:
    """Of this package's own sources."""
    found = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        found.update(path.relative_to(PACKAGE).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def digest_of(things: Iterable[Any]) -> str:
    """A digest of classes, functions and values, and of whatever they depend on."""
    made = _Digest()
    for thing in things:
        made.add(thing)
    return made.hash.hexdigest()


def _is_steady(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in (*STEADY, "parallel_mcts")


@functools.lru_cache(maxsize=4096)
def global_names(code: CodeType) -> frozenset[str]:
    """The names that code looks up outside itself; an attribute may be called the same and mean another thing."""
    lookups = ("LOAD_GLOBAL", "LOAD_NAME")
    own = {step.argval for step in dis.get_instructions(code) if step.opname in lookups}
    return frozenset(own).union(*(global_names(part) for part in code.co_consts if isinstance(part, CodeType)))


@functools.lru_cache(maxsize=4096)
def attribute_names(code: CodeType) -> list[str]:
    """All names in code, in order: any of them may be read from a module."""
    inner = (attribute_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return sorted({*code.co_names, *(name for names in inner for name in names)})


class _Digest:
    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: set[int] = set()
        self.kept: list[Any] = []  # so that no id is used twice

    def text(self, *words: Any) -> None:
        for word in words:
            self.hash.update(repr(word).encode())
            self.hash.update(b"\0")

    def again(self, thing: Any) -> bool:
        if id(thing) in self.seen:
            self.text("seen", getattr(thing, "__qualname__", type(thing).__name__))
            return True
        self.seen.add(id(thing))
        self.kept.append(thing)
        return False

    def add(self, thing: Any) -> None:
        if thing is None or isinstance(thing, bool | int | float | complex | str | bytes | type(...)):
            self.text(type(thing).__name__, thing)
        elif isinstance(thing, tuple | list | frozenset | set | dict):
            self.collection(thing)
        elif isinstance(thing, CodeType):
            self.code(thing)
        elif isinstance(thing, FunctionType):
            self.function(thing)
        elif isinstance(thing, type):
            self.cls(thing)
        elif isinstance(thing, property):
            self.add((thing.fget,))
        elif isinstance(thing, staticmethod | classmethod):
            self.add(thing.__func__)
        elif isinstance(thing, ModuleType):
            self.text("module", thing.__name__)
        elif isinstance(thing, BuiltinFunctionType) or _is_steady(getattr(thing, "__module__", None)):
            self.text("steady", getattr(thing, "__module__", None), getattr(thing, "__qualname__", repr(thing)))
        elif isinstance(thing, enum.Enum):
            self.text("enum", type(thing).__qualname__, thing.name, thing.value)
        elif hasattr(thing, "dtype") and hasattr(thing, "tobytes"):
            self.text("array", str(thing.dtype), getattr(thing, "shape", ()))
            self.hash.update(thing.tobytes())
        elif hasattr(thing, "py_func"):  # a function that its author compiled already
            self.add(thing.py_func)
        else:
            raise Uncertain(f"{thing!r} of type {type(thing).__qualname__}")

    def collection(self, thing: Any) -> None:
        if isinstance(thing, dict):
            parts: list[Any] = list(thing.items())
        else:
            parts = sorted(thing, key=repr) if isinstance(thing, set | frozenset) else list(thing)
        self.text(type(thing).__qualname__, len(parts))
        for part in parts:
            self.add(part)

    def code(self, code: CodeType) -> None:
        self.text(code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)
        constants = code.co_consts
        if constants and isinstance(constants[0], str):  # the docstring, which changes nothing
            constants = constants[1:]
        self.add(constants)

    def function(self, function: FunctionType) -> None:
        if self.again(function) or _is_steady(function.__module__):
            return
        self.text(function.__qualname__)
        self.add(function.__code__)
        self.add((function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)
        self.globals(function, function.__code__)

    def globals(self, function: FunctionType, code: CodeType) -> None:
        """What the code reads by name, here and in modules that it names."""
        space = function.__globals__
        found = {name: space[name] for name in sorted(global_names(code)) if name in space}
        for name, thing in found.items():
            self.text(name)
            self.add(thing)
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        self.modules([thing for thing in (*found.values(), *cells) if isinstance(thing, ModuleType)], attribute_names(code))

    def modules(self, modules: list[ModuleType], names: list[str]) -> None:
        """What any of these names means in these modules, and in modules that it leads to."""
        looked_at: list[ModuleType] = []
        while modules:
            module = modules.pop()
            if module in looked_at or _is_steady(module.__name__):
                continue
            looked_at.append(module)
            for name in names:
                if hasattr(module, name):
                    part = getattr(module, name)
                    self.text(module.__name__, name)
                    self.add(part)
                    if isinstance(part, ModuleType):
                        modules.append(part)

    def cls(self, cls: type) -> None:
        if self.again(cls):
            return
        self.text(cls.__qualname__, getattr(cls, "_fields", ()))
        if _is_steady(cls.__module__):
            return
        self.member(getattr(cls, "_field_defaults", None))
        if hasattr(cls, "Stats"):  # their order and shapes decide where a node keeps them
            self.text([(name, shape.__name__) for name, shape in fields(cls).items()], initial_values(cls))
        # Not what reads the fields, which a class that came from another process keeps elsewhere: their names are enough.
        passed_over = {"_abc_impl", "_field_defaults", "_fields", *getattr(cls, "_fields", ())}
        for base in cls.__mro__:
            if not _is_steady(base.__module__):
                for name, part in sorted(vars(base).items()):
                    if not name.startswith("__") and name not in passed_over:
                        self.text(name)
                        self.member(part)

    def member(self, part: Any) -> None:
        """Something in a class; what a compiled function cannot use does not count."""
        try:
            self.add(part)
        except Uncertain:
            self.text("not for compiled code")


def version() -> tuple[str, ...]:
    """What else decides machine code: the versions of everything that makes it."""
    import llvmlite
    import numba
    import numpy as np

    return sys.version, numba.__version__, llvmlite.__version__, np.__version__
