"""OpenSpiel's counterfactual regret minimisation (CFR) in C++, for games whose players move at once. Called by one thread.

Its search refuses such games; these solvers take them as games of turns in which the second player does not see the move of
the first. Each goes on iterating over the whole game, and is asked for its average policy at the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .base import needed, until


class Form(NamedTuple):
    """A game as this package calls it, and as OpenSpiel does; actions come in the same order."""

    ours: str
    theirs: str
    parameters: dict[str, Any]


def goofspiel(cards: int) -> Form:
    """Prizes in descending order, which both know; a win or a loss, not points."""
    parameters = {"num_cards": cards, "imp_info": False, "points_order": "descending", "returns_type": "win_loss"}
    return Form(f"goofspiel:cards={cards}", "goofspiel", parameters)


FORMS = {
    "goofspiel_4": goofspiel(4),
    "goofspiel_5": goofspiel(5),
    "oshi_zumo": Form("oshi_zumo:size=1,coins=8", "oshi_zumo", {"size": 1, "coins": 8, "min_bid": 1}),
}


class Iterated(Protocol):
    """Something that gets better the longer it runs."""

    def run(self, seconds: float) -> int:
        """Goes on for so long; returns how many iterations that were."""

    def strategies(self) -> tuple[list[float], list[float]]:
        """What both players do at the root, action by action."""

    def close(self) -> None:
        """Frees what it holds."""


def simultaneous(game: str) -> Any:
    """The game as OpenSpiel has it."""
    form = FORMS[game]
    return needed("pyspiel").load_game(form.theirs, form.parameters)


class CfrRun:
    """A solver at work."""

    def __init__(self, game: str, solver: str, step: str, options: dict[str, Any]) -> None:
        spiel = needed("pyspiel")
        self.game = spiel.convert_to_turn_based(simultaneous(game))
        self.solver = getattr(spiel, solver)(self.game, **options)
        self.step = getattr(self.solver, step)

    def run(self, seconds: float) -> int:
        return until(seconds, self.step)

    def strategies(self) -> tuple[list[float], list[float]]:
        policy, state = self.solver.average_policy(), self.game.new_initial_state()
        row = _probabilities(policy, state)
        state.apply_action(state.legal_actions()[0])  # whatever it is, the second player does not know
        return row, _probabilities(policy, state)

    def close(self) -> None:
        pass


def _probabilities(policy: Any, state: Any) -> list[float]:
    found = policy.action_probabilities(state)
    return [found.get(action, 0.0) for action in state.legal_actions()]


@dataclass(frozen=True)
class Cfr:
    """A solver by its name in OpenSpiel; one that samples is given a seed."""

    name: str
    title: str
    solver: str
    samples: bool
    module: str = "pyspiel"

    def open(self, game: str, seed: int) -> Iterated:
        """A solver that has not begun."""
        step = "run_iteration" if self.samples else "evaluate_and_update_policy"
        return CfrRun(game, self.solver, step, {"seed": seed} if self.samples else {})


SOLVERS = {
    solver.name: solver
    for solver in (
        Cfr("mccfr_outcome", "OpenSpiel outcome-sampling MCCFR", "OutcomeSamplingMCCFRSolver", samples=True),
        Cfr("mccfr_external", "OpenSpiel external-sampling MCCFR", "ExternalSamplingMCCFRSolver", samples=True),
        Cfr("cfr", "OpenSpiel CFR", "CFRSolver", samples=False),
        Cfr("cfr_plus", "OpenSpiel CFR+", "CFRPlusSolver", samples=False),
    )
}
