"""Records: classes whose annotated fields make them named tuples, and which may have base classes, constants and methods.

Leaf module, the ground of `State` and `Algorithm`. A record is immutable, hashable, picklable and, if its fields and
methods are plain enough, compilable; two are equal if they are of one class and their fields are. (`typing.NamedTuple`
itself allows no base class and no nested class, and calls any two tuples equal whose fields are.)
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar, NamedTuple, dataclass_transform, get_origin


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """Makes the annotated fields of a class body those of a named tuple."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordType:
        fields = {f: t for f, t in _annotations(body).items() if not _is_class_variable(t) and not f.startswith("_")}
        if fields:
            if any(issubclass(base, tuple) for base in bases):
                raise TypeError(f"{name} adds fields to a record that has some already; list all fields in one class")
            record = _named_tuple(name, fields, body)
            bases = (*bases, record)
            for field in fields:  # ahead of what a base class calls the same
                body[field] = vars(record)[field]
            body.setdefault("__eq__", _equal)
            body.setdefault("__hash__", tuple.__hash__)
        if any(issubclass(base, tuple) for base in bases):
            body["__slots__"] = ()
        return super().__new__(cls, name, bases, body)


def _annotations(body: dict[str, Any]) -> dict[str, Any]:
    """The annotations of a class body, which Python 3.14 and later work out on request."""
    found: dict[str, Any] | None = body.get("__annotations__")
    if found is None and sys.version_info >= (3, 14):
        import annotationlib

        annotate = annotationlib.get_annotate_from_class_namespace(body)
        if annotate is not None:
            found = annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF)
    return found or {}


def _is_class_variable(annotation: object) -> bool:
    if isinstance(annotation, str):
        return annotation.partition("[")[0].rpartition(".")[2].strip() == "ClassVar"
    return annotation is ClassVar or get_origin(annotation) is ClassVar


def _named_tuple(name: str, fields: dict[str, Any], body: dict[str, Any]) -> Any:
    """A named tuple with the fields and defaults of a class body."""
    defaults = {field: body.pop(field) for field in fields if field in body}
    last = list(fields)[len(fields) - len(defaults) :]
    if set(last) != set(defaults):
        raise TypeError(f"{name}: a field without a default follows one with a default")
    record: Any = NamedTuple(name, list(fields.items()))  # type: ignore[misc]
    record.__new__.__defaults__ = tuple(defaults[field] for field in last)
    record._field_defaults = defaults
    record.__module__ = body.get("__module__", __name__)  # where annotations are looked up
    return record


def _equal(self: Any, other: Any) -> bool:
    return type(self) is type(other) and tuple.__eq__(self, other)
