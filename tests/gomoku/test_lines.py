"""Lines from another program, in any pieces and with any ends."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from parallel_mcts.gomoku.lines import LONGEST, lines, shown


def read(*pieces: bytes) -> list[str]:
    rest = iter(pieces)
    return list(lines(lambda: next(rest, b"")))


def test_lines_end_with_any_of_the_line_ends_and_blank_ones_are_skipped() -> None:
    assert read(b"one\r\ntwo\nthree\rfour\n\n \r\n\tfive ") == ["one", "two", "three", "four", "five"]


@given(st.lists(st.sampled_from(["TURN 1,1", "h8", "x" * 50]), max_size=20), st.integers(1, 40))
def test_it_does_not_matter_in_which_pieces_they_come(texts: list[str], size: int) -> None:
    whole = "\r\n".join(texts).encode()
    assert read(*(whole[k : k + size] for k in range(0, len(whole), size))) == texts


def test_a_line_comes_as_soon_as_it_is_whole() -> None:
    pieces = iter([b"one\ntw", b"o\n"])
    taken = lines(lambda: next(pieces))
    assert next(taken) == "one"
    assert next(taken) == "two"


def test_bytes_that_are_no_text_and_lines_without_end_are_lines_all_the_same() -> None:
    assert read(b"\xff\xfe\n") == ["\ufffd\ufffd"]
    assert read(*[b"x" * 1000] * 50, b"\nh8\n") == ["x" * LONGEST, "h8"]


def test_of_a_line_without_end_only_the_beginning_is_kept() -> None:
    pieces = iter([b"x" * 10_000] * 100 + [b"\n"])
    tracemalloc.start()
    first = next(lines(lambda: next(pieces)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(first) == LONGEST
    assert most < 200_000


def test_what_was_sent_is_shown_on_one_short_line() -> None:
    assert shown("h8\x07é") == "'h8\\x07\\xe9'"
    assert len(shown("x" * 1000)) < 70
