"""Records: states and algorithms as named tuples that may have base classes, constants and methods."""

from __future__ import annotations

import copy
import pickle
import typing as t
from typing import Any, ClassVar

import cloudpickle
import pytest

from parallel_mcts.algorithms.base import Algorithm
from parallel_mcts.records import RecordType
from parallel_mcts.registry import ALGORITHMS
from parallel_mcts.state import State, TurnState, payoff_range


class Point(State):
    """Two fields, one with a default; beside them a constant, a property and a method."""

    x: int
    y: int = 7
    dimensions: ClassVar[int] = 2
    origin = (0, 0)
    _hidden: str = "not a field"

    @property
    def both(self) -> tuple[int, int]:
        return self.x, self.y

    def right(self) -> Point:
        return self._replace(x=self.x + 1)  # type: ignore[attr-defined, no-any-return]


class Greedy(Algorithm):
    epsilon: float = 0.1
    decay: float = 1.0

    class Stats:
        pass


class Heap(TurnState):
    sticks: int
    player: int = 0


class OwnRange(State):
    """A field that is called like an attribute of the base class."""

    payoff_range: tuple[float, float]  # type: ignore[misc]
    constant_sum: bool = False  # type: ignore[misc]


class FarPoint(Point):
    """More methods, no more fields."""

    def far(self) -> bool:
        return self.x > 100


RECORDS = [
    pytest.param(Point(3, 4), ("x", "y"), (3, 4), id="state"),
    pytest.param(Heap(5), ("sticks", "player"), (5, 0), id="state of turns"),
    pytest.param(Greedy(0.5), ("epsilon", "decay"), (0.5, 1.0), id="algorithm"),
    pytest.param(OwnRange((-1.0, 1.0)), ("payoff_range", "constant_sum"), ((-1.0, 1.0), False), id="own range"),
    pytest.param(FarPoint(3, 4), ("x", "y"), (3, 4), id="record with a record as base"),
]


@pytest.mark.parametrize(("record", "names", "values"), RECORDS)
def test_a_record_is_a_tuple_with_a_name_for_each_field(
    record: Any, names: tuple[str, ...], values: tuple[Any, ...]
) -> None:
    assert issubclass(type(record), tuple)
    assert record._fields == names
    assert tuple(record) == values
    assert tuple(getattr(record, name) for name in names) == values
    assert record._asdict() == dict(zip(names, values, strict=True))
    shown = ", ".join(f"{name}={value!r}" for name, value in zip(names, values, strict=True))
    assert repr(record) == f"{type(record).__name__}({shown})"


