"""Splits of a player who slips: one exchange of two cards away from a split worth making."""

from itertools import combinations, product

import numpy as np

from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules


def careless_splits(hands: IntArray, rules: Rules) -> tuple[IntArray, IntArray]:
    """Return the splits that one exchange of two cards between two packets makes of some splits.

    Parameters
    ----------
    hands
        Shape (m, n, 5), int64: the splits, in cards.
    rules
        Rule set of the strengths.

    Returns
    -------
    strengths
        Shape (k, n), int64, ascending in each row: each split once, in lexicographic order. Splits that differ in
        cards alone are one.
    hands
        Shape (k, n, 5), int64: one way to lay out each, its packets in the order of `strengths`.
    """
    splits, places, _ = hands.shape
    strengths = evaluate_hands(hands.reshape(-1, PACKET_SIZE), rules).reshape(splits, places)
    found, changes = [np.empty((0, places), dtype=np.int64)], []
    for first, second in combinations(range(places), 2):
        for left, right in product(range(PACKET_SIZE), repeat=2):
            changed = _exchanged(hands, first, second, left, right)
            new = strengths.copy()
            new[:, first] = evaluate_hands(changed[:, first], rules)
            new[:, second] = evaluate_hands(changed[:, second], rules)
            found.append(new)
            changes.append((first, second, left, right))
    every = np.concatenate(found)
    distinct, first_row = np.unique(np.sort(every, axis=1), axis=0, return_index=True)
    laid = np.empty((len(distinct), places, PACKET_SIZE), dtype=np.int64)
    number, split = np.divmod(first_row, splits)
    for index, change in enumerate(changes):
        rows = number == index
        laid[rows] = _exchanged(hands[split[rows]], *change)
    ascending = np.argsort(every[first_row], axis=1, kind="stable")
    return distinct, np.take_along_axis(laid, ascending[:, :, None], axis=1)


def _exchanged(hands: IntArray, first: int, second: int, left: int, right: int) -> IntArray:
    """Return the hands with card `left` of packet `first` and card `right` of packet `second` in each other's place."""
    changed = hands.copy()
    changed[:, first, left] = hands[:, second, right]
    changed[:, second, right] = hands[:, first, left]
    return changed
