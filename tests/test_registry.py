"""Names for things: how a text becomes a game, an algorithm or a backend, and what is said of one that cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Optional

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parallel_mcts import UCB, Exp3, Pool, RegretMatching, State, game, register, search
from parallel_mcts.algorithms.base import Algorithm
from parallel_mcts.errors import InputError, ParameterError, UnknownName
from parallel_mcts.registry import AGENTS, ALGORITHMS, BACKENDS, GAMES, MODELS, Registry, call, convert, parse


@pytest.fixture(autouse=True)
def _nothing_stays_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in (GAMES, ALGORITHMS, MODELS, BACKENDS, AGENTS):
        monkeypatch.setattr(registry, "_added", {})


def choices() -> str:
    return ", ".join(ALGORITHMS.names())


def message_of(error: type[InputError], function: Any, *args: Any, **parameters: Any) -> str:
    with pytest.raises(error) as caught:
        function(*args, **parameters)
    assert type(caught.value) is error
    return str(caught.value)


# ---------------------------------------------------------------------------------------------- taking a text apart
@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("exp3", "exp3", {}),
        ("exp3:", "exp3", {}),
        ("exp3:gamma=0.2", "exp3", {"gamma": "0.2"}),
        (" exp3 : gamma = 0.2 , averages = yes ", "exp3", {"gamma": "0.2", "averages": "yes"}),
        ("exp3:gamma=0.2,", "exp3", {"gamma": "0.2"}),
        ("goofspiel:prizes=3-2-1,ties=carry", "goofspiel", {"prizes": "3-2-1", "ties": "carry"}),
        ("file:path=C:/a=b", "file", {"path": "C:/a=b"}),
        ("goofspiel:row_hand=", "goofspiel", {"row_hand": ""}),
    ],
)
def test_a_text_is_a_name_and_parameters(text: str, name: str, parameters: dict[str, str]) -> None:
    assert parse(text) == (name, parameters)


words = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=8)
values = st.text("abc019.-_:= ", max_size=8).map(str.strip)


@settings(deadline=None, derandomize=True)
@given(words, st.dictionaries(words, values, max_size=4))
def test_a_name_and_parameters_written_down_are_read_back(name: str, parameters: dict[str, str]) -> None:
    written = f"{name}:" + ",".join(f"{key}={value}" for key, value in parameters.items())
    assert parse(written) == (name, parameters)


@pytest.mark.parametrize(
    ("text", "part"),
    [("exp3:gamma", "gamma"), ("exp3:=0.2", "=0.2"), ("exp3:gamma=0.2,fast", "fast"), ("exp3: = ", "=")],
)
def test_a_malformed_text_is_shown_with_how_to_write_it(text: str, part: str) -> None:
    wanted = f"cannot read {part!r} in {text!r}; write it as exp3:key=value,key=value"
    assert message_of(ParameterError, parse, text) == wanted


# ---------------------------------------------------------------------------------------------- texts as values
@pytest.mark.parametrize(
    ("text", "annotation", "value"),
    [
        ("7", int, 7),
        ("-7", int, -7),
        ("7", float, 7.0),
        ("1e-3", float, 0.001),
        ("7", str, "7"),
        ("true", bool, True),
        ("Yes", bool, True),
        ("1", bool, True),
        ("False", bool, False),
        ("no", bool, False),
        ("0", bool, False),
        ("7", int | None, 7),
        ("7", Optional[float], 7.0),  # noqa: UP045
        ("7", int | float, 7),
        ("7.5", int | float, 7.5),
        ("7", str | int, 7),
        ("seven", str | int, "seven"),
        ("7", Any, "7"),
    ],
)
def test_a_text_becomes_what_the_annotation_says(text: str, annotation: Any, value: Any) -> None:
    got = convert(text, annotation, "thing", "size")
    assert (type(got), got) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "annotation", "wanted"),
    [
        ("many", int, "int"),
        ("7.5", int, "int"),
        ("", int, "int"),
        ("many", float, "float"),
        ("maybe", bool, "bool"),
        ("2", bool, "bool"),
        ("many", int | None, "int"),
        ("many", int | float, "int or float"),
    ],
)
def test_a_text_of_the_wrong_type_is_refused_with_the_right_one(text: str, annotation: Any, wanted: str) -> None:
    message = message_of(ParameterError, convert, text, annotation, "thing", "size")
    assert message == f"thing: size is {text!r}; it must be of type {wanted}"


# ---------------------------------------------------------------------------------------------- calling what a name means
def boxes(width: int, height: int, *, wood: str = "oak", lid: bool = True) -> tuple[int, int, str, bool]:
    return width, height, wood, lid


def unannotated(width, height=2):  # type: ignore[no-untyped-def]
    return width, height


def nothing_to_choose() -> None:
    pass


@dataclass(frozen=True)
class Crate:
    width: int
    height: int = 2


class Chest:
    def __init__(self, width: int, height: int = 2) -> None:
        self.size = width, height


class Trunk(NamedTuple):
    width: int
    height: int = 2


class Barrel(State):
    width: int
    height: int = 2


def test_parameters_given_as_texts_and_as_values_arrive_as_values() -> None:
    assert call(boxes, "box", {"width": "3", "height": 4, "lid": "no"}) == (3, 4, "oak", False)
    assert call(unannotated, "box", {"width": "3"}) == ("3", 2)


@pytest.mark.parametrize("made_by", [Crate, Trunk, Barrel])
def test_a_class_of_any_kind_is_called_with_values(made_by: Any) -> None:
    assert call(made_by, "thing", {"width": "3"}) == made_by(3, 2)


def test_an_ordinary_class_is_called_with_values() -> None:
    assert call(Chest, "chest", {"width": "3", "height": "5"}).size == (3, 5)


def test_an_unknown_parameter_is_refused_with_those_that_exist() -> None:
    given = {"width": "3", "height": "4", "colour": "red"}
    assert message_of(ParameterError, call, boxes, "box", given) == (
        "box has no parameter 'colour'; it has: width, height, wood, lid"
    )
    assert message_of(ParameterError, ALGORITHMS.make, "exp3:gama=0.2") == (
        "exp3 has no parameter 'gama' (did you mean 'gamma'?); it has: gamma, averages"
    )
    assert (
        message_of(ParameterError, call, nothing_to_choose, "dot", {"size": "3"})
        == "dot has no parameter 'size'; it has: none"
    )
    assert message_of(ParameterError, ALGORITHMS.make, UCB, gamma=0.2) == "UCB has no parameter 'gamma'; it has: c"


def test_missing_parameters_are_all_named_with_how_to_give_them() -> None:
    assert message_of(ParameterError, call, boxes, "box", {}) == (
        "box needs width, height; write box:width=… or give it by keyword"
    )
    assert message_of(ParameterError, call, Barrel, "barrel", {"height": 3}) == (
        "barrel needs width; write barrel:width=… or give it by keyword"
    )


def test_a_parameter_of_the_wrong_type_is_refused_wherever_it_was_written() -> None:
    wanted = "goofspiel: cards is 'four'; it must be of type int"
    assert message_of(ParameterError, game, "goofspiel:cards=four") == wanted
    assert message_of(ParameterError, game, "goofspiel", cards="four") == wanted
    assert message_of(ParameterError, ALGORITHMS.make, "exp3:averages=maybe") == (
        "exp3: averages is 'maybe'; it must be of type bool"
    )


# ---------------------------------------------------------------------------------------------- making things by name
def test_a_name_makes_the_thing_with_its_parameters() -> None:
    assert ALGORITHMS.make("exp3") == Exp3()
    made = ALGORITHMS.make("exp3:gamma=0.25,averages=yes")
    assert (type(made), made) == (Exp3, Exp3(gamma=0.25, averages=True))
    assert BACKENDS.make("pool:locks=16") == Pool(locks=16)


def test_a_parameter_by_keyword_goes_before_that_of_the_text() -> None:
    assert ALGORITHMS.make("exp3:gamma=0.25,averages=yes", gamma=0.5) == Exp3(gamma=0.5, averages=True)


def test_a_class_makes_the_thing_and_a_thing_is_taken_as_it_is() -> None:
    assert ALGORITHMS.make(Exp3) == Exp3()
    assert ALGORITHMS.make(Exp3, gamma=0.5) == Exp3(gamma=0.5)
    given = Exp3(gamma=0.75)
    assert ALGORITHMS.make(given) is given


def test_an_unknown_name_is_refused_with_the_nearest_and_all_choices() -> None:
    assert message_of(UnknownName, ALGORITHMS.make, "regret_maching:gamma=0.1") == (
        f"unknown algorithm 'regret_maching' (did you mean 'regret_matching'?); choose from: {choices()}"
    )
    assert message_of(UnknownName, BACKENDS.make, "proces") == (
        f"unknown backend 'proces' (did you mean 'process'?); choose from: {', '.join(BACKENDS.names())}"
    )
    assert message_of(UnknownName, game, "gofspiel:cards=4").startswith(
        "unknown game 'gofspiel' (did you mean 'goofspiel'?)"
    )


def test_an_unknown_name_like_no_other_is_refused_without_a_guess() -> None:
    assert message_of(UnknownName, ALGORITHMS.make, "zzz") == f"unknown algorithm 'zzz'; choose from: {choices()}"


def test_nothing_given_is_refused_with_the_choices() -> None:
    assert message_of(UnknownName, ALGORITHMS.make, None) == f"no algorithm given; choose from: {choices()}"


def test_a_game_is_the_same_by_keyword_and_by_text() -> None:
    by_keyword, by_text = game("goofspiel", cards=4), game("goofspiel:cards=4")
    assert by_keyword == by_text
    assert type(by_keyword) is type(by_text)
    assert by_text.shape() == (4, 4)
    assert game("goofspiel:cards=5") != by_text


@pytest.mark.parametrize("registry", [GAMES, ALGORITHMS, MODELS, BACKENDS, AGENTS], ids=lambda registry: registry.kind)
def test_every_name_that_is_listed_leads_to_a_factory(registry: Registry) -> None:
    names = registry.names()
    assert names == sorted(set(names))
    assert len(names) > 3
    for name in names:
        assert callable(registry.factory(name))


# ---------------------------------------------------------------------------------------------- joining in this process
class Favourite(Algorithm):
    """Row always plays the same action, column its first."""

    action: int = 0

    def select(self, node: Any, rng: Any) -> tuple[int, int, float, float]:
        return self.action, 0, 1.0, 1.0

    def update(self, node: Any, action: Any, value: Any) -> None:
        pass

    def strategies(self, node: Any) -> tuple[list[float], list[float]]:
        row, col = [0.0] * node.rows, [0.0] * node.cols
        row[self.action] = col[0] = 1.0
        return row, col

    def validate(self) -> None:
        if self.action < 0:
            raise ParameterError(f"favourite: action is {self.action}; it must be 0 or more")


@pytest.mark.parametrize("spec", ["favourite:action=-1", Favourite(-1)], ids=["text", "thing"])
def test_what_is_made_or_given_is_validated(spec: Any) -> None:
    register("algorithm", "favourite", Favourite)
    assert message_of(ParameterError, ALGORITHMS.make, spec) == "favourite: action is -1; it must be 0 or more"


def test_what_is_registered_is_found_by_name_everywhere() -> None:
    register("algorithm", "favourite", Favourite)
    register("game", "barrel", Barrel)
    assert "favourite" in ALGORITHMS.names()
    assert game("barrel:width=3") == Barrel(3)
    result = search(game("biased_rps"), iterations=20, algorithm="favourite:action=2", backend="single", seed=1)
    assert list(result.row) == [0.0, 0.0, 1.0]
    assert [report.visits for report in result.row_actions] == [0, 0, 20]


def test_a_registered_name_goes_before_what_the_package_brings() -> None:
    register("algorithm", "exp3", RegretMatching)
    assert type(ALGORITHMS.make("exp3")) is RegretMatching
    assert ALGORITHMS.names().count("exp3") == 1


def test_only_the_five_kinds_of_things_can_be_registered() -> None:
    assert message_of(UnknownName, register, "gane", "barrel", Barrel) == (
        "unknown kind of thing to register 'gane' (did you mean 'game'?); "
        "choose from: agent, algorithm, backend, game, model"
    )


class WithForeignAnnotation(Algorithm):
    gamma: float = 0.1
    rest: Optional[Path] = None  # noqa: UP045


def test_annotations_that_only_the_module_of_a_record_knows_are_resolved() -> None:
    assert call(WithForeignAnnotation, "foreign", {"gamma": "0.5"}) == WithForeignAnnotation(gamma=0.5)


# ---------------------------------------------------------------------------------------------- joining from outside
OUTSIDE = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from parallel_mcts import Algorithm, Single, State


class Race(State):
    """Row chooses where to run; only the last lane wins."""

    lanes: int
    lane: int = -1

    def shape(self) -> tuple[int, int]:
        return (self.lanes, 1) if self.lane < 0 else (0, 0)

    def play(self, i: int, j: int) -> Race:
        return Race(self.lanes, i)

    def payoff(self) -> float:
        return float(self.lane == self.lanes - 1)


def race(lanes: int = 2) -> Race:
    return Race(lanes)


class Steady(Algorithm):
    """Row plays one action, by its number."""

    action: int = 0

    def select(self, node, rng):
        return self.action, 0, 1.0, 1.0

    def update(self, node, action, value):
        pass

    def strategies(self, node):
        return [float(k == self.action) for k in range(node.rows)], [1.0]


class Half:
    """Judges every position to be worth the middle of the range."""

    def evaluate(self, state, rng):
        return 0.5


@dataclass(frozen=True)
class Quiet(Single):
    name: ClassVar[str] = "quiet"
'''

ENTRY_POINTS = """
[parallel_mcts.games]
race = outside_games:race
absent = outside_games_that_are_not_there:absent

