"""The greedy arrangement against every arrangement there is, and against every partition worth having."""

import numpy as np
import pytest

from solver.best_response.greedy import greedy_arrangement
from solver.dominance.partitions import undominated_partitions
from solver.game.deal import Deal
from tests.support.brute_force import all_strengths
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import RULE_SETS, SMALL_GAMES, random_deal


def greatest_from_the_last_place(vectors):
    """Return the strength vector that is greatest when read from the last place to the first."""
    return max(tuple(vector[::-1]) for vector in vectors.tolist())[::-1]


@pytest.mark.parametrize(("places", "suits", "rules"), [game for game in SMALL_GAMES if game[0] < 3])
def test_no_arrangement_of_a_small_game_is_greater(places, suits, rules):
    generator = np.random.default_rng([places, suits, 21])
    for _ in range(5):
        deal = random_deal(places, generator, suits)
        expected = greatest_from_the_last_place(all_strengths(deal, rules))
        assert greedy_arrangement(deal, rules).strengths(rules) == expected


@pytest.mark.parametrize("rules", RULE_SETS[::2], ids=str)
def test_no_arrangement_of_three_packets_is_greater(rules):
    deal = random_deal(3, np.random.default_rng(22), suits=3)
    expected = greatest_from_the_last_place(all_strengths(deal, rules))
    assert greedy_arrangement(deal, rules).strengths(rules) == expected


# The greatest vector is that of an undominated partition in ascending order: whatever dominates it would be greater.
@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_no_partition_of_a_deal_is_greater(rules):
    generator = np.random.default_rng(23)
    deals = [random_deal(5, generator) for _ in range(4)] + [extreme.deal for extreme in EXTREME_DEALS]
    for deal in deals:
        arrangement = greedy_arrangement(deal, rules)
        assert arrangement.deal == deal
        expected = greatest_from_the_last_place(undominated_partitions(deal, rules).strengths)
        assert arrangement.strengths(rules) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_no_partition_of_a_random_deal_is_greater(seed):
    generator = np.random.default_rng([seed, 24])
    rules = RULE_SETS[seed % len(RULE_SETS)]
    for _ in range(10):
        deal = random_deal(5, generator)
        expected = greatest_from_the_last_place(undominated_partitions(deal, rules).strengths)
        assert greedy_arrangement(deal, rules).strengths(rules) == expected


def test_which_of_many_equal_packets_is_taken_is_followed_up():
    # Twelve sets of cards make aces over kings. Without As, Kh and Kd the spades still make a royal flush, so only the
    # sets that leave all spades are right where the royal flush is taken first, and the choice is left to the rest.
    deal = Deal.from_removed("7s 7h 7d 7c 8h 8d 8c")
    arrangement = greedy_arrangement(deal)
    expected = greatest_from_the_last_place(undominated_partitions(deal).strengths)
    assert arrangement.strengths() == expected


def test_the_order_of_the_cards_changes_nothing():
    generator = np.random.default_rng(25)
    deal = random_deal(5, generator)
    shuffled = Deal(tuple(generator.permutation(deal.cards).tolist()))
    assert greedy_arrangement(shuffled) == greedy_arrangement(deal)
