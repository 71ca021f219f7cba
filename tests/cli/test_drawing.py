"""Boards as people see them."""

from __future__ import annotations

from parallel_mcts.cli.drawing import changed
from parallel_mcts.registry import game


def test_what_is_new_on_a_board_is_found_and_words_below_it_are_not() -> None:
    before = game("gomoku:size=5")
    after = before.play(7, 0)
    text = str(after)
    assert [text[at] for at in changed(str(before), text)] == ["X"]
    assert text[min(changed(str(before), text)) - 7 :].startswith(" 2 . . X")


def test_pictures_of_different_forms_are_not_compared() -> None:
    assert changed("", "X O") == set()
    assert changed("X", "X\nO") == set()
    assert changed("X O\n. .", "X O .\nO .") == {6}
