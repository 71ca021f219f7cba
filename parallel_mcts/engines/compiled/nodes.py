"""Nodes in machine code: a pointer with the attributes that an interpreted node has.

`node.visits += 1`, `node.row_gains[i]`, `node.kids[slot]`, `node.state`: each compiles to a load or a store at the
place that `Layout` gives. Children are read with acquire and published with release, so that a thread that sees a new
child sees all of it. Imported for its effect on numba.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    overload_method,
)
from numba.np.arrayobj import make_array, populate_array

from ...stats import PerCell, PerNode, PerRow
from .builtins import teach
from .layout import WORD
from .types import F64, I32, I64, LOCK, KidsType, NodeType, half, measure, word

WHOLE = {"visits": types.int64, "row_value": types.float64, "col_value": types.float64}
"""Attributes that fill a word."""

HALVES = {"rows": ("shape", False), "cols": ("shape", True), "pending": ("lock", True)}
"""Attributes that fill half a word: which, and whether it is the second half."""


def array_type(shape: type) -> Any:
    return types.Array(types.float64, 2 if shape is PerCell else 1, "C")


# ---------------------------------------------------------------------------------------------- attributes
@infer_getattr
class NodeAttributes(AttributeTemplate):
    key = NodeType

    def generic_resolve(self, node: NodeType, attribute: str) -> Any:
        shape = dict(node.statistics).get(attribute)
        if shape is not None:
            return types.float64 if shape is PerNode else array_type(shape)
        if attribute in HALVES:
            return types.int64
        own = {"state": node.state, "next": node, "kids": KidsType(node), "lock": LOCK}
        return WHOLE.get(attribute) or own.get(attribute)


@lower_getattr_generic(NodeType)
def get_attribute(context: Any, builder: Any, typ: NodeType, node: Any, attribute: str) -> Any:
    layout = typ.layout(context)
    if attribute in layout.statistics:
        return _statistic(context, builder, typ, node, attribute)
    if attribute in WHOLE:
        kind = context.get_value_type(WHOLE[attribute])
        return builder.load(word(builder, node, layout.fixed[attribute], kind))
    if attribute in HALVES:
        place, second = HALVES[attribute]
        if place not in layout.fixed:
            return I64(0)
        return builder.sext(builder.load(half(builder, node, layout.fixed[place], second)), I64)
    if attribute == "state":
        return context.unpack_value(builder, typ.state, _state_pointer(context, builder, typ, node))
    if attribute == "next":
        return builder.inttoptr(builder.load(word(builder, node, layout.fixed["next"])), node.type)
    first = layout.kids if attribute == "kids" else layout.fixed["lock"]
    return builder.bitcast(word(builder, node, first), node.type)


@lower_setattr_generic(NodeType)
def set_attribute(context: Any, builder: Any, sig: Any, args: Any, attribute: str) -> None:
    typ, (node, value) = sig.args[0], args
    layout = typ.layout(context)
    if attribute in layout.statistics:
        rows, cols = shape_of(context, builder, typ, node)
        place = measure(builder, layout.statistics[attribute][0], rows, cols)
        builder.store(value, word(builder, node, place, F64))
    elif attribute in WHOLE:
        builder.store(value, word(builder, node, layout.fixed[attribute], value.type))
    elif attribute in HALVES:
        place, second = HALVES[attribute]
        if place in layout.fixed:
            builder.store(builder.trunc(value, I32), half(builder, node, layout.fixed[place], second))
    elif attribute == "next":
        builder.store(builder.ptrtoint(value, I64), word(builder, node, layout.fixed["next"]))


def shape_of(context: Any, builder: Any, typ: NodeType, node: Any) -> tuple[Any, Any]:
    """Rows and cols of a node."""
    return get_attribute(context, builder, typ, node, "rows"), get_attribute(context, builder, typ, node, "cols")


def _state_pointer(context: Any, builder: Any, typ: NodeType, node: Any) -> Any:
    return word(builder, node, typ.layout(context).state, context.get_data_type(typ.state))


def _statistic(context: Any, builder: Any, typ: NodeType, node: Any, name: str) -> Any:
    """A number, or an array over the numbers where they lie."""
    rows, cols = shape_of(context, builder, typ, node)
    extent, shape = typ.layout(context).statistics[name]
    numbers = word(builder, node, measure(builder, extent, rows, cols), F64)
    if shape is PerNode:
        return builder.load(numbers)
    lengths = [rows, cols] if shape is PerCell else [rows if shape is PerRow else cols]
    return make_view(context, builder, shape, numbers, lengths)


def make_view(context: Any, builder: Any, shape: type, numbers: Any, lengths: list[Any]) -> Any:
    """An array over memory that nobody counts."""
    array = make_array(array_type(shape))(context, builder)
    size = I64(WORD)
    strides = [builder.mul(lengths[1], size), size] if shape is PerCell else [size]
    populate_array(array, data=numbers, shape=lengths, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


# ---------------------------------------------------------------------------------------------- pointers as objects
@intrinsic
def address(typingctx: Any, thing: Any) -> Any:
    """Where something is, as a number."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], I64)

    return types.int64(thing), codegen


def _truth(thing: Any) -> Any:
    return (types.boolean, thing) if isinstance(thing, NodeType) else None


@teach(operator.truth, _truth, NodeType)
@teach(bool, _truth, NodeType)
def node_to_bool(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.is_not_null(builder, args[0])


@teach(operator.not_, _truth, NodeType)
def node_not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.is_null(builder, args[0])


@teach(id, lambda node: (types.int64, node) if isinstance(node, NodeType) else None, NodeType)
def node_id(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ptrtoint(args[0], I64)


@overload_method(NodeType, "open", strict=False)
def node_open(node: Any) -> Any:
    """A compiled node has its children and statistics from the start."""
    return lambda node: None


# ---------------------------------------------------------------------------------------------- children
@teach(bool, lambda kids: (types.boolean, kids) if isinstance(kids, KidsType) else None, KidsType)
def kids_to_bool(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.true_bit  # they are there from the start


def _get(kids: Any, slot: Any) -> Any:
    return (kids.node, kids, types.int64) if isinstance(kids, KidsType) else None


@teach(operator.getitem, _get, KidsType, types.Integer)
def load_kid(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place = builder.load_atomic(word(builder, args[0], args[1]), "acquire", WORD)
    return builder.inttoptr(place, args[0].type)


def _set(kids: Any, slot: Any, node: Any) -> Any:
    return (types.void, kids, types.int64, kids.node) if isinstance(kids, KidsType) else None


@teach(operator.setitem, _set, KidsType, types.Integer, NodeType)
def publish_kid(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store_atomic(builder.ptrtoint(args[2], I64), word(builder, args[0], args[1]), "release", WORD)
    return context.get_dummy_value()
