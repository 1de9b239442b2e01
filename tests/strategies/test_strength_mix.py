from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.strategies.strength_mix import PlaceDistribution, StrengthMix

weighted_rows = st.lists(
    st.tuples(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(0, 2**50)), min_size=1, max_size=12
).filter(lambda items: any(weight for _, weight in items))


def counted(keys, weights):
    """Add up weights by key and leave out zeros, in ascending order of the keys."""
    sums = Counter()
    for key, weight in zip(keys, weights, strict=True):
        sums[key] += weight
    return sorted((key, weight) for key, weight in sums.items() if weight)


@given(weighted_rows)
def test_equal_rows_become_one_and_places_add_up(items):
    rows, weights = zip(*items, strict=True)
    mix = StrengthMix.of_rows(np.array(rows), np.array(weights))
    assert list(zip(map(tuple, mix.rows.tolist()), mix.row_weights.tolist(), strict=True)) == counted(rows, weights)
    assert mix.total == mix.row_total == sum(weights)
    for place, distribution in enumerate(mix.places):
        pairs = list(zip(distribution.strengths.tolist(), distribution.weights.tolist(), strict=True))
        assert pairs == counted([row[place] for row in rows], weights)
    assert mix.rows.dtype == mix.row_weights.dtype == np.int64


@given(weighted_rows)
def test_a_distribution_adds_up_equal_strengths(items):
    strengths = [row[0] for row, _ in items]
    weights = [weight for _, weight in items]
    distribution = PlaceDistribution.of(np.array(strengths), np.array(weights))
    pairs = list(zip(distribution.strengths.tolist(), distribution.weights.tolist(), strict=True))
    assert pairs == counted(strengths, weights)


def test_some_places_of_a_mix_keep_its_rows():
    rows = np.array([[1, 2, 3], [1, 5, 3], [4, 2, 0]])
    mix = StrengthMix.of_rows(rows, np.array([2, 3, 4]))
    seen = mix.at_places([0, 2])
    assert seen.rows.tolist() == [[1, 3], [1, 3], [4, 0]]
    assert seen.row_weights.tolist() == [2, 3, 4]
    assert [place.strengths.tolist() for place in seen.places] == [[1, 4], [0, 3]]
    assert (seen.total, seen.row_total) == (9, 9)
