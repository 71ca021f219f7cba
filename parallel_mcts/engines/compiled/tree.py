"""The tree that backends use: grown by machine code, read from its memory by Python.

See `engines.base.SearchTree` for what it promises. One thread may grow it, or several if it is shared; every call of
`grow` has a chunk of memory, a path and a number of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from random import Random
from threading import Lock
from typing import Any

from ...errors import SearchFailed
from ...locks import NoLocks, Sharing
from ...state import observation
from ...stats import fields, uses_priors
from ..base import Numbers, Step, TreeReader
from ..failures import explained
from .arenas import MARGIN
from .blocks import Block, write_node, write_statistic
from .compilation import Program, is_compiled, plain_state, program_for
from .failures import failure_of, reproduced
from .layout import WORD
from .memory import Memory, reserve, room
from .moving import moved
from .paths import WrongAction, empty_path, entries, forget, last_entry
from .spinlocks import SpinLockPool, SpinLocks, SpinPoolLocks
from .streams import Stream


def make_stream(rng: Random) -> Stream:
    """What a tree of this engine draws its random numbers from: the same numbers as `rng`."""
    return Stream(rng)


def make_tree(state: Any, algorithm: Any, model: Any, sharing: Sharing, *, max_depth: int, rng: Stream) -> CompiledTree:
    """A tree for a search that can be compiled; raises `NotCompilable` for others."""
    return CompiledTree(state, algorithm, model, locks_for(sharing), max_depth, rng)


def prepare(state: Any, algorithm: Any, model: Any, sharing: Sharing) -> None:
    """Compiles a search ahead of its start; raises `NotCompilable`."""
    program_for(state, algorithm, model, locks_for(sharing))


def is_ready(state: Any, algorithm: Any, model: Any, sharing: Sharing) -> bool:
    """Whether a search has been compiled before, by this process or another."""
    try:
        return is_compiled(state, algorithm, model, locks_for(sharing))
    except Exception:  # which compiling it, or the search, will tell of
        return False


def locks_for(sharing: Sharing) -> Any:
    """The locks of a tree of pointers; the owner is told later."""
    if not sharing.threads:
        return NoLocks()
    return SpinPoolLocks(SpinLockPool(sharing.pool)) if sharing.pool else SpinLocks()


class _Seat:
    """What a call of `grow` has to itself: a number, by which locks know their owner, and a path."""

    def __init__(self, number: int, depth: int) -> None:
        self.number, self.path = number, empty_path(depth)


class _RootDraft:
    """A root before it lies in memory, for a model that gives priors."""

    def __init__(self, state: Any) -> None:
        self.state, self.visits = state, 0
        self.rows, self.cols = state.shape()
        self.row_prior, self.col_prior = [0.0] * self.rows, [0.0] * self.cols


class CompiledTree(TreeReader):
    """One tree in arenas."""

    def __init__(self, state: Any, algorithm: Any, model: Any, locks: Any, max_depth: int, rng: Any) -> None:
        self.algorithm, self.model, self.locks, self.max_depth = algorithm, model, locks, max_depth
        self.program, start = self._compiled(state)
        self._averages = bool(getattr(algorithm, "averages", False))
        self._seats: list[_Seat] = []
        self._seats_made = 0
        self._counting = Lock()
        self._plant(start, rng)

    # ------------------------------------------------------------------------ other where the game is not compiled
    def _compiled(self, state: Any) -> tuple[Program, Any]:
        """The search, and the state as it wants it."""
        program = program_for(state, self.algorithm, self.model, self.locks)
        self.judge = program.judge
        return program, program.state

    def _plain(self, state: Any) -> Any:
        """A later state as the search wants it."""
        return plain_state(state)

    def _held(self, state: Any) -> Any:
        """What lies in the memory of the root for its state."""
        return state

    def position(self, node: Block) -> Any:
        return node.state

    # ------------------------------------------------------------------------ growing
    def _plant(self, state: Any, rng: Any) -> None:
        program = self.program
        try:
            draft = _RootDraft(state)
            if uses_priors(self.algorithm):
                self.judge.value(draft, rng)
        except Exception as error:
            raise explained(error, state, self.algorithm, self.model) from error
        shape = draft.rows, draft.cols
        words = program.layout.size.at(*shape)
        self._memory = Memory(averages=self._averages, least_words=words)
        chunk = self._memory.take()
        address = reserve(chunk, words)
        self._memory.give_back(chunk)
        write_node(program.node, program.layout, address, self._held(state), shape)
        if uses_priors(self.algorithm):
            write_statistic(program.layout, address, shape, "row_prior", draft.row_prior)
            write_statistic(program.layout, address, shape, "col_prior", draft.col_prior)
        self._start, self._root, self.nodes = state, address, 1

    def grow(self, rng: Any, count: int) -> int:
        program, seat, chunk = self.program, self._take_seat(), self._memory.take()
        forget(seat.path)  # a failure at the root leaves no step, and is not at the end of an earlier playout
        locks = self.locks._replace(owner=seat.number) if hasattr(self.locks, "owner") else self.locks
        done = created = 0
        try:
            while done < count:
                if room(chunk) < MARGIN:
                    self._memory.give_back(chunk)
                    chunk = self._memory.take()
                made, new = program.enter(
                    chunk,
                    self._root,
                    program.state,
                    self.algorithm,
                    program.judge,
                    locks,
                    rng if program.chance else None,
                    rng,
                    count - done,
                    seat.path,
                )
                done, created = done + made, created + new
        except Exception as error:
            self._free_locks(seat)
            raise self._explained(error, seat) from error
        finally:
            self._memory.give_back(chunk)
            with self._counting:
                self._seats.append(seat)
                self.nodes += created
        return done

    def _take_seat(self) -> _Seat:
        with self._counting:
            if self._seats:
                return self._seats.pop()
            self._seats_made += 1
            return _Seat(self._seats_made, self.max_depth)

    # ------------------------------------------------------------------------ when something raised
    def _free_locks(self, seat: _Seat) -> None:
        """Opens the lock that a failed playout held, so that nobody waits for it."""
        if isinstance(self.locks, SpinPoolLocks):
            self.locks.pool.free(seat.number)
        elif self.program.layout.shared:
            place = WORD * self.program.layout.fixed["lock"]
            for address in (self._root, *self._under_way(seat)):
                lock = ctypes.c_int32.from_address(address + place)
                if lock.value == seat.number:
                    lock.value = 0

    def _under_way(self, seat: _Seat) -> Iterator[int]:
        """The nodes that a playout may have been at."""
        for entry in entries(seat.path):
            yield entry.node
            yield from self._outcomes(self._block(entry.node), entry.i, entry.j)

    def _explained(self, error: Exception, seat: _Seat) -> SearchFailed:
        last = last_entry(seat.path)
        if last is not None and not isinstance(error, WrongAction | MemoryError):
            found = reproduced(self._position_at(last.node), last.i, last.j, self.model)
            if found is not None:
                return found
        at = None if last is None else (self._position_at(last.node), last.i, last.j)
        return failure_of(error, self._start, self.algorithm, self.model, at)

    # ------------------------------------------------------------------------ read by `TreeReader`
    @property
    def root(self) -> Block:
        return self._block(self._root)

    def _position_at(self, address: int) -> Any:
        return self.position(self._block(address))

    def _block(self, address: int) -> Block:
        return Block(self.program.node, self.program.layout, address)

    def numbers(self, node: Block) -> Numbers:
        return Numbers(node.rows, node.cols, node.visits, node.row_value, node.col_value)

    def statistics(self, node: Block) -> dict[str, Any]:
        return {name: node.statistic(name) for name in fields(self.algorithm)} if node.rows else {}

    def children(self, node: Block) -> Iterator[tuple[Step, Block]]:
        for slot, address in enumerate(node.kids()):
            if address:
                i, j = divmod(slot, node.cols)
                if not self.program.chance:
                    yield Step(i, j), self._block(address)
                    continue
                for outcome in reversed(list(self._chain(address))):  # in the order in which they were found
                    child = self._block(outcome)
                    yield Step(i, j, observation(self.position(child))), child

    def _chain(self, address: int) -> Iterator[int]:
        while address:
            yield address
            address = self._block(address).next

    def _outcomes(self, node: Block, i: int, j: int) -> Iterator[int]:
        return self._chain(node.kids()[i * node.cols + j])

    def memory(self) -> int:
        return self._memory.used()

    # ------------------------------------------------------------------------ moving on
    def advance(self, step: Step, state: Any, rng: Any) -> None:
        child = self.child(self.root, step)
        self._seats.clear()  # their paths lead through memory that is freed now
        if child is None:
            self._plant(self._plain(state), rng)
        else:
            self._memory, self._root, self.nodes = moved(child.address, self.program, self._memory)
