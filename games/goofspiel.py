"""Goofspiel: prizes are turned up one by one, and for each prize both players secretly choose a card of their hand,
then show them. The higher card takes the prize; the cards are spent. Equal cards: the prize is discarded, split, or
carried over and added to the next one (what is carried past the last prize is lost). The game ends with the hands; the
player with more points wins. Payoffs are 1, 0 and -1 for a win, a draw and a loss; or, if points are the score, row's
points less column's, which range from minus to plus the sum of all prizes: a value is then a difference in points.

Only the difference in points ever counts, so it is all that a position keeps; splitting a prize changes it no more
than discarding does, and the two come to the same game.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index

from parallel_mcts.errors import ParameterError
from parallel_mcts.state import IDLE, Label, State

from .chance import Rng
from .parameters import one_of, whole_number

HIGHEST_CARD = 60  # bit c of a hand is card c, and a hand is one machine word
USUAL_CARDS = 4


# ---------------------------------------------------------------------------------------------- rules of both variants
def nth_card(hand: int, k: int) -> int:
    """The k-th lowest card of a hand."""
    while k > 0:
        hand &= hand - 1
        k -= 1
    card = 0
    while hand & 1 == 0:
        hand >>= 1
        card += 1
    return card


def settle(row_card: int, col_card: int, stake: int, carry: bool) -> tuple[int, int]:
    """By how much row's lead grows, and what is carried over to the next prize."""
    if row_card > col_card:
        return stake, 0
    if row_card < col_card:
        return -stake, 0
    return 0, stake if carry else 0


def final_payoff(lead: int, by_points: bool) -> float:
    """Row's payoff at the end."""
    if by_points:
        return float(lead)
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


def cards_of(hand: int) -> list[int]:
    return [card for card in range(hand.bit_length()) if hand >> card & 1]


