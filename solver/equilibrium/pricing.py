"""Gains of all undominated arrangements against a mix of some of them, in floating point.

This is the fast half of the double oracle, asked every round; what it says is checked once, at the end, by the exact
integers of `solver.equilibrium.certificate`. Payoffs are scaled to lie between -1 and 1: ``margin`` by the sum of the
weights, ``win`` to +1 for a match won and -1 for one lost.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.dominance.undominated_arrangements import ArrangementTable

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_CHUNK = 16
_COARSE = 1e-3
_ROUNDING = 4e-6
"""More than the error of a sum of some thousand products, in single precision, whose weights add up to 1."""


class Pricing(Protocol):
    """The restricted game, and what the whole game makes against its mixes.

    Attributes
    ----------
    unit
        Points or probability that a scaled payoff of 1 stands for.
    support
        Shape (n,): indices of the arrangements in the restricted game, in the order in which they came.
    """

    unit: float
    support: IntArray

    def extend(self, indices: IntArray) -> FloatArray:
        """Add k arrangements; return what all n + k make against the new ones, shape (n + k, k)."""
        ...

    def gains(self, mix: FloatArray) -> FloatArray:
        """Return what every arrangement, shape (m, n!), makes against a mix of the restricted game, shape (n,)."""
        ...


class MarginPricing:
    """Expected margin: a sum over places, so the mix acts only through one distribution a place."""

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = float(table.place_weights.sum())
        self.support = np.empty(0, dtype=np.int64)
        self._table = table
        self._shares = table.place_weights / self.unit
        self._rows = table.rows(self.support)

    def extend(self, indices: IntArray) -> FloatArray:
        """See `Pricing`."""
        new = self._table.rows(indices)
        self.support = np.concatenate([self.support, indices])
        self._rows = np.concatenate([self._rows, new])
        payoffs = np.zeros((len(self._rows), len(new)))
        for place, share in enumerate(self._shares):
            payoffs += share * np.sign(self._rows[:, place, None] - new[:, place])
        return payoffs

    def gains(self, mix: FloatArray) -> FloatArray:
        """See `Pricing`."""
        table = self._table
        worth = np.empty((len(table.class_strengths), table.places))
        for place, share in enumerate(self._shares):
            density = np.bincount(self._rows[:, place], mix, len(worth))
            up_to = np.cumsum(density)
            worth[:, place] = share * (2 * up_to - density - up_to[-1])
        return table.over_orders(worth[table.classes])


class WinPricing:
    """Matches won minus matches lost: not additive, so what all arrangements make against each of the mix is kept.

    A byte each: at most some 250 MB for the deals with most partitions.
    """

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = 0.5
        self.support = np.empty(0, dtype=np.int64)
        self._table = table
        self._columns: list[npt.NDArray[np.int8]] = []

    def extend(self, indices: IntArray) -> FloatArray:
        """See `Pricing`."""
        self.support = np.concatenate([self.support, indices])
        chunks = [self._payoffs_against(indices[i : i + _CHUNK]) for i in range(0, len(indices), _CHUNK)]
        self._columns += chunks
        return np.vstack([chunk[:, self.support] for chunk in chunks]).T.astype(np.float64)

    def gains(self, mix: FloatArray) -> FloatArray:
        """See `Pricing`. Near the end, where the digits count, the largest gains are summed in double precision."""
        ends = np.cumsum([len(chunk) for chunk in self._columns])[:-1]
        parts = list(zip(np.split(mix, ends), self._columns, strict=True))
        rough = np.zeros(self._table.size, dtype=np.float32)
        for weights, chunk in parts:
            rough += weights.astype(np.float32) @ chunk.astype(np.float32)
        gains = rough.astype(np.float64)
        if rough.max() < _COARSE:
            close = np.flatnonzero(rough > rough.max() - _ROUNDING)
            gains[close] = sum(weights @ chunk[:, close] for weights, chunk in parts)
        return gains.reshape(self._table.partition_count, -1)

    def _payoffs_against(self, indices: IntArray) -> npt.NDArray[np.int8]:
        """Return what every arrangement makes against each of k, shape (k, m n!)."""
        table = self._table
        rows = table.rows(indices)[:, None, None, :]
        made = np.sign(table.classes[:, :, None] - rows) * table.place_weights
        margins = table.over_orders(made.reshape(-1, *made.shape[2:]).astype(np.float32))
        signs = (margins > 0).view(np.int8) - (margins < 0).view(np.int8)
        return signs.reshape(len(indices), -1)