[parallel_mcts.algorithms]
steady = outside_games:Steady
ucb = outside_games:Steady

[parallel_mcts.models]
half = outside_games:Half

[parallel_mcts.backends]
quiet = outside_games:Quiet
"""

METADATA = """
Metadata-Version: 2.1
Name: outside-games
Version: 1.0
"""

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from parallel_mcts.registry import ALGORITHMS, BACKENDS, GAMES, MODELS
names = {registry.kind: registry.names() for registry in (GAMES, ALGORITHMS, MODELS, BACKENDS)}
imported_by_listing = "outside_games" in sys.modules

from parallel_mcts import game, search
result = search(
    game("race:lanes=3"), iterations=10, algorithm="steady:action=2", model="half", backend="quiet", seed=1
)
report = {
    "names": names,
    "imported_by_listing": imported_by_listing,
    "game": repr(game("race", lanes=3)),
    "row": list(result.row),
    "row_value": result.row_value,
    "algorithm": repr(result.algorithm),
    "model": type(result.model).__name__,
    "backend": result.backend,
    "ucb": type(ALGORITHMS.make("ucb")).__module__,
}
try:
    game("rase")
except Exception as error:
    report["near_miss"] = str(error)
print(json.dumps(report))
"""


@pytest.fixture(scope="module")
def from_outside(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a new interpreter reports that has one more distribution on its path."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "outside_games.py").write_text(OUTSIDE, encoding="utf-8")
    information = folder / "outside_games-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(METADATA.lstrip(), encoding="utf-8")
    (information / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_a_distribution_from_outside_joins_by_its_entry_points(from_outside: dict[str, Any]) -> None:
    names = from_outside["names"]
    assert {"race", "absent", "goofspiel", "biased_rps"} <= set(names["game"])
    assert {"steady", "exp3"} <= set(names["algorithm"])
    assert {"half", "rollout"} <= set(names["model"])
    assert {"quiet", "process"} <= set(names["backend"])


def test_things_from_outside_are_found_by_name_and_work_together(from_outside: dict[str, Any]) -> None:
    assert from_outside["game"] == "Race(lanes=3, lane=-1)"
    assert from_outside["row"] == [0.0, 0.0, 1.0]
    assert from_outside["row_value"] == 1.0
    assert from_outside["algorithm"] == "Steady(action=2)"
    assert from_outside["model"] == "Half"
    assert from_outside["backend"] == "quiet"


def test_listing_names_imports_nothing(from_outside: dict[str, Any]) -> None:
    assert from_outside["imported_by_listing"] is False


def test_names_from_outside_are_guessed_at_too(from_outside: dict[str, Any]) -> None:
    assert from_outside["near_miss"].startswith("unknown game 'rase' (did you mean 'race'?)")


def test_a_name_from_outside_does_not_replace_what_the_package_brings(from_outside: dict[str, Any]) -> None:
    assert from_outside["ucb"] == "parallel_mcts.algorithms.ucb"
