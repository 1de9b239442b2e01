"""The greedy arrangement: the strongest packet possible in the last place, then in the place before it, and so on."""

import numpy as np

from solver.game.arrangement import Arrangement
from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE, RANKS, SUITS
from solver.game.deal import Deal
from solver.game.hand_table import hands_of
from solver.game.rules import Rules


def greedy_arrangement(deal: Deal, rules: Rules | None = None) -> Arrangement:
    """Return an arrangement whose strengths, read from the last place to the first, are lexicographically greatest.

    Many sets of cards may give the strongest packet, and which of them is taken decides what is left for the place
    before. So every set of cards that can be left is followed, one of each kind: two leftovers are of a kind if they
    have the same cards of every suit that can still make a flush and the same number of cards of each rank.
    """
    table = hands_of(deal, rules)
    hand_masks = _masks(table.hands)
    # Strongest first; among equals the order of the table, so that the answer depends on the deal alone.
    order = np.argsort(-table.strengths, kind="stable")
    masks, strengths = hand_masks[order], table.strengths[order]
    leftovers: dict[int, tuple[int, ...]] = {int(_masks(np.array([deal.cards]))[0]): ()}
    for _ in range(deal.places):
        best, following = -1, dict[tuple[int, ...], tuple[int, tuple[int, ...]]]()
        for left, taken in leftovers.items():
            fits = np.flatnonzero((masks & ~left) == 0)
            top = int(strengths[fits[0]])
            if top < best:
                continue
            if top > best:
                best, following = top, {}
            for index in fits[strengths[fits] == top].tolist():
                rest = left & ~int(masks[index])
                following.setdefault(_kind(rest), (rest, (*taken, index)))
        leftovers = dict(following.values())
    chosen = next(iter(leftovers.values()))
    return Arrangement(tuple(tuple(table.hands[order[index]].tolist()) for index in reversed(chosen)))


def _masks(hands: IntArray) -> IntArray:
    """Return the cards of each row as bits of an int64; ids are below 52."""
    bits: IntArray = np.left_shift(np.int64(1), hands).sum(axis=1)
    return bits


def _kind(mask: int) -> tuple[int, ...]:
    """Return what of a set of cards decides the strengths that its packets can have."""
    suits = [mask & _SUIT_MASKS[suit] for suit in range(SUITS)]
    flushes = [cards if cards.bit_count() >= PACKET_SIZE else 0 for cards in suits]
    counts = [(mask >> SUITS * rank & _RANK_MASK).bit_count() for rank in range(RANKS)]
    return (*flushes, *counts)


_RANK_MASK = (1 << SUITS) - 1
_SUIT_MASKS = tuple(sum(1 << SUITS * rank + suit for rank in range(RANKS)) for suit in range(SUITS))
