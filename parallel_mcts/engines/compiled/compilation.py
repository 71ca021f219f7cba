"""Whether a search can be compiled, and if not, why: which method, which line, what numba said.

`Program` is a search that has been compiled (or found in the cache): the arguments that never change, and their types.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from numba import typeof
from numba.core import types
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target

from ... import records
from ...errors import NotCompilable, ParallelMCTSError
from ...models.base import suited
from ...scoring import judge_for
from ...state import _ByOutcomes, has_chance, name_of
from ...stats import scratch_cells
from .blocks import LIMITS, NotPlain, require_plain
from .cache import attach_cache, is_cached
from .callbacks import PYTHON_STREAM
from .entry import enter, enter_holding
from .layout import Layout
from .methods import dispatcher_of, references, safe
from .scratch import LARGEST
from .separate import needs_solver, provide_solver
from .streams import STREAM
from .types import NodeType, node_type

WORDS = types.Array(types.float64, 1, "C")
for _entry in (enter, enter_holding):
    attach_cache(_entry)


class Program(NamedTuple):
    """A compiled search."""

    enter: Any
    state: Any
    algorithm: Any
    judge: Any
    node: NodeType
    layout: Layout
    chance: bool


def program_for(state: Any, algorithm: Any, model: Any, locks: Any) -> Program:
    """Compiles a search, or finds it compiled; raises `NotCompilable`."""
    with _refusal(state):
        judge, arguments = _arguments(state, algorithm, model, locks)
        if not is_cached(enter, arguments):
            state = plain_state(state)
            judge, arguments = _arguments(state, algorithm, model, locks)
        _require_scratch(state, algorithm)
        try:
            return _program(enter, arguments, state, algorithm, judge, locks)
        except Exception as error:
            raise diagnosis(error, state, algorithm, judge) from error


def mixed_program_for(state: Any, position: Any, algorithm: Any, judge: Any, locks: Any) -> Program:
    """The same for a search in which the game stays in the interpreter; `position` and `judge` stand for it."""
    with _refusal(algorithm):
        arguments = mixed_arguments(position, algorithm, judge, locks)
        _require_scratch(state, algorithm)
        return _program(enter_holding, arguments, position, algorithm, judge, locks)


def _program(entry: Any, arguments: tuple[Any, ...], state: Any, algorithm: Any, judge: Any, locks: Any) -> Program:
    if needs_solver(_functions_of(algorithm)):
        provide_solver()
    entry.compile(arguments)
    node = node_type(typeof(state), typeof(algorithm), typeof(locks))
    return Program(entry, state, algorithm, judge, node, _layout_of(node), has_chance(state))


@contextlib.contextmanager
def _refusal(state: Any) -> Iterator[None]:
    """What the compiler stumbles over is a reason not to compile, whatever it is."""
    try:
        yield
    except ParallelMCTSError:
        raise
    except Exception as error:
        raise NotCompilable(f"{name_of(state)} cannot be compiled: {readable(error)}") from error


def _require_scratch(state: Any, algorithm: Any) -> None:
    """Raises `NotCompilable` where an algorithm would ask for more space on the stack than there is."""
    functions = _functions_of(algorithm)
    try:
        rows, cols = state.shape()
    except Exception:  # which the search tells of
        return
    cells = any(thing is scratch_cells for function in functions for _, thing in references(function))
    count = (rows + 2) * (2 * cols + 3) if needs_solver(functions) else rows * cols if cells else 0
    if count > LARGEST:
        raise NotCompilable(
            f"{algorithm!r} cannot be compiled for {rows} x {cols} actions: it needs scratch space for {count} numbers, "
            f"and compiled code has it for {LARGEST}"
        )


@functools.cache
def _layout_of(node: NodeType) -> Layout:
    cpu_target.target_context.refresh()
    return node.layout(cpu_target.target_context)


def is_compiled(state: Any, algorithm: Any, model: Any, locks: Any) -> bool:
    """Whether a search has been compiled before, by this process or another."""
    return is_cached(enter, _arguments(state, algorithm, model, locks)[1])


def _arguments(state: Any, algorithm: Any, model: Any, locks: Any) -> tuple[Any, tuple[Any, ...]]:
    """The judge, and the types of all arguments of `enter`."""
    require_state(state)
    require_record(algorithm, "algorithm")
    judge = judge_for(state, algorithm, suited(model, state))
    require_record(judge.model, "model")
    return judge, _types_of(state, algorithm, judge, locks, STREAM)


def mixed_arguments(position: Any, algorithm: Any, judge: Any, locks: Any) -> tuple[Any, ...]:
    """The types of all arguments of `enter_holding`."""
    require_record(algorithm, "algorithm")
    return _types_of(position, algorithm, judge, locks, PYTHON_STREAM)


def _types_of(state: Any, algorithm: Any, judge: Any, locks: Any, stream: Any) -> tuple[Any, ...]:
    kinds = [type_of(thing, what) for thing, what in ((algorithm, "algorithm"), (judge, "model"), (locks, "locks"))]
    chance = stream if has_chance(state) else types.none
    return (WORDS, types.int64, typeof(state), *kinds, chance, stream, types.int64, WORDS)


# ---------------------------------------------------------------------------------------------- what can be compiled
def require_record(thing: Any, what: str) -> None:
    if not isinstance(thing, tuple) or not hasattr(thing, "_fields"):
        raise NotCompilable(
            f"the {what} {thing!r} cannot be compiled: it is no named tuple; derive its class from "
            f"{'Algorithm' if what == 'algorithm' else 'typing.NamedTuple'} and annotate its fields"
        )
    if not thing._fields:
        raise NotCompilable(f"the {what} {thing!r} cannot be compiled: a named tuple without fields; give it one")


def type_of(thing: Any, what: str) -> Any:
    try:
        return typeof(thing)
    except ValueError as error:
        raise NotCompilable(f"the {what} {thing!r} cannot be compiled: {_first_line(error)}") from error


def plain_state(state: Any) -> Any:
    """The state with fields of the types that `play` gives them: a 0 that becomes 0.5 must be a float from the start."""
    require_state(state)
    for _ in range(8):
        with _refusal(state):
            kind, result = typeof(state), _type_after_play(state)
            if result == kind or safe(result, kind):
                return state
            state = type(state)(*(_widened(value, part) for value, part in zip(state, result.types, strict=True)))
        if typeof(state) == kind:
            break
    wanted = ", ".join(f"{name}: {part}" for name, part in zip(state._fields, result.types, strict=True))
    raise NotCompilable(
        f"{name_of(state)} cannot be compiled: play() gives fields of other types ({wanted}) than the state has that it "
        f"is called on ({state!r})"
    )


def require_state(state: Any) -> None:
    """Raises `NotCompilable` unless a state is a named tuple of plain data."""
    name = name_of(state)
    if not isinstance(state, tuple) or not hasattr(state, "_fields"):
        raise NotCompilable(
            f"{name} cannot be compiled: it is no named tuple; derive it from State and declare its fields by annotations"
        )
    if not state._fields:
        raise NotCompilable(f"{name} cannot be compiled: a named tuple without fields; give it one")
    if not getattr(state, "compiles", True):
        raise NotCompilable(f"{name} cannot be compiled: it says so itself (its `compiles` is False)")
    if type(state).play is _ByOutcomes.play:  # type: ignore[attr-defined]
        raise NotCompilable(f"{name} cannot be compiled: give play(i, j, rng) beside outcomes() to have it compiled")
    _require_ordinary(state, name)
    for field, value in zip(state._fields, state, strict=True):
        for number in _numbers_in(value):
            if not LIMITS[0] <= number <= LIMITS[1]:
                raise NotCompilable(f"{name}.{field} holds {number}; compiled whole numbers have 64 bits")
        try:
            require_plain(typeof(value), f"{name}.{field}")
        except (NotPlain, ValueError) as error:
            raise NotCompilable(f"{name} cannot be compiled: {_first_line(error)}") from error


TUPLE_METHODS = ("eq", "ne", "lt", "le", "gt", "ge", "hash", "len", "bool", "iter", "getitem", "contains", "add", "mul")


def _require_ordinary(value: Any, what: str) -> None:
    """Raises `NotCompilable` for a tuple that is made or compared in a way of its own: numba does it as any tuple's."""
    if not isinstance(value, tuple):
        return
    cls = type(value)
    for name in (f"__{method}__" for method in TUPLE_METHODS):
        if getattr(cls, name, None) not in (getattr(tuple, name, None), records._equal):
            raise NotCompilable(
                f"{what} cannot be compiled: {cls.__name__} has {name}() of its own, which it would not use"
            )
    for base in cls.__mro__:
        new = vars(base).get("__new__")
        if isinstance(new, staticmethod | FunctionType) and "_tuple_new" not in _code_of(new).co_names:
            raise NotCompilable(
                f"{what} cannot be compiled: {cls.__name__} has __new__() of its own, which it would not use"
            )
    for k, part in enumerate(value):
        _require_ordinary(part, f"{what}[{k}]")


