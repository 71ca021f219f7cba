"""Reads what people type for actions that have names. Called between moves, never by a search."""

from __future__ import annotations

from collections.abc import Sequence


def name_meant(text: str, names: Sequence[str]) -> str:
    """The name that a text gives in full, or begins as no other does; in capital or small letters."""
    said = text.strip().casefold()
    meant = [name for name in names if name == said] or [name for name in names if said and name.startswith(said)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ValueError(f"{text!r} may be {' or '.join(meant)}")
    raise ValueError(f"{text!r} is none of {', '.join(names)}")
