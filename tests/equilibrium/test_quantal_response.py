"""The quantal response against its definition: simple code that plays every arrangement against the mix."""

import math
import threading
import time
from itertools import permutations

import numpy as np
import pytest

from solver.dominance.orders import order_table
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium import quantal_response as quantal_response_module
from solver.equilibrium.quantal_response import solve_quantal_response
from solver.errors import InternalError, LimitReached
from solver.game.rules import Rules
from solver.system.limits import Limits
from tests.support.d1 import D1
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.samples import random_deal

LAMBDAS = (0.1, 1, 10, 100)
FEW = EXTREME_DEALS[0].deal
NARROW = Rules(weights=(1, 1, 1, 1, 1))
WIDE = Rules(weights=(1000, 1, 20, 300, 7))


def margins_against(vectors, probabilities, weights):
    """Return the expected margin of every vector, place by place: chance to be above less chance to be below."""
    margins = np.zeros(len(vectors))
    for place, weight in enumerate(weights[: vectors.shape[1]]):
        column = vectors[:, place]
        chance_of = np.bincount(column, probabilities)
        below = np.concatenate([[0.0], np.cumsum(chance_of)])
        margins += weight * (below[column] - (below[-1] - below[column + 1]))
    return margins


def laid_out(partitions):
    """Return every partition in every order, shape (m n!, n), as small whole numbers that compare as the strengths."""
    count, places = partitions.strengths.shape
    table = list(permutations(range(places)))
    vectors = partitions.strengths[:, table].reshape(count * len(table), places)
    _, classes = np.unique(vectors, return_inverse=True)
    return classes.reshape(vectors.shape)


def check_fixed_point(deal, rules, rationality, tolerance=1e-9):
    partitions = undominated_partitions(deal, rules)
    probabilities = solve_quantal_response(partitions, rationality, rules.weights).ravel()
    assert probabilities.min() >= 0
    assert probabilities.sum() == pytest.approx(1, abs=1e-12)
    margins = margins_against(laid_out(partitions), probabilities, rules.weights)
    exponents = rationality * margins
    expected = np.exp(exponents - exponents.max())
    expected /= expected.sum()
    # The tolerance is in points of margin, and LAMBDA turns points into probability.
    assert np.abs(probabilities - expected).max() <= tolerance * max(1.0, rationality)
    # What each probability says about the margin, where it is large enough to say anything.
    spoken = probabilities > 1e-300
    said = np.log(probabilities[spoken]) / rationality
    gaps = said - margins[spoken]
    assert gaps.max() - gaps.min() <= 2 * tolerance
    assert margins.max() <= math.log(len(margins)) / rationality
    assert probabilities @ margins == pytest.approx(0, abs=1e-9)  # the game is symmetric
    return probabilities


@pytest.mark.parametrize("rationality", LAMBDAS)
@pytest.mark.parametrize("deal", [D1, FEW, EXTREME_DEALS[2].deal], ids=["D1", "ten", "three"])
def test_the_definition_holds(deal, rationality):
    check_fixed_point(deal, Rules(), rationality)


@pytest.mark.slow
@pytest.mark.parametrize("rationality", [*LAMBDAS, 1000])
@pytest.mark.parametrize("extreme", EXTREME_DEALS, ids=lambda extreme: extreme.name)
def test_the_definition_holds_on_extreme_deals(extreme, rationality):
    check_fixed_point(extreme.deal, extreme.rules, rationality, tolerance=1e-9 if rationality < 1000 else 1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_definition_holds_on_random_deals(seed):
    deal = random_deal(5, np.random.default_rng([seed, 31]))
    check_fixed_point(deal, Rules(("quintet", "quintet-text", "telesina")[seed % 3]), LAMBDAS[seed % 4])


@pytest.mark.parametrize("rules", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("rationality", [0.1, 1])
def test_the_definition_holds_under_other_weights(rules, rationality):
    scale = sum(rules.weights) / 25
    check_fixed_point(EXTREME_DEALS[1].deal, rules, rationality, tolerance=1e-9 * max(1.0, scale) ** 2)


@pytest.mark.parametrize("places", [2, 3])
@pytest.mark.parametrize("rationality", [0.1, 1])
def test_small_games_equal_a_slow_damped_iteration(places, rationality):
    deal = random_deal(places, np.random.default_rng([places, 32]))
    rules = Rules()
    partitions = undominated_partitions(deal, rules)
    vectors = laid_out(partitions)
    payoffs = np.array([[np.sign(a - b) @ rules.weights[:places] for b in vectors] for a in vectors], dtype=float)
    mix = np.full(len(vectors), 1 / len(vectors))
    for _ in range(20_000):
        exponents = rationality * payoffs @ mix
        response = np.exp(exponents - exponents.max())
        mix += 0.5 / (1 + 5 * rationality) * (response / response.sum() - mix)
    found = solve_quantal_response(partitions, rationality, rules.weights)
    assert found.shape == (len(partitions.strengths), math.factorial(places))
    assert found.ravel() == pytest.approx(mix, abs=1e-7)


@pytest.mark.parametrize("rationality", [10, 100])
@pytest.mark.parametrize("places", [1, 2, 3, 4])
def test_the_definition_holds_in_small_games(places, rationality):
    check_fixed_point(random_deal(places, np.random.default_rng([places, 33])), Rules(), rationality)


def test_the_columns_are_the_orders_of_the_enumeration():
    assert order_table(3).tolist() == [list(order) for order in permutations(range(3))]


def test_no_rationality_plays_everything_alike():
    partitions = undominated_partitions(EXTREME_DEALS[1].deal)
    found = solve_quantal_response(partitions, 0, Rules().weights)
    assert np.all(found == found[0, 0])
    assert found.shape == (44, 120)


def test_packets_that_tie_are_laid_in_all_orders():
    partitions = undominated_partitions(FEW)
    found = solve_quantal_response(partitions, 1, Rules().weights)
    tied = partitions.strengths[:, 1:] == partitions.strengths[:, :-1]
    assert np.all(tied.any(axis=1))
    vectors = laid_out(partitions).reshape(*found.shape, 5)
    for row, chances in zip(vectors.tolist(), found, strict=True):
        chances_of = {}
        for vector, chance in zip(row, chances, strict=True):
            chances_of.setdefault(tuple(vector), []).append(chance)
        assert len({len(equal) for equal in chances_of.values()} - {1}) == 1
        assert all(equal == pytest.approx([equal[0]] * len(equal), rel=1e-12) for equal in chances_of.values())


def test_a_deadline_that_has_passed_ends_the_search():
    with pytest.raises(LimitReached, match="quantal response was not ready"):
        solve_quantal_response(undominated_partitions(D1), 1, Rules().weights, limits=Limits(time.monotonic()))


def test_an_interrupt_ends_the_search():
    interrupt = threading.Event()
    interrupt.set()
    with pytest.raises(LimitReached, match="quantal response was not ready"):
        solve_quantal_response(undominated_partitions(D1), 1, Rules().weights, limits=Limits(interrupt=interrupt))


def test_the_same_deal_gives_the_same_floats():
    partitions = undominated_partitions(D1)
    first, second = (solve_quantal_response(partitions, 10, Rules().weights) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_steps_that_never_settle_are_told(monkeypatch):
    monkeypatch.setattr(quantal_response_module, "_MOST_STEPS", 1)
    with pytest.raises(InternalError, match=r"no quantal response found beyond LAMBDA = 0\.0"):
        solve_quantal_response(undominated_partitions(FEW), 1, Rules().weights)
