"""Pareto-maximal rows of integer arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]


def undominated(rows: npt.NDArray[np.integer[Any]], groups: npt.NDArray[np.integer[Any]] | None = None) -> IntArray:
    """Return the indices of the rows that no other row of their group dominates, one of each set of equal rows.

    A row dominates another if it is at least as large in every column and differs from it. In each pass every group
    keeps its row with the largest sum, which nothing left in the group can dominate, and drops all rows below it.

    Parameters
    ----------
    rows
        Shape (k, p), integers.
    groups
        Shape (k,), integers; all rows are one group if omitted.

    Returns
    -------
    ndarray
        Ascending indices, int64.
    """
    if groups is None:
        groups = np.zeros(len(rows), dtype=np.int64)
    left = np.lexsort((-rows.sum(axis=1, dtype=np.int64), groups))
    kept = [left[:0]]
    while len(left):
        first = np.concatenate(([True], np.diff(groups[left]) != 0))
        leaders = left[first]
        kept.append(leaders)
        leader = leaders[np.cumsum(first) - 1]
        left = left[(rows[left] > rows[leader]).any(axis=1)]
    return np.sort(np.concatenate(kept))
