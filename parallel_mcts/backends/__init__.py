"""Backends: where the playouts of a search run, and how their statistics come together.

Shared tree: `single`, `threaded` (a lock in each node), `pool` (a pool of locks). Root-parallel, a tree for each worker,
merged at the root: `inline`, `forest` (threads), `process`. `base.py` says what a backend is.
"""

from .process import Process
from .root_parallel import Forest, Inline
from .shared_tree import Pool, Single, Threaded

__all__ = ["Forest", "Inline", "Pool", "Process", "Single", "Threaded"]
