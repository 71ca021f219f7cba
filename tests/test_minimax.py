"""Alpha-beta beside the exact solver on every small game of turns, under time limits, and compiled beside interpreted."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from math import inf
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import AT_ONCE, TURNS, ChanceLayers, Layers, guess

from parallel_mcts import (
    BudgetError,
    EndlessGame,
    GameError,
    ParameterError,
    PayoffError,
    State,
    TerminalRoot,
    TurnState,
    UnknownName,
    game,
    minimax,
    solve,
)
from parallel_mcts.errors import NotCompilable
from parallel_mcts.solvers import alphabeta
from parallel_mcts.state import action_index, is_over, labels, transitions

seeds = st.integers(0, 10_000)
turns = import_module("parallel_mcts.solvers.minimax")  # the package calls the function by the same name


class Clock:
    """Ticks by one second each time it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def after(state: Any, move: Any) -> Any:
    row, col = labels(state)
    return state.play(action_index(row, move.row, "row", state), action_index(col, move.col, "column", state))


# ---------------------------------------------------------------------------------------------- beside the solver
@settings(max_examples=30)
@given(seeds, st.booleans(), st.sampled_from([0, 3, 10**6]))
def test_alpha_beta_agrees_with_the_solver_on_games_of_turns_with_chance_and_without(
    seed: int, chance: bool, room: int
) -> None:
    layers = Layers(seed, TURNS)
    start: Any = ChanceLayers(layers) if chance else layers
    solved = solve(start)
    found = minimax(start, guess if not chance else None, engine="python", room=room)
    assert found.value == pytest.approx(solved.value, abs=1e-12)
    assert (found.complete, found.depth, found.engine) == (True, None, "python")
    best = found.principal_line[0]
    assert found.best in (best.row, best.col)
    names = labels(start)
    i, j = names[0].index(best.row), names[1].index(best.col)
    reached = sum(float(t.probability or 0) * solved[t.state].value for t in transitions(start, i, j))
    assert reached == pytest.approx(solved.value, abs=1e-12)


@settings(max_examples=40)
@given(seeds)
def test_deepening_ends_with_the_value_of_the_game_when_there_is_nothing_left_to_look_at(seed: int) -> None:
    start = Layers(seed, TURNS)
    found = minimax(start, guess, seconds=10.0**9, clock=Clock(), engine="python")
    assert found.value == solve(start).value
    assert found.complete


@settings(max_examples=40)
@given(seeds, st.integers(1, 5), st.booleans(), st.booleans())
def test_a_limited_depth_gives_the_value_that_the_solver_gives_with_the_same_heuristic(
    seed: int, depth: int, deepening: bool, chance: bool
) -> None:
    plain = NoForcedMoves(Layers(seed, TURNS))
    start: Any = NoForcedChance(plain) if chance else plain
    limits: dict[str, Any] = {"seconds": 1e9, "clock": Clock()} if deepening else {}
    found = minimax(start, judged, depth=depth, room=0, engine="python", **limits)
    assert found.value == pytest.approx(solve(start, depth=depth, model=judged).value, abs=1e-12)


def test_positions_met_again_under_other_windows_keep_their_values() -> None:
    for seed in range(80):
        start = Layers(seed, TURNS, left=10)
        assert minimax(start, engine="python").value == solve(start).value, seed


class NoForcedMoves(State):
    """The same game, where a player without a choice has two actions that come to the same."""

    layers: Layers

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        rows, cols = self.layers.shape()
        return (2, 1) if (rows, cols) == (1, 1) else (rows, cols)

    def play(self, i: int, j: int) -> NoForcedMoves:
        forced = self.layers.shape() == (1, 1)
        return NoForcedMoves(self.layers.play(0 if forced else i, j))

    def payoff(self) -> float:
        return self.layers.payoff()


class NoForcedChance(State):
    """The same with chance."""

    rules: NoForcedMoves

    payoff_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def shape(self) -> tuple[int, int]:
        return self.rules.shape()

    def payoff(self) -> float:
        return self.rules.payoff()

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, NoForcedChance]]:
        one, other = self.rules.play(i, j), self.rules.play(0, 0)
        if one == other:
            return [(Fraction(1), NoForcedChance(one))]
        return [(Fraction(2, 3), NoForcedChance(one)), (Fraction(1, 3), NoForcedChance(other))]


def judged(state: Any) -> float:
    return guess(state.layers if isinstance(state, NoForcedMoves) else state.rules.layers)


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [("tictactoe", {}, 0.5), ("nim", {"sticks": 12}, 0.0), ("nim", {"sticks": 999}, 1.0)],
)
def test_known_games_have_their_known_value(name: str, parameters: dict[str, Any], value: float) -> None:
    found = minimax(game(name, **parameters), engine="python")
    assert (found.value, found.complete) == (value, True)