def hand_of(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _shown(cards: Sequence[int]) -> str:
    return " ".join(str(card) for card in cards) or "none"


def _described(prizes: str, row_hand: int, col_hand: int, lead: int, pot: int) -> str:
    carried = f" (and {pot} carried over)" if pot else ""
    return "\n".join(
        (
            f"prizes: {prizes}{carried}",
            f"row:    {_shown(cards_of(row_hand))}",
            f"column: {_shown(cards_of(col_hand))}",
            f"row leads by {lead}",
        )
    )


# ---------------------------------------------------------------------------------------------- positions
class Goofspiel(State):
    """A position of the game with a prize order that both players know."""

    row_hand: int
    col_hand: int
    prizes: tuple[int, ...]
    turn: int = 0
    lead: int = 0
    pot: int = 0
    carry: bool = False
    by_points: bool = False

    @property
    def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
        most = float(sum(self.prizes)) if self.by_points else 1.0
        return -most, most

    def shape(self) -> tuple[int, int]:
        cards = len(self.prizes) - self.turn
        return cards, cards

    def play(self, i: int, j: int) -> Goofspiel:
        row_card = nth_card(self.row_hand, i)
        col_card = nth_card(self.col_hand, j)
        gain, pot = settle(row_card, col_card, self.pot + self.prizes[self.turn], self.carry)
        return Goofspiel(
            self.row_hand ^ 1 << row_card,
            self.col_hand ^ 1 << col_card,
            self.prizes,
            self.turn + 1,
            self.lead + gain,
            pot,
            self.carry,
            self.by_points,
        )

    def payoff(self) -> float:
        return final_payoff(self.lead, self.by_points)

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        return cards_of(self.row_hand), cards_of(self.col_hand)

    def __str__(self) -> str:
        return _described(_shown(self.prizes[self.turn :]), self.row_hand, self.col_hand, self.lead, self.pot)


class RandomGoofspiel(State):
    """A position of the game whose prizes are shuffled: chance turns up each one once the cards for the last are shown.

    Before the first, both players have a single action, which turns it up.
    """

    row_hand: int
    col_hand: int
    deck: int  # the prizes still face down
    left: int  # cards in each hand
    total: int  # points of all prizes together
    prize: int = 0  # the one face up; 0 if none is
    lead: int = 0
    pot: int = 0
    carry: bool = False
    by_points: bool = False

    @property
    def payoff_range(self) -> tuple[float, float]:  # type: ignore[override]
        most = float(self.total) if self.by_points else 1.0
        return -most, most

    def shape(self) -> tuple[int, int]:
        if self.prize == 0 and self.left > 0:
            return 1, 1
        return self.left, self.left

    def play(self, i: int, j: int, rng: Rng) -> RandomGoofspiel:
        settled = self.settled(i, j)
        if settled.left == 0:
            return settled
        return settled.turned_up(nth_card(settled.deck, int(rng.random() * settled.left)))

    def outcomes(self, i: int, j: int) -> list[tuple[Fraction, RandomGoofspiel]]:
        settled = self.settled(i, j)
        if settled.left == 0:
            return [(Fraction(1), settled)]
        return [(Fraction(1, settled.left), settled.turned_up(prize)) for prize in cards_of(settled.deck)]

    def settled(self, i: int, j: int) -> RandomGoofspiel:
        """The position once the cards are shown and the next prize is still face down."""
        if self.prize == 0:
            return self
        row_card = nth_card(self.row_hand, i)
        col_card = nth_card(self.col_hand, j)
        gain, pot = settle(row_card, col_card, self.pot + self.prize, self.carry)
        return RandomGoofspiel(
            self.row_hand ^ 1 << row_card,
            self.col_hand ^ 1 << col_card,
            self.deck,
            self.left - 1,
            self.total,
            0,
            self.lead + gain,
            pot,
            self.carry,
            self.by_points,
        )

    def turned_up(self, prize: int) -> RandomGoofspiel:
        """The position with a prize of the deck face up."""
        return RandomGoofspiel(
            self.row_hand,
            self.col_hand,
            self.deck ^ 1 << prize,
            self.left,
            self.total,
            prize,
            self.lead,
            self.pot,
            self.carry,
            self.by_points,
        )

    def observation(self) -> int:
        """The prize that chance turned up; 0 at the end."""
        return self.prize

    def payoff(self) -> float:
        return final_payoff(self.lead, self.by_points)

    def labels(self) -> tuple[Sequence[Label], Sequence[Label]]:
        if self.prize == 0 and self.left > 0:
            return (IDLE,), (IDLE,)
        return cards_of(self.row_hand), cards_of(self.col_hand)

    def __str__(self) -> str:
        face_up = str(self.prize) if self.prize else "none"
        prizes = f"{face_up}, face down: {_shown(cards_of(self.deck))}"
        return _described(prizes, self.row_hand, self.col_hand, self.lead, self.pot)


# ---------------------------------------------------------------------------------------------- factory
def goofspiel(
    cards: int | None = None,
    prizes: str | Sequence[int] = "descending",
    row_hand: str | Sequence[int] | None = None,
    col_hand: str | Sequence[int] | None = None,
    ties: str = "discard",
    score: str = "win",
) -> Goofspiel | RandomGoofspiel:
    """The start of a game.

    There are as many prizes, worth 1 to `cards`, as cards in a hand: as many as in what is given, else 4. `prizes` is
    descending, ascending, random or an order such as 3-2-1; a hand is 1 to `cards` unless given, such as 2-3-4. From
    Python orders and hands may be sequences too. `ties` is discard, split or carry; `score` is win or points.
    """
    carry = one_of("ties", ties, ("discard", "split", "carry")) == "carry"
    by_points = one_of("score", score, ("win", "points")) == "points"
    row = _hand("row_hand", row_hand)
    col = _hand("col_hand", col_hand)
    named = isinstance(prizes, str) and prizes in ("descending", "ascending", "random")
    order = [] if named else _prize_order(prizes)
    count = _agreed(cards, {"row_hand": row, "col_hand": col, "prizes": order})

    one_to_count = list(range(1, count + 1))
    row_cards, col_cards = hand_of(row or one_to_count), hand_of(col or one_to_count)
    if named and prizes == "random":
        deck, total = hand_of(one_to_count), sum(one_to_count)
        return RandomGoofspiel(row_cards, col_cards, deck, count, total, carry=carry, by_points=by_points)
    if named:
        order = one_to_count if prizes == "ascending" else one_to_count[::-1]
    return Goofspiel(row_cards, col_cards, tuple(order), carry=carry, by_points=by_points)


def _hand(name: str, given: str | Sequence[int] | None) -> list[int]:
    """The cards of a hand; none if it was not given."""
    if given is None:
        return []
    cards = _numbers(given)
    if not cards or len(set(cards)) < len(cards) or not all(1 <= card <= HIGHEST_CARD for card in cards):
        allowed = f"different whole numbers from 1 to {HIGHEST_CARD}"
        raise ParameterError(f"{name} is {given!r}; a hand is {allowed}, such as 2-3-4")
    return cards


def _prize_order(given: str | Sequence[int]) -> list[int]:
    """All prizes, from 1 on, in the order given."""
    prizes = _numbers(given)
    if not prizes or len(prizes) > HIGHEST_CARD or sorted(prizes) != list(range(1, len(prizes) + 1)):
        allowed = f"an order of the prizes 1 to n (n at most {HIGHEST_CARD}), each once, such as 3-2-1"
        raise ParameterError(f"prizes is {given!r}; give descending, ascending, random, or {allowed}")
    return prizes


def _numbers(given: str | Sequence[int]) -> list[int]:
    """The whole numbers of a text such as 3-2-1, or of a sequence; none if it holds anything else."""
    if isinstance(given, str):
        parts = given.split("-")
        return [int(part) for part in parts] if all(part.isascii() and part.isdigit() for part in parts) else []
    try:
        return [] if any(isinstance(item, bool) for item in given) else [index(item) for item in given]
    except TypeError:
        return []


def _agreed(cards: int | None, given: dict[str, list[int]]) -> int:
    """How many cards each player has."""
    counts = {name: len(numbers) for name, numbers in given.items() if numbers}
    if cards is not None:
        counts["cards"] = whole_number("cards", cards, 1, HIGHEST_CARD)
    if len(set(counts.values())) > 1:
        sizes = ", ".join(f"{name} {'is' if name == 'cards' else 'has'} {count}" for name, count in counts.items())
        raise ParameterError(f"hands and prizes must be equally many: {sizes}")
    return next(iter(counts.values())) if counts else USUAL_CARDS
