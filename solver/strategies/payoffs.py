"""What an arrangement is worth against an opponent: objectives, place values and the six figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from solver.game.arrays import IntArray
from solver.strategies.objectives import Objective
from solver.strategies.strength_mix import PlaceDistribution, StrengthMix


@dataclass(frozen=True, slots=True)
class Value:
    """Six exact figures of an arrangement against an opponent; the three probabilities add up to 1."""

    points: Fraction
    opponent_points: Fraction
    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def margin(self) -> Fraction:
        """Own minus the opponent's expected points."""
        return self.points - self.opponent_points

    def of(self, objective: str) -> Fraction:
        """Return the figure that an objective maximises."""
        if objective == Objective.WIN:
            return self.win + self.draw / 2
        return self.margin if objective == "margin" else self.points


def place_counts(distribution: PlaceDistribution, strengths: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    """Return the opponent's weight below and above each strength in one place, arrays of the shape of `strengths`."""
    ends = np.concatenate([[0], np.cumsum(distribution.weights)]).astype(np.int64)
    below = ends[np.searchsorted(distribution.strengths, strengths, side="left")]
    above = ends[-1] - ends[np.searchsorted(distribution.strengths, strengths, side="right")]
    return below, above


def place_values(distribution: PlaceDistribution, weight: int, objective: str, strengths: npt.ArrayLike) -> IntArray:
    """Return G, what a packet of each strength is worth in one place, for an additive objective.

    The unit is one point divided by the total weight of the mix. G never falls when the strength grows.

    Parameters
    ----------
    distribution
        The opponent in this place.
    weight
        Points of the place.
    objective
        ``points`` or ``margin``.
    strengths
        Strengths of any shape.

    Returns
    -------
    ndarray
        int64, the shape of `strengths`.
    """
    below, above = place_counts(distribution, strengths)
    return weight * (below - above) if objective == "margin" else weight * below


def row_margins(strengths: IntArray, rows: IntArray, weights: Sequence[int]) -> IntArray:
    """Return the margin in points, shape (k,), of one strength vector (n,) against each row (k, n)."""
    margins: IntArray = np.sign(strengths - rows) @ np.asarray(weights, dtype=np.int64)
    return margins


def value_against(strengths: Sequence[int], mix: StrengthMix, weights: Sequence[int]) -> Value:
    """Return the six figures of an arrangement, given by its strengths place by place, against a mix."""
    points = opponent_points = 0
    for place, strength in enumerate(strengths):
        below, above = place_counts(mix.places[place], strength)
        points += weights[place] * int(below)
        opponent_points += weights[place] * int(above)
    margins = row_margins(np.asarray(strengths, dtype=np.int64), mix.rows, weights[: len(strengths)])
    win = int(mix.row_weights[margins > 0].sum())
    loss = int(mix.row_weights[margins < 0].sum())
    return Value(
        points=Fraction(points, mix.total),
        opponent_points=Fraction(opponent_points, mix.total),
        win=Fraction(win, mix.row_total),
        draw=Fraction(mix.row_total - win - loss, mix.row_total),
        loss=Fraction(loss, mix.row_total),
    )
