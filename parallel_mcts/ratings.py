"""What the results of games say about the strength of players: intervals, ratings, and when enough has been played.

Leaf module of pure functions, used by tournaments. A draw counts as half a win throughout.

- Wilson, "Probable inference, the law of succession, and statistical inference" (1927): the interval of a win rate.
- Bradley and Terry, "Rank analysis of incomplete block designs" (1952): strengths such that i beats j with probability
  1 / (1 + exp(θj − θi)); Elo is θ times 400 / ln 10.
- Wald, "Sequential tests of statistical hypotheses" (1945), for the bounds; Van den Bergh, "A practical introduction to the
  GSPRT", for the likelihood ratio of wins, draws and losses whose proportions are not known beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from .errors import ParameterError

ELO = 400 / math.log(10)
"""Elo points for each unit of the natural logarithm of the odds."""
PRIOR_GAMES = 1.0
UNSEEN = 1e-3
"""How many games count for a result that has not been seen, so that its logarithm exists."""
NEWTON_STEPS = 200
LONGEST_STEP = 2.0
TINY = 1e-12
BISECTIONS = 80


def quantile(confidence: float) -> float:
    """How many standard deviations a two-sided interval reaches out."""
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence is {confidence!r}; it must be between 0 and 1")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(score: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """The interval in which the rate of a player lies that scored so many points in so many games."""
    if games == 0:
        return 0.0, 1.0
    z, p = quantile(confidence), score / games
    centre = (p + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return max(0.0, centre - reach), min(1.0, centre + reach)


def expected_score(elo: float) -> float:
    """What a player gets per game who is so many points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


# ---------------------------------------------------------------------------------------------- ratings
@dataclass(frozen=True)
class Rating:
    """A player's Elo, relative to the mean of all players, and the interval in which it lies."""

    elo: float
    low: float
    high: float


def bradley_terry(
    players: Sequence[str],
    games: Iterable[tuple[str, str, float]],
    *,
    confidence: float = 0.95,
    prior: float = PRIOR_GAMES,
) -> dict[str, Rating]:
    """The ratings under which games (player, player, score of the first) are likeliest.

    `prior` is how many drawn games each player is given against one of average strength. It keeps the rating finite of a
    player who won or lost every game, and fades as games are played. Intervals come from the curvature of the
    likelihood at its maximum.
    """
    import numpy as np

    if not prior > 0:
        raise ParameterError(f"prior is {prior!r}; it must be above 0")
    number = {name: k for k, name in enumerate(players)}
    met, score = np.zeros((len(number), len(number))), np.zeros(len(number))
    for one, other, points in games:
        i, j = number[one], number[other]
        met[i, j] += 1
        met[j, i] += 1
        score[i] += points
        score[j] += 1 - points
    strengths, curvature = _likeliest(met, score, prior)
    centring = np.eye(len(number)) - 1 / len(number)
    spread = centring @ np.linalg.inv(curvature) @ centring.T
    reach = quantile(confidence) * np.sqrt(np.maximum(0.0, np.diag(spread)))
    centred = strengths - strengths.mean()
    return {
        name: Rating(*(float(ELO * x) for x in (centred[k], centred[k] - reach[k], centred[k] + reach[k])))
        for name, k in number.items()
    }


def _likeliest(met: Any, score: Any, prior: float) -> tuple[Any, Any]:
    """The strengths of greatest likelihood by Newton's method, and the curvature there; the function is concave."""
    import numpy as np

    def slope(theta: Any) -> Any:
        wins = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        return score - (met * wins).sum(axis=1) + prior * (0.5 - 1 / (1 + np.exp(-theta)))

    def curvature(theta: Any) -> Any:
        wins = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        pairs, alone = met * wins * (1 - wins), 1 / (1 + np.exp(-theta))
        return np.diag(pairs.sum(axis=1) + prior * alone * (1 - alone)) - pairs

    theta = np.zeros(len(score))
    for _ in range(NEWTON_STEPS):
        step = np.linalg.solve(curvature(theta), slope(theta))
        size = np.abs(step).max(initial=0.0)
        theta = theta + step * min(1.0, LONGEST_STEP / max(size, TINY))  # far from the maximum a whole step goes too far
        if size < TINY:
            break
    return theta, curvature(theta)


# ---------------------------------------------------------------------------------------------- when to stop
@dataclass(frozen=True)
class Sprt:
    """A sequential test of whether one player is `elo0` (or less) or `elo1` (or more) points stronger than another.

    `alpha` is the risk of accepting `elo1` where `elo0` is true, `beta` that of the reverse.
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ParameterError(f"elo0 is {self.elo0!r} and elo1 is {self.elo1!r}; the first must be below the second")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ParameterError(f"{name} is {getattr(self, name)!r}; it must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first `elo0` is accepted, above the second `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, wins: float, draws: float, losses: float) -> float:
        """The logarithm of how much likelier the results are under `elo1` than under `elo0`.

        Under each, the proportions of wins, draws and losses are the likeliest that have the expected score.
        """
        counts = [max(count, UNSEEN) for count in (losses, draws, wins)]
        total = sum(counts)
        seen = [(score, count / total) for score, count in zip((0.0, 0.5, 1.0), counts, strict=True)]
        one, other = (_fitted(seen, expected_score(elo)) for elo in (self.elo1, self.elo0))
        return total * sum(p * math.log(a / b) for (_, p), a, b in zip(seen, one, other, strict=True))

    def decision(self, wins: float, draws: float, losses: float) -> str | None:
        """`"elo0"` or `"elo1"`, or None while neither is certain enough."""
        if wins + draws + losses == 0:
            return None
        ratio, (low, high) = self.llr(wins, draws, losses), self.bounds
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


def _fitted(seen: Sequence[tuple[float, float]], mean: float) -> list[float]:
    """The likeliest proportions with a given mean: p / (1 + t (score − mean)), where t makes the mean come out."""
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(BISECTIONS):
        t = (low + high) / 2
        if sum(p * (score - mean) / (1 + t * (score - mean)) for score, p in seen) > 0:
            low = t
        else:
            high = t
    return [p / (1 + t * (score - mean)) for score, p in seen]
