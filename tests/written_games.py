"""A game as a user writes it in a file of their own, for tests of what takes such files."""

from __future__ import annotations

NIM = '''
from parallel_mcts import TurnState


class Sticks(TurnState):
    """Take one to three sticks; who takes the last one wins."""

    def __init__(self, sticks: int = 10, player: int = 0):
        self.sticks, self.player = sticks, player

    def moves(self):
        return [n for n in (1, 2, 3) if n <= self.sticks]

    def move(self, n):
        return Sticks(self.sticks - n, 1 - self.player)

    def payoff(self):
        return 1.0 if self.player == 1 else 0.0


def hopeless(state):
    return state.sticks == 4 and state.player == 1


def even(state):
    return 0.5
'''
