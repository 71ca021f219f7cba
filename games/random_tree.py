"""A random tree: in each position both players have the same number of actions, each joint action leads to one of
several positions with probabilities drawn at random, and after a fixed number of joint actions the game ends with a
random payoff between 0 and 1. Nothing is stored: probabilities and payoffs are hashes of the path, so a seed names one
tree for good, in either engine, and a tree of any size costs nothing to make. Small ones know their equilibrium.
"""

from __future__ import annotations

from parallel_mcts.state import Solution, State

from .chance import Rng
from .parameters import whole_number

# 31 bits at a time: the product of two such numbers fits the 63 bits of a compiled integer, so nothing overflows there.
BITS = 31
MASK = (1 << BITS) - 1
STEP = 1327217885  # 2**31 divided by the golden ratio, odd: spreads consecutive numbers
WEIGHT_SALT = 0x2545F491
PAYOFF_SALT = 0x5851F42D
HEAVIEST = 1024  # times as likely as the least likely outcome, at most


def mix(number: int) -> int:
    """Scatters the 31-bit numbers; different ones stay different."""
    number = (number ^ number >> 16) * 0x045D9F3B & MASK
    number = (number ^ number >> 15) * 0x045D9F3B & MASK
    return number ^ number >> 16


def child_of(node: int, step: int) -> int:
    """The hash of a node's child; different steps from one node never meet."""
    return mix((node + (step + 1) * STEP) & MASK)


def weight_of(node: int) -> int:
    """How likely chance is to lead to a node, compared with its rivals: 1 to HEAVIEST."""
    return 1 + mix(node ^ WEIGHT_SALT) % HEAVIEST


class RandomTree(State):
    """A position: the hash of the path that led to it, and how many joint actions are still to come."""

    actions: int
    transitions: int
    left: int
    node: int

    def shape(self) -> tuple[int, int]:
        if self.left == 0:
            return 0, 0
        return self.actions, self.actions

    def first_step(self, i: int, j: int) -> int:
        """The number of a joint action's first outcome among the steps from a node."""
        return (i * self.actions + j) * self.transitions

    def play(self, i: int, j: int, rng: Rng) -> RandomTree:
        first = self.first_step(i, j)
        total = 0
        for k in range(self.transitions):
            total += weight_of(child_of(self.node, first + k))
        drawn = int(rng.random() * total)
        k = 0
        node = child_of(self.node, first)
        drawn -= weight_of(node)
        while drawn >= 0:
            k += 1
            node = child_of(self.node, first + k)
            drawn -= weight_of(node)
        return RandomTree(self.actions, self.transitions, self.left - 1, node)

    def outcomes(self, i: int, j: int) -> list[tuple[float, RandomTree]]:
        first = self.first_step(i, j)
        nodes = [child_of(self.node, first + k) for k in range(self.transitions)]
        weights = [weight_of(node) for node in nodes]
        total = sum(weights)
        return [
            (weight / total, RandomTree(self.actions, self.transitions, self.left - 1, node))
            for weight, node in zip(weights, nodes, strict=True)
        ]

    def payoff(self) -> float:
        return mix(self.node ^ PAYOFF_SALT) / MASK

    def solution(self) -> Solution:
        """The equilibrium, by solving every position below: time grows as (actions² · transitions) ** left."""
        if self.left == 0:
            return Solution((), (), self.payoff(), 1.0 - self.payoff())
        from parallel_mcts.matrix import solve_matrix  # only who asks needs the solver

        everyone = range(self.actions)
        value, row, col = solve_matrix([[self._expected(i, j) for j in everyone] for i in everyone])
        return Solution(row, col, value, 1.0 - value)

    def _expected(self, i: int, j: int) -> float:
        """The value of a joint action, averaged over chance."""
        return sum(probability * after.solution().row_value for probability, after in self.outcomes(i, j))

    def __str__(self) -> str:
        if self.left == 0:
            return f"leaf {self.node:08x}, payoff {self.payoff():.4f}"
        return f"node {self.node:08x}, joint actions to come: {self.left}"


def random_tree(depth: int = 3, actions: int = 2, transitions: int = 2, seed: int = 0) -> RandomTree:
    """The root of the tree that a seed names."""
    depth = whole_number("depth", depth, 1, 1000)
    actions = whole_number("actions", actions, 1, 1000)
    transitions = whole_number("transitions", transitions, 1, 1000)
    return RandomTree(actions, transitions, depth, _root(whole_number("seed", seed, 0, 2**64 - 1)))


def _root(seed: int) -> int:
    """The hash of a seed of up to 64 bits."""
    node = 0
    for shift in (0, BITS, 2 * BITS):
        node = child_of(node, seed >> shift & MASK)
    return node
