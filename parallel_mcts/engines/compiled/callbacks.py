"""Python called from machine code: the positions and the judge of a game that stays in the interpreter.

The search runs compiled and knows a position by its number alone. `Host` keeps the positions of one tree and answers what
the search asks of them; `Position`, `ChancePosition` and `HostJudge` are what lies in a node's memory or is passed to the
descent in their place. Whoever runs such code holds the GIL; what a game raises passes through it. Imported for its effect
on numba.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import llvmlite.ir as ir
from numba.core import cgutils, types
from numba.extending import NativeValue, lower_builtin, models, register_model, typeof_impl, unbox

from ...state import observation
from ...stats import BadShape
from .builtins import teach
from .nodes import address
from .streams import StreamType, _draw
from .types import I64

PRIORS = Callable[[int, tuple[int, int], list[float], list[float]], None]
"""Writes the priors of both players into the node at an address, of a shape."""


I8 = ir.IntType(8)


class Judged:
    """A node as a judge sees it, which may give it priors."""

    __slots__ = ("col_prior", "cols", "row_prior", "rows", "state", "visits")
    row_prior: list[float]
    col_prior: list[float]

    def __init__(self, state: Any, rows: int, cols: int, visits: int) -> None:
        self.state, self.rows, self.cols, self.visits = state, rows, cols, visits


class Host:
    """The positions of one tree by their numbers, and what becomes of them. One thread at a time calls it."""

    def __init__(self, state: Any, judge: Any, write_priors: PRIORS | None) -> None:
        self.judge, self.write_priors = judge, write_priors
        self.observed = hasattr(state, "observation")
        self.begin(state)

    def begin(self, state: Any) -> None:
        """Forgets all positions; the one given has the number 0."""
        self.states: list[Any] = [state]
        self.outcomes: dict[Any, int] = {}

    def keep(self, numbers: set[int]) -> None:
        """Lets all other positions go."""
        self.states = [state if number in numbers else None for number, state in enumerate(self.states)]
        self.outcomes = {key: number for key, number in self.outcomes.items() if number in numbers}

    # ------------------------------------------------------------------------ called from machine code
    def play(self, number: int, i: int, j: int) -> int:
        state = self.states[number]
        self.states.append(state.play(i, j))
        return len(self.states) - 1

    def play_by_chance(self, number: int, i: int, j: int, rng: Random) -> int:
        """The same outcome of the same actions has the same number."""
        state = self.states[number]
        after = state.play(i, j, rng)
        key = number, i, j, observation(after) if self.observed else after
        found = self.outcomes.get(key)
        if found is None:
            found = self.outcomes[key] = len(self.states)
            self.states.append(after)
        return found

    def shape(self, number: int) -> int:
        """Rows and columns in one number."""
        state = self.states[number]
        rows, cols = state.shape()
        if (rows < 1 or cols < 1) and (rows or cols):
            raise BadShape(rows, cols)
        return int(rows) | int(cols) << 32

    def value(self, number: int, rows: int, cols: int, visits: int, place: int, rng: Random) -> tuple[float, float]:
        """What a node is worth to both; the priors of a new one are written into it."""
        node = Judged(self.states[number], rows, cols, visits)
        if self.write_priors is None:
            row, col = self.judge.value(node, rng)
            return float(row), float(col)
        node.row_prior, node.col_prior = [0.0] * rows, [0.0] * cols
        row, col = self.judge.value(node, rng)
        if not visits:
            self.write_priors(place, (rows, cols), node.row_prior, node.col_prior)
        return float(row), float(col)


CALLED = {function.__code__ for function in (Host.play, Host.play_by_chance, Host.shape, Host.value)}


def came_from_python(error: BaseException) -> bool:
    """Whether it was the game or the model that raised."""
    return any(frame.f_code in CALLED for frame, _ in traceback.walk_tb(error.__traceback__))


# ---------------------------------------------------------------------------------------------- calls
def play_of(host: int, number: int, i: int, j: int) -> int:
    """Stands for `Host.play` in numba's tables, as the next ones do for the others."""
    raise NotImplementedError


def play_by_chance_of(host: int, number: int, i: int, j: int, rng: Any) -> int:
    raise NotImplementedError


def shape_of(host: int, number: int) -> int:
    raise NotImplementedError


def value_of(host: int, number: int, rows: int, cols: int, visits: int, place: int, rng: Any) -> tuple[float, float]:
    raise NotImplementedError


class PythonStreamType(StreamType):
    """A `random.Random`, and its method `random`: the addresses of both objects."""

    def __init__(self) -> None:
        types.Type.__init__(self, "PythonStream")


PYTHON_STREAM = PythonStreamType()
BOTH = types.UniTuple(types.float64, 2)


