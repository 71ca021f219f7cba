"""Model checking: counts that are known, witnesses that can be replayed, and a plain enumeration beside it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import AT_ONCE, TURNS, ChanceLayers, Layers

from games.tictactoe import HAS_LINE
from parallel_mcts import (
    ParameterError,
    Play,
    State,
    TooManyPositions,
    TurnState,
    bfs_find,
    check_invariant,
    game,
    path_exists,
)
from parallel_mcts.state import action_index, apply_outcome, has_chance, is_over, labels, transitions

seeds = st.integers(0, 10_000)


def replayed(play: Play) -> list[Any]:
    """The positions that the moves of a line of play lead to."""
    state = play.states[0]
    states = [state]
    for move in play.moves:
        row, col = labels(state)
        i, j = action_index(row, move.row, "row", state), action_index(col, move.col, "column", state)
        state = apply_outcome(state, i, j, move.observation) if has_chance(state) else state.play(i, j)
        states.append(state)
    return states


def by_distance(start: Any) -> dict[Any, int]:
    """Every position and its distance, layer by layer."""
    found = {start: 0}
    layer = [start]
    while layer:
        rows_cols = [(s, i, j) for s in layer for i in range(s.shape()[0]) for j in range(s.shape()[1])]
        after = {t.state for s, i, j in rows_cols for t in transitions(s, i, j)}
        layer = [state for state in after if state not in found]
        found.update(dict.fromkeys(layer, max(found.values()) + 1))
    return found


# ---------------------------------------------------------------------------------------------- tic-tac-toe
def test_all_reachable_positions_of_tic_tac_toe_are_counted() -> None:
    found = bfs_find(game("tictactoe"), lambda state: True, find_all=True)
    assert (len(found.matches), found.explored, found.depth, found.complete) == (5478, 5478, 9, True)
    none = bfs_find(game("tictactoe"), lambda state: False)
    assert (none.success, none.explored, none.play) == (False, 5478, None)


PLIES = (1, 9, 72, 252, 756, 1260, 1520)
"""How many positions there are after so many moves."""


@pytest.mark.parametrize("depth", range(len(PLIES)))
def test_positions_within_a_depth_are_counted(depth: int) -> None:
    found = bfs_find(
        game("tictactoe"), lambda s: (s.crosses | s.noughts).bit_count() == depth, find_all=True, depth_limit=depth
    )
    assert len(found.matches) == PLIES[depth]
    assert found.explored == sum(PLIES[: depth + 1])


def test_no_reachable_position_of_tic_tac_toe_has_two_winners() -> None:
    checked = check_invariant(game("tictactoe"), lambda state: not (HAS_LINE[state.crosses] and HAS_LINE[state.noughts]))
    assert checked
    assert (checked.explored, checked.complete, checked.counter_example) == (5478, True, None)


def test_the_shortest_way_to_break_a_rule_is_shown() -> None:
    checked = check_invariant(game("tictactoe"), lambda state: not HAS_LINE[state.noughts])
    assert not checked
    assert not checked.complete
    assert checked.counter_example is not None
    assert len(checked.counter_example) == 6
    assert HAS_LINE[checked.counter_example.end.noughts]
    assert tuple(replayed(checked.counter_example)) == checked.counter_example.states
    assert str(checked.counter_example) == "0 1 2 4 3 7"


def test_a_rule_broken_at_the_start_needs_no_move() -> None:
    checked = check_invariant(game("tictactoe"), lambda state: state.crosses)
    assert checked.counter_example is not None
    assert (len(checked.counter_example), str(checked.counter_example)) == (0, "no move")


# ---------------------------------------------------------------------------------------------- one thing after another
def test_one_line_of_play_can_be_had_on_which_things_come_true_in_order() -> None:
    wanted = [lambda s: s.crosses >> 4 & 1, lambda s: s.noughts >> 0 & 1, lambda s: HAS_LINE[s.noughts]]
    play = path_exists(game("tictactoe"), wanted)
    assert play is not None
    states = replayed(play)
    assert tuple(states) == play.states
    assert not states[0].crosses
    assert HAS_LINE[states[-1].noughts]
    assert states[-1].crosses >> 4 & 1
    assert len(play) == 6


def test_nobody_wins_after_the_other_has() -> None:
    assert path_exists(game("tictactoe"), [lambda s: HAS_LINE[s.crosses], lambda s: HAS_LINE[s.noughts]]) is None


class Walk(TurnState):
    """A step of one or two along a line, by one player only."""

    at: int = 0
    player: int = 0

    def moves(self) -> list[int]:
        return [1, 2] if self.at < 9 else []

    def move(self, step: int) -> Walk:
        return Walk(self.at + step)

    def payoff(self) -> float:
        return 0.0


def test_a_first_choice_that_leads_nowhere_is_taken_back() -> None:
    """The nearest position that is 2 or more is 2 itself or 3; from 3 one cannot stand on 2."""
    play = path_exists(Walk(1), [lambda s: s.at in (2, 3), lambda s: s.at == 2, lambda s: s.at == 5])
    assert play is not None
    assert [state.at for state in play.states][-1] == 5
    assert 2 in [state.at for state in play.states]
    assert path_exists(Walk(1), [lambda s: s.at == 3, lambda s: s.at == 2]) is None


def test_the_depth_limit_is_for_the_whole_line() -> None:
    wanted = [lambda s: s.at >= 3, lambda s: s.at >= 6]
    assert path_exists(Walk(), wanted, depth_limit=2) is None
    play = path_exists(Walk(), wanted, depth_limit=3)
    assert play is not None
    assert len(play) == 3
    assert path_exists(Walk(), [], depth_limit=0) == Play((), (Walk(),))


@settings(max_examples=40)
@given(seeds, st.integers(0, 4), st.integers(0, 4), st.integers(0, 6))
def test_a_line_exists_exactly_when_trying_everything_finds_one(seed: int, first: int, second: int, depth: int) -> None:
    start = Layers(seed, TURNS)
    wanted = [lambda s: s.node == first, lambda s: s.node == second]

    def anything(state: Any, stage: int, left: int) -> bool:
        while stage < 2 and wanted[stage](state):
            stage += 1
        if stage == 2 or left == 0:
            return stage == 2
        rows, cols = state.shape()
        return any(anything(state.play(i, j), stage, left - 1) for i in range(rows) for j in range(cols))

    play = path_exists(start, wanted, depth_limit=depth)
    assert (play is not None) == anything(start, 0, depth)
    if play is not None:
        assert len(play) <= depth
        assert tuple(replayed(play)) == play.states
        assert wanted[1](play.end)


# ---------------------------------------------------------------------------------------------- toads, frogs and beans
def test_toads_and_frogs_reach_a_strip_in_five_moves() -> None:
    found = bfs_find(game("toads_frogs", strip="TT_FF"), lambda state: state.strip == "TFF_T")
    assert found.play is not None
    assert [state.strip for state in found.play.states] == ["TT_FF", "T_TFF", "TFT_F", "TF_TF", "TFFT_", "TFF_T"]
    assert str(found.play) == "1 3 2 4 3"


class Watched(State):
    """Kalah, and who has captured so far."""

    kalah: Any
    captured: tuple[bool, bool] = (False, False)

    def shape(self) -> tuple[int, int]:
        return self.kalah.shape()

    def labels(self) -> Any:
        return self.kalah.labels()

    def payoff(self) -> float:
        return self.kalah.payoff()

    def play(self, i: int, j: int) -> Watched:
        after, player = self.kalah.play(i, j), self.kalah.player
        half = len(after.pits) // 2
        pot = half - 1 + player * half
        # Sowing brings a pot of this small game one bean at most; the sweep at the end is no capture.
        caught = not is_over(after) and after.pits[pot] > self.kalah.pits[pot] + 1
        captured = (self.captured[0] or (caught and player == 0), self.captured[1] or (caught and player == 1))
        return Watched(after, captured)


def test_in_a_small_kalah_both_players_can_capture() -> None:
    start = Watched(game("kalah", holes=3, beans=2))
    play = path_exists(start, [lambda s: s.captured[0], lambda s: s.captured[1]])
    assert play is not None
    assert tuple(replayed(play)) == play.states
    assert play.end.captured == (True, True)
    assert {state.captured for state in play.states[:-1]} <= {(False, False), (True, False), (False, True)}


def test_no_bean_of_kalah_is_ever_lost() -> None:
    checked = check_invariant(game("kalah", holes=3, beans=2), lambda state: sum(state.pits) == 12)
    assert checked
    assert checked.complete


# ---------------------------------------------------------------------------------------------- any game
@settings(max_examples=40)
@given(seeds, st.booleans())
def test_every_position_is_found_at_its_distance_by_all_joint_actions_and_outcomes(seed: int, chance: bool) -> None:
    layers = Layers(seed, AT_ONCE)
    start: Any = ChanceLayers(layers) if chance else layers
    distances = by_distance(start)
    found = bfs_find(start, lambda state: True, find_all=True)
    assert set(found.matches) == set(distances)
    assert [distances[state] for state in found.matches] == sorted(distances.values())
    for state in list(distances)[:5]:
        one = bfs_find(start, lambda other, state=state: other == state)
        assert one.play is not None
        assert len(one.play) == one.depth == distances[state]
        assert tuple(replayed(one.play)) == one.play.states


def test_both_dice_can_show_a_six() -> None:
    found = bfs_find(game("dice"), lambda state: state.row == 6 and state.col == 6)
    assert found.play is not None
    assert len(found.play) == 1
    assert (found.play.moves[0].row, found.play.moves[0].col) == ("roll", "roll")
    assert found.play.moves[0].observation == found.play.end


def test_memory_is_limited() -> None:
    with pytest.raises(TooManyPositions, match="more than state_limit=100 positions of TicTacToe"):
        bfs_find(game("tictactoe"), lambda state: False, state_limit=100)
    with pytest.raises(TooManyPositions, match="state_limit=100"):
        check_invariant(game("tictactoe"), lambda state: True, state_limit=100)
    with pytest.raises(TooManyPositions, match="state_limit=100"):
        path_exists(game("tictactoe"), [lambda state: state.crosses & 1, lambda state: False], state_limit=100)
    assert bfs_find(game("tictactoe"), lambda state: state.noughts, state_limit=100)


def test_limits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ParameterError, match="depth_limit is -1"):
        bfs_find(game("tictactoe"), bool, depth_limit=-1)
    with pytest.raises(ParameterError, match="state_limit is 0"):
        check_invariant(game("tictactoe"), bool, state_limit=0)
    with pytest.raises(ParameterError, match=r"depth_limit is 1\.5"):
        path_exists(game("tictactoe"), [bool], depth_limit=1.5)  # type: ignore[arg-type]