def _code_of(function: Any) -> CodeType:
    code: CodeType = getattr(function, "__func__", function).__code__
    return code


def _numbers_in(value: Any) -> list[int]:
    if isinstance(value, tuple):
        return [number for part in value for number in _numbers_in(part)]
    return [value] if isinstance(value, int) else []


def _widened(value: Any, kind: Any) -> Any:
    if isinstance(kind, types.BaseTuple) and isinstance(value, tuple):
        if len(kind) != len(value):
            return value
        return tuple(_widened(part, sub) for part, sub in zip(value, kind.types, strict=True))
    return float(value) if isinstance(kind, types.Float) else value


def _type_after_play(state: Any) -> Any:
    kind, game = typeof(state), type(state)
    chance = (STREAM,) if has_chance(state) else ()
    result = _result_type(game.play, (kind, types.int64, types.int64, *chance))
    if not isinstance(result, types.BaseNamedTuple) or result.instance_class is not game:
        raise NotCompilable(f"{name_of(state)}.play() cannot be compiled: it gives a {result}, not a {name_of(state)}")
    if len(result.types) != len(kind.types):
        raise NotCompilable(f"{name_of(state)}.play() cannot be compiled: it gives {result}, not {kind}")
    return result


def _result_type(method: FunctionType, arguments: tuple[Any, ...]) -> Any:
    dispatcher = dispatcher_of(method)
    try:
        dispatcher.compile(arguments)
        return dispatcher.overloads[arguments].signature.return_type
    except Exception as error:
        raise NotCompilable(_complaint(method, error)) from error


