"""Gains of all undominated arrangements against a mix of some of them, in floating point.

This is the fast half of the double oracle, asked every round; what it says is checked once, at the end, by the exact
integers of `solver.equilibrium.certificate`. Payoffs are scaled to lie between -1 and 1: ``margin`` by the sum of the
weights, ``win`` to +1 for a match won and -1 for one lost.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.game.arrays import FloatArray, IntArray

_CHUNK = 16
"""Columns of payoffs that are made at once."""
_BLOCK = 32
"""Columns of payoffs that are kept in one array."""
_WIDE_BYTES = 192 * 2**20
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

    Up to `_WIDE_BYTES` as single-precision numbers, which are summed as they are, the rest as bytes, which are turned
    into numbers each round, several times slower.
    """

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = 0.5
        self.support = np.empty(0, dtype=np.int64)
        self._table = table
        self._blocks: list[npt.NDArray[np.float32] | npt.NDArray[np.int8]] = []
        self._wide = max(1, _WIDE_BYTES // (4 * _BLOCK * table.size))

    def extend(self, indices: IntArray) -> FloatArray:
        """See `Pricing`."""
        first = len(self.support)
        self.support = np.concatenate([self.support, indices])
        payoffs = np.empty((len(self.support), len(indices)))
        for start in range(0, len(indices), _CHUNK):
            new = self._payoffs_against(indices[start : start + _CHUNK])
            payoffs[:, start : start + _CHUNK] = new[:, self.support].T
            self._keep(first + start, new)
        return payoffs

    def _keep(self, first: int, rows: npt.NDArray[np.int8]) -> None:
        """Store rows from number `first` on, block by block."""
        while len(rows):
            number, offset = divmod(first, _BLOCK)
            if number == len(self._blocks):
                shape = (_BLOCK, self._table.size)
                wide = number < self._wide
                self._blocks.append(np.empty(shape, np.float32) if wide else np.empty(shape, np.int8))
            fitting = rows[: _BLOCK - offset]
            self._blocks[number][offset : offset + len(fitting)] = fitting
            first, rows = first + len(fitting), rows[len(fitting) :]

    def gains(self, mix: FloatArray) -> FloatArray:
        """See `Pricing`. Near the end, where the digits count, the largest gains are summed in double precision."""
        parts = [
            (mix[start : start + _BLOCK], block[: len(mix) - start])
            for start, block in zip(range(0, len(mix), _BLOCK), self._blocks, strict=True)
        ]
        rough = np.zeros(self._table.size, dtype=np.float32)
        for weights, block in parts:
            rough += weights.astype(np.float32) @ block.astype(np.float32, copy=False)
        gains = rough.astype(np.float64)
        if rough.max() < _COARSE:
            close = np.flatnonzero(rough > rough.max() - _ROUNDING)
            gains[close] = sum(weights @ block[:, close] for weights, block in parts)
        return gains.reshape(self._table.partition_count, -1)

    def _payoffs_against(self, indices: IntArray) -> npt.NDArray[np.int8]:
        """Return what every arrangement makes against each of k, shape (k, m n!)."""
        table = self._table
        rows = table.rows(indices)[:, None, None, :]
        made = np.sign(table.classes[:, :, None] - rows) * table.place_weights
        margins = table.over_orders(made.reshape(-1, *made.shape[2:]).astype(np.float32))
        signs = (margins > 0).view(np.int8) - (margins < 0).view(np.int8)
        return signs.reshape(len(indices), -1)