def test_the_principal_line_is_best_play_to_the_end() -> None:
    state = game("tictactoe")
    solved = solve(state)
    for move in minimax(state, engine="python").principal_line:
        assert solved[state].value == 0.5
        state = after(state, move)
    assert is_over(state)
    assert state.payoff() == 0.5


def test_every_position_of_tic_tac_toe_has_the_solver_s_value() -> None:
    solved = solve(game("tictactoe"))
    for number, state in enumerate(solved):
        if number % 29 == 0 and not is_over(state):
            assert minimax(state, engine="python").value == solved[state].value


# ---------------------------------------------------------------------------------------------- what it is made of
class Stones(TurnState):
    """Row takes stones until column may: so many turns in a row, then one for column. Who takes the last one wins."""

    stones: int = 9
    turns: int = 2
    player: int = 0

    def moves(self) -> list[int]:
        return [n for n in (1, 2) if n <= self.stones]

    def move(self, n: int) -> Stones:
        if self.player == 0 and self.turns > 1:
            return Stones(self.stones - n, self.turns - 1, 0)
        return Stones(self.stones - n, 2, 1 - self.player)

    def payoff(self) -> float:
        took_last = 0 if self.player == 1 or self.turns < 2 else 1
        return 1.0 if took_last == 0 else 0.0


@pytest.mark.parametrize("stones", range(1, 16))
def test_a_player_may_move_twice_in_a_row(stones: int) -> None:
    start = Stones(stones)
    assert minimax(start, engine="python").value == solve(start).value


class Corridor(State):
    """One door or the other, and behind each a long corridor without a choice, at the end of which row is paid."""

    door: int = -1
    steps: int = 0

    def shape(self) -> tuple[int, int]:
        if self.door < 0:
            return 2, 1
        return (1, 1) if self.steps < 20 else (0, 0)

    def play(self, i: int, j: int) -> Corridor:
        return Corridor(i, 0) if self.door < 0 else Corridor(self.door, self.steps + 1)

    def payoff(self) -> float:
        return float(self.door)


def test_moves_without_a_choice_cost_no_depth() -> None:
    found = minimax(Corridor(), lambda state: 0.9 - 0.8 * state.door, depth=1, engine="python")
    assert (found.best, found.value, found.complete, found.depth) == (1, 1.0, True, 1)
    assert len(found.principal_line) == 21


class Loop(State):
    """Nobody ever has a choice, and it never ends."""

    place: int = 0

    def shape(self) -> tuple[int, int]:
        return 1, 1

    def play(self, i: int, j: int) -> Loop:
        return Loop(1 - self.place)

    def payoff(self) -> float:
        return 0.0


def test_a_game_without_an_end_is_found_out_or_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    assert minimax(Loop(), lambda state: 0.25, depth=3, engine="python").value == 0.25
    monkeypatch.setattr(alphabeta, "DEEPEST", 1_000)
    with pytest.raises(EndlessGame, match="give depth"):
        minimax(Loop(), engine="python")


def test_a_good_heuristic_saves_nodes_by_the_order_of_moves() -> None:
    start = game("tictactoe")
    solved = solve(start)
    blind = minimax(start, engine="python", depth=7)
    seeing = minimax(start, lambda state: solved[state].value, engine="python", depth=7)
    assert seeing.value == 0.5
    assert seeing.nodes < 0.7 * blind.nodes


def test_the_table_saves_nodes_and_a_small_one_saves_fewer() -> None:
    nodes = [minimax(game("tictactoe"), engine="python", room=room).nodes for room in (0, 300, 10_000)]
    assert nodes[0] > nodes[1] > 1.5 * nodes[2]


def test_chance_is_averaged() -> None:
    class Coin(State):
        """Take a half, or toss: three times out of four the whole."""

        taken: float = -1.0

        def shape(self) -> tuple[int, int]:
            return (2, 1) if self.taken < 0 else (0, 0)

        def outcomes(self, i: int, j: int) -> list[tuple[Fraction, Any]]:
            if i == 0:
                return [(Fraction(1), Coin(0.5))]
            return [(Fraction(3, 4), Coin(1.0)), (Fraction(1, 4), Coin(0.0))]

        def payoff(self) -> float:
            return self.taken

    found = minimax(Coin())
    assert (found.best, found.value, len(found.principal_line)) == (1, 0.75, 1)


