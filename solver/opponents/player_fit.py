"""What a player does, learnt from recorded deals.

The player is a mixture of the components of `player_components`. The weights, and the one habit of order that all ways
to split share, maximise the likelihood (EM) with `PRIOR_DEALS` imagined deals of ``quantal:1`` on top: who is known
from few deals is taken for a strong player.

References
----------
A. P. Dempster, N. M. Laird, D. B. Rubin: Maximum likelihood from incomplete data via the EM algorithm. Journal of the
Royal Statistical Society B 39 (1977).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.errors import OpponentError
from solver.game.arrays import BoolArray, FloatArray, IntArray
from solver.opponents.order_habit import learn_habit
from solver.opponents.player_components import COMPONENTS, NAMED, SPLITS, Observation
from solver.strategies.rounding import apportion_probabilities

PRIOR_DEALS = 1.0
FLOOR = 1e-8
"""Chance of an outcome that is outside all components, in the likelihood alone."""
CARELESS = 0.05
"""Share of careless splits that is mixed into a named model where models are compared."""
UNITS = 1_000_000
"""Total of the weights of components, and of orders."""
_ROUNDS = 60
_HABIT_EVERY = 3
_FOLDS = 5
_RESAMPLES = 40
_SMALLEST_WEIGHT = 0.005
"""A component below is noise, and is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class PlayerFit:
    """A fitted player.

    Parameters
    ----------
    weights
        Shape (len(COMPONENTS),), int64, adding up to `UNITS`.
    spread
        Shape (len(COMPONENTS),): standard deviation of the shares over resampled deals.
    habit
        Shape (n!,), int64, adding up to `UNITS`: the habit of order.
    log_likelihood
        Mean over the deals, each predicted from others (cross-validation); None for one deal.
    compared
        Mean log likelihood by named model.
    """

    weights: IntArray
    spread: FloatArray
    habit: IntArray
    log_likelihood: float | None
    compared: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Observations as arrays: a row a deal."""

    named: FloatArray
    splits: FloatArray
    classes: BoolArray

    @classmethod
    def of(cls, observations: Sequence[Observation]) -> "_Sample":
        return cls(
            np.array([each.named for each in observations]),
            np.array([each.splits for each in observations]),
            np.array([each.classes for each in observations]),
        )

    def at(self, rows: IntArray | BoolArray) -> "_Sample":
        return _Sample(self.named[rows], self.splits[rows], self.classes[rows])

    def chances(self, habit: FloatArray) -> FloatArray:
        """Return the chance of every outcome by component, shape (d, len(COMPONENTS))."""
        return np.concatenate([self.named, self.splits * (self.classes @ habit)[:, None]], axis=1)


def fit_player(observations: Sequence[Observation], seed: int = 0) -> PlayerFit:
    """Fit a player to what was observed.

    Parameters
    ----------
    observations
        One a deal; those outside all components count in the likelihood alone.
    seed
        Of the folds and resamples.

    Raises
    ------
    OpponentError
        If there is none inside.
    """
    inside = [each for each in observations if not each.outside]
    if not inside:
        raise OpponentError("no deal was laid in a way that the models know: nothing to fit")
    sample, generator = _Sample.of(inside), np.random.default_rng(seed)
    weights, habit = _fitted(sample)
    resampled = [
        _weights(sample.at(generator.integers(len(inside), size=len(inside))), habit, weights)
        for _ in range(_RESAMPLES)
    ]
    return PlayerFit(
        weights=apportion_probabilities(weights, UNITS),
        spread=np.std(resampled, axis=0),
        habit=apportion_probabilities(habit, UNITS),
        log_likelihood=_cross_validated(_Sample.of(observations), generator) if len(observations) > 1 else None,
        compared=_compared(_Sample.of(observations)),
    )


def _prior() -> FloatArray:
    return np.array([PRIOR_DEALS if name == "quantal:1" else 0.0 for name in COMPONENTS])


def _fitted(sample: _Sample) -> tuple[FloatArray, FloatArray]:
    """Return the shares of the components and the habit of order."""
    orders = sample.classes.shape[1]
    habit, weights = np.full(orders, 1 / orders), np.full(len(COMPONENTS), 1 / len(COMPONENTS))
    for round_ in range(_ROUNDS):
        joint = sample.chances(habit) * weights
        shares = joint / joint.sum(axis=1, keepdims=True)
        weights = shares.sum(axis=0) + _prior()
        weights /= weights.sum()
        if round_ % _HABIT_EVERY == 0:
            habit = learn_habit(sample.classes, shares[:, len(NAMED) :].sum(axis=1), habit)
    return _weights(sample, habit, np.where(weights < _SMALLEST_WEIGHT, 0.0, weights)), habit


def _weights(sample: _Sample, habit: FloatArray, start: FloatArray) -> FloatArray:
    """Return the shares of the components under a given habit; those that are 0 at the start stay 0."""
    chances, prior = sample.chances(habit), np.where(start > 0, _prior(), 0.0)
    weights = start / start.sum()
    for _ in range(_ROUNDS):
        joint = np.maximum(chances * weights, 0.0)
        whole = joint.sum(axis=1, keepdims=True)
        shares = np.divide(joint, whole, out=np.zeros_like(joint), where=whole > 0)
        weights = shares.sum(axis=0) + prior
        weights /= weights.sum()
    return np.asarray(weights)


def _mean_log(chances: FloatArray) -> float:
    return float(np.log(np.maximum(chances, FLOOR)).mean())


def _cross_validated(sample: _Sample, generator: np.random.Generator) -> float | None:
    """Return the mean log likelihood of deals, each predicted from those of the other folds."""
    count = len(sample.named)
    fold = generator.permutation(np.arange(count) % min(_FOLDS, count))
    predicted = np.zeros(count)
    inside = sample.named.any(axis=1) | sample.splits.any(axis=1)
    for number in range(fold.max() + 1):
        learnt, asked = (fold != number) & inside, fold == number
        if not learnt.any():
            return None
        weights, habit = _fitted(sample.at(learnt))
        predicted[asked] = sample.at(asked).chances(habit) @ weights
    return _mean_log(predicted)


def _compared(sample: _Sample) -> dict[str, float]:
    """Return the mean log likelihood of every named model with a few careless splits in any order."""
    orders = sample.classes.shape[1]
    slips = sample.splits[:, SPLITS.index("split:careless")] * sample.classes.sum(axis=1) / orders
    return {
        name: _mean_log((1 - CARELESS) * sample.named[:, index] + CARELESS * slips) for index, name in enumerate(NAMED)
    }
