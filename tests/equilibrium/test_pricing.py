"""Pricing by groups says what a sum over everything says of whatever can gain."""

import numpy as np
import pytest

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium import pricing
from solver.equilibrium.pricing import WinPricing
from solver.equilibrium.solve import solve_equilibrium
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.extreme_deals import EXTREME_DEALS

DEAL = EXTREME_DEALS[1].deal  # 44 undominated partitions


def moving_mixes(generator, weights, others):
    """Yield mixes that come nearer and nearer to these weights, and have more and more other strategies."""
    for step in range(30):
        mix = np.concatenate([weights, np.zeros(others * step // 30)])
        share = 0.5 * 0.7**step
        yield (1 - share) * mix + share * generator.dirichlet(np.ones(len(mix)))


@pytest.mark.parametrize("wide", [0, 1 << 30], ids=["bytes", "floats"])
def test_groups_that_cannot_gain_are_left_out_and_no_others(monkeypatch, wide):
    monkeypatch.setattr(pricing, "_BLOCK", 32)
    monkeypatch.setattr(pricing, "_GROUP", 3)
    monkeypatch.setattr(pricing, "_WIDE_BYTES", wide)
    table = ArrangementTable.of(DEAL, Rules())
    equilibrium = solve_equilibrium(DEAL, "win", tolerance=1e-3).strategies
    generator = np.random.default_rng(1)
    indices = np.array([table.indices_of(MixedStrategy.pure(each))[0] for each in equilibrium.arrangements])
    support = np.concatenate([indices, np.setdiff1d(generator.permutation(table.size)[:60], indices)])
    strengths = table.rows(np.arange(table.size))
    signs = np.sign(np.sign(strengths[:, None, :] - table.rows(support)) @ table.place_weights)
    oracle = WinPricing(table)
    left_out = 0
    weights = np.array(equilibrium.probabilities)
    for mix in moving_mixes(generator, weights, len(support) - len(indices)):
        first = len(oracle.support)
        if len(mix) > first:
            payoffs = oracle.extend(support[first : len(mix)])
            assert (payoffs == signs[support[: len(mix)], first : len(mix)]).all()
        gains, true = oracle.gains(mix).ravel(), signs[:, : len(mix)] @ mix
        summed = np.abs(gains - true) < 1e-5
        left_out += np.count_nonzero(~summed)
        assert gains[~summed].max(initial=-1) <= 0
        assert true[~summed].max(initial=-1) <= 0
    assert left_out > table.size
