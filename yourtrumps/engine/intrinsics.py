# mypy: ignore-errors
"""What numba has no words for: single instructions of the processor, and bare memory in place of arrays.

Each has a twin in ordinary Python in :mod:`.jit`, which is where others import them from.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model
from numba.np.arrayobj import make_array


@intrinsic
def popcount(typing_context, bits):
    """Number of bits set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest(typing_context, bits):
    """Index of the lowest bit set; *bits* must not be nought."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def highest(typing_context, bits):
    """Index of the highest bit set; *bits* must not be nought."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


class Borrowed(types.Type):
    """The numba type of :func:`borrowed` memory: where it begins, and how long it is."""

    def __init__(self) -> None:
        super().__init__("Borrowed")


BORROWED = Borrowed()


@register_model(Borrowed)
class _Model(models.StructModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, [("data", types.CPointer(types.int64)), ("length", types.int64)])


def _place(context, builder, borrowed, index):
    return builder.gep(cgutils.create_struct_proxy(BORROWED)(context, builder, borrowed).data, [index])


@intrinsic
def borrowed(typing_context, array):
    """An int64 array as bare memory: not counted, not checked, no index from the end; the caller keeps it alive.

    An array goes to a function as seven words, each function counts references to it with instructions that lock
    memory, and each index is looked at in case it counts from the end. In small functions that costs more than
    the work does.
    """

    def generate(context, builder, signature, arguments):
        given = make_array(array)(context, builder, arguments[0])
        memory = cgutils.create_struct_proxy(BORROWED)(context, builder)
        memory.data = given.data
        memory.length = builder.extract_value(given.shape, 0)
        return memory._getvalue()

    return BORROWED(array), generate


@intrinsic
def _get(typing_context, memory, index):
    def generate(context, builder, signature, arguments):
        return builder.load(_place(context, builder, *arguments))

    return types.int64(BORROWED, types.int64), generate


@intrinsic
def _set(typing_context, memory, index, value):
    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], _place(context, builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.none(BORROWED, types.int64, types.int64), generate


@intrinsic
def _length(typing_context, memory):
    def generate(context, builder, signature, arguments):
        return cgutils.create_struct_proxy(BORROWED)(context, builder, arguments[0]).length

    return types.int64(BORROWED), generate


@intrinsic
def prefetch(typing_context, memory, index):
    """Have the element at an index, counted over all dimensions, on its way to the processor."""

    def generate(context, builder, signature, arguments):
        if isinstance(memory, Borrowed):
            element = _place(context, builder, *arguments)
        else:
            element = builder.gep(make_array(memory)(context, builder, arguments[0]).data, [arguments[1]])
        place = builder.bitcast(element, ir.PointerType(ir.IntType(8)))
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [place, ir.Constant(word, 0), ir.Constant(word, 3), ir.Constant(word, 1)])
        return context.get_dummy_value()

    return types.none(memory, types.int64), generate


@overload(operator.getitem)
def _getitem(memory, index):
    if isinstance(memory, Borrowed):
        return lambda memory, index: _get(memory, index)
    return None


@overload(operator.setitem)
def _setitem(memory, index, value):
    if isinstance(memory, Borrowed):
        return lambda memory, index, value: _set(memory, index, value)
    return None


@overload(len)
def _len(memory):
    if isinstance(memory, Borrowed):
        return lambda memory: _length(memory)
    return None
