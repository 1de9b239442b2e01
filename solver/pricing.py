"""Gains of all undominated arrangements against a mix of some of them, in floating point.

This is the fast half of the double oracle, asked every round; what it says is checked once, at the end, by the exact
integers of `solver.certificate`. Gains are scaled to payoffs between -1 and 1: ``margin`` by the sum of the place
weights, ``win`` to +1 for a match won and -1 for one lost.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.arrangement_table import ArrangementTable

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


class Pricing(Protocol):
    """What the double oracle needs to know of a game."""

    unit: float
    """Points or probability that one unit of scaled payoff stands for."""

    def gains(self, indices: IntArray, mix: FloatArray) -> FloatArray:
        """Return what every arrangement makes, shape (m, n!), against the mix of those with these indices."""
        ...

    def payoffs(self, first: IntArray, second: IntArray) -> FloatArray:
        """Return what each first arrangement makes against each second one, as a matrix."""
        ...


class MarginPricing:
    """Expected margin: a sum over places, so the mix acts only through its five place distributions."""

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = float(table.place_weights.sum())
        self._table = table

    def gains(self, indices: IntArray, mix: FloatArray) -> FloatArray:
        """See `Pricing`."""
        table = self._table
        rows = table.rows(indices)
        worth = np.empty((len(table.class_strengths), table.places))
        for place, weight in enumerate(table.place_weights):
            density = np.bincount(rows[:, place], mix, len(worth))
            up_to = np.cumsum(density)
            worth[:, place] = (2 * up_to - density - up_to[-1]) * (weight / self.unit)
        return table.over_orders(worth[table.classes])

    def payoffs(self, first: IntArray, second: IntArray) -> FloatArray:
        """See `Pricing`."""
        return _margins(self._table, first, second) / self.unit


class WinPricing:
    """Matches won minus matches lost: not additive, so the mix acts through all of its arrangements.

    The payoffs of all arrangements against each one that a mix has used are kept, a byte each.
    """

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = 0.5
        self._table = table
        self._columns: dict[int, npt.NDArray[np.int8]] = {}

    def gains(self, indices: IntArray, mix: FloatArray) -> FloatArray:
        """See `Pricing`."""
        gains = np.zeros((self._table.partition_count, len(self._table.orders)))
        for index, probability in zip(indices.tolist(), mix.tolist(), strict=True):
            if probability:
                gains += probability * self._column(index)
        return gains

    def payoffs(self, first: IntArray, second: IntArray) -> FloatArray:
        """See `Pricing`."""
        return np.sign(_margins(self._table, first, second)).astype(np.float64)

    def _column(self, index: int) -> npt.NDArray[np.int8]:
        column = self._columns.get(index)
        if column is None:
            table = self._table
            (row,) = table.rows(np.array([index]))
            made = np.sign(table.classes[:, :, None] - row) * table.place_weights
            column = np.sign(table.over_orders(made.astype(np.float32))).astype(np.int8)
            self._columns[index] = column
        return column


def _margins(table: ArrangementTable, first: IntArray, second: IntArray) -> FloatArray:
    """Return the margins in points as a matrix, one place at a time to save memory."""
    ours, theirs = table.rows(first), table.rows(second)
    margins = np.zeros((len(first), len(second)))
    for place, weight in enumerate(table.place_weights):
        margins += np.sign(ours[:, place, None] - theirs[:, place]) * float(weight)
    return margins
