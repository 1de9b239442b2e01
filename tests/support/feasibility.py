"""Whether the cards of a deal can fill its places with packets of given least strengths: a search without dominance.

A dynamic program over the places. Its states are the cards used of each rank and the suits that have given a flush;
this is exact, because two flush packets never share a card (a suit has at most eight cards, so they are of different
suits) and the other packets can take any cards left of their ranks. Where these happen to be of one suit, the
packet is stronger than it was counted, and a least strength that was reached still is.

Nothing is shared with the search for undominated partitions but the evaluator. 64 questions are answered at once, one
in each bit of a word.
"""

from itertools import pairwise

import numpy as np

from solver.game.cards import LOWEST_RANK, PACKET_SIZE, SUITS
from solver.game.deal import Deal
from solver.game.hand_table import hands_of
from solver.game.rules import Rules

_WORD = 64


class Feasibility:
    """The program for one deal.

    Attributes
    ----------
    class_strengths
        The strengths that hands of the deal have, ascending.
    """

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self.places = deal.places
        table = hands_of(deal, rules)
        self.class_strengths = table.class_strengths
        ranks, suits = table.hands // SUITS - LOWEST_RANK, table.hands % SUITS
        multisets = np.stack([(ranks == rank).sum(axis=1) for rank in range(8)], axis=1)
        one_suit = (suits == suits[:, :1]).all(axis=1)
        mixed, first = np.unique(multisets[~one_suit], axis=0, return_index=True)
        self._multisets = np.concatenate((mixed, multisets[one_suit]))
        self._strengths = np.concatenate((table.strengths[~one_suit][first], table.strengths[one_suit]))
        self._suits = np.concatenate((np.full(len(mixed), -1), suits[one_suit, 0]))
        self._moves = self._all_moves(
            np.array([sum(card // SUITS == rank for card in deal.cards) for rank in range(5, 13)])
        )

    def _all_moves(self, counts):
        """Return, for each place and packet, from which states it can be taken and to which states that leads."""
        states = np.stack(np.unravel_index(np.arange((counts + 1).prod()), counts + 1), axis=1)
        layers = [states[states.sum(axis=1) == PACKET_SIZE * used] for used in range(self.places + 1)]
        self._layer_sizes = [len(layer) for layer in layers]
        moves = []
        for layer, following in pairwise(layers):
            number = np.full(len(states), -1)
            number[np.ravel_multi_index(following.T, counts + 1)] = np.arange(len(following))
            found = {}
            for multiset in {tuple(row) for row in self._multisets.tolist()}:
                start = np.flatnonzero((layer + multiset <= counts).all(axis=1))
                found[multiset] = start, number[np.ravel_multi_index((layer[start] + multiset).T, counts + 1)]
            moves.append([found[tuple(row)] for row in self._multisets.tolist()])
        return moves

    def fillable(self, thresholds) -> np.ndarray:
        """Return for each row of `thresholds`, shape (b, n), whether packet i can have strength >= threshold i."""
        thresholds = np.asarray(thresholds)
        blocks = [thresholds[start : start + _WORD] for start in range(0, len(thresholds), _WORD)]
        return np.concatenate([self._fillable_block(block) for block in blocks])

    def _fillable_block(self, thresholds):
        bits = np.uint64(1) << np.arange(len(thresholds), dtype=np.uint64)
        suit_sets = np.arange(1 << SUITS)
        reached = np.zeros((1, len(suit_sets)), dtype=np.uint64)
        reached[0, 0] = bits.sum()
        for place in range(self.places):
            strong_enough = self._strengths[:, None] >= thresholds[:, place]
            words = (strong_enough * bits).sum(axis=1, dtype=np.uint64)
            following = np.zeros((self._layer_sizes[place + 1], len(suit_sets)), dtype=np.uint64)
            for packet in np.flatnonzero(words):
                start, end = self._moves[place][packet]
                if self._suits[packet] < 0:
                    following[end] |= reached[start] & words[packet]
                else:
                    suit = 1 << self._suits[packet]
                    without = suit_sets[suit_sets & suit == 0]
                    following[end[:, None], without | suit] |= reached[start[:, None], without] & words[packet]
            reached = following
        return (np.bitwise_or.reduce(reached[0]) & bits) != 0
