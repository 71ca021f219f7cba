"""The files that a benchmark writes beside what it prints: JSON, CSV, plots. They are tried before hours are spent."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..parsing import argument

STANDARD_OUTPUT = "-"


def add_json_file(parser: Any) -> None:
    """Where the figures go as JSON."""
    argument(
        parser, "--json", metavar="FILE", completes="file", help="write all figures as JSON; -: print them, nothing else"
    )


def add_tables(parser: Any) -> None:
    """The same as a table and as pictures."""
    argument(parser, "--csv", metavar="FILE", completes="file", help="write a table for a spreadsheet")
    argument(parser, "--plot", metavar="BASE", completes="file", help="draw BASE.png and BASE.svg")


def check_files(**files: str | None) -> None:
    """Says at once that a file cannot be written: `check_files(json=…, csv=…)`. None and - are no files."""
    for option, path in files.items():
        if path is None or path == STANDARD_OUTPUT:
            continue
        new = not Path(path).exists()
        try:
            with open(path, "a", encoding="utf-8"):
                pass
        except OSError as error:
            raise InputError(f"--{option} {path}: cannot be written: {error.strerror}") from error
        if new:
            Path(path).unlink()


def write_json(path: str | None, told: dict[str, Any]) -> None:
    if path == STANDARD_OUTPUT:
        json.dump(told, sys.stdout, indent=1)
        print()
    elif path is not None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)
            file.write("\n")


def write_csv(path: str | None, rows: Sequence[dict[str, Any]]) -> None:
    """One line for each row, under the names of the first."""
    if path is None or not rows:
        return
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
