"""All peers that play. Called by one thread.

Looked at and left out: `mcts` (its selection takes both players for one), `imparaai-montecarlo` (stands still once it has
come to a finished game), `mcts-solver` (uses a module that it does not import), `pymcts` (selects at random), `fastmcts`
(mctspy with threads, for numpy below 2), `tree-search` (asks its user for the selection rule), `mctx` (JAX, and games
written in it) and `pomdp-py` (one player under uncertainty).
"""

from __future__ import annotations

from .base import Peer
from .mcts_simple_search import MctsSimple
from .mctspy_search import Mctspy
from .monte_carlo_tree_search import MonteCarloTreeSearch
from .multimcts_search import Multimcts
from .open_spiel_mcts import OpenSpielCpp, OpenSpielPython

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (OpenSpielCpp(), OpenSpielPython(), Multimcts(), MonteCarloTreeSearch(), Mctspy(), MctsSimple())
}
