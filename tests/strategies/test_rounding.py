from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import OpponentError
from solver.strategies.rounding import LARGEST_TOTAL, apportion, apportion_probabilities, largest_total

shares_lists = st.lists(st.integers(0, 10**30), min_size=1, max_size=30).filter(any)
totals = st.integers(0, 2**60)


@given(shares_lists, totals)
def test_weights_add_up_and_none_is_off_by_one(shares, total):
    weights = apportion(shares, total)
    assert sum(weights) == total
    quotas = [Fraction(share * total, sum(shares)) for share in shares]
    assert all(abs(weight - quota) < 1 for weight, quota in zip(weights, quotas, strict=True))
    assert all(weight >= 0 for weight in weights)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any), st.integers(0, 40))
def test_the_largest_remainders_get_one_more_and_the_first_of_equal_ones(shares, total):
    quotas = [Fraction(share * total, sum(shares)) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: (-(quotas[i] % 1), i))
    more = set(by_remainder[: total - sum(int(quota) for quota in quotas)])
    assert apportion(shares, total) == [int(quota) + (index in more) for index, quota in enumerate(quotas)]


@given(shares_lists, st.integers(1, 10**6))
def test_a_multiple_of_the_shares_is_met_exactly(shares, factor):
    assert apportion(shares, factor * sum(shares)) == [factor * share for share in shares]


def test_thirds_of_a_power_of_two():
    assert apportion([1, 1, 1], 2**48) == [2**48 // 3 + 1, 2**48 // 3, 2**48 // 3]


@pytest.mark.parametrize("shares", [[], [0, 0], [3, -1], [-1]])
def test_shares_of_no_mix_are_refused(shares):
    with pytest.raises(OpponentError, match="weights of 0 or more"):
        apportion(shares, 10)


@pytest.mark.parametrize(
    ("place_weights", "total"),
    [((3, 4, 5, 6, 7), 2**48), ((1, 1, 1, 1, 1), 2**48), ((7, 7, 6, 6, 6), 2**48), ((1000,) * 5, 2**53 // 5000)],
)
def test_largest_total_keeps_scores_exact(place_weights, total):
    assert largest_total(place_weights) == total
    assert total * sum(place_weights) <= 2**53


@given(
    st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=200).filter(lambda p: sum(p) > 1e-3),
    st.sampled_from([LARGEST_TOTAL, 2**53 // 5000, 1000]),
)
def test_probabilities_become_weights_that_add_up(probabilities, total):
    weights = apportion_probabilities(np.array(probabilities), total)
    assert weights.dtype == np.int64
    assert weights.sum() == total
    assert weights.min() >= 0
    exact = [Fraction(p) for p in probabilities]
    # One for the rounding to integers, and the precision of a float64 at this total.
    slack = 1 + Fraction(total * len(probabilities), 2**51)
    for weight, probability in zip(weights.tolist(), exact, strict=True):
        assert abs(weight - total * probability / sum(exact)) <= slack


@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 2.5]), min_size=1, max_size=60).filter(any))
def test_what_is_never_played_gets_no_weight(probabilities):
    weights = apportion_probabilities(np.array(probabilities), LARGEST_TOTAL)
    assert all(weight == 0 for weight, p in zip(weights.tolist(), probabilities, strict=True) if p == 0)


def test_many_equal_probabilities_differ_by_one_at_most():
    weights = apportion_probabilities(np.full(183_000, 1 / 183_000), LARGEST_TOTAL)
    assert weights.sum() == LARGEST_TOTAL
    assert weights.max() - weights.min() == 1
