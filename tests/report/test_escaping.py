"""Nothing that a game says is taken for markup: what is read back from the files is what was said."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any

from hostile import HOSTILE, Hostile
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parallel_mcts import Move, NodeView, Search, Strategy
from parallel_mcts.report import Branch
from parallel_mcts.report.dot import dot, quoted
from parallel_mcts.report.drawing import svg
from parallel_mcts.report.explorer import explorer
from parallel_mcts.report.markup import clean, element
from parallel_mcts.report.page import html_page

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40) | st.sampled_from(HOSTILE)


class Reader(HTMLParser):
    """Reads a page back: its elements, its attributes and its texts, and that it is well nested."""

    VOID = frozenset({"meta", "input", "br"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.around: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.around.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.around.pop() == tag

    def handle_data(self, text: str) -> None:
        self.texts.append(text)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.around == []
    return reader


class Said:
    """A position, a label or an observation that is told as some text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def shape(self) -> tuple[int, int]:
        return 2, 2


def tree(text: str, label: Any) -> Branch:
    strategy = Strategy((label, "other"), (0.5, 0.5))
    leaf = NodeView(Said(text), 3, 0.5, 0.5, strategy, strategy, ())
    child = Branch(Move(label, "other", Said(text)), leaf, ())
    return Branch(None, NodeView(Said(text), 4, 0.5, 0.5, strategy, strategy, ()), (child,))


@given(ANY_TEXT, ANY_TEXT)
@example("</script>", "\x00\ud800\ufffe")
def test_an_element_gives_back_its_text_and_its_attributes(text: str, attribute: str) -> None:
    made = element("b", text, title=attribute)
    reader = read(made)
    assert "".join(reader.texts) == clean(text)
    assert reader.attributes == [("title", clean(attribute))]
    parsed = ET.fromstring(made)
    assert (parsed.text or "") == clean(text)


@given(ANY_TEXT)
def test_clean_texts_can_be_written_and_stay_as_they_are(text: str) -> None:
    assert clean(text).encode().decode() == clean(text)
    assert clean(clean(text)) == clean(text)
    assert len(clean(text)) <= len(text)


@given(ANY_TEXT, ANY_TEXT)
def test_the_explorer_gives_back_positions_and_labels_of_any_text(text: str, label: str) -> None:
    reader = read(explorer(tree(text, label)))
    position = clean(text.strip("\r\n"))
    assert reader.texts.count(position) >= 2 * bool(position)
    assert set(reader.tags) <= {"div", "p", "button", "details", "summary", "span", "pre", "ul", "li", "h4"}
    assert reader.tags.count("details") == 2


@given(ANY_TEXT, ANY_TEXT)
def test_the_picture_is_good_xml_whatever_a_game_says(text: str, label: str) -> None:
    root = ET.fromstring(svg(tree(text, label)).encode())
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 3
    assert all(clean(text.strip("\r\n")) in title for title in titles[1:])
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))


def unquoted(quote: str) -> str:
    """What Graphviz reads between quotes (its documentation, `escString`)."""
    assert quote[0] == quote[-1] == '"'
    inner = quote[1:-1]
    assert re.fullmatch(r'(?:[^"\\]|\\.)*', inner, re.DOTALL)
    lines = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "l" else found[1], inner, flags=re.DOTALL)
    return html.unescape(lines)


@given(ANY_TEXT)
def test_quotes_for_graphviz_hold_any_text(text: str) -> None:
    several = "\n" in clean(text)
    assert unquoted(quoted(text)) == clean(text) + ("\n" if several else "")


@given(ANY_TEXT, ANY_TEXT)
def test_a_graph_has_a_statement_on_each_line(text: str, label: str) -> None:
    lines = dot(tree(text, label)).split("\n")
    assert lines[0] == "digraph tree {"
    assert lines[-2:] == ["}", ""]
    attribute = r'\w+="(?:[^"\\\n]|\\.)*"'
    statement = rf"  (?:graph|node|edge|n\d+|n\d+ -> n\d+) \[{attribute}(?:, {attribute})*\];"
    assert all(re.fullmatch(statement, line) for line in lines[1:-2])


@settings(max_examples=25)
@given(ANY_TEXT)
def test_the_title_of_a_page_may_be_any_text(title: str) -> None:
    with Search(Hostile(), seed=1, engine="python") as session:
        session.run(iterations=20)
        reader = read(html_page(session.result(), title=title or "none"))
    assert reader.tags.count("script") == 1
    assert clean(title or "none") in reader.texts


def test_a_page_of_a_hostile_game_has_no_element_of_its_making() -> None:
    with Search(Hostile(), seed=1, engine="python") as session:
        session.run(iterations=300)
        reader = read(html_page(session))
    assert reader.tags.count("script") == 1
    assert reader.tags.count("h1") == 1
    assert "img" not in reader.tags
    assert not any(name.startswith("on") or name in ("href", "src") for name, _ in reader.attributes)
    assert set(HOSTILE) <= set(reader.texts)
