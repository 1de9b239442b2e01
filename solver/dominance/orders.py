"""The orders in which the packets of a partition can be laid."""

from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from solver.game.arrays import IntArray


@cache
def order_table(places: int) -> IntArray:
    """Return all orders of `places` packets, shape (n!, n), lexicographic: entry [o, p] is the packet in place p.

    Examples
    --------
    >>> order_table(3).tolist()
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    """
    table = np.array(list(permutations(range(places))), dtype=np.int64)
    table.flags.writeable = False
    return table


def distinct_orders(strengths: IntArray) -> npt.NDArray[np.bool_]:
    """Return which orders of each partition, shape (m, n!), are the first to give their strength vector.

    Packets that tie are neighbours in the ascending `strengths`, shape (m, n). Of the orders that differ only by an
    exchange of such packets, the first one has each of them before the next.
    """
    ties = strengths[:, 1:] == strengths[:, :-1]
    place_of = np.argsort(order_table(strengths.shape[1]), axis=1)
    swapped = place_of[:, 1:] < place_of[:, :-1]
    distinct: npt.NDArray[np.bool_] = ties.astype(np.int64) @ swapped.T.astype(np.int64) == 0
    return distinct
