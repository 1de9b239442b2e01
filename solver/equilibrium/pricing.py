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

_CHUNK = 8
"""Columns of payoffs that are made at once."""
_BLOCK = 128
"""Columns of payoffs that are kept in one array."""
_GROUP = 8
"""Partitions that are summed together."""
_WIDE_BYTES = 80 * 2**20
_NEARLY_ALL = 0.8
"""Share of the groups from which all of them are summed at once."""
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
    into numbers each time, several times slower. Partitions are stored in groups, so that only some can be summed: as
    payoffs lie between -1 and 1, no gain changes by more than the mix does, in the sum of absolute differences. A group
    whose largest gain lies further below 0 than the mix has moved since it was summed cannot gain.
    """

    def __init__(self, table: ArrangementTable) -> None:
        self.unit = 0.5
        self.support = np.empty(0, dtype=np.int64)
        self._table = table
        self._groups = -(-table.partition_count // _GROUP)
        self._columns = _GROUP * len(table.orders)
        # Partitions that lose to all others fill the last group.
        missing = self._groups * _GROUP - table.partition_count
        self._classes = np.pad(table.classes, ((0, missing), (0, 0)), constant_values=-1)
        self._blocks: list[npt.NDArray[np.float32] | npt.NDArray[np.int8]] = []
        self._wide = _WIDE_BYTES // (4 * _BLOCK * self._groups * self._columns)
        self._mix = np.empty(0)
        self._gains: FloatArray = np.zeros((self._groups, self._columns))
        self._ceilings = np.full(self._groups, np.inf)

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
        """Store rows from number `first` on, block by block, each of shape (groups, rows, columns)."""
        grouped = rows.reshape(len(rows), self._groups, -1).transpose(1, 0, 2)
        while grouped.shape[1]:
            number, offset = divmod(first, _BLOCK)
            if number == len(self._blocks):
                shape = (self._groups, _BLOCK, self._columns)
                wide = number < self._wide
                self._blocks.append(np.empty(shape, np.float32) if wide else np.empty(shape, np.int8))
            fitting = grouped[:, : _BLOCK - offset]
            self._blocks[number][:, offset : offset + fitting.shape[1]] = fitting
            first, grouped = first + fitting.shape[1], grouped[:, fitting.shape[1] :]

    def gains(self, mix: FloatArray) -> FloatArray:
        """See `Pricing`; of arrangements that cannot gain, what they made against an earlier mix.

        Near the end, where the digits count, the largest gains are summed in double precision.
        """
        self._ceilings += np.abs(mix[: len(self._mix)] - self._mix).sum() + mix[len(self._mix) :].sum()
        self._mix = mix
        groups: IntArray = np.flatnonzero(self._ceilings > -_ROUNDING)
        parts = [
            (mix[start : start + _BLOCK], block[:, : len(mix) - start])
            for start, block in zip(range(0, len(mix), _BLOCK), self._blocks, strict=True)
        ]
        if len(groups) > _NEARLY_ALL * self._groups:
            groups = np.arange(self._groups)
        rough: npt.NDArray[np.float32] = np.zeros((len(groups), self._columns), dtype=np.float32)
        for weights, block in parts:
            narrow = weights.astype(np.float32)
            if len(groups) == self._groups and block.dtype == np.float32:
                rough += narrow @ block
            else:
                for row, group in zip(rough, groups.tolist(), strict=True):
                    row += narrow @ block[group].astype(np.float32, copy=False)
        self._ceilings[groups] = rough.max(axis=1)
        self._gains[groups] = rough
        if rough.max() < _COARSE:
            row, column = np.nonzero(rough > rough.max() - _ROUNDING)
            self._gains[groups[row], column] = sum(block[groups[row], :, column] @ weights for weights, block in parts)
        return self._gains.ravel()[: self._table.size].reshape(self._table.partition_count, -1).copy()

    def _payoffs_against(self, indices: IntArray) -> npt.NDArray[np.int8]:
        """Return what every arrangement makes against each of k, shape (k, m n!)."""
        table = self._table
        rows = table.rows(indices)[:, None, None, :]
        made = np.sign(self._classes[:, :, None] - rows) * table.place_weights
        margins = table.over_orders(made.reshape(-1, *made.shape[2:]).astype(np.float32))
        signs = (margins > 0).view(np.int8) - (margins < 0).view(np.int8)
        return signs.reshape(len(indices), -1)
