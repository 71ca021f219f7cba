"""Results: strategies by number and label, a table to print, a dictionary to send."""

from __future__ import annotations

import json
from random import Random

import pytest

from parallel_mcts import Strategy, game, search
from parallel_mcts.results import Move


def test_a_strategy_is_read_by_number_and_by_label() -> None:
    strategy = Strategy(("rock", "paper", "scissors"), (0.1, 0.6, 0.3))
    assert strategy[1] == strategy.of("paper") == 0.6
    assert strategy.best == "paper"
    assert list(strategy) == [0.1, 0.6, 0.3]
    assert dict(strategy.items()) == {"rock": 0.1, "paper": 0.6, "scissors": 0.3}
    assert repr(strategy) == "{rock: 0.100, paper: 0.600, scissors: 0.300}"
    assert strategy == Strategy(("rock", "paper", "scissors"), (0.1, 0.6, 0.3))
    assert hash(strategy) == hash(Strategy(("rock", "paper", "scissors"), (0.1, 0.6, 0.3)))
    assert strategy != Strategy(("rock", "paper", "axe"), (0.1, 0.6, 0.3))


def test_samples_come_as_often_as_they_should() -> None:
    strategy, rng = Strategy("abc", (0.2, 0.0, 0.8)), Random(1)
    drawn = [strategy.sample(rng) for _ in range(5000)]
    assert drawn.count("a") == pytest.approx(1000, abs=120)
    assert drawn.count("b") == 0


def test_a_strategy_has_as_many_actions_as_probabilities() -> None:
    with pytest.raises(ValueError, match="2 actions, but 1 probabilities"):
        Strategy("ab", (1.0,))


def test_a_result_prints_as_a_table() -> None:
    result = search(game("biased_rps"), iterations=20_000, algorithm="matrix_ucb", seed=1, engine="python")
    lines = str(result).splitlines()
    assert lines[0].startswith("MatrixGame: row ")
    assert lines[2].split() == ["row", "action", "probability", "visits", "value"]
    assert lines[4].split()[:2] == ["paper", "0.625"]
    assert lines[7].split()[0] == "column"
    assert len({len(line) for line in lines[3:6]}) == 1
    assert "20,000 iterations in" in lines[-1]
    assert lines[-1].endswith("MatrixUCB(c=0.5, slack=0.01), single × 1, python, seed 1")


def test_a_player_without_a_choice_is_not_drawn_as_a_table() -> None:
    text = str(search(game("tictactoe"), iterations=100, seed=1))
    assert "column  - (no choice)" in text.splitlines()


def test_the_principal_line_is_a_line_of_play() -> None:
    result = search(game("tictactoe"), iterations=4000, algorithm="ucb", seed=1)
    state = game("tictactoe")
    for ply, move in enumerate(result.principal_line):
        names = [list(names) for names in state.labels()]
        state = state.play(names[0].index(move.row), names[1].index(move.col))
        assert (move.row, move.col)[1 - ply % 2] == "-"
    assert len(result.principal_line) >= 4
    assert result.principal_line[0].row == result.row.best == 4
    assert str(result.principal_line[0]) == "4"


def test_a_move_of_both_players_shows_both() -> None:
    assert str(Move("rock", "paper")) == "rock/paper"
    assert str(Move("-", 3)) == "3"
    assert str(Move("-", "-")) == "-"


def test_the_principal_line_of_a_game_with_chance_says_what_happened() -> None:
    result = search(game("goofspiel:cards=3,prizes=random"), iterations=3000, algorithm="exp3", seed=1)
    assert result.principal_line[0].observation in (1, 2, 3)
    assert len(result.principal_line) >= 3


def test_a_dictionary_of_a_result_is_ready_for_json() -> None:
    result = search(game("goofspiel", cards=3), iterations=500, algorithm="exp3", backend="inline", workers=2, seed=4)
    back = json.loads(json.dumps(result.to_dict()))
    assert back["game"] == "Goofspiel"
    assert (back["iterations"], back["visits"], back["seed"], back["workers"], back["backend"]) == (
        500,
        500,
        4,
        2,
        "inline",
    )
    assert [entry["action"] for entry in back["row"]] == [1, 2, 3]
    assert sum(entry["probability"] for entry in back["col"]) == pytest.approx(1.0)
    assert sum(entry["visits"] for entry in back["col"]) == 500
    assert back["algorithm"] == "Exp3(gamma=0.1, averages=False)"
    assert back["row_value"] == pytest.approx(-back["col_value"])
    assert back["principal_line"][0] == str(result.principal_line[0])


def test_values_are_in_payoff_units_and_sum_to_zero_where_the_game_is_zero_sum() -> None:
    result = search(game("biased_rps"), iterations=3000, algorithm="uniform", seed=1)
    assert result.values == (result.row_value, result.col_value)
    assert -50 <= (result.row_value or 0) <= 50
    assert (result.row_value or 0) + (result.col_value or 0) == pytest.approx(0.0)
    assert result.row_actions[0].value == pytest.approx((0 - 25 + 50) / 3, abs=3)
    assert result.cell_means[0][2] == 50.0
