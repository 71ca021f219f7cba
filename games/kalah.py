"""Kalah: two sides of so many holes, each with so many beans, and a pot for each player. SOUTH is row and begins; NORTH
is column. Holes are numbered from 1, left to right, on both sides; SOUTH's pot is at the right, NORTH's at the left.

Who is to move takes all beans of one of their holes and sows them one by one anticlockwise, into their own pot as they
pass it and never into the other's. If the last bean falls into their own pot, they move again. If it falls into a hole
of theirs that was empty, and there are beans in the hole opposite, that bean and those opposite go to their pot;
`capture=empty` takes the bean home even if the hole opposite is empty. The game ends as soon as either side is empty, or,
with `end=mover`, when the player to move has no beans; what is left then goes to the pot of the side where it lies.

`score=win` pays row 1 for more beans, 0.5 for as many, 0 for fewer; `score=margin` pays how many more. There may be 1 to
20 holes a side and 1 to 1000 beans a hole; `Kalah.position` sets up any other position.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import IDLE, Label, State, replaced

from .chance import Rng
from .parameters import one_of, whole_number

MOST_HOLES, MOST_BEANS = 20, 1000
MOST_SET_UP = 10**6  # beans in one place of a position that is set up
PACKED_BITS = 62  # of a whole number, for a side of the board
SOUTH, NORTH = 0, 1
PLAYERS = ("south", "north")


# ---------------------------------------------------------------------------------------------- rules
# Pits are in the order of sowing: SOUTH's holes from the left, SOUTH's pot, NORTH's holes from the right, NORTH's pot.
# A player's pits are then `first` to `first + holes`, the last of them the pot.
def choices(pits: Any, player: int) -> int:
    """How many holes of a player have beans."""
    holes = len(pits) // 2 - 1
    first = player * (holes + 1)
    count = 0
    for k in range(first, first + holes):
        if pits[k] > 0:
            count += 1
    return count


def nth_choice(pits: Any, player: int, n: int) -> int:
    """The pit of the n-th hole, from the left, that has beans."""
    holes = len(pits) // 2 - 1
    step = 1 if player == 0 else -1
    k = 0 if player == 0 else 2 * holes
    while True:
        if pits[k] > 0:
            if n == 0:
                return k
            n -= 1
        k += step


def next_pit(pits: Any, player: int, k: int) -> int:
    """Where the bean after the one in pit k goes: the other player's pot is passed by."""
    last = len(pits) - 1
    passed = last if player == 0 else last // 2
    k += 1
    if k == passed:
        k += 1
    return k if k <= last else 0


def captures(pits: Any, player: int, last: int, empty_too: bool) -> bool:
    """Whether a bean that was sown last, into pit `last`, goes home with those opposite."""
    holes = len(pits) // 2 - 1
    first = player * (holes + 1)
    own = first <= last < first + holes
    return own and pits[last] == 1 and (empty_too or pits[2 * holes - last] > 0)


def is_finished(pits: Any, player: int, mover_only: bool) -> bool:
    """Whether nothing more can be played."""
    return choices(pits, player) == 0 or (not mover_only and choices(pits, 1 - player) == 0)


def lead(pits: Any) -> int:
    """How many beans SOUTH has more than NORTH, if each has what lies on their own side."""
    half = len(pits) // 2
    difference = 0
    for k in range(half):
        difference += pits[k] - pits[half + k]
    return difference


