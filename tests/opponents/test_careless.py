"""Careless splits, beside every exchange of two cards done one by one."""

from itertools import combinations

import numpy as np

from solver.dominance.partitions import undominated_partitions
from solver.game.arrangement import Arrangement
from solver.game.rules import Rules
from solver.opponents.careless import careless_splits
from tests.support.extreme_deals import EXTREME_DEALS

RULES = Rules()
PARTITIONS = undominated_partitions(EXTREME_DEALS[1].deal, RULES)


def exchanged_one_by_one(hands):
    for first, second in combinations(range(len(hands)), 2):
        for left in range(5):
            for right in range(5):
                packets = hands.tolist()
                packets[first][left], packets[second][right] = packets[second][right], packets[first][left]
                yield tuple(sorted(Arrangement(tuple(map(tuple, packets))).strengths(RULES)))


def test_they_are_all_exchanges_of_two_cards():
    hands = np.array(PARTITIONS.hands[:6])
    strengths, _ = careless_splits(hands, RULES)
    assert [tuple(row) for row in strengths.tolist()] == sorted(
        {s for each in hands for s in exchanged_one_by_one(each)}
    )


def test_the_cards_of_each_have_its_strengths_in_its_order():
    strengths, hands = careless_splits(np.array(PARTITIONS.hands), RULES)
    for row, packets in list(zip(strengths.tolist(), hands.tolist(), strict=True))[::97]:
        arrangement = Arrangement(tuple(map(tuple, packets)))
        assert arrangement.deal == PARTITIONS.deal
        assert list(arrangement.strengths(RULES)) == row


def test_a_single_packet_has_none():
    strengths, hands = careless_splits(np.array(PARTITIONS.hands[:2, :1]), RULES)
    assert strengths.shape == (0, 1)
    assert hands.shape == (0, 1, 5)
