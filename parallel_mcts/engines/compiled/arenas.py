"""Trees in machine code: an arena that hands out nodes, finds and links the outcomes of chance, and says when it is full.

A tree is a pointer to the header of a chunk of memory: how many words of it are used, how many it has, whether parents
learn means, and the blocks too large for it. Every thread that grows a tree has a chunk of its own, so handing out a
node touches nothing that another thread writes. A chunk never moves. Imported for its effect on numba.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, overload_method, register_jitable
from numba.np.arrayobj import make_array

from ...stats import BadShape
from .layout import EXTENTS, LINE, WORD
from .types import F64, I32, I64, NodeType, TreeType, half, measure, node_type, word

USED, CAPACITY, AVERAGES, LARGE_BLOCKS, LARGE_WORDS, HEADER = 0, 1, 2, 3, 4, 8
"""Words of a chunk's header, and how many there are."""

MARGIN = 1 << 12
"""Words that must be free for a playout to begin; a node that does not fit is a block of its own."""


@intrinsic
def tree_of(typingctx: Any, words: Any, state: Any, algorithm: Any, locks: Any) -> Any:
    """The tree that grows in an array of words; of state, algorithm and locks only the types count."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = make_array(sig.args[0])(context, builder, args[0]).data
        return builder.bitcast(data, cgutils.voidptr_t)

    return TreeType(node_type(state, algorithm, locks))(words, state, algorithm, locks), codegen


@intrinsic
def node_at(typingctx: Any, tree: Any, place: Any) -> Any:
    """The node at an address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[1], args[0].type)

    return tree.node(tree, types.int64), codegen


# ---------------------------------------------------------------------------------------------- attributes
@infer_getattr
class TreeAttributes(AttributeTemplate):
    key = TreeType

    def generic_resolve(self, tree: TreeType, attribute: str) -> Any:
        return types.boolean if attribute in ("full", "averages") else None


@lower_getattr_generic(TreeType)
def tree_getattr(context: Any, builder: Any, typ: TreeType, tree: Any, attribute: str) -> Any:
    if attribute == "averages":
        return builder.icmp_signed("!=", builder.load(word(builder, tree, AVERAGES)), I64(0))
    used, capacity = builder.load(word(builder, tree, USED)), builder.load(word(builder, tree, CAPACITY))
    return builder.icmp_signed(">", builder.add(used, I64(MARGIN)), capacity)


# ---------------------------------------------------------------------------------------------- new nodes
@intrinsic
def size_of(typingctx: Any, tree: Any, rows: Any, cols: Any) -> Any:
    """The words of a node of a shape."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return measure(builder, tree.node.layout(context).size, args[1], args[2])

    return types.int64(tree, types.int64, types.int64), codegen


@intrinsic
def header_word(typingctx: Any, tree: Any, place: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(word(builder, args[0], args[1]))

    return types.int64(tree, types.int64), codegen


@intrinsic
def set_header_word(typingctx: Any, tree: Any, place: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], word(builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(tree, types.int64, types.int64), codegen


@intrinsic
def base_of(typingctx: Any, tree: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], I64)

    return types.int64(tree), codegen


@intrinsic
def write_word(typingctx: Any, place: Any, value: Any) -> Any:
    """Stores a number at an address."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], I64.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


calloc = types.ExternalFunction("calloc", types.intp(types.uintp, types.uintp))


@intrinsic
def set_up(typingctx: Any, node: NodeType, rows: Any, cols: Any, state: Any) -> Any:
    """Writes the shape, the state and the statistics that do not start at zero into a block of zeros."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer, rows_value, cols_value, state_value = args
        layout = node.layout(context)
        for value, second in ((rows_value, False), (cols_value, True)):
            builder.store(builder.trunc(value, I32), half(builder, pointer, layout.fixed["shape"], second))
        place = word(builder, pointer, layout.state, context.get_data_type(node.state))
        context.pack_value(builder, node.state, context.cast(builder, state_value, sig.args[3], node.state), place)
        for name, start in node.starts:
            extent, shape = layout.statistics[name]
            first = measure(builder, extent, rows_value, cols_value)
            count = measure(builder, EXTENTS[shape], rows_value, cols_value)
            with cgutils.for_range(builder, count) as loop:
                builder.store(F64(start), word(builder, pointer, builder.add(first, loop.index), F64))
        return context.get_dummy_value()

    return types.void(node, types.int64, types.int64, state), codegen


@overload_method(TreeType, "new", strict=False)
def tree_new(tree: Any, state: Any) -> Any:
    grain = LINE if tree.node.shared else 1  # nodes that threads share begin on a cache line of their own

    def new(tree: Any, state: Any) -> Any:
        rows, cols = state.shape()
        if (rows < 1 or cols < 1) and (rows != 0 or cols != 0):
            raise BadShape(rows, cols)
        words = (size_of(tree, rows, cols) + grain - 1) & -grain
        used = header_word(tree, USED)
        if used + words <= header_word(tree, CAPACITY):
            set_header_word(tree, USED, used + words)
            place = base_of(tree) + WORD * used
        else:
            place = large_block(tree, words)
        node = node_at(tree, place)
        set_up(node, rows, cols, state)
        return node

    return new


@register_jitable
def large_block(tree: Any, words: Any) -> Any:
    """Memory for a node that does not fit into the chunk: a block of its own, linked to those before it."""
    words += 2 * LINE
    block = calloc(words, WORD)
    if block == 0:
        raise MemoryError("no memory for another node")
    write_word(block, header_word(tree, LARGE_BLOCKS))
    set_header_word(tree, LARGE_BLOCKS, block)
    set_header_word(tree, LARGE_WORDS, header_word(tree, LARGE_WORDS) + words)
    return (block + 2 * LINE * WORD - 1) & -(LINE * WORD)


# ---------------------------------------------------------------------------------------------- chance, and means
@overload_method(TreeType, "find", strict=False)
def tree_find(tree: Any, node: Any, slot: Any, state: Any) -> Any:
    if hasattr(tree.node.state.instance_class, "observation"):

        def find(tree: Any, node: Any, slot: Any, state: Any) -> Any:
            seen = state.observation()
            child = node.kids[slot]
            while child and child.state.observation() != seen:
                child = child.next
            return child
    else:

        def find(tree: Any, node: Any, slot: Any, state: Any) -> Any:
            child = node.kids[slot]
            while child and child.state != state:
                child = child.next
            return child

    return find


@overload_method(TreeType, "add", strict=False)
def tree_add(tree: Any, node: Any, slot: Any, leaf: Any) -> Any:
    def add(tree: Any, node: Any, slot: Any, leaf: Any) -> None:
        leaf.next = node.kids[slot]
        node.kids[slot] = leaf

    return add


@overload_method(TreeType, "mean", strict=False)
def tree_mean(tree: Any, node: Any) -> Any:
    def mean(tree: Any, node: Any) -> Any:
        back = node.visits - node.pending
        return node.row_value / back, node.col_value / back

    return mean
