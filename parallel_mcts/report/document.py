"""What every page is made of: the document with its style, script and security policy, sections, tiles, the footer.

The pages' own modules put them together. Pure functions, but for reading the package's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from .markup import Markup, element


def document(title: str, body: Markup) -> str:
    style, script = _asset("page.css"), _asset("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("title", f"{title} – parallel_mcts"),
        element("style", Markup(style)),
    )
    whole = element("html", head, element("body", body, element("script", Markup(script))), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def section(title: str, *content: Markup) -> Markup:
    name = title.lower()
    return element("section", element("h2", title, id=name), *content, aria_labelledby=name)


def tile(name: str, figure: str, note: str) -> Markup:
    value = element("dd", element("span", figure, class_="big label"), element("span", note, class_="note"))
    return element("div", element("dt", name), value)


def footer() -> Markup:
    from .. import __version__

    return element(
        "footer", element("p", f"Written by parallel_mcts {__version__}. This page loads nothing from elsewhere.")
    )
