from fractions import Fraction

import pytest

from solver.best_response.solve import solve_best_response
from solver.results.shared_fields import exact, value_fields
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.d1 import D1, FIXTURES

EXTREMES = MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 2, 4))


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Fraction(458, 20), "229/10"),
        (Fraction(36, 2), "18"),
        (Fraction(0), "0"),
        (Fraction(-3, 6), "-1/2"),
        (None, None),
    ],
)
def test_exact_figures_are_in_lowest_terms(figure, text):
    assert exact(figure) == text


def test_a_value_has_six_figures():
    value = solve_best_response(D1, EXTREMES).value
    fields = value_fields(value)
    assert list(fields) == ["points", "opponent_points", "margin", "win", "draw", "loss"]
    assert fields["win"] + fields["draw"] + fields["loss"] == pytest.approx(1)
    assert fields["margin"] == float(value.points - value.opponent_points)
    assert value_fields(None) is None
