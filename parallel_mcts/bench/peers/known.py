"""All peers, and which of them can be had here. Called by one thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from ...errors import unknown_name
from .base import Peer, trouble
from .mcts_simple_search import MctsSimple
from .mctspy_search import Mctspy
from .monte_carlo_tree_search import MonteCarloTreeSearch
from .multimcts_search import Multimcts
from .open_spiel_mcts import OpenSpielCpp, OpenSpielPython

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (OpenSpielCpp(), OpenSpielPython(), Multimcts(), MonteCarloTreeSearch(), Mctspy(), MctsSimple())
}
Thing = TypeVar("Thing")


def chosen(kind: str, names: Iterable[str], known: dict[str, Thing]) -> list[Thing]:
    """The things of these names, all where none is named."""
    wanted = list(names)
    for name in wanted:
        if name not in known:
            raise unknown_name(kind, name, known)
    return [known[name] for name in dict.fromkeys(wanted)] if wanted else list(known.values())


def present(peers: Sequence[Peer]) -> tuple[list[Peer], dict[str, str]]:
    """The peers that are installed, and why the others are not to be had, by title."""
    reasons = {peer.title: trouble(peer.module) for peer in peers}
    return [peer for peer in peers if not reasons[peer.title]], {title: why for title, why in reasons.items() if why}
