"""A real terminal for the real program, and games in files of their own."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from written_games import NIM

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PATIENCE = 60.0
IN_CONTROL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is a signal
os.execv(sys.executable, [sys.executable, "-m", "parallel_mcts", *sys.argv[1:]])
"""


@pytest.fixture
def nim_file(tmp_path: Path) -> Path:
    """A game that a user wrote."""
    path = tmp_path / "sticks.py"
    path.write_text(NIM)
    return path


class Terminal:
    """The program in a pseudo-terminal, as a person would have it before them."""

    def __init__(self, *arguments: str, columns: int = 100, lines: int = 40) -> None:
        import fcntl
        import pty
        import termios

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.seen = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", IN_CONTROL, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(theirs)

    def read_until(self, text: str) -> str:
        """Everything on the screen so far, once it has a text in it."""
        start = time.monotonic()
        while text not in self.text:
            assert time.monotonic() - start < PATIENCE, self.text
            if not self._read():
                break
        assert text in self.text, self.text
        return self.text

    def read_all(self) -> str:
        while self._read():
            pass
        return self.text

    @property
    def text(self) -> str:
        return CONTROL.sub("", self.seen).replace("\r\n", "\n")

    def _read(self) -> bool:
        """Whether there may be more to come."""
        if not select.select([self.ours], [], [], 1.0)[0]:
            return True
        try:
            got = os.read(self.ours, 65536)
        except OSError:  # the program has ended
            return False
        self.seen += got.decode(errors="replace")
        return bool(got)

    def type(self, line: str) -> None:
        self.seen = ""
        os.write(self.ours, line.encode() + b"\n")

    def interrupt(self) -> None:
        os.write(self.ours, b"\x03")

    def code(self) -> int:
        self.read_all()
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.ours)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Starts the program in a terminal."""
    opened: list[Terminal] = []

    def start(*arguments: str, **options: int) -> Terminal:
        opened.append(Terminal(*arguments, **options))
        return opened[-1]

    yield start
    for each in opened:
        each.close()
