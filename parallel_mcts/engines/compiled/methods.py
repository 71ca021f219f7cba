"""Lets numba call the methods of any named tuple, and read the constants and properties of its class.

`state.play(i, j)` in a compiled function becomes a call of `type(state).play` compiled for that state, plain functions
that it calls are found through the names in its code. What numba gives for a state is made to have the types of the
state it came from, so that `1` may stand where a field is a float. Imported for its effect on numba.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from numba import njit
from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.core.typing.templates import signature as typing_signature
from numba.extending import infer_getattr, lower_builtin, register_jitable

from .builtins import TAUGHT, teach
from .checked import CheckedCompiler

OWN = {"error_model": "numpy"}
"""How the package's own functions are compiled: they divide by nothing that can be zero."""

FOREIGN = {"error_model": "python", "boundscheck": True, "pipeline_class": CheckedCompiler}
"""How everybody else's are: an index out of range, a division by zero or a number past 64 bits is an error."""


INLINED = {**OWN, "forceinline": True}
"""How its small ones are, that run at every step: a call would cost more than what they do."""

BORROWING = {**OWN, "_nrt": False}
"""How those are that own no memory: nothing is counted."""


def options_for(function: FunctionType) -> dict[str, Any]:
    module = function.__module__ or ""
    if module.startswith("parallel_mcts.algorithms."):
        return {**INLINED, **BORROWING}
    if module.startswith(("parallel_mcts.scoring", "parallel_mcts.models.")):
        return INLINED
    if module == "parallel_mcts.matrix":
        return BORROWING
    return OWN if module.startswith("parallel_mcts.") else FOREIGN


# ---------------------------------------------------------------------------------------------- plain functions
def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it: comprehensions, lambdas."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def references(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function refers to by global name or closure: (name, thing)."""
    for code in codes_of(function.__code__):
        for name in code.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


@functools.cache
def make_callable(function: FunctionType) -> None:
    """Lets numba call a plain function, and those it calls."""
    if function in TAUGHT:
        return
    for _, other in references(function):
        if isinstance(other, FunctionType) and other is not function:
            make_callable(other)
    register_jitable(**options_for(function))(function)


# ---------------------------------------------------------------------------------------------- methods
@functools.cache
def dispatcher_of(function: FunctionType) -> Any:
    """A method, ready to be compiled for any types."""
    for _, other in references(function):
        if isinstance(other, FunctionType):
            make_callable(other)
    return njit(**options_for(function))(function)


@functools.cache
def method_template(function: FunctionType) -> type:
    """What numba needs to call a function as a method of named tuples."""
    dispatcher = dispatcher_of(function)
    callee = types.Dispatcher(dispatcher)

    def signature(context: Any, args: tuple[Any, ...], kws: Any) -> Any:
        found = callee.get_call_type(context, args, kws)
        return found.replace(return_type=settled(found.return_type, args[0]))

    class Method(AbstractTemplate):
        key = function
        keep = dispatcher  # a types.Dispatcher refers to its dispatcher weakly

        def generic(self, args: Any, kws: Any) -> Any:
            if never_runs(function, len(args)):
                return typing_signature(self.this, *args, recvr=self.this)
            return signature(self.context, (self.this, *args), kws).as_method()

    @lower_builtin(function, types.BaseNamedTuple, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if never_runs(function, len(args) - 1):
            return context.get_constant_undef(sig.return_type)
        full = callee.get_call_type(context.typing_context, sig.args, {})
        call = context.get_function(callee, full)
        context.add_linking_libs(getattr(call, "libs", ()))
        return context.cast(builder, call(builder, args), full.return_type, sig.return_type)

    return Method


def never_runs(function: FunctionType, arguments: int) -> bool:
    """Whether a call of `play` leaves the generator out that it needs.

    The search asks `chance is None` before it plays without one. numba types both branches all the same.
    """
    return function.__name__ == "play" and function.__code__.co_argcount == 4 and arguments == 2


def settled(result: Any, this: Any) -> Any:
    """The type of a method's result: that of the tuple it is a method of, where it is another of the same class."""
    same = isinstance(result, types.BaseNamedTuple) and result.instance_class is this.instance_class
    return this if same and result != this and safe(result, this) else result


def safe(given: Any, wanted: Any) -> bool:
    """Whether every field of a tuple fits into that of another without loss."""
    return len(given) == len(wanted) and all(
        a == b or _widens(a, b) for a, b in zip(given.types, wanted.types, strict=True)
    )


def _widens(given: Any, wanted: Any) -> bool:
    if isinstance(given, types.BaseNamedTuple | types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        return safe(given, wanted)
    if isinstance(wanted, types.Float):
        return isinstance(given, types.Integer | types.Boolean | types.Float) and given.bitwidth <= 64
    if isinstance(wanted, types.Integer):
        return isinstance(given, types.Integer | types.Boolean)
    return False


@infer_getattr
class NamedTupleAttributes(AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, record: Any, attribute: str) -> Any:
        if attribute in ("_replace", "_make", "_asdict"):
            name = record.instance_class.__name__
            raise TypingError(
                f"{attribute}() of a named tuple is not for compiled code; write {name}(…) with all its fields"
            )
        found = getattr(record.instance_class, attribute, None)
        if isinstance(found, FunctionType):
            return types.BoundFunction(method_template(found), record)
        return None


def _range_item(numbers: Any, k: Any) -> Any:
    """`moves()` may give a range; numba knows its length but not its items."""
    return (numbers.dtype, numbers, types.int64) if isinstance(numbers, types.RangeType) else None


@teach(operator.getitem, _range_item, types.RangeType, types.Integer)
def range_getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.compile_internal(builder, lambda numbers, k: numbers.start + k * numbers.step, sig, args)