class PythonStream:
    """Passes a `random.Random` to machine code, so that game and search draw from the same one."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.random = rng, rng.random


@register_model(PythonStreamType)
class PythonStreamModel(models.StructModel):
    def __init__(self, manager: Any, typ: Any) -> None:
        super().__init__(manager, typ, [("rng", types.int64), ("random", types.int64)])


@typeof_impl.register(PythonStream)
def type_of_stream(stream: PythonStream, c: Any) -> Any:
    return PYTHON_STREAM


@unbox(PythonStreamType)
def unbox_stream(typ: Any, stream: Any, c: Any) -> Any:
    value = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name in ("rng", "random"):
        thing = c.pyapi.object_getattr_string(stream, name)
        setattr(value, name, c.builder.ptrtoint(thing, I64))
        c.pyapi.decref(thing)  # the stream holds it, and is held by who calls
    return NativeValue(value._getvalue())


@lower_builtin(_draw, PythonStreamType)
def lower_random(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    python = context.get_python_api(builder)
    stream = cgutils.create_struct_proxy(PYTHON_STREAM)(context, builder, value=args[0])
    drawn = python.call_function_objargs(builder.inttoptr(stream.random, python.pyobj), [])
    number = python.float_as_double(drawn)
    python.decref(drawn)
    return number


def _symbol(function: Callable[..., Any]) -> str:
    return f"parallel_mcts_{function.__qualname__}"


def _address(builder: Any, python: Any, function: Callable[..., Any]) -> Any:
    """Where a function is: a symbol, and no number, so that the code can be loaded by another process."""
    name, known = _symbol(function), builder.module.globals
    return builder.bitcast(known[name] if name in known else ir.GlobalVariable(builder.module, I8, name), python.pyobj)


def _call(context: Any, builder: Any, function: Callable[..., Any], sig: Any, args: Any) -> tuple[Any, Any]:
    """Calls a function of the host, found by its symbol, with whole numbers and a stream: (Python's API, the result)."""
    python = context.get_python_api(builder)
    numbers = [python.long_from_longlong(arg) for arg in args[1:] if arg.type == I64]
    given = [builder.inttoptr(args[0], python.pyobj), *numbers]
    if sig.args[-1] == PYTHON_STREAM:
        stream = cgutils.create_struct_proxy(PYTHON_STREAM)(context, builder, value=args[-1])
        given.append(builder.inttoptr(stream.rng, python.pyobj))
    result = python.call_function_objargs(_address(builder, python, function), given)
    for number in numbers:
        python.decref(number)
    with builder.if_then(cgutils.is_null(builder, result), likely=False):
        context.call_conv.return_exc(builder)
    return python, result


def _whole(context: Any, builder: Any, python: Any, result: Any) -> Any:
    return python.long_as_longlong(result)


def _pair(context: Any, builder: Any, python: Any, result: Any) -> Any:
    parts = [python.float_as_double(python.tuple_getitem(result, k)) for k in range(2)]
    return context.make_tuple(builder, BOTH, parts)


def _teach_call(stand_in: Any, function: Callable[..., Any], result: Any, numbers: int, *more: Any) -> None:
    kinds = (types.int64,) * numbers + more
    unpack = _pair if result == BOTH else _whole
    llvm.add_symbol(_symbol(function), id(function))

    @teach(stand_in, lambda *args: (result, *kinds), *(types.Integer,) * numbers, *map(type, more))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        python, found = _call(context, builder, function, sig, args)
        value = unpack(context, builder, python, found)
        python.decref(found)
        return value


_teach_call(play_of, Host.play, types.int64, 4)
_teach_call(play_by_chance_of, Host.play_by_chance, types.int64, 4, PYTHON_STREAM)
_teach_call(shape_of, Host.shape, types.int64, 2)
_teach_call(value_of, Host.value, BOTH, 6, PYTHON_STREAM)


# ---------------------------------------------------------------------------------------------- what the descent sees
class Position(NamedTuple):
    """A position of a game without chance: where its host is, and its number there."""

    host: int
    number: int

    def shape(self) -> tuple[int, int]:
        size = shape_of(self.host, self.number)
        return size & 0xFFFFFFFF, size >> 32

    def play(self, i: int, j: int) -> Position:
        return Position(self.host, play_of(self.host, self.number, i, j))


class ChancePosition(NamedTuple):
    """The same, of a game with chance: outcomes are told apart by their numbers."""

    host: int
    number: int

    def shape(self) -> tuple[int, int]:
        size = shape_of(self.host, self.number)
        return size & 0xFFFFFFFF, size >> 32

    def play(self, i: int, j: int, rng: Any) -> ChancePosition:
        return ChancePosition(self.host, play_by_chance_of(self.host, self.number, i, j, rng))


class HostJudge(NamedTuple):
    """Has a node judged by its host."""

    host: int

    def value(self, node: Any, rng: Any) -> tuple[float, float]:
        return value_of(self.host, node.state.number, node.rows, node.cols, node.visits, address(node), rng)
