"""Whole numbers that do not wrap around: in a game or algorithm of a user's, a sum past 64 bits is an OverflowError.

Python's whole numbers have no end; a machine's do, and silently begin anew. A pass of numba's pipeline, after types are
known, replaces what is done with whole numbers (`+`, `**`, `>>`, `abs`, `sum`, `int` of a float, …) by versions that
notice. Where the machine's answer is another for a different reason (a shift by more than 63, a negative power), they
give Python's or raise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
from numba.core import cgutils, types
from numba.core import ir as numba_ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import mk_unique_var
from numba.core.typed_passes import NoPythonSupportedFeatureValidation

from .builtins import teach
from .types import F64, I64

MESSAGE = "a whole number needs more than 64 bits, which compiled code does not have; engine='python' has them"


NEGATIVE_POWER = "a whole number to a negative power is no whole number: write float(x) ** n"
LEAST, MOST = -(2**63), 2**63


def _add(a: int, b: int) -> int:
    """Stands for a sum that notices, in numba's tables; what the others stand for, their names say."""
    return a + b


def _multiply(a: int, b: int) -> int:
    return a * b


def _subtract() -> None: ...


def _shift_left() -> None: ...


def _shift_right() -> None: ...


def _divide() -> None: ...


def _remainder() -> None: ...


def _raise_to() -> None: ...


def _negate() -> None: ...


def _absolute() -> None: ...


def _sum() -> None: ...


def _truncated() -> None: ...


def _floor() -> None: ...


def _ceiling() -> None: ...


def _rounded() -> None: ...


CHECKED = {
    operator.add: _add,
    operator.iadd: _add,
    operator.sub: _subtract,
    operator.isub: _subtract,
    operator.mul: _multiply,
    operator.imul: _multiply,
    operator.lshift: _shift_left,
    operator.ilshift: _shift_left,
    operator.rshift: _shift_right,
    operator.irshift: _shift_right,
    operator.floordiv: _divide,
    operator.ifloordiv: _divide,
    operator.mod: _remainder,
    operator.imod: _remainder,
    operator.pow: _raise_to,
    operator.ipow: _raise_to,
    operator.neg: _negate,
}
"""Operators of whole numbers."""

CHECKED_CALLS: dict[tuple[Any, Any], Any] = {
    (abs, types.int64): _absolute,
    (int, types.float64): _truncated,
    (round, types.float64): _rounded,
    (math.trunc, types.float64): _truncated,
    (math.floor, types.float64): _floor,
    (math.ceil, types.float64): _ceiling,
}
"""Functions of one argument that give whole numbers."""

ROUNDINGS = {_truncated: "trunc", _floor: "floor", _ceiling: "ceil", _rounded: "rint"}
INTRINSICS = {_add: "sadd", _subtract: "ssub", _multiply: "smul"}


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckWholeNumbers(FunctionPass):
    """Replaces operations on 64-bit numbers by those that notice when the result has more."""

    _name = "parallel_mcts_check_whole_numbers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for expression in list(block.find_exprs()):
                signature = state.calltypes.get(expression)
                if signature is None or signature.return_type != types.int64:
                    continue
                if expression.op == "call":
                    changed |= self._replace_call(state, block, expression, signature)
                elif expression.op in ("binop", "inplace_binop", "unary") and set(signature.args) == {types.int64}:
                    changed |= self._replace(state, expression)
        return changed

    def _replace(self, state: Any, expression: Any) -> bool:
        checked = CHECKED.get(expression.fn)
        if checked is None:
            return False
        expression.fn = checked
        kind = state.typingctx.resolve_value_type(checked)
        kind.get_call_type(state.typingctx, state.calltypes[expression].args, {})
        if expression.op == "inplace_binop":
            expression.immutable_fn = checked
        if expression.op != "unary":  # numba would look for a version for one constant
            expression.static_lhs = expression.static_rhs = numba_ir.UNDEFINED
        return True

    def _replace_call(self, state: Any, block: Any, expression: Any, signature: Any) -> bool:
        given = signature.args[: len(expression.args)]  # not what is left to its default
        called = getattr(state.typemap[expression.func.name], "typing_key", None)
        checked = _sum if called is sum else CHECKED_CALLS.get((called, *given))
        if checked is None or expression.kws or expression.vararg:
            return False
        kind = state.typingctx.resolve_value_type(checked)
        name = numba_ir.Var(block.scope, mk_unique_var("$checked"), expression.loc)
        where = next(k for k, line in enumerate(block.body) if getattr(line, "value", None) is expression)
        block.body.insert(where, numba_ir.Assign(numba_ir.Global(name.name, checked, expression.loc), name, expression.loc))
        state.typemap[name.name] = kind
        state.calltypes.pop(expression)
        state.calltypes[expression] = kind.get_call_type(state.typingctx, given, {})
        expression.func = name
        return True


