"""Real programs for tests: started, written to, and read line by line with patience."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 60.0


class Program:
    """`parallel-mcts gomoku …`, with pipes."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "parallel_mcts", "gomoku", *arguments]
        pipe = subprocess.PIPE
        # A group of its own: what a job in the background ignores, Ctrl-C, is not ignored there.
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.reader: threading.Thread | None = None
        """Started with the first question for a line: until then the output can be closed."""

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.decode())
        self.lines.put(None)

    def send(self, *lines: str, end: str = "\n") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + end for line in lines).encode())
        self.process.stdin.flush()

    def line(self) -> str:
        """The next line of the output; at its end, nothing."""
        if self.reader is None:
            self.reader = threading.Thread(target=self._read, daemon=True)
            self.reader.start()
        return (self.lines.get(timeout=PATIENCE) or "").rstrip("\n")

    def ask(self, *lines: str) -> str:
        """The answer to some lines, sent as managers do."""
        self.send(*lines, end="\r\n")
        return self.line()

    def hang_up(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def interrupt(self) -> None:
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> tuple[int, str]:
        """The exit code, once it has ended, and what it wrote to stderr."""
        code = self.process.wait(PATIENCE)
        assert self.process.stderr is not None
        return code, self.process.stderr.read().decode()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                pass


@contextmanager
def programs(*commands: tuple[str, ...]) -> Iterator[list[Program]]:
    """Several programs, none of which is left behind."""
    running = [Program(*command) for command in commands]
    try:
        yield running
    finally:
        for each in running:
            each.close()