@pytest.mark.parametrize(("record", "names", "values"), RECORDS)
def test_a_record_cannot_be_changed(record: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> None:
    for name in (*names, "something_new"):
        with pytest.raises(AttributeError):
            setattr(record, name, 1)
    with pytest.raises(AttributeError):
        delattr(record, names[0])
    assert tuple(record) == values
    assert not hasattr(record, "__dict__")


@pytest.mark.parametrize(("record", "names", "values"), RECORDS)
def test_equal_fields_make_equal_records_with_one_hash(
    record: Any, names: tuple[str, ...], values: tuple[Any, ...]
) -> None:
    by_name = type(record)(**dict(zip(names, values, strict=True)))
    by_place = type(record)(*values)
    assert record == by_name == by_place
    assert hash(record) == hash(by_name) == hash(by_place)
    assert {record: "found"}[by_name] == "found"
    other = record._replace(**{names[0]: (0.0, 9.0)})
    assert type(other) is type(record)
    assert other != record
    assert {record, by_name, other} == {record, other}


@pytest.mark.parametrize(("record", "names", "values"), RECORDS)
@pytest.mark.parametrize("module", [pickle, cloudpickle], ids=["pickle", "cloudpickle"])
def test_a_record_comes_back_from_pickling_as_it_was(
    module: Any, record: Any, names: tuple[str, ...], values: tuple[Any, ...]
) -> None:
    back = module.loads(module.dumps(record))
    assert type(back) is type(record)
    assert back == record
    assert back._fields == names
    assert copy.deepcopy(record) == record


def test_a_record_made_inside_a_function_travels_by_value() -> None:
    class Local(State):
        size: int = 3

        def doubled(self) -> int:
            return 2 * self.size

    back = cloudpickle.loads(cloudpickle.dumps(Local(5)))
    assert (tuple(back), back.doubled()) == ((5,), 10)


def test_defaults_fill_what_is_not_given() -> None:
    assert Point(3) == Point(3, 7) == Point(x=3)
    assert Greedy() == Greedy(0.1, 1.0) == Greedy(decay=1.0)
    assert Point._field_defaults == {"y": 7}  # type: ignore[attr-defined]


def test_a_record_is_made_of_its_fields_and_no_others() -> None:
    make: Any = Point
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        make()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        make(3, z=4)
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 4 were given"):
        make(3, 4, 5)


def test_constants_properties_and_methods_are_not_fields() -> None:
    point = Point(3, 4)
    assert (Point.dimensions, point.dimensions, point.origin, point._hidden) == (2, 2, (0, 0), "not a field")
    assert point.both == (3, 4)
    assert point.right() == Point(4, 4)
    assert FarPoint(101).far()
    assert type(FarPoint(100).right()) is FarPoint


def test_a_class_variable_is_not_a_field_however_it_is_annotated() -> None:
    for annotation in ("ClassVar[int]", "ClassVar", "typing.ClassVar[int]", ClassVar[int], ClassVar):
        made: Any = RecordType("Made", (State,), {"__annotations__": {"a": "int", "b": annotation}, "b": 5})
        assert made._fields == ("a",)
        assert (made(1).b, made.b) == (5, 5)


class WithAlias(State):
    size: int = 0
    limit: t.ClassVar[int] = 3


def test_a_class_variable_of_typing_by_another_name_is_not_a_field() -> None:
    assert WithAlias._fields == ("size",)  # type: ignore[attr-defined]


def test_annotations_that_are_types_make_fields_as_texts_do() -> None:
    made: Any = RecordType("Made", (State,), {"__annotations__": {"a": int, "b": "float"}, "b": 2.5})
    assert tuple(made(1)) == (1, 2.5)


def test_a_field_goes_before_what_a_base_class_calls_the_same() -> None:
    narrow, wide = OwnRange((0.0, 1.0)), OwnRange((-5.0, 5.0), True)
    assert (narrow.payoff_range, wide.payoff_range) == ((0.0, 1.0), (-5.0, 5.0))
    assert (narrow.constant_sum, wide.constant_sum) == (False, True)
    assert payoff_range(wide) == (-5.0, 5.0)
    assert State.payoff_range == (0.0, 1.0)


def test_a_property_goes_before_what_a_base_class_calls_the_same() -> None:
    class Wide(State):
        most: float = 2.0

        @property
        def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
            return -self.most, self.most

    assert payoff_range(Wide(3.0)) == (-3.0, 3.0)


def test_a_class_without_fields_is_an_ordinary_class() -> None:
    class Plain(State):
        def __init__(self, size: int) -> None:
            self.size = size

    assert not issubclass(Plain, tuple)
    plain = Plain(3)
    plain.size = 4
    assert plain.size == 4


def test_fields_in_two_classes_are_refused() -> None:
    with pytest.raises(TypeError) as caught:
        RecordType("Point3", (Point,), {"__annotations__": {"z": "int"}})
    assert str(caught.value) == "Point3 adds fields to a record that has some already; list all fields in one class"


def test_a_field_without_a_default_after_one_with_a_default_is_refused() -> None:
    with pytest.raises(TypeError) as caught:
        RecordType("Odd", (State,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})
    assert str(caught.value) == "Odd: a field without a default follows one with a default"


@pytest.mark.parametrize("name", ALGORITHMS.names())
def test_every_algorithm_is_a_record_that_can_be_compared_printed_and_sent(name: str) -> None:
    algorithm = ALGORITHMS.make(name)
    assert algorithm == ALGORITHMS.make(name)
    assert hash(algorithm) == hash(ALGORITHMS.make(name))
    back = pickle.loads(pickle.dumps(algorithm))
    assert (type(back), back) == (type(algorithm), algorithm)
    assert repr(back).startswith(type(algorithm).__name__ + "(")