class CheckedCompiler(CompilerBase):
    """numba's ordinary pipeline, and the check."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(CheckWholeNumbers, NoPythonSupportedFeatureValidation)
        manager.finalize()
        return [manager]


def _whole(*args: Any) -> Any:
    return (types.int64,) * (len(args) + 1)


def _lower_arithmetic(function: Any, name: str) -> None:
    @teach(function, _whole, types.int64, types.int64)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _arithmetic(context, builder, name, args)


def _arithmetic(context: Any, builder: Any, name: str, args: Any) -> Any:
    pair = ir.LiteralStructType([I64, ir.IntType(1)])
    kind = ir.FunctionType(pair, [I64, I64])
    intrinsic = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.with.overflow.i64")
    result = builder.call(intrinsic, args)
    _require(context, builder, builder.not_(builder.extract_value(result, 1)))
    return builder.extract_value(result, 0)


@teach(_negate, _whole, types.int64)
def lower_negate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _arithmetic(context, builder, "ssub", [I64(0), args[0]])


@teach(_absolute, _whole, types.int64)
def lower_absolute(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    positive = builder.icmp_signed(">=", args[0], I64(0))
    return builder.select(
        positive, args[0], lower_negate(context, builder, sig, [builder.select(positive, I64(0), args[0])])
    )


@teach(_shift_left, _whole, types.int64, types.int64)
def lower_shift_left(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, count = args
    _require_shift(context, builder, count)
    small = builder.icmp_unsigned("<", count, I64(64))
    shifted = builder.shl(value, builder.and_(count, I64(63)))
    back = builder.ashr(shifted, builder.and_(count, I64(63)))
    kept = builder.and_(small, builder.icmp_signed("==", back, value))
    _require(context, builder, builder.or_(kept, builder.icmp_signed("==", value, I64(0))))
    return shifted


@teach(_shift_right, _whole, types.int64, types.int64)
def lower_shift_right(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, count = args
    _require_shift(context, builder, count)
    return builder.ashr(value, builder.select(builder.icmp_signed(">", count, I64(63)), I64(63), count))


def _require_shift(context: Any, builder: Any, count: Any) -> None:
    _require(context, builder, builder.icmp_signed(">=", count, I64(0)), ValueError, "negative shift count")


@teach(_divide, _whole, types.int64, types.int64)
def lower_divide(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    least = builder.icmp_signed("==", args[0], I64(LEAST))
    _require(context, builder, builder.not_(builder.and_(least, builder.icmp_signed("==", args[1], I64(-1)))))
    return context.get_function(operator.floordiv, sig)(builder, args)


@teach(_remainder, _whole, types.int64, types.int64)
def lower_remainder(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    # by 1 as by -1 nothing remains, and a processor stops at the least number divided by -1
    divisor = builder.select(builder.icmp_signed("==", args[1], I64(-1)), I64(1), args[1])
    return context.get_function(operator.mod, sig)(builder, [args[0], divisor])


@teach(_raise_to, _whole, types.int64, types.int64)
def lower_power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    def power(base: Any, exponent: Any) -> Any:
        if exponent < 0:
            raise ValueError(NEGATIVE_POWER)
        result = 1
        while exponent > 0:
            if exponent & 1:
                result = _multiply(result, base)
            exponent >>= 1
            if exponent > 0:
                base = _multiply(base, base)
        return result

    return context.compile_internal(builder, power, sig, args)


def _lower_rounding(function: Any, name: str) -> None:
    @teach(function, lambda number: (types.int64, types.float64), types.float64)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(F64, [F64])
        number = builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.f64"), args)
        known = builder.fcmp_ordered("ord", number, number)
        _require(context, builder, known, ValueError, "cannot convert float NaN to integer")
        low, high = (builder.fcmp_ordered(*test) for test in ((">=", number, F64(LEAST)), ("<", number, F64(MOST))))
        _require(context, builder, builder.and_(low, high))
        return builder.fptosi(number, I64)


def _sum_typing(items: Any, *start: Any) -> Any:
    return (types.int64, items, *((types.int64,) * len(start)))


def _lower_sum(*kinds: Any) -> None:
    @teach(_sum, _sum_typing, types.Any, *kinds)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = args[1] if kinds else I64(0)
        if isinstance(sig.args[0], types.BaseTuple):  # whose parts may be of several types
            for part, kind in zip(cgutils.unpack_tuple(builder, args[0]), sig.args[0].types, strict=True):
                start = _arithmetic(context, builder, "sadd", [start, context.cast(builder, part, kind, types.int64)])
            return start
        both = types.int64(sig.args[0], types.int64)
        return context.compile_internal(builder, _total, both, [args[0], start])


def _total(items: Any, total: Any) -> Any:
    for item in items:
        total = _add(total, item)
    return total


def _require(
    context: Any, builder: Any, fits: Any, error: Callable[..., Exception] = OverflowError, message: str = MESSAGE
) -> None:
    with builder.if_then(builder.not_(fits), likely=False):
        context.call_conv.return_user_exc(builder, error, (message,))


for _function, _name in INTRINSICS.items():
    _lower_arithmetic(_function, _name)
for _function, _name in ROUNDINGS.items():
    _lower_rounding(_function, _name)
_lower_sum()
_lower_sum(types.int64)
