"""A conformance kit for authors: checks of a game, a model, an algorithm, a backend or an agent of one's own.

    from parallel_mcts.testing import check_state
    check_state(MyGame())

Each raises `CheckFailed` with a sentence that says what is wrong, at which position, and what is expected; nothing is
returned. They play random games with a fixed seed, so a failure comes again.
"""

from .agents import check_agent
from .algorithms import check_algorithm
from .backends import check_backend
from .models import check_model
from .states import check_state

__all__ = ["check_agent", "check_algorithm", "check_backend", "check_model", "check_state"]
