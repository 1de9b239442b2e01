"""The cognitive hierarchy, beside a ladder that is climbed over all arrangements of small games."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from solver.dominance.orders import order_table
from solver.dominance.partitions import undominated_partitions
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent
from solver.strategies.objectives import Objective
from tests.support.brute_force import all_strengths

DECK = np.arange(20, 52)


def small_deal(seed, places):
    cards = np.random.default_rng(seed).permutation(DECK)[: 5 * places]
    return Deal(tuple(sorted(cards.tolist())))


def brute_force_ladder(deal, tau, objective, rules):
    """Return the chance of every strength vector, by levels found among all arrangements."""
    start = parse_opponent("greedy-shuffled", deal, rules).strategies
    strengths = undominated_partitions(deal, rules).strengths
    undominated = {tuple(row) for row in strengths[:, order_table(deal.places)].reshape(-1, deal.places).tolist()}
    vectors = np.array(sorted(undominated | {tuple(row) for row in all_strengths(deal, rules).tolist()}))
    weights = [tau**level / math.factorial(level) for level in range(11)]
    levels = [chances_of(start, rules)]
    for level in range(1, 11):
        whole = Counter()
        for weight, chances in zip(weights, levels, strict=False):
            for vector, chance in chances.items():
                whole[vector] += weight * chance
        figures = [Fraction(0)] * len(vectors)
        for vector, chance in whole.items():
            margins = np.sign(vectors - np.array(vector)) @ np.array(rules.weights[: deal.places])
            outcome = np.sign(margins) if objective == "win" else margins
            figures = [figure + chance * worth for figure, worth in zip(figures, outcome.tolist(), strict=True)]
        best = {tuple(vectors[i].tolist()) for i, figure in enumerate(figures) if figure == max(figures)} & undominated
        assert best, level
        levels.append({vector: Fraction(1, len(best)) for vector in best})
    player = Counter()
    for weight, chances in zip(weights, levels, strict=True):
        for vector, chance in chances.items():
            player[vector] += weight / sum(weights) * chance
    return player


def chances_of(mix, rules):
    chances = Counter()
    for arrangement, weight in zip(mix.arrangements, mix.weights, strict=True):
        chances[tuple(arrangement.strengths(rules))] += Fraction(weight, mix.total)
    return chances


@pytest.mark.parametrize("objective", list(Objective))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_ladder_of_a_small_game_is_that_of_brute_force(seed, objective):
    deal, rules = small_deal(seed, 2), Rules()
    mix = parse_opponent("cognitive:1.5", deal, rules, objective=objective).strategies
    found, expected = chances_of(mix, rules), brute_force_ladder(deal, Fraction(3, 2), objective, rules)
    # At most one unit of the total a strategy is lost where the common denominator is too large.
    assert all(abs(found[vector] - expected[vector]) <= Fraction(200, mix.total) for vector in found | expected)


def test_for_points_they_play_for_the_margin():
    deal = small_deal(5, 3)
    by_points = parse_opponent("cognitive:0.8", deal, objective="points").strategies
    assert by_points == parse_opponent("cognitive:0.8", deal, objective="margin").strategies
    assert by_points != parse_opponent("cognitive:0.9", deal, objective="margin").strategies


def test_little_thought_is_the_first_level():
    deal, rules = small_deal(6, 2), Rules()
    start = chances_of(parse_opponent("greedy-shuffled", deal, rules).strategies, rules)
    found = chances_of(parse_opponent("cognitive:0.000001", deal, rules).strategies, rules)
    assert all(abs(found[vector] - start[vector]) < Fraction(1, 500_000) for vector in found | start)
