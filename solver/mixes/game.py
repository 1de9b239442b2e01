"""The game between two undominated arrangements, column by column, in whole numbers.

What one arrangement makes against another is a whole number: points for ``margin``, and for ``win`` +1, 0 or -1 for a
match won, drawn or lost, each of which is worth half a match.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.game.arrays import FloatArray, IntArray
from solver.strategies.objectives import Objective

_ROUNDING = 1e-5
_BLOCK = 64
_FEW = 24
_CHUNK = 16
_WIDE_BYTES = 192 * 2**20


class MixGame:
    """What all undominated arrangements make against some of them.

    Parameters
    ----------
    table
        The undominated arrangements.
    objective
        ``margin`` or ``win``.

    Attributes
    ----------
    unit
        Points or probability that a whole number of 1 stands for.
    largest
        The largest whole number: the sum of the place weights, or 1.
    """

    def __init__(self, table: ArrangementTable, objective: str) -> None:
        self.table = table
        self.objective = Objective(objective)
        additive = self.objective == Objective.MARGIN
        self.unit = Fraction(1) if additive else Fraction(1, 2)
        self.largest = int(table.place_weights.sum()) if additive else 1
        self._place_of: dict[int, int] = {}
        self._kind = np.int8 if self.largest < 128 else np.int16
        self._columns = np.empty((0, table.size), self._kind)
        self._wide = np.empty((0, table.size), np.float32)

    def between(self, rows: IntArray, columns: IntArray) -> IntArray:
        """Return what each of k arrangements makes against each of n, shape (k, n)."""
        mine, others = self.table.rows(rows), self.table.rows(columns)
        made = np.zeros((len(mine), len(others)), dtype=np.int64)
        for place, weight in enumerate(self.table.place_weights.tolist()):
            made += weight * np.sign(mine[:, place, None] - others[:, place])
        return made if self.objective == Objective.MARGIN else np.sign(made)

    def sums(self, indices: IntArray, weights: npt.NDArray[np.float64], offset: FloatArray | None = None) -> FloatArray:
        """Return what every arrangement makes against a weighted list, shape (m n!,), plus an offset.

        For ``win`` values that are far from the largest are rounded to single precision.
        """
        if self.objective == Objective.MARGIN:
            sums = self._additive_sums(indices, weights)
            return sums if offset is None else sums + offset
        places = self._places(indices)
        sums = np.zeros(self.table.size)
        if len(indices) <= _FEW:
            for place, weight in zip(places.tolist(), weights.tolist(), strict=True):
                sums += weight * self._columns[place]
            return sums if offset is None else sums + offset
        wide = places < len(self._wide)
        if wide.any():
            spread = np.zeros(len(self._wide), np.float32)
            spread[places[wide]] = weights[wide]
            sums += spread @ self._wide
        for start in range(0, np.count_nonzero(~wide), _BLOCK):
            part = places[~wide][start : start + _BLOCK]
            sums += weights[~wide][start : start + _BLOCK].astype(np.float32) @ self._columns[part].astype(np.float32)
        if offset is not None:
            sums += offset
        close = np.flatnonzero(sums > sums.max() - _ROUNDING * (1 + np.abs(weights).sum()))
        sums[close] = weights @ self.between(close, indices).T.astype(np.float64)
        if offset is not None:
            sums[close] += offset[close]
        return sums

    def exact_sums(self, indices: IntArray, weights: IntArray) -> IntArray:
        """Return what every arrangement makes against a list with integer weights, in exact integers.

        The weights add up to at most 2**53 divided by `largest`, so that float64 holds every sum.
        """
        if self.objective == Objective.MARGIN:
            return self._additive_sums(indices, weights.astype(np.float64)).astype(np.int64)
        places = self._places(indices)
        sums = np.zeros(self.table.size)
        for start in range(0, len(places), _BLOCK):
            part = slice(start, start + _BLOCK)
            sums += weights[part].astype(np.float64) @ self._columns[places[part]].astype(np.float64)
        return sums.astype(np.int64)

    def columns(self, indices: IntArray) -> npt.NDArray[np.signedinteger[Any]]:
        """Return what every arrangement makes against each of k, shape (k, m n!); computed once and kept."""
        places = self._places(indices)
        return self._columns[places]

    def _additive_sums(self, indices: IntArray, weights: FloatArray) -> FloatArray:
        table = self.table
        rows = table.rows(indices)
        worth = np.empty((len(table.class_strengths), table.places))
        for place, share in enumerate(table.place_weights):
            density = np.bincount(rows[:, place], weights, len(worth))
            up_to = np.cumsum(density)
            worth[:, place] = share * (2 * up_to - density - up_to[-1])
        return table.over_orders(worth[table.classes]).ravel()

    def _places(self, indices: IntArray) -> IntArray:
        """Return where the columns of these arrangements are kept; new ones are made first."""
        new = np.array([index for index in indices.tolist() if index not in self._place_of], dtype=np.int64)
        first = len(self._place_of)
        for number, index in enumerate(new.tolist()):
            self._place_of[index] = first + number
        if len(self._place_of) > len(self._columns):
            grown = np.empty((2 * len(self._place_of) + _BLOCK, self.table.size), self._kind)
            grown[:first] = self._columns[:first]
            self._columns = grown
        for start in range(0, len(new), _CHUNK):
            part = new[start : start + _CHUNK]
            self._columns[first + start : first + start + len(part)] = self._made_against(part)
        if self.objective == Objective.WIN:
            self._widen(first + len(new))
        return np.array([self._place_of[index] for index in indices.tolist()], dtype=np.int64)

    def _widen(self, known: int) -> None:
        """Keep the first columns as single-precision numbers as well, block by block as they are full."""
        wanted = min(known // _BLOCK * _BLOCK, _WIDE_BYTES // (4 * self.table.size))
        if wanted > len(self._wide):
            self._wide = np.concatenate([self._wide, self._columns[len(self._wide) : wanted].astype(np.float32)])

    def _made_against(self, indices: IntArray) -> npt.NDArray[np.signedinteger[Any]]:
        """Return what every arrangement makes against each of k, shape (k, m n!)."""
        table = self.table
        rows = table.rows(indices)[:, None, None, :]
        made = np.sign(table.classes[:, :, None] - rows) * table.place_weights
        margins = table.over_orders(made.reshape(-1, *made.shape[2:]).astype(np.float32))
        if self.objective == Objective.WIN:
            margins = np.sign(margins)
        return margins.reshape(len(indices), -1).astype(self._kind)

    def best_of_partitions(self, values: FloatArray, count: int, above: float) -> IntArray:
        """Return the best order of each of the `count` best partitions, those with a value above a threshold."""
        by_partition = values.reshape(self.table.partition_count, -1)
        best = by_partition.max(axis=1)
        order = np.argsort(-best, kind="stable")[:count]
        chosen = order[best[order] > above]
        found: IntArray = chosen * by_partition.shape[1] + by_partition[chosen].argmax(axis=1)
        return found
