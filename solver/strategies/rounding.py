"""Largest-remainder rounding: shares become integer weights with a given total."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.errors import OpponentError
from solver.game.arrays import IntArray

LARGEST_TOTAL = 1 << 48
"""Largest total weight of a mix that the program makes itself: gains are then exact in 64 bits."""
LARGEST_SCORE = 1 << 53
"""Largest total weight times sum of the place weights: scores are then exact in a float64 as well."""


def largest_total(place_weights: Sequence[int]) -> int:
    """Return the largest total weight of a made mix under these place weights."""
    return min(LARGEST_TOTAL, LARGEST_SCORE // sum(place_weights))


def apportion(shares: Sequence[int], total: int) -> list[int]:
    """Return non-negative integers proportional to `shares` that add up to `total`.

    Hamilton's method in exact integers: the floors, then one more for the largest remainders, the lowest index first
    among equals. No weight is off by one or more.

    Parameters
    ----------
    shares
        Non-negative integers, not all zero, of any size.
    total
        The sum wanted, at least 0.

    Examples
    --------
    >>> apportion([1, 1, 1], 10)
    [4, 3, 3]
    """
    whole = sum(shares)
    if whole <= 0 or min(shares) < 0:
        raise OpponentError("a mix needs weights of 0 or more, and one above 0")
    parts = [divmod(share * total, whole) for share in shares]
    weights = [floor for floor, _ in parts]
    missing = total - sum(weights)
    for index in sorted(range(len(parts)), key=lambda i: -parts[i][1])[:missing]:
        weights[index] += 1
    return weights


def apportion_probabilities(probabilities: npt.NDArray[np.float64], total: int) -> IntArray:
    """Return integer weights in proportion to float probabilities (of any positive scale) that add up to `total`.

    The same method as `apportion`, vectorised. `total` is at most `LARGEST_TOTAL`, so that a float holds every product
    to a fraction of 1 and the floors add up to `total`, give or take one a probability.
    """
    products = probabilities / probabilities.sum() * total
    floors = np.floor(products)
    weights: IntArray = floors.astype(np.int64)
    missing = total - int(weights.sum())
    if missing >= 0:
        weights[np.argsort(floors - products, kind="stable")[:missing]] += 1
    else:
        weights[np.argsort(-weights, kind="stable")[:-missing]] -= 1
    return weights
