"""Packets without their suits: the rank multisets that a deal can form.

A *rank packet* is a multiset of five ranks, counted as no flush. A *state* says how many cards of each rank are used.
Both depend on the eight rank counts of a deal alone.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from solver.game.arrays import BoolArray, IntArray
from solver.game.cards import LOWEST_RANK, PACKET_SIZE, RANKS, SUITS
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules

PACK_RANKS = RANKS - LOWEST_RANK

_DIGIT = 1 << 4 * np.arange(PACK_RANKS)
_GUARD = 8 * int(_DIGIT.sum())


class RankPackets:
    """The rank packets of a deal.

    Parameters
    ----------
    counts
        Shape (8,): cards of each rank from seven to ace, 0 to 4 each, five a packet in all.
    rules
        Rule set; the place weights play no part.

    Attributes
    ----------
    counts
        As given.
    multisets
        Shape (k, 8), int64: how many cards of each rank; the index of a packet is its *id*.
    strengths
        Shape (k,), int64: values of `evaluate_hands`, ascending with the id.
    classes
        Shape (k,), int64: dense numbers from 0 for the strengths; equal where packets tie.
    bases
        Shape (8,), int64: cards ``multiset`` make the state ``multiset @ bases``, so that states add up as packets do.
    states
        Shape (k,), int64: state of each packet.
    full_state
        The state in which all cards are used, the largest.
    digits
        Shape (k,), int64: the multisets as hexadecimal digits, for `fits`.
    """

    def __init__(self, counts: IntArray, rules: Rules) -> None:
        multisets = _all_multisets()
        multisets = multisets[(multisets <= counts).all(axis=1)]
        strengths = _strengths_in_mixed_suits(multisets, rules)
        order = np.argsort(strengths, kind="stable")
        self.counts = counts
        self.multisets = multisets[order]
        self.strengths = strengths[order]
        self.classes = np.cumsum(np.diff(self.strengths, prepend=self.strengths[:1]) > 0)
        self.bases = np.concatenate(([1], np.cumprod(counts + 1)[:-1]))
        self.states = self.multisets @ self.bases
        self.full_state = int(counts @ self.bases)
        self.digits = digits_of(self.multisets)

    def __len__(self) -> int:
        return len(self.strengths)


def digits_of(counts: IntArray) -> IntArray:
    """Return rank counts (..., 8), each at most 8, as one hexadecimal digit a rank."""
    digits: IntArray = counts @ _DIGIT
    return digits


def fits(needed: IntArray, room: IntArray) -> BoolArray:
    """Return whether there is room for the needed cards in every rank.

    Both are digits (`digits_of`), at most 8 for `needed` and at most 7 for `room`. The top bit of each digit is set in
    advance; it survives the subtraction where the digit does not fall below zero.
    """
    roomy: BoolArray = ((room | _GUARD) - needed) & _GUARD == _GUARD
    return roomy


@cache
def _all_multisets() -> IntArray:
    """Shape (784, 8): the multisets of five ranks with no rank more than four times, as cards of each rank."""
    choices = combinations_with_replacement(range(PACK_RANKS), PACKET_SIZE)
    counts = np.array([np.bincount(ranks, minlength=PACK_RANKS) for ranks in choices])
    possible: IntArray = counts[counts.max(axis=1) <= SUITS]
    return possible


def _strengths_in_mixed_suits(multisets: IntArray, rules: Rules) -> IntArray:
    """Return the strength of each multiset as no flush: its cards, in order of rank, take the suits in turn."""
    ranks = np.repeat(np.tile(np.arange(PACK_RANKS), len(multisets)), multisets.ravel())
    cards = (ranks.reshape(-1, PACKET_SIZE) + LOWEST_RANK) * SUITS + np.arange(PACKET_SIZE) % SUITS
    return evaluate_hands(cards, rules)
