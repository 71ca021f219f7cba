"""What people may type for the named actions of games."""

from __future__ import annotations

import pytest

from games.matrix_game import chicken, matrix, rps
from games.pig import pig
from games.pursuit import pursuit
from games.tron import tron
from games.words import name_meant

NAMES = ("up", "up-left", "right")


@pytest.mark.parametrize(
    ("text", "name"), [("up", "up"), (" UP ", "up"), ("up-", "up-left"), ("r", "right"), ("Right", "right")]
)
def test_a_name_is_meant_by_itself_or_by_how_it_alone_begins(text: str, name: str) -> None:
    assert name_meant(text, NAMES) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [("u", "'u' may be up or up-left"), ("down", "'down' is none of up, up-left, right"), ("", "'' is none of")],
)
def test_a_text_that_means_none_or_several_is_quoted(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        name_meant(text, NAMES)


def test_games_read_the_names_of_their_actions() -> None:
    assert tron().parse("D") == "down"
    assert pursuit().parse("stay") == pursuit().parse("s") == "stay"
    assert pig().parse("h") == "hold"
    assert rps().parse("p") == "paper"
    assert chicken().parse("sw") == "swerve"
    assert matrix([[1, 2]]).parse("1") == 1
    with pytest.raises(ValueError, match="numbered from 0 on"):
        matrix([[1, 2]]).parse("one")
