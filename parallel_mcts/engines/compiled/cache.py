"""Compiled functions on disk, by a digest of all that went into them.

One file for each function and combination of types, written under a temporary name and renamed, so that processes that
compile at once do not meet; read back only if whole. The folder is the user's own (`PARALLEL_MCTS_CACHE`, or the cache
folder of the system, or a temporary one if neither can be written), and is kept below a size by removing what was used
longest ago. A failure of the cache is never a failure of the search: it compiles.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from numba.core import compiler, types
from numba.core.caching import _Cache
from numba.core.serialize import dumps

from .digest import Uncertain, digest_of, package_digest, version

LARGEST = 256 * 1024 * 1024
"""Bytes of all files together."""

CHECKSUM = 32
SUFFIX = ".native"


@functools.cache
def folder() -> Path:
    """Where files are kept."""
    candidates = [os.environ.get("PARALLEL_MCTS_CACHE"), _user_folder(), Path(tempfile.gettempdir()) / _private_name()]
    for candidate in candidates:
        if candidate:
            with contextlib.suppress(OSError):
                path = Path(candidate)
                path.mkdir(mode=0o700, parents=True, exist_ok=True)
                if os.access(path, os.W_OK | os.X_OK) and _is_mine(path):
                    return path
    return Path(tempfile.mkdtemp(prefix="parallel_mcts-cache-"))


def _private_name() -> str:
    return f"parallel_mcts-cache-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _is_mine(path: Path) -> bool:
    """What is loaded from the cache runs: nobody else may have put it there."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def _user_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "parallel_mcts" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "parallel_mcts"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "parallel_mcts"


class NativeCache(_Cache):
    """The cache of one function, as numba asks for it. `parts` are functions and classes that the types do not show."""

    def __init__(self, function: Any, parts: Iterable[Any]) -> None:
        self._function, self._parts, self._enabled = function, tuple(parts), True

    @property
    def cache_path(self) -> str:
        return str(folder())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        pass

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        path = self.path(sig, target_context.codegen())
        if path is None:
            return None
        payload = _read(path)
        if payload is None:
            return None
        target_context.refresh()
        with _tolerance():
            found = compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
            # Classes of __main__ were pickled by value, and came back as others: the types at hand are the right ones.
            return found._replace(signature=found.signature.replace(args=_arguments(sig)))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        path = self.path(sig, data.codegen)
        if path is not None and not data.lifted and not data.library.has_dynamic_globals:
            with _tolerance():
                _write(path, dumps(data._reduce()))
                _keep_below(LARGEST)

    def path(self, sig: Any, codegen: Any) -> Path | None:
        """The file for a combination of types; None if it cannot be told apart from others."""
        if not self._enabled:
            return None
        try:
            inside = digest_of([*self._parts, *(cls for arg in _arguments(sig) for cls in classes_in(arg))])
        except Uncertain:
            return None
        key = (self._function.__qualname__, str(sig), codegen.magic_tuple(), inside, package_digest(), version())
        return folder() / (hashlib.sha256(repr(key).encode()).hexdigest() + SUFFIX)


def attach_cache(dispatcher: Any, parts: Iterable[Any] = ()) -> None:
    """Gives a compiled function a place on disk."""
    dispatcher._cache = NativeCache(dispatcher.py_func, parts)


def is_cached(dispatcher: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether a function is compiled for these types, here or on disk."""
    if arguments in dispatcher.overloads:
        return True
    path = dispatcher._cache.path(arguments, dispatcher.targetctx.codegen())
    return path is not None and path.exists()


def _arguments(sig: Any) -> tuple[Any, ...]:
    return tuple(sig.args) if hasattr(sig, "args") else tuple(sig)


def classes_in(typ: Any) -> Iterator[type]:
    """The Python classes in a numba type."""
    if isinstance(typ, types.BaseNamedTuple):
        yield typ.instance_class
    if isinstance(typ, types.BaseTuple):
        for part in typ.types:
            yield from classes_in(part)
    if isinstance(typ, types.Dispatcher):
        yield typ.dispatcher.py_func


# ---------------------------------------------------------------------------------------------- files
@contextlib.contextmanager
def _tolerance() -> Iterator[None]:
    """Whatever is wrong with the cache, the search goes on without it."""
    try:
        yield
    except Exception:  # a file of another version, a class that cannot be pickled, a full disk
        return


def _read(path: Path) -> bytes | None:
    """What a file holds, if it is whole; notes that it was used."""
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    payload = data[CHECKSUM:]
    return payload if hashlib.sha256(payload).digest() == data[:CHECKSUM] else None


def _write(path: Path, payload: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _keep_below(largest: int) -> None:
    """Removes the files used longest ago, until the rest is small enough."""
    files = []
    for path in folder().glob("*" + SUFFIX):
        with contextlib.suppress(OSError):
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= largest:
            return
        with contextlib.suppress(OSError):
            path.unlink()
            total -= size