# ---------------------------------------------------------------------------------------------- why not
def diagnosis(error: Exception, state: Any, algorithm: Any, judge: Any) -> NotCompilable:
    """Finds the method that cannot be compiled by compiling them one by one."""
    kind = typeof(state)
    tries: list[tuple[type, str, tuple[Any, ...]]] = []
    tries.extend((type(state), name, (kind,)) for name in ("shape", "payoff", "observation"))
    tries.append((type(state), "rollout", (kind, STREAM)))
    tries.append((type(judge.model), "evaluate", (typeof(judge.model), kind, STREAM)))
    for cls, name, arguments in tries:
        method = getattr(cls, name, None)
        if isinstance(method, FunctionType):
            try:
                _result_type(method, arguments)
            except NotCompilable as found:
                return found
    return NotCompilable(f"{type(algorithm).__name__} on {name_of(state)} cannot be compiled: {readable(error)}")


def _complaint(method: FunctionType, error: Exception) -> str:
    return f"{method.__qualname__}() cannot be compiled: {readable(error)}"


_PLACE = re.compile(r'File "([^"]+)", line (\d+):')
_NOISE = (
    "Failed in nopython mode",
    "- Resolution failure",
    "Resolution failure",
    "During:",
    "None",
    "There are",
    "- Of which",
    "Overload",
    "With argument",
    "Rejected as",
    "raised from",
    "File ",
    ">>>",
    "Enable logging",
    "This error",
    "For more",
    "The exception",
)


def readable(error: Exception) -> str:
    """What numba said, in a line: the complaint, and the innermost line of the author's that it is about."""
    if not isinstance(error, NumbaError):
        return f"the compiler failed with {type(error).__name__}: {_first_line(error)}"
    text = str(error)
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith(_NOISE)]
    complaint = said[0] if said else _first_line(error)
    places = [(Path(path), int(number)) for path, number in _PLACE.findall(text)]
    foreign = [place for place in places if "numba" not in place[0].parts and "parallel_mcts" not in place[0].parts]
    if not foreign:
        return complaint
    path, number = foreign[0]
    return f"line {number} of {path.name}{_source(path, number)}: {complaint}"


def _source(path: Path, number: int) -> str:
    for base in (Path(), Path.cwd()):
        try:
            return f" (`{(base / path).read_text().splitlines()[number - 1].strip()}`)"
        except (OSError, IndexError, UnicodeDecodeError):
            continue
    return ""


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def _functions_of(algorithm: Any) -> list[FunctionType]:
    return [part for part in vars(type(algorithm)).values() if isinstance(part, FunctionType)]