def test_a_heuristic_in_units_of_its_own_judges_finished_games_too() -> None:
    def lead(state: Any) -> float:
        if is_over(state):
            return inf if state.payoff() > 0.5 else -inf if state.payoff() < 0.5 else 0.0
        return float(state.crosses.bit_count() - state.noughts.bit_count()) * 10

    for depth in (1, 3, None):
        assert minimax(game("tictactoe"), lead, depth=depth, judge_ends=True, engine="python").value in (0.0, 10.0)
    won = game("tictactoe").play(0, 0).play(0, 2).play(0, 0).play(0, 2)  # row has two in a line, and the third is free
    assert minimax(won, lead, depth=2, judge_ends=True, engine="python").value == inf


# ---------------------------------------------------------------------------------------------- time
def test_time_that_runs_out_leaves_the_answer_of_the_last_depth_that_was_done() -> None:
    start = game("connect_four")
    found = minimax(start, seconds=3000.0, clock=Clock(), engine="python")
    assert found.depth is not None
    assert 3 <= found.depth < 10
    assert len(found.principal_line) == found.depth
    assert not found.complete
    again = minimax(start, depth=found.depth, engine="python")
    assert found.value == again.value
    assert found.seconds >= 3000.0


def test_without_time_for_anything_a_legal_move_is_given() -> None:
    start = game("connect_four").play(3, 0)
    found = minimax(start, seconds=0.5, clock=Clock(), engine="python")
    assert (found.depth, found.value, found.complete) == (0, None, False)
    assert found.best == found.principal_line[0].col == 0


# ---------------------------------------------------------------------------------------------- compiled
def test_machine_code_gives_the_same_answer_with_the_same_nodes() -> None:
    for seed in range(20):
        start = Layers(seed, TURNS, left=8)
        for limits in ({}, {"depth": 3}, {"room": 5}):
            machine, python = (minimax(start, guess, engine=name, **limits) for name in ("compiled", "python"))
            assert (machine.engine, python.engine) == ("compiled", "python")
            for fact in ("best", "value", "principal_line", "nodes", "depth", "complete"):
                assert getattr(machine, fact) == getattr(python, fact), (seed, limits, fact)
        found = minimax(start, guess, seconds=1e9, engine="compiled")
        assert (found.value, found.complete) == (solve(start).value, True)
    stopped = minimax(Layers(1, TURNS, left=60), guess, seconds=1e-9, engine="compiled")
    assert stopped.best in (*labels(Layers(1, TURNS, left=60))[0], *labels(Layers(1, TURNS, left=60))[1])
    with pytest.raises(GameError, match="both players can have a choice at once"):
        minimax(Layers(3, AT_ONCE), guess, engine="compiled")


def test_a_search_that_takes_long_is_compiled_if_it_can_be_and_else_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TRIAL_SECONDS", 0.0)
    start = Layers(1, TURNS, left=8)
    found, python = minimax(start, guess), minimax(start, guess, engine="python")
    assert (found.engine, found.value, found.nodes) == ("compiled", python.value, python.nodes)
    other = minimax(game("nim", sticks=9))
    assert (other.engine, other.value, other.best) == ("python", 1.0, 1)


def test_what_cannot_be_compiled_is_said_and_left_to_the_interpreter_otherwise() -> None:
    with pytest.raises(NotCompilable, match="Nim"):
        minimax(game("nim"), engine="compiled")
    with pytest.raises(NotCompilable, match="chance"):
        minimax(ChanceLayers(Layers(1)), engine="compiled")
    with pytest.raises(NotCompilable, match="no plain function"):
        minimax(Layers(1), max, engine="compiled")
    assert minimax(game("nim"), engine="auto").engine == "python"


# ---------------------------------------------------------------------------------------------- what is refused
def test_what_minimax_cannot_do_is_said() -> None:
    with pytest.raises(GameError, match="both players can have a choice at once"):
        minimax(game("rps"), engine="python")
    with pytest.raises(GameError, match="general-sum"):
        minimax(game("chicken"))
    with pytest.raises(GameError, match="both players can have a choice at once"):
        minimax(Layers(3, AT_ONCE), guess, engine="python")
    with pytest.raises(TerminalRoot, match="the game is over"):
        minimax(game("rps").play(0, 0))
    with pytest.raises(ParameterError, match="depth is 0"):
        minimax(game("tictactoe"), depth=0)
    with pytest.raises(BudgetError, match="seconds is 0"):
        minimax(game("tictactoe"), seconds=0)
    with pytest.raises(UnknownName, match="unknown engine 'c'"):
        minimax(game("tictactoe"), engine="c")
    with pytest.raises(ParameterError, match="heuristic is 3"):
        minimax(game("tictactoe"), 3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="judge_ends=True needs a heuristic"):
        minimax(game("tictactoe"), judge_ends=True)
    with pytest.raises(PayoffError, match=r"worth 7.0, outside the payoff range 0 to 1; scale the heuristic"):
        minimax(game("tictactoe"), lambda state: 7.0, depth=2, engine="python")
