from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import PayoffError
from solver.game.arrangement import referee
from solver.strategies.objectives import OBJECTIVES, require_objective
from solver.strategies.payoffs import Value, place_counts, place_values, row_margins, value_against
from solver.strategies.strength_mix import PlaceDistribution, StrengthMix

WEIGHTS = (3, 4, 5, 6, 7)

distributions = st.dictionaries(st.integers(0, 20), st.integers(1, 2**45), min_size=1).map(
    lambda weights: PlaceDistribution.of(np.array(list(weights)), np.array(list(weights.values())))
)
vectors = st.tuples(*[st.integers(0, 4)] * 5)
mixes = st.lists(st.tuples(vectors, st.integers(1, 2**40)), min_size=1, max_size=10)


def strength_mix(items):
    rows, weights = zip(*items, strict=True)
    return StrengthMix.of_rows(np.array(rows), np.array(weights))


@given(distributions)
def test_place_counts_are_the_weights_below_and_above(distribution):
    strengths = np.arange(-1, 23)
    below, above = place_counts(distribution, strengths)
    for index, strength in enumerate(strengths):
        assert below[index] == distribution.weights[distribution.strengths < strength].sum()
        assert above[index] == distribution.weights[distribution.strengths > strength].sum()
    assert below.dtype == above.dtype == np.int64


@given(distributions, st.integers(1, 25))
def test_place_values_are_points_won_and_never_fall_with_strength(distribution, weight):
    strengths = np.arange(-1, 23).reshape(4, 6)
    below, above = place_counts(distribution, strengths)
    points = place_values(distribution, weight, "points", strengths)
    margin = place_values(distribution, weight, "margin", strengths)
    assert points.shape == margin.shape == (4, 6)
    assert points.dtype == margin.dtype == np.int64
    assert (points == weight * below).all()
    assert (margin == weight * (below - above)).all()
    assert (np.diff(points.ravel()) >= 0).all()
    assert (np.diff(margin.ravel()) >= 0).all()


@given(vectors, mixes)
def test_the_six_figures_are_what_the_referee_says(mine, items):
    value = value_against(mine, strength_mix(items), WEIGHTS)
    total = sum(weight for _, weight in items)
    scores = [(referee(mine, row, WEIGHTS).points, Fraction(weight, total)) for row, weight in items]
    assert value.points == sum(points[0] * chance for points, chance in scores)
    assert value.opponent_points == sum(points[1] * chance for points, chance in scores)
    assert value.margin == value.points - value.opponent_points
    assert value.win == sum(chance for points, chance in scores if points[0] > points[1])
    assert value.loss == sum(chance for points, chance in scores if points[0] < points[1])
    assert value.win + value.draw + value.loss == 1


@given(vectors, mixes)
def test_margins_against_rows_are_what_the_referee_says(mine, items):
    mix = strength_mix(items)
    expected = [referee(mine, row, WEIGHTS).points for row in mix.rows.tolist()]
    margins = row_margins(np.array(mine), mix.rows, WEIGHTS)
    assert margins.tolist() == [first - second for first, second in expected]


def test_figures_of_fewer_places_use_the_first_weights():
    mix = StrengthMix.of_rows(np.array([[1, 1], [3, 0]]), np.array([1, 3]))
    value = value_against((2, 0), mix, WEIGHTS)
    assert (value.points, value.opponent_points) == (Fraction(3, 4), Fraction(4 + 3 * 3, 4))
    assert (value.win, value.draw, value.loss) == (0, 0, 1)
    assert value_against((2, 0), mix, (1, 5, 2, 9, 3)).loss == 1


def test_win_figures_come_from_the_rows_of_a_sampled_mix():
    exact = StrengthMix.of_rows(np.array([[0], [2]]), np.array([1, 1]))
    sampled = StrengthMix(exact.places, np.array([[0]]), np.array([7]), sampled=True)
    value = value_against((1,), sampled, WEIGHTS)
    assert (value.points, value.opponent_points) == (Fraction(3, 2), Fraction(3, 2))
    assert (value.win, value.draw, value.loss) == (1, 0, 0)


def test_objectives_are_three_figures_of_a_value():
    value = Value(Fraction(12), Fraction(9), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    assert {objective: value.of(objective) for objective in OBJECTIVES} == {
        "points": 12,
        "margin": 3,
        "win": Fraction(5, 8),
    }


@pytest.mark.parametrize("objective", ["Points", "", "loss"])
def test_an_unknown_objective_is_refused_with_the_known_ones(objective):
    with pytest.raises(PayoffError, match=f"{objective!r}: expected one of points, margin, win"):
        require_objective(objective)
