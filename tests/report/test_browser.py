"""The page in a real browser: it opens on a click, says nothing to the console, loads nothing, and is not blank."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import CHROMIUM, DRIVER, Browser, opened
from hostile import HOSTILE, Hostile

from parallel_mcts import Search, game
from parallel_mcts.report import Recorder, write_html, write_svg

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="needs chromium and chromedriver; scripts/install_browser installs them on Debian",
)

SCREENS = [(1280, 900, "light"), (1280, 900, "dark"), (390, 844, "light"), (390, 844, "dark")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("profile")) as window:
        yield window


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of a game of both at once, of a game of turns, and of a hostile one."""
    folder = tmp_path_factory.mktemp("pages")
    for name, start in (("goofspiel", game("goofspiel:cards=4")), ("nim", game("nim")), ("hostile", Hostile())):
        recorder = Recorder()
        with Search(start, seed=1, engine="python") as session:
            session.run(iterations=1_000, on_progress=recorder, progress_seconds=0.0)
            write_html(folder / f"{name}.html", session, recorder=recorder, nodes=60)
            write_svg(folder / f"{name}.svg", session)
    return folder


@pytest.mark.parametrize("name", ["goofspiel", "nim", "hostile"])
def test_a_page_says_nothing_to_the_console_and_loads_nothing(name: str, pages: Path, browser: Browser) -> None:
    browser.open(pages / f"{name}.html")
    browser.click("button[data-do=expand]")
    assert browser.console() == []
    assert browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []


def test_the_tree_expands_on_click_and_closes_on_the_next(pages: Path, browser: Browser) -> None:
    browser.open(pages / "goofspiel.html")
    child = ".tree > details > .inside > ul > li:first-child > details"
    seen = f"return document.querySelector('{child} > .inside pre').checkVisibility()"
    assert browser.run(seen) is False
    browser.click(f"{child} > summary")
    assert browser.run(seen) is True
    browser.click(f"{child} > summary")
    assert browser.run(seen) is False


def test_the_tree_expands_by_keyboard(pages: Path, browser: Browser) -> None:
    browser.open(pages / "goofspiel.html")
    browser.run("document.querySelectorAll('.tree summary')[1].focus()")
    browser.press("\ue007")  # Enter
    assert browser.run("return document.querySelectorAll('.tree details[open]').length") == 2


def test_the_buttons_open_the_main_line_everything_or_nothing(pages: Path, browser: Browser) -> None:
    browser.open(pages / "nim.html")
    count = "return [...document.querySelectorAll('.tree details')].filter((node) => node.open).length"
    total = browser.run("return document.querySelectorAll('.tree details').length")
    assert total == 60
    browser.click("button[data-do=expand]")
    assert browser.run(count) == total
    browser.click("button[data-do=collapse]")
    assert browser.run(count) == 1
    browser.click("button[data-do=line]")
    assert 2 < browser.run(count) < total


def test_charts_follow_the_radio_buttons_and_read_out_what_is_under_the_pointer(pages: Path, browser: Browser) -> None:
    browser.show_as(*SCREENS[0])
    browser.open(pages / "goofspiel.html")
    seen = "return [...document.querySelectorAll('.charts')].map((charts) => charts.checkVisibility())"
    assert browser.run(seen) == [False, True]
    browser.click("input[value=seconds]")
    assert browser.run(seen) == [True, False]
    last = browser.run("return document.querySelector('.by-seconds .legend b').textContent")
    browser.point_at(".by-seconds .chart svg")
    assert browser.run("return document.querySelector('.by-seconds .when').textContent").endswith(" seconds")
    browser.point_at("h1")
    assert browser.run("return document.querySelector('.by-seconds .when').textContent") == ""
    assert browser.run("return document.querySelector('.by-seconds .legend b').textContent") == last


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
def test_a_page_fits_the_screen_and_is_not_blank(
    width: int, height: int, scheme: str, pages: Path, browser: Browser
) -> None:
    browser.show_as(width, height, scheme)
    browser.open(pages / "goofspiel.html")
    assert browser.run("return document.documentElement.scrollWidth") == width
    background = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(247, 246, 242)", "dark": "rgb(22, 22, 21)"}[scheme]
    found = browser.colours()
    row, col = {"light": ("2a78d6", "d9622b"), "dark": ("4a94ec", "e2713c")}[scheme]
    assert {row, col} <= found
    assert len(found) > 50


def test_small_letters_are_readable_on_a_phone(pages: Path, browser: Browser) -> None:
    browser.show_as(390, 844, "light")
    browser.open(pages / "goofspiel.html")
    height = browser.run("return document.querySelector('.by-iterations .tick').getBoundingClientRect().height")
    assert height >= 10


def test_hostile_labels_are_shown_as_they_are_and_run_nowhere(pages: Path, browser: Browser) -> None:
    browser.open(pages / "hostile.html")
    assert browser.run("return window.broken") is None
    assert browser.run("return document.querySelectorAll('script').length") == 1
    shown = browser.run("return [...document.querySelectorAll('.strategy tbody th')].map((th) => th.textContent)")
    assert shown == [*HOSTILE, *HOSTILE]


def test_the_picture_of_the_tree_is_not_blank(pages: Path, browser: Browser) -> None:
    browser.show_as(*SCREENS[0])
    browser.open(pages / "goofspiel.svg")
    assert browser.console() == []
    assert browser.run("return document.querySelectorAll('.box').length") == 60
    assert len(browser.colours()) > 10
