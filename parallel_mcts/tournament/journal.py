"""The results file of a tournament: one JSON object a line, first what tournament it is, then each game as it ends.

A line is appended by a single write, so a crash leaves at most one broken line, the last; it is taken off when the file is
opened again. One process at a time may have a file open, and only the thread that runs the tournament writes to it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..errors import InputError
from .schedule import Record

FORMAT = 1


class Journal:
    """An open results file; `records` are those that it held when it was opened."""

    def __init__(self, path: str | Path, header: dict[str, Any]) -> None:
        self.path = Path(path)
        self.records: list[Record] = []
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            self._lock()
            self._read(_as_json({"format": FORMAT, **header}))
        except BaseException:
            self.close()
            raise

    def append(self, record: Record) -> None:
        self._write(record.to_dict())

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _write(self, told: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(told).encode() + b"\n")

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on this system: the user has to take care
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path} is in use by another tournament that is running") from None

    def _read(self, header: dict[str, Any]) -> None:
        """Reads what is there, checks whose it is, and takes a broken last line off."""
        lines = self.path.read_bytes().split(b"\n")
        broken = lines.pop()  # nothing, if the last line was written whole
        if not lines:
            if not json.dumps(header).encode().startswith(broken):
                raise self._foreign()
            os.ftruncate(self._file, 0)
            self._write(header)
            return
        if len(lines) > 1 and _json(lines[-1]) is None:
            lines.pop()
        told = [self._parsed(line, number) for number, line in enumerate(lines, start=1)]
        self._check(told[0], header)
        for number, line in enumerate(told[1:], start=2):
            try:
                self.records.append(Record.from_dict(line))
            except (TypeError, KeyError) as error:
                raise InputError(f"{self.path}, line {number} is not the result of a game: {error}") from None
        os.ftruncate(self._file, sum(len(line) + 1 for line in lines))

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        told = _json(line)
        if told is None:
            shown = line[:60].decode(errors="replace")
            raise self._foreign() if number == 1 else InputError(f"{self.path}, line {number} is damaged: {shown!r}")
        return told

    def _foreign(self) -> InputError:
        return InputError(f"{self.path} is not the results file of a tournament; give another name")

    def _check(self, found: dict[str, Any], header: dict[str, Any]) -> None:
        if "format" not in found:
            raise self._foreign()
        for key in {**header, **found}:
            if found.get(key) != header.get(key):
                raise InputError(
                    f"{self.path} belongs to another tournament: its {key} is {found.get(key)!r}, not {header.get(key)!r}; "
                    "give another file"
                )


def recorded_seed(path: str | Path | None) -> int | None:
    """The seed of the tournament that a file belongs to, if it belongs to one."""
    if path is None or not Path(path).exists():
        return None
    with Path(path).open("rb") as file:
        header = _json(file.readline())
    return None if header is None else header.get("seed")


def _json(line: bytes) -> dict[str, Any] | None:
    """The object on a line; None if it holds none."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _as_json(told: dict[str, Any]) -> dict[str, Any]:
    """As it will be read back: tuples are lists there."""
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found
