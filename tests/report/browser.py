"""A real browser for the tests: Chromium without a window, driven through its driver's HTTP interface (W3C WebDriver)."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

QUIET = [
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-quic", "--disable-default-apps", "--disable-extensions", "--no-default-browser-check"),
]


COUNT_COLOURS = """
const [picture, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
  const found = new Set();
  for (let k = 0; k < pixels.length; k += 4) found.add(pixels[k] << 16 | pixels[k + 1] << 8 | pixels[k + 2]);
  done([...found].map((colour) => colour.toString(16).padStart(6, "0")));
};
image.src = "data:image/png;base64," + picture;
"""


class Browser:
    """One window."""

    def __init__(self, session: str) -> None:
        self.session = session

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return call(method, self.session + path, body)

    def open(self, path: Path) -> None:
        self.call("POST", "/url", {"url": path.resolve().as_uri()})

    def run(self, script: str, *args: Any) -> Any:
        """What a script returns."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def show_as(self, width: int, height: int, scheme: str) -> None:
        """A screen of a size, in light or dark."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.devtools("Emulation.setDeviceMetricsOverride", **size)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.devtools("Emulation.setEmulatedMedia", features=features)

    def click(self, selector: str) -> None:
        """A click of the mouse in the middle of an element."""
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{next(iter(found.values()))}/click", {})

    def press(self, key: str) -> None:
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": keys}]})

    def point_at(self, selector: str) -> None:
        """Moves the mouse over an element."""
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": found}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def console(self) -> list[str]:
        """Everything the console was told since it was last asked."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def screenshot(self) -> bytes:
        """The whole page as PNG."""
        return base64.b64decode(self.devtools("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def colours(self) -> set[str]:
        """The colours of a screenshot, such as ff8800. The browser counts them, on an empty page, which it stays at."""
        picture = base64.b64encode(self.screenshot()).decode()
        self.call("POST", "/url", {"url": "about:blank"})
        return set(self.call("POST", "/execute/async", {"script": COUNT_COLOURS, "args": [picture]}))


def call(method: str, url: str, body: dict[str, Any] | None = None) -> Any:
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, sent, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=150) as answer:
        return json.load(answer)["value"]


@contextmanager
def opened(profile: Path) -> Iterator[Browser]:
    """A browser with a new, empty profile; it is gone afterwards."""
    assert CHROMIUM is not None
    assert DRIVER is not None
    driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    session = None
    try:
        address = f"http://127.0.0.1:{_port(driver)}"
        options = {"binary": CHROMIUM, "args": [*QUIET, f"--user-data-dir={profile}"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = call("POST", f"{address}/session", {"capabilities": {"alwaysMatch": wanted}})
        session = f"{address}/session/{made['sessionId']}"
        yield Browser(session)
    finally:
        if session is not None:
            with suppress(OSError):
                call("DELETE", session)
        driver.terminate()
        driver.wait(30)
        assert driver.stdout is not None
        driver.stdout.close()


def _port(driver: subprocess.Popen[str]) -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        found = re.search(r"started successfully on port (\d+)", line)
        if found:
            return int(found[1])
    raise AssertionError("chromedriver did not start")
