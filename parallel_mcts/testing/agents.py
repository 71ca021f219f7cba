"""`check_agent`: does an agent play by the rules, on either side, and the same again?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..agents.base import PLAYERS
from ..match import Results, run_match
from ..registry import AGENTS, GAMES
from ..state import name_of
from .common import Table, require

STARTS = (Table(3, 2), Table(4, 1), Table(1, 3))
MATCHES = 3


def check_agent(
    agent: Any, *states: Any, matches: int = MATCHES, seed: int = 0, repeatable: bool = True, seconds: float | None = None
) -> None:
    """Plays an agent (or the name of one) against a random one and against itself, on both sides.

    It plays from the states given (or games by name), else in small games of both kinds. It must never play what is not
    legal, raise, or take more than `seconds`. With the same seed it must play the same; say `repeatable=False` of one that
    plays by the clock.
    """
    made = AGENTS.make(agent)
    for state in map(GAMES.make, states or STARTS):
        for k in range(matches):
            for agents in ((made, "random"), ("random", made), (made, made)):
                results = _played(state, agents, seed + k, seconds)
                if repeatable:
                    again = _played(state, agents, seed + k, seconds)
                    require(
                        results.moves == again.moves,
                        f"{made!s} played {_written(results)} in {name_of(state)}, and then {_written(again)} "
                        "with the same seed; chance must come from the seed of its seat alone",
                    )


def _played(state: Any, agents: Sequence[Any], seed: int, seconds: float | None) -> Results:
    results = run_match(state, *agents, seed=seed, seconds=seconds, undo=False).results
    blamed = [player for player in PLAYERS if player in results.forfeit]
    require(not blamed, f"{results.reason} [{name_of(state)}, seed {seed}]")
    return results


def _written(results: Results) -> str:
    return " ".join(str(move) for move in results.moves)
