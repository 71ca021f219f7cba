"""The files that benchmarks write, `--json`, `--csv`, `--plot` and `--html`, which are tried before hours are spent.

A command calls `add_files` when it declares its options, `check_files` before it measures, and `write_text` and `writing`
when its table has been printed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ...errors import InputError
from ..parsing import argument

OUTPUT = "-"
PROBE = 1 << 16
"""Bytes that there must be room for."""
PLOT_KINDS = ("png", "svg")


def add_files(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    group = parser.add_argument_group("output (a table, and what is asked for here)")
    argument(
        group,
        "--json",
        metavar="FILE",
        nargs="?",
        const=OUTPUT,
        completes="file",
        help="everything that was measured; without FILE, or with -, nothing else is printed",
    )
    argument(group, "--csv", metavar="FILE", completes="file", help="a line for each figure; - prints nothing else")
    group.add_argument("--plot", metavar="BASE", help="write BASE.png and BASE.svg (needs matplotlib)")
    argument(group, "--html", metavar="FILE", completes="file", help="write a page to look at; it needs no network")


def prints_table(options: argparse.Namespace) -> bool:
    """Whether the output is for people."""
    return OUTPUT not in (options.json, options.csv)


def plot_base(options: argparse.Namespace) -> str | None:
    """The name of the plots without what says of which kind they are."""
    if options.plot is None:
        return None
    base = str(options.plot)
    return base[:-4] if base.endswith(tuple(f".{kind}" for kind in PLOT_KINDS)) else base


def check_files(options: argparse.Namespace) -> None:
    """Tries every file."""
    if options.json == options.csv == OUTPUT:
        raise InputError("--json and --csv cannot both be printed; give one of them a file")
    named = [("--json", options.json), ("--csv", options.csv), ("--html", options.html)]
    files = [(option, path) for option, path in named if path is not None and path != OUTPUT]
    base = plot_base(options)
    if base is not None:
        from ...bench.scaling.plots import check_plots

        check_plots()
        files += [("--plot", f"{base}.{kind}") for kind in PLOT_KINDS]
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


def writing(option: str, write: Callable[[], object]) -> None:
    """Writes something; says which option it was that could not be done."""
    try:
        write()
    except OSError as error:
        raise InputError(f"{option}: cannot write {error.filename}: {error.strerror}") from error
