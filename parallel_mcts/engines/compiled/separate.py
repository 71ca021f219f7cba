"""Functions that are compiled once for all searches and called by name: the solver of matrix games.

Compiled into every search that uses it, the solver would take longer than all the rest. So it is a function of its own
in the cache, and a search only calls the symbol; `provide` makes the symbol known before a search is compiled or
loaded.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as ir
from numba import carray, njit
from numba.core import cgutils, types
from numba.np.arrayobj import make_array

from ... import matrix
from .builtins import teach
from .cache import attach_cache
from .methods import BORROWING, OWN, make_callable, references
from .types import F64, I64

SYMBOL = "parallel_mcts_solve_matrix"
NUMBERS = types.CPointer(types.float64)
SIGNATURE = types.float64(NUMBERS, NUMBERS, NUMBERS, NUMBERS, types.int64, types.int64)


def _solve(payoffs: Any, x: Any, y: Any, work: Any, rows: Any, cols: Any) -> Any:
    """`matrix.solve` over plain memory."""
    cells, room = carray(payoffs, (rows, cols)), carray(work, (rows + 2, 2 * cols + 3))
    return solve(cells, carray(x, rows), carray(y, cols), room)


solve = njit(**BORROWING)(matrix.solve)
native_solve = njit(**OWN)(_solve)


def needs_solver(functions: list[FunctionType]) -> bool:
    """Whether some of these call the solver."""
    return any(thing is matrix.solve for function in functions for _, thing in references(function))


@functools.cache
def provide_solver() -> None:
    """Compiles the solver, or loads it, and tells the linker where it is."""
    for name in ("saddle_point", "two_by_two", "simplex", "expected"):
        make_callable(getattr(matrix, name))
    attach_cache(native_solve, [matrix.solve])
    native_solve.compile(SIGNATURE)
    compiled = native_solve.overloads[SIGNATURE.args]
    place = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
    llvm.add_symbol(SYMBOL, place)


def _typing(payoffs: Any, x: Any, y: Any, work: Any) -> Any:
    cells, numbers = types.Array(types.float64, 2, "C"), types.Array(types.float64, 1, "C")
    wanted = (cells, numbers, numbers, cells)
    return (types.float64, *wanted) if (payoffs, x, y, work) == wanted else None


@teach(matrix.solve, _typing, types.Array, types.Array, types.Array, types.Array)
def call_solver(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    arrays = [make_array(typ)(context, builder, value) for typ, value in zip(sig.args, args, strict=True)]
    pointers = [builder.bitcast(array.data, F64.as_pointer()) for array in arrays]
    lengths = [cgutils.unpack_tuple(builder, arrays[k].shape)[0] for k in (1, 2)]
    kind = ir.FunctionType(F64, [F64.as_pointer()] * 4 + [I64, I64])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, SYMBOL), pointers + lengths)
