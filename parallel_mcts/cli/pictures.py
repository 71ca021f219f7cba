"""The files that `parallel-mcts search` writes beside its answer: `--html`, `--svg`, `--dot`.

A command that searches calls `add_pictures` when it declares its options, `check_pictures` before the search, runs it with
`**listening(…)`, and calls `write_pictures` while the session is open. Nothing of the report is loaded before a file is
asked for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import InputError

FILES = {
    "html": "a page of the search: strategies, payoffs, convergence, the tree; it needs no network",
    "svg": "a picture of the most visited part of the tree",
    "dot": "the same for Graphviz",
}


def add_pictures(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    group = parser.add_argument_group("files to write")
    for kind, words in FILES.items():
        group.add_argument(f"--{kind}", metavar="FILE", help=f"write {words}")
    group.add_argument("--tree-nodes", type=int, metavar="N", help="how many positions of the tree they show")


def check_pictures(options: argparse.Namespace) -> None:
    """Says before a long search, not after it, that a file cannot be written."""
    for kind in FILES:
        path = getattr(options, kind)
        if path is None:
            continue
        if Path(path).is_dir():
            raise InputError(f"--{kind} {path}: this is a folder; give the name of a file")
        if not Path(path).absolute().parent.is_dir():
            raise InputError(f"--{kind} {path}: there is no folder {Path(path).absolute().parent}")
    if options.tree_nodes is not None and options.tree_nodes < 1:
        raise InputError(f"--tree-nodes is {options.tree_nodes}; it must be at least 1")


def recorder_for(options: argparse.Namespace) -> Any:
    """What keeps the search's progress for the page; None if there is to be none."""
    if options.html is None:
        return None
    from ..report import Recorder

    return Recorder()


def listening(told: Callable[[Any], None] | None, recorder: Any) -> dict[str, Any]:
    """The arguments of `run` that let a recorder hear all there is, and whoever tells the user as much as always."""
    from ..search import PROGRESS_SECONDS

    if recorder is None:
        return {"on_progress": told}
    latest = 0.0

    def hear(progress: Any) -> None:
        nonlocal latest
        recorder(progress)
        if told is not None and (progress.stage != "searching" or progress.seconds - latest >= PROGRESS_SECONDS):
            latest = progress.seconds
            told(progress)

    return {"on_progress": hear, "progress_seconds": 0.0}


def write_pictures(options: argparse.Namespace, session: Any, recorder: Any) -> None:
    """Writes what was asked for."""
    if options.html is None and options.svg is None and options.dot is None:
        return
    from ..report import write_dot, write_html, write_svg

    size = {} if options.tree_nodes is None else {"nodes": options.tree_nodes}
    try:
        if options.html is not None:
            write_html(options.html, session, recorder=recorder, title=getattr(options, "game", None), **size)
        if options.svg is not None:
            write_svg(options.svg, session, **size)
        if options.dot is not None:
            write_dot(options.dot, session, **size)
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from error
