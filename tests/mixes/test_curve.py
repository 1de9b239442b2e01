"""Curves: no point is worse than one of stricter limits, and none is beyond its bound."""

from itertools import pairwise

from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.results.mixes import answer_curve, curve_document

DEAL = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")


def test_gain_grows_with_the_risk_up_to_the_best_response():
    points = answer_curve(DEAL, ("greedy",), "margin", Rules())
    assert len(points) == len(curve_document(points, ("greedy",))["points"]) == 12
    assert all(one.gain <= other.bound and one.exploitability < other.exploitability for one, other in pairwise(points))
    assert all(point.gain <= point.bound for point in points)
    assert len(points[-1].strategies.arrangements) == 1
