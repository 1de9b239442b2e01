"""Every deal once, up to the names of the suits."""

from itertools import groupby, islice
from math import comb

import pytest

from solver.batch.canonical_deals import CANONICAL_DEALS, RANK_VECTORS, AllDeals, SampledDeals
from solver.batch.deal_sources import Item
from solver.game.cards import rank_of
from solver.game.deal import Deal


@pytest.fixture(scope="module")
def everything():
    return list(AllDeals(0))


def ranks(item):
    return tuple(sorted(map(rank_of, item.deal.cards)))


def test_every_canonical_deal_comes_once(everything):
    assert len(everything) == len({item.deal for item in everything}) == AllDeals(0).count() == CANONICAL_DEALS
    assert [item.line for item in everything] == [item.id for item in everything] == list(range(1, 156_249))
    assert all(item.deal == item.deal.canonical() for item in everything[::100])


def burnside():
    """Count sets of 7 cards up to the 24 permutations of the suits: the mean number of sets that one leaves as it is.

    A set is left as it is if it holds whole cycles of cards. Cycles of suits of lengths a, b, … move the cards in eight
    cycles of each of these lengths.
    """
    cycle_types = {(1, 1, 1, 1): 1, (2, 1, 1): 6, (2, 2): 3, (3, 1): 8, (4,): 6}

    def fixed(cycles, size):
        if not cycles:
            return int(size == 0)
        length, *others = cycles
        return sum(comb(8, taken) * fixed(others, size - length * taken) for taken in range(size // length + 1))

    total = sum(number * fixed(cycles, 7) for cycles, number in cycle_types.items())
    assert total % 24 == 0
    return total // 24


def test_burnside_counts_as_many_and_the_multiplicities_add_up_to_all_deals(everything):
    assert burnside() == CANONICAL_DEALS
    assert sum(item.multiplicity for item in everything) == comb(32, 7) == 3_365_856


@pytest.mark.parametrize(
    ("removed", "multiplicity"),
    [
        ("7s 7h 8d 9c Th Qd Ks", 24),
        ("7s 7h 7d 8s 8h 8d 9c", 4),
        ("7s 7h 7d 7c 8s 8h 8d", 4),
        ("As Ks Qs Js Ts 9s 8s", 4),
    ],
)
def test_multiplicity_counts_the_names_of_the_suits(removed, multiplicity):
    assert Deal.from_removed(removed).multiplicity == multiplicity


def test_deals_of_the_same_ranks_come_one_after_the_other(everything):
    runs = [vector for vector, _ in groupby(everything, ranks)]
    assert len(runs) == len(set(runs)) == RANK_VECTORS


def test_another_seed_is_another_order_of_the_same_deals(everything):
    first, other = ([vector for vector, _ in groupby(islice(AllDeals(seed), 2000), ranks)][:-1] for seed in (0, 1))
    assert first != other
    everything_by_ranks = {vector: [item.deal for item in group] for vector, group in groupby(everything, ranks)}
    start = [item.deal for item in islice(AllDeals(1), 2000)]
    assert start[: len(everything_by_ranks[other[0]])] == everything_by_ranks[other[0]]


def test_a_sample_is_drawn_without_repeats_and_a_smaller_one_is_its_beginning(everything):
    large = list(SampledDeals(500, 3))
    assert list(SampledDeals(40, 3)) == large[:40]
    assert len({item.deal for item in large}) == SampledDeals(500, 3).count() == 500
    assert {item.deal for item in large} <= {item.deal for item in everything}
    assert large[0] == Item(1, 1, large[0].deal, multiplicity=large[0].deal.multiplicity)
    assert {item.deal for item in SampledDeals(40, 4)} != {item.deal for item in large[:40]}
