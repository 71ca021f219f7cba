"""The files that benchmarks write, `--json`, `--csv`, `--plot` and `--html`, which are tried before hours are spent.

A command calls `add_files` when it declares its options, `check_files` before it measures, and `write_json`, `write_text`
and `writing` when its table has been printed.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..parsing import argument

OUTPUT = "-"
PROBE = 1 << 16
"""Bytes that there must be room for."""


def add_files(parser: argparse.ArgumentParser, *kinds: str) -> None:
    """Declares the options of these kinds: json, csv, plot, html."""
    group = parser.add_argument_group("output (a table, and what is asked for here)")
    if "json" in kinds:
        argument(
            group,
            "--json",
            metavar="FILE",
            nargs="?",
            const=OUTPUT,
            completes="file",
            help="everything that was measured; without FILE, or with -, nothing else is printed",
        )
    if "csv" in kinds:
        argument(group, "--csv", metavar="FILE", completes="file", help="a line for each figure; - prints nothing else")
    if "plot" in kinds:
        group.add_argument("--plot", metavar="BASE", help="write BASE.png and BASE.svg (needs matplotlib)")
    if "html" in kinds:
        argument(group, "--html", metavar="FILE", completes="file", help="write a page to look at; it needs no network")


def path_of(options: argparse.Namespace, kind: str) -> str | None:
    """Where a kind of output goes; None if it was not asked for, or is not among those of the command."""
    path: str | None = getattr(options, kind, None)
    return path


def prints_table(options: argparse.Namespace) -> bool:
    """Whether the output is for people."""
    return OUTPUT not in (path_of(options, "json"), path_of(options, "csv"))


def plot_base(options: argparse.Namespace) -> str | None:
    """The name of the plots without what says of which kind they are."""
    base = path_of(options, "plot")
    if base is None:
        return None
    return base[:-4] if base.endswith((".png", ".svg")) else base


def check_files(options: argparse.Namespace) -> None:
    """Tries every file."""
    if path_of(options, "json") == path_of(options, "csv") == OUTPUT:
        raise InputError("--json and --csv cannot both be printed; give one of them a file")
    named = [(f"--{kind}", path_of(options, kind)) for kind in ("json", "csv", "html")]
    files = [(option, path) for option, path in named if path is not None and path != OUTPUT]
    base = plot_base(options)
    if base is not None:
        from ...bench.plotting import KINDS, require_matplotlib

        require_matplotlib()
        files += [("--plot", f"{base}.{kind}") for kind in KINDS]
    for option, path in files:
        _check(option, Path(path))


def _check(option: str, path: Path) -> None:
    folder = path.absolute().parent
    if path.is_dir() or not path.name:
        raise InputError(f"{option} {path}: this is a folder; give the name of a file")
    if not folder.is_dir():
        raise InputError(f"{option} {path}: there is no folder {folder}")
    try:
        if path.exists():
            with path.open("ab"):
                pass
            if not path.is_file():  # such as /dev/null
                return
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBE))
            probe.flush()
    except OSError as error:
        raise InputError(f"{option} {path}: cannot be written: {os.strerror(error.errno or 0)}") from error


def write_text(option: str, path: str, text: str) -> None:
    """Writes a file, or prints it."""
    if path == OUTPUT:
        sys.stdout.write(text)
        return
    writing(option, lambda: Path(path).write_text(text, encoding="utf-8"))


def write_json(options: argparse.Namespace, figures: dict[str, Any]) -> None:
    """Writes the figures as JSON, if that was asked for."""
    path = path_of(options, "json")
    if path is not None:
        write_text("--json", path, json.dumps(figures, indent=None if path == OUTPUT else 1) + "\n")


def write_csv(options: argparse.Namespace, rows: Sequence[dict[str, Any]]) -> None:
    """Writes a line for each row, under the names of the first, if that was asked for."""
    path, text = path_of(options, "csv"), io.StringIO()
    if path is not None and rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_text("--csv", path, text.getvalue())


def writing(option: str, write: Callable[[], object]) -> None:
    """Writes something; says which option it was that could not be done."""
    try:
        write()
    except OSError as error:
        raise InputError(f"{option}: cannot write {error.filename}: {error.strerror}") from error
