"""An opponent as every engine sees it: integer weights on packet strengths."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solver.game.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PlaceDistribution:
    """How strong the opponent's packet in one place is.

    Parameters
    ----------
    strengths
        Shape (k,), int64, strictly ascending.
    weights
        Shape (k,), int64, positive; probability = weight / total of the mix.
    """

    strengths: IntArray
    weights: IntArray

    @classmethod
    def of(cls, strengths: IntArray, weights: IntArray) -> "PlaceDistribution":
        """Add up the weights of equal strengths and drop those of weight 0."""
        values, inverse = np.unique(strengths, return_inverse=True)
        sums = np.zeros(len(values), dtype=np.int64)
        np.add.at(sums, inverse.ravel(), weights)
        return cls(values[sums > 0], sums[sums > 0])


@dataclass(frozen=True, eq=False)
class StrengthMix:
    """A mixed strategy reduced to strengths, in exact integers.

    Parameters
    ----------
    places
        One distribution a place; their weights add up to the same total. `points` and `margin` depend on nothing else.
    rows
        Shape (k, n), int64: the strengths, place by place, of the arrangements that `win` is measured against: all of
        them, or a sample of them where there are too many.
    row_weights
        Shape (k,), int64, positive.
    sampled
        Whether `rows` is a sample.
    """

    places: tuple[PlaceDistribution, ...]
    rows: IntArray
    row_weights: IntArray
    sampled: bool = False

    @classmethod
    def of_rows(cls, rows: IntArray, weights: IntArray) -> "StrengthMix":
        """Return the mix that plays each row of strengths with its weight; equal rows become one."""
        strengths, classes = np.unique(rows, return_inverse=True)
        # One number for each row, in lexicographic order: sorting numbers is several times faster than sorting rows.
        keys = classes.reshape(rows.shape) @ len(strengths) ** np.arange(rows.shape[1], dtype=np.int64)[::-1]
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        sums = np.zeros(len(first), dtype=np.int64)
        np.add.at(sums, inverse.ravel(), weights)
        distinct, sums = rows[first[sums > 0]], sums[sums > 0]
        places = tuple(PlaceDistribution.of(column, sums) for column in distinct.T)
        return cls(places, distinct, sums)

    @cached_property
    def total(self) -> int:
        """Total weight of each place distribution."""
        return int(self.places[0].weights.sum())

    @cached_property
    def row_total(self) -> int:
        """Total weight of the rows."""
        return int(self.row_weights.sum())

    def at_places(self, places: list[int]) -> "StrengthMix":
        """Return the mix as seen in some of its places (0-based, ascending); the rows keep their number and order."""
        return StrengthMix(
            tuple(self.places[place] for place in places),
            self.rows[:, places],
            self.row_weights,
            self.sampled,
        )
