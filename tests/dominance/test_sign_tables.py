"""Sums over whole splits against a direct double loop over all arrangements."""

import numpy as np
import pytest

from solver.dominance.orders import order_table
from solver.dominance.partitions import undominated_partitions
from solver.dominance.sign_tables import SignTables, mix_by_splits
from solver.game.deal import Deal, random_deals
from solver.game.rules import Rules
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import random_deal


def random_splits(generator, count, places, kinds):
    """Return different ascending tuples; few kinds of strengths make many ties, within and between them."""
    return np.unique(np.sort(generator.integers(kinds, size=(count, places)), axis=1), axis=0)


def by_pairs(first, second, weights, place_weights):
    """Return what `SignTables.wins_less_losses` shall return, pair by pair."""
    table = order_table(first.shape[1])
    mine = first[:, table].reshape(-1, first.shape[1])
    theirs = second[:, table].reshape(-1, first.shape[1])
    sums = [int(np.sign(np.sign(row - theirs) @ place_weights) @ weights.ravel()) for row in mine]
    return np.array(sums).reshape(len(first), -1)


@pytest.mark.parametrize("kinds", [3, 6, 40])
@pytest.mark.parametrize("places", [1, 2, 3, 4])
def test_sums_equal_a_double_loop(places, kinds):
    generator = np.random.default_rng([places, kinds])
    first, second = (random_splits(generator, 12, places, kinds) for _ in range(2))
    weights = generator.integers(2**40, size=(len(second), len(order_table(places))))
    place_weights = generator.integers(1, 9, size=places)
    expected = by_pairs(first, second, weights, place_weights)
    assert SignTables(first, second, place_weights).wins_less_losses(weights).tolist() == expected.tolist()


@pytest.mark.parametrize("deal", [EXTREME_DEALS[2].deal, *random_deals(1, 1)], ids=Deal.text)
def test_a_whole_deal_equals_a_double_loop(deal):
    partitions = undominated_partitions(deal)
    generator = np.random.default_rng(0)
    weights = generator.integers(2**34, size=(len(partitions), 120))
    found = SignTables(partitions.strengths, partitions.strengths, np.array(Rules().weights)).wins_less_losses(weights)
    chosen = generator.choice(len(partitions), size=min(3, len(partitions)), replace=False)
    expected = by_pairs(partitions.strengths[chosen], partitions.strengths, weights, np.array(Rules().weights))
    assert found[chosen].tolist() == expected.tolist()


def test_blocks_change_nothing(monkeypatch):
    generator = np.random.default_rng(5)
    first, second = (random_splits(generator, 30, 3, 9) for _ in range(2))
    weights = generator.integers(100, size=(len(second), 6))
    whole = SignTables(first, second, np.array([1, 2, 3])).wins_less_losses(weights)
    monkeypatch.setattr("solver.dominance.sign_tables._PAIR_BLOCK", 70)
    monkeypatch.setattr("solver.dominance.sign_tables._TABLE_BLOCK", 3)
    assert (SignTables(first, second, np.array([1, 2, 3])).wins_less_losses(weights) == whole).all()


def test_sums_at_the_largest_weights_are_exact():
    splits = np.array([[0, 1], [0, 2]])
    weights = np.array([[2**52 - 1, 1], [2**52 - 3, 2]])
    found = SignTables(splits, splits, np.array([1, 2])).wins_less_losses(weights)
    assert found.tolist() == by_pairs(splits, splits, weights, np.array([1, 2])).tolist()


def test_rows_are_grouped_by_their_packets():
    deal = random_deal(3, np.random.default_rng(2))
    strengths = undominated_partitions(deal).strengths
    rows = strengths[:, order_table(3)].reshape(-1, 3)
    weights = np.arange(1, len(rows) + 1)
    splits, grouped = mix_by_splits(rows, weights)
    assert splits.tolist() == np.unique(strengths, axis=0).tolist()
    assert grouped.sum() == weights.sum()
    for split, laid in zip(splits, grouped, strict=True):
        for order, weight in zip(order_table(3), laid.tolist(), strict=True):
            same = (rows == split[order]).all(axis=1)
            if len(set(split.tolist())) == 3:
                assert weight == weights[same].sum()
        assert laid.sum() == weights[(np.sort(rows, axis=1) == split).all(axis=1)].sum()