# ---------------------------------------------------------------------------------------------- positions
class Kalah(State):
    """A position: beans in the order of sowing, from SOUTH's leftmost hole to NORTH's pot; `player` is 0 for SOUTH."""

    pits: tuple[int, ...]
    player: int = SOUTH
    capture_empty: bool = False
    end_mover: bool = False
    by_margin: bool = False

    @property
    def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
        """All beans to one player, or a win."""
        total = float(sum(self.pits))
        return (-total, total) if self.by_margin and total else (0.0, 1.0)

    def shape(self) -> tuple[int, int]:
        moves = choices(self.pits, self.player)
        if moves == 0 or (not self.end_mover and choices(self.pits, 1 - self.player) == 0):
            return 0, 0
        return (moves, 1) if self.player == 0 else (1, moves)

    def play(self, i: int, j: int) -> Kalah:
        pits, player = self.pits, self.player
        at = nth_choice(pits, player, i + j)
        beans = pits[at]
        pits = replaced(pits, at, 0)
        for _ in range(beans):
            at = next_pit(pits, player, at)
            pits = replaced(pits, at, pits[at] + 1)
        half = len(pits) // 2
        pot = half - 1 + player * half
        if captures(pits, player, at, self.capture_empty):
            pits = moved(moved(pits, at, pot), 2 * half - 2 - at, pot)
        if at != pot:
            player = 1 - player
        if is_finished(pits, player, self.end_mover):
            pits = swept(pits)
        return Kalah(pits, player, self.capture_empty, self.end_mover, self.by_margin)

    def payoff(self) -> float:
        return score(lead(self.pits), self.by_margin)

    def heuristic(self) -> float:
        """Twice the difference of the pots and that of the beans in play; a finished game is won, lost or drawn."""
        ahead = lead(self.pits)
        if self.shape()[0] == 0:
            return inf if ahead > 0 else -inf if ahead < 0 else 0.0
        half = len(self.pits) // 2
        return float(ahead + self.pits[half - 1] - self.pits[2 * half - 1])

    def rollout(self, rng: Rng) -> float:
        """The random game that `play` would give with the same random numbers, in packed numbers where they fit."""
        holes, total = len(self.pits) // 2 - 1, 0
        for beans in self.pits:
            total += beans
        bits = PACKED_BITS // holes
        if total < 1 << bits:
            sides = packed(self.pits, 0, holes, bits), packed(self.pits, holes + 1, holes, bits)
            pots = self.pits[holes], self.pits[2 * holes + 1]
            difference = packed_game(rng, self.player, sides, pots, holes, bits, self.capture_empty, self.end_mover)
            return score(difference, self.by_margin)
        state = self
        rows, cols = state.shape()
        while rows > 0:
            i = int(rng.random() * rows) if rows > 1 else 0
            j = int(rng.random() * cols) if cols > 1 else 0
            state = state.play(i, j)
            rows, cols = state.shape()
        return state.payoff()

    # ------------------------------------------------------------------------------------------ for people
    @property
    def south(self) -> tuple[int, ...]:
        """SOUTH's holes, from the left."""
        return self.pits[: len(self.pits) // 2 - 1]

    @property
    def north(self) -> tuple[int, ...]:
        """NORTH's holes, from the left."""
        return self.pits[-2 : len(self.pits) // 2 - 1 : -1]

    @property
    def south_pot(self) -> int:
        return self.pits[len(self.pits) // 2 - 1]

    @property
    def north_pot(self) -> int:
        return self.pits[-1]

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        """The numbers of the holes that may be chosen."""
        if self.shape() == (0, 0):
            return (), ()
        side = self.north if self.player else self.south
        holes = [k for k, beans in enumerate(side, start=1) if beans]
        return ((IDLE,), holes) if self.player else (holes, (IDLE,))

    def parse(self, text: str) -> int:
        """A hole by its number."""
        side = self.north if self.player else self.south
        if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= len(side):
            raise ValueError(f"holes are numbered from 1 to {len(side)}")
        if side[int(text) - 1] == 0:
            raise ValueError(f"{PLAYERS[self.player]}'s hole {int(text)} is empty")
        return int(text)

    def __str__(self) -> str:
        width = max(len(str(count)) for count in (*self.pits, len(self.south)))
        numbers, north, south = (
            " ".join(f"{count:>{width}}" for count in line)
            for line in (range(1, len(self.south) + 1), self.north, self.south)
        )
        to_move = f"{PLAYERS[self.player]} to move" if self.shape() != (0, 0) else "the game is over"
        return "\n".join(
            [
                f"       {'':>{width}}   {numbers}",
                f"north  {self.north_pot:>{width}} | {north} |",
                f"south  {'':>{width}} | {south} | {self.south_pot}",
                to_move,
            ]
        )

    @classmethod
    def position(
        cls,
        *,
        north: Sequence[int],
        south: Sequence[int],
        north_pot: int = 0,
        south_pot: int = 0,
        to_move: str = "south",
        capture: str = "standard",
        end: str = "either",
        score: str = "win",
    ) -> Kalah:
        """Any position; both sides are given from the left, hole 1 first."""
        sides = {"north": list(north), "south": list(south)}
        if len(sides["north"]) != len(sides["south"]) or not 1 <= len(sides["south"]) <= MOST_HOLES:
            counts = " and ".join(f"{len(side)} holes of {name} {side!r}" for name, side in sides.items())
            raise ParameterError(f"{counts}; both sides must have as many, from 1 to {MOST_HOLES}")
        beans = {
            name: [whole_number(f"{name}'s hole {k}", count, 0, MOST_SET_UP) for k, count in enumerate(side, start=1)]
            for name, side in sides.items()
        }
        pots = [
            whole_number(name, pot, 0, MOST_SET_UP) for name, pot in (("south_pot", south_pot), ("north_pot", north_pot))
        ]
        return cls(
            (*beans["south"], pots[0], *reversed(beans["north"]), pots[1]),
            PLAYERS.index(one_of("to_move", to_move, PLAYERS)),
            *_rules(capture, end, score),
        )


def moved(pits: tuple[int, ...], source: int, target: int) -> tuple[int, ...]:
    """The pits with the beans of one in another."""
    return replaced(replaced(pits, target, pits[target] + pits[source]), source, 0)


def swept(pits: tuple[int, ...]) -> tuple[int, ...]:
    """The pits once each player has brought home what is left on their side."""
    half = len(pits) // 2
    for k in range(half - 1):
        pits = moved(pits, k, half - 1)
        pits = moved(pits, half + k, 2 * half - 1)
    return pits


def score(difference: int, by_margin: bool) -> float:
    """Row's payoff for being so many beans ahead."""
    if by_margin:
        return float(difference)
    return 0.5 if difference == 0 else 1.0 if difference > 0 else 0.0


# ---------------------------------------------------------------------------------------------- random games, packed
# A side is one number: the beans of its holes in the order of sowing, `bits` bits each. A move is then a few additions.
def packed(pits: Any, first: int, holes: int, bits: int) -> int:
    side = 0
    for k in range(holes):
        side |= pits[first + k] << bits * k
    return side


def packed_game(
    rng: Rng,
    player: int,
    sides: tuple[int, int],
    pots: tuple[int, int],
    holes: int,
    bits: int,
    capture_empty: bool,
    end_mover: bool,
) -> int:
    """How many beans SOUTH is ahead after a random game; no count may need more than `bits` bits."""
    mine, theirs, my_pot, their_pot = sides[player], sides[1 - player], pots[player], pots[1 - player]
    field = (1 << bits) - 1
    ones = packed_ones(holes, bits)
    lap = 2 * holes + 1
    while mine != 0 and (end_mover or theirs != 0):
        hole = packed_choice(rng, mine, player, holes, bits)
        beans = mine >> bits * hole & field
        mine -= beans << bits * hole
        if beans >= lap:
            mine += beans // lap * ones
            theirs += beans // lap * ones
            my_pot += beans // lap
        last = hole + beans % lap  # counted on from the mover's first hole: the pot is `holes`, and so on
        if last < holes:
            mine += (ones & (1 << bits * (last - hole)) - 1) << bits * (hole + 1)
        else:
            mine += ones >> bits * (hole + 1) << bits * (hole + 1)
            my_pot += 1
            theirs += ones & (1 << bits * min(last - holes, holes)) - 1
            if last >= lap:
                last -= lap
                mine += ones & (1 << bits * (last + 1)) - 1
        if last == holes:
            continue
        if last < holes and mine >> bits * last & field == 1:
            opposite = bits * (holes - 1 - last)
            caught = theirs >> opposite & field
            if caught > 0 or capture_empty:
                my_pot += 1 + caught
                theirs -= caught << opposite
                mine -= 1 << bits * last
        mine, theirs, my_pot, their_pot = theirs, mine, their_pot, my_pot
        player = 1 - player
    difference = my_pot - their_pot
    for k in range(holes):
        difference += (mine >> bits * k & field) - (theirs >> bits * k & field)
    return difference if player == 0 else -difference


def packed_ones(holes: int, bits: int) -> int:
    """One bean in each hole."""
    ones = 0
    for k in range(holes):
        ones |= 1 << bits * k
    return ones


def packed_choice(rng: Rng, side: int, player: int, holes: int, bits: int) -> int:
    """A random hole with beans, counted in the order of sowing, which for NORTH runs from the right."""
    field = (1 << bits) - 1
    moves = 0
    for k in range(holes):
        moves += side >> bits * k & field != 0
    n = int(rng.random() * moves) if moves > 1 else 0
    if player == 1:
        n = moves - 1 - n
    hole = seen = 0
    for k in range(holes):  # without a branch, which no processor could foresee
        seen += side >> bits * k & field != 0
        hole += seen <= n
    return hole


# ---------------------------------------------------------------------------------------------- factory
def kalah(holes: int = 6, beans: int = 4, capture: str = "standard", end: str = "either", score: str = "win") -> Kalah:
    """The start: so many beans in every hole, SOUTH to move.

    `capture` is standard or empty, `end` is either or mover, `score` is win or margin.
    """
    side = [whole_number("beans", beans, 1, MOST_BEANS)] * whole_number("holes", holes, 1, MOST_HOLES)
    return Kalah((*side, 0, *side, 0), SOUTH, *_rules(capture, end, score))


def _rules(capture: str, end: str, score: str) -> tuple[bool, bool, bool]:
    return (
        one_of("capture", capture, ("standard", "empty")) == "empty",
        one_of("end", end, ("either", "mover")) == "mover",
        one_of("score", score, ("win", "margin")) == "margin",
    )
