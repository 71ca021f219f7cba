"""The search written by hand in C++ (`reference.cpp`), built with the system's compiler where there is one."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from parallel_mcts.rng import stream

SOURCE = Path(__file__).with_name("reference.cpp")


class Answer(NamedTuple):
    """What the search found: enough to tell that it grew the same tree as the package."""

    visits: int
    row_value: float
    nodes: int
    row_sums: list[float]


def available() -> bool:
    return shutil.which("g++") is not None


def mold_exp3(actions: int, depth: int, *, gamma: float = 0.1, seed: int = 1) -> Callable[[int], Answer]:
    """A search of mold with Exp3, for so many iterations, with the random numbers of worker 0 of that seed."""
    function = _library().mold_exp3
    function.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64]
    function.argtypes += [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    function.restype = None
    _, words, _ = stream(seed, 0).getstate()
    key, position = np.array(words[:-1], np.uint32), words[-1]

    def run(iterations: int) -> Answer:
        answer = np.zeros(3 + actions)
        function(actions, depth, gamma, iterations, key.ctypes.data, position, answer.ctypes.data)
        return Answer(int(answer[0]), float(answer[1]), int(answer[2]), answer[3:].tolist())

    return run


def _library() -> ctypes.CDLL:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "reference.so"
        command = ["g++", "-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-o", str(target), str(SOURCE)]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(target))
