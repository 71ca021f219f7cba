"""HTML and SVG made of elements, so that nothing a game says can be taken for markup.

Texts are escaped where they enter an element; only what these functions made is `Markup` and goes in as it is. The same
words are good HTML and good XML. Pure functions.
"""

from __future__ import annotations

import html
import re
from typing import Any

VOID = frozenset({"meta", "input", "br"})
"""HTML elements that have no end tag."""

UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that neither HTML nor XML may hold, or that UTF-8 cannot."""


class Markup(str):
    """A text that is markup already."""

    __slots__ = ()


def clean(text: str) -> str:
    """A text with what no document can hold replaced, and line ends as documents have them."""
    return UNFIT.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))


def escaped(given: Any) -> Markup:
    """Anything as markup: markup itself as it is, everything else as text."""
    return given if isinstance(given, Markup) else Markup(html.escape(clean(str(given))))


def joined(*parts: Any) -> Markup:
    return Markup("".join(escaped(part) for part in parts))


def element(name: str, /, *children: Any, **attributes: Any) -> Markup:
    """An element. `class_` is class, `stroke_width` is stroke-width; None and False leave an attribute out."""
    opening = f"<{name}{_attributes(attributes)}>"
    return Markup(opening) if name in VOID else Markup(f"{opening}{joined(*children)}</{name}>")


def _attributes(attributes: dict[str, Any]) -> str:
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    return "".join(
        f' {key}="{escaped("" if value is True else value)}"'
        for key, value in given.items()
        if value is not None and value is not False
    )
