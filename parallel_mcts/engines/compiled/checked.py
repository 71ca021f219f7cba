"""Whole numbers that do not wrap around: in a game or algorithm of a user's, a sum past 64 bits is an OverflowError.

Python's whole numbers have no end; a machine's do, and silently begin anew. A pass of numba's pipeline, after types are
known, replaces `+`, `-`, `*` and `<<` of whole numbers by versions that notice.
"""

from __future__ import annotations

import operator
from typing import Any

import llvmlite.ir as ir
from numba.core import cgutils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NoPythonSupportedFeatureValidation

from .builtins import teach
from .types import I64

MESSAGE = "a whole number needs more than 64 bits, which compiled code does not have; engine='python' has them"


def _add() -> None:
    """Stands for a sum that notices, in numba's tables."""


def _subtract() -> None: ...


def _multiply() -> None: ...


def _shift() -> None: ...


CHECKED = {
    operator.add: _add,
    operator.iadd: _add,
    operator.sub: _subtract,
    operator.isub: _subtract,
    operator.mul: _multiply,
    operator.imul: _multiply,
    operator.lshift: _shift,
    operator.ilshift: _shift,
}
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
            for expression in block.find_exprs():
                if expression.op in ("binop", "inplace_binop") and self._is_whole(state, expression):
                    changed |= self._replace(expression)
        return changed

    def _is_whole(self, state: Any, expression: Any) -> bool:
        signature = state.calltypes.get(expression)
        return signature is not None and (signature.return_type, *signature.args) == (types.int64,) * 3

    def _replace(self, expression: Any) -> bool:
        checked = CHECKED.get(expression.fn)
        if checked is None:
            return False
        expression.fn = checked
        if expression.op == "inplace_binop":
            expression.immutable_fn = checked
        return True


class CheckedCompiler(CompilerBase):
    """numba's ordinary pipeline, and the check."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(CheckWholeNumbers, NoPythonSupportedFeatureValidation)
        manager.finalize()
        return [manager]


def _typing(*args: Any) -> Any:
    return (types.int64,) * 3


def _lower_arithmetic(function: Any, name: str) -> None:
    @teach(function, _typing, types.int64, types.int64)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pair = ir.LiteralStructType([I64, ir.IntType(1)])
        kind = ir.FunctionType(pair, [I64, I64])
        intrinsic = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.with.overflow.i64")
        result = builder.call(intrinsic, args)
        _require(context, builder, builder.not_(builder.extract_value(result, 1)))
        return builder.extract_value(result, 0)


@teach(_shift, _typing, types.int64, types.int64)
def lower_shift(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, count = args
    small = builder.icmp_unsigned("<", count, I64(64))
    shifted = builder.shl(value, builder.and_(count, I64(63)))
    back = builder.ashr(shifted, builder.and_(count, I64(63)))
    kept = builder.and_(small, builder.icmp_signed("==", back, value))
    _require(context, builder, builder.or_(kept, builder.icmp_signed("==", value, I64(0))))
    return shifted


def _require(context: Any, builder: Any, fits: Any) -> None:
    with builder.if_then(builder.not_(fits), likely=False):
        context.call_conv.return_user_exc(builder, OverflowError, (MESSAGE,))


for _function, _name in INTRINSICS.items():
    _lower_arithmetic(_function, _name)
