"""Pareto-maximal rows of integer arrays.

A row dominates another if it is at least as large in every column and differs from it. The row with the largest sum
cannot be dominated; both functions keep such rows, drop all that they dominate, and go on with what is left.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from solver.game.arrays import IntArray

_BLOCK = 32


def undominated(rows: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Return the indices of the rows that no other row dominates, one of each set of equal rows.

    Parameters
    ----------
    rows
        Shape (k, p), integers.

    Returns
    -------
    ndarray
        Ascending indices, int64.
    """
    order = np.argsort(-rows.sum(axis=1, dtype=np.int64), kind="stable")
    if not len(rows):
        return order
    narrow = np.result_type(np.min_scalar_type(rows.min()), np.min_scalar_type(rows.max()))
    left = np.ascontiguousarray(rows[order].T, dtype=narrow)
    kept = []
    while len(order):
        # Nothing dominates a row but rows before it, so a block settles its own rows among themselves.
        block = left[:, :_BLOCK]
        below = _not_above(block, block)
        first = ~np.triu(below, 1).any(axis=0)
        kept.append(order[:_BLOCK][first])
        rest = ~_not_above(block[:, first], left[:, _BLOCK:]).any(axis=0)
        left, order = left[:, _BLOCK:][:, rest], order[_BLOCK:][rest]
    return np.sort(np.concatenate(kept))


def _not_above(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return, shape (a, b), whether column b of `second` is at most column a of `first` throughout."""
    below: npt.NDArray[np.bool_] = first[0][:, None] >= second[0]
    for mine, theirs in zip(first[1:], second[1:], strict=True):
        below &= mine[:, None] >= theirs
    return below


def undominated_in_groups(rows: npt.NDArray[np.integer[Any]], groups: npt.NDArray[np.integer[Any]]) -> IntArray:
    """Return the indices of the rows that no other row of their group dominates, one of each set of equal rows.

    Parameters
    ----------
    rows
        Shape (k, p), integers.
    groups
        Shape (k,), integers; many small groups are settled at once, one row of each group in a pass.

    Returns
    -------
    ndarray
        Ascending indices, int64.
    """
    left = np.lexsort((-rows.sum(axis=1, dtype=np.int64), groups))
    kept = [left[:0]]
    while len(left):
        first = np.concatenate(([True], np.diff(groups[left]) != 0))
        leaders = left[first]
        kept.append(leaders)
        leader = leaders[np.cumsum(first) - 1]
        left = left[(rows[left] > rows[leader]).any(axis=1)]
    return np.sort(np.concatenate(kept))
