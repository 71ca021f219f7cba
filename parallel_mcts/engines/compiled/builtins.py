"""Teaches numba an operation by what it compiles to, without a function of its own to type, compile and link.

numba's `overload` puts every small operation through its whole pipeline, some fiftieth of a second each; a search uses
dozens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

Typing = Callable[..., Any]
"""From the types of the arguments to (the type of the result, *the types the arguments are cast to), or None."""

Lowering = Callable[..., Any]
"""From (context, builder, signature, values) to the value of the result."""


TAUGHT: set[Any] = set()
"""Functions that need not be compiled: numba knows what they become."""


def teach(function: Any, typing: Typing, *kinds: Any) -> Callable[[Lowering], Lowering]:
    """Registers how to type `function` and, by decorating, how to lower it for arguments of these kinds."""

    @infer_global(function)
    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            found = typing(*args) if not kws and len(args) == len(kinds) else None
            return None if found is None else signature(*found)

    TAUGHT.add(function)

    def register(lowering: Lowering) -> Lowering:
        lower_builtin(function, *kinds)(lowering)
        return lowering

    return register
