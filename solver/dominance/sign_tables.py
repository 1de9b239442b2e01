"""Matches of whole partitions, order by order, through the tables of signs of their packets.

Who wins the places when two arrangements meet depends on the signs of all differences between a packet of one and a
packet of the other: a 5 x 5 table. With packets in ascending order such a table is an interleaving of two sorted
tuples; there are at most 1,683 of them for five packets, a few hundred in a deal. All 120 x 120 results of two
partitions follow from their table alone, so a sum over millions of pairs of arrangements is a few hundred small matrix
products, one a table, without listing a pair.
"""

from functools import cached_property

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from solver.dominance.orders import order_table
from solver.game.arrays import FloatArray, IntArray

_PAIR_BLOCK = 1 << 17
"""Pairs of partitions whose weights are held at once: some 125 MB for five packets at most."""
_TABLE_BLOCK = 64
"""Tables whose results are held at once."""


class SignTables:
    """The tables of signs between some partitions and others.

    Parameters
    ----------
    first, second
        Shapes (m, n) and (k, n), int64, ascending in each row: strengths of packets.
    place_weights
        Shape (n,), int64: points of the places.
    """

    def __init__(self, first: IntArray, second: IntArray, place_weights: IntArray) -> None:
        self._first = first
        self._second = second
        self._orders = order_table(first.shape[1])
        self._place_weights = place_weights

    @cached_property
    def _keys(self) -> IntArray:
        """Shape (m, k): one number for each table, from how many packets of the other each packet beats and ties."""
        places = self._first.shape[1]
        keys = np.zeros((len(self._first), len(self._second)), dtype=np.int64)
        for packet in range(places):
            mine = self._first[:, packet, None]
            below = np.zeros(keys.shape, dtype=np.int64)
            up_to = np.zeros(keys.shape, dtype=np.int64)
            for other in self._second.T:
                below += other < mine
                up_to += other <= mine
            keys = (keys * (places + 1) + below) * (places + 1) + up_to
        return keys

    def _signs(self, keys: IntArray) -> FloatArray:
        """Return the tables of signs, shape (t, n, n), of ascending `keys`."""
        places = self._first.shape[1]
        digits = [keys // (places + 1) ** power % (places + 1) for power in range(2 * places - 1, -1, -1)]
        below, up_to = np.array(digits[::2]).T[:, :, None], np.array(digits[1::2]).T[:, :, None]
        other = np.arange(places)
        return np.where(other < below, 1.0, np.where(other < up_to, 0.0, -1.0))

    @cached_property
    def _meetings(self) -> npt.NDArray[np.float32]:
        """Shape (n! n!, n n): the place weights at which packet i of one order meets packet j of another."""
        places, count = len(self._place_weights), len(self._orders)
        meetings = np.zeros((count, count, places, places), dtype=np.float32)
        rows, columns = np.ogrid[:count, :count]
        for place, weight in enumerate(self._place_weights.tolist()):
            meetings[rows, columns, self._orders[:, None, place], self._orders[None, :, place]] += weight
        return meetings.reshape(count * count, -1)

    def wins_less_losses(self, weights: IntArray) -> IntArray:
        """Return what every order of the first partitions wins less what it loses against a mix of the second.

        Parameters
        ----------
        weights
            Shape (k, n!), int64, at least 0, adding up to at most 2**53: of every second partition in every order.

        Returns
        -------
        ndarray
            Shape (m, n!), int64: total weight of the arrangements that it beats less that of those that beat it.
            Exact: products and sums are whole numbers of at most 2**53 in size, which float64 holds.
        """
        # Several threads would share out matrices too small for them.
        with threadpool_limits(1):
            return self._summed(weights)

    def _summed(self, weights: IntArray) -> IntArray:
        result = np.zeros((len(self._first), len(self._orders)))
        laid = weights.astype(np.float64)
        rows = max(1, _PAIR_BLOCK // len(self._second))
        for start in range(0, len(self._first), rows):
            keys = self._keys[start : start + rows].ravel()
            order = np.argsort(keys, kind="stable")
            own, other = np.divmod(order, len(self._second))
            # Pairs of one table and one own partition are neighbours: their weights are one sum.
            groups = np.flatnonzero(np.diff(keys[order] * (rows + 1) + own, prepend=-1))
            sums = _group_sums(laid, other, groups)
            tables, first_group = np.unique(keys[order][groups], return_index=True)
            ends = np.append(first_group[1:], len(groups))
            owners = own[groups] + start
            for low in range(0, len(tables), _TABLE_BLOCK):
                block = slice(low, low + _TABLE_BLOCK)
                for matrix, begin, end in zip(
                    self._results(tables[block]), first_group[block].tolist(), ends[block].tolist(), strict=True
                ):
                    result[owners[begin:end]] += sums[begin:end] @ matrix.T
        return result.astype(np.int64)

    def _results(self, keys: IntArray) -> FloatArray:
        """Return who wins, shape (t, n!, n!): 1, 0 or -1 for each own order against each other one."""
        signs = self._signs(keys).reshape(len(keys), -1).astype(np.float32)
        margins = signs @ self._meetings.T
        return np.asarray(np.sign(margins), dtype=np.float64).reshape(len(keys), len(self._orders), -1)


def _group_sums(values: FloatArray, chosen: IntArray, starts: IntArray) -> FloatArray:
    """Return the sums of the rows ``values[chosen]`` over groups of neighbours, given where the groups start.

    The groups are summed side by side, the first row of each, then the second of those that have one, and so on: whole
    rows are added, which is several times faster than ``np.add.reduceat`` along the first axis.
    """
    sizes = np.diff(starts, append=len(chosen))
    longest_first = np.argsort(-sizes, kind="stable")
    ordered, begins = sizes[longest_first], starts[longest_first]
    sums = values[chosen[begins]]
    for step in range(1, int(ordered[0])):
        longer = np.searchsorted(-ordered, -step)
        sums[:longer] += values[chosen[begins[:longer] + step]]
    result = np.empty_like(sums)
    result[longest_first] = sums
    return result


def mix_by_splits(rows: IntArray, row_weights: IntArray) -> tuple[IntArray, IntArray]:
    """Group rows of strengths by their packets.

    Parameters
    ----------
    rows
        Shape (r, n), int64.
    row_weights
        Shape (r,), int64.

    Returns
    -------
    splits
        Shape (k, n), int64, ascending in each row, no row twice.
    weights
        Shape (k, n!), int64: total weight of the rows that lay each split in each of the orders. Where packets tie,
        several orders are one row; its weight stands at one of them.
    """
    places = rows.shape[1]
    strengths, classes = np.unique(rows, return_inverse=True)
    ascending = np.sort(classes.reshape(rows.shape), axis=1)
    base = len(strengths)
    keys = ascending[:, 0].copy()
    for column in ascending.T[1:]:
        keys = keys * base + column
    _, first, split = np.unique(keys, return_index=True, return_inverse=True)
    ranks = np.argsort(np.argsort(rows, axis=1, kind="stable"), axis=1)
    codes = ranks @ places ** np.arange(places)[::-1]
    table = order_table(places)
    order_of = np.zeros(places**places, dtype=np.int64)
    order_of[table @ places ** np.arange(places)[::-1]] = np.arange(len(table))
    weights = np.zeros((len(first), len(table)), dtype=np.int64)
    np.add.at(weights, (split.ravel(), order_of[codes]), row_weights)
    return strengths[ascending[first]], weights
