from itertools import product

import numpy as np
import pytest

from solver.best_response.cp_sat.threshold_objective import ThresholdObjective
from solver.best_response.problem import ResponseProblem
from solver.game.deal import Deal
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import Limits
from tests.support.formulations import allows

DEAL = Deal(parse_cards("As Ks Qs Js 9s Ah Kh Qd Qc 7d"))
STRENGTHS = np.array([100, 200, 300, 400, 500])


def problem_against(rows, objective, weights=None, offsets=None, rules=None):
    """Return a question for two packets of `DEAL`; what packets it has does not matter here."""
    rows = np.array(rows, dtype=np.int64)
    weights = np.ones(len(rows), dtype=np.int64) if weights is None else np.array(weights, dtype=np.int64)
    mix = StrengthMix(StrengthMix.of_rows(rows, weights).places, rows, weights)
    offsets = np.zeros(len(rows), dtype=np.int64) if offsets is None else np.array(offsets, dtype=np.int64)
    rules = rules or Rules()
    return ResponseProblem(DEAL, rules, rules.weights[:2], objective, mix, 0, offsets)


def threshold_objective(problem):
    return ThresholdObjective(problem, STRENGTHS, Limits())


def reached_by(objective_terms, vector):
    """Return the booleans of a strength vector with their values."""
    return [
        (boolean, int(strength >= step))
        for steps, booleans, strength in zip(objective_terms.thresholds, objective_terms.reaches, vector, strict=True)
        for step, boolean in zip(steps, booleans, strict=True)
    ]


@pytest.mark.parametrize(
    ("objective", "thresholds"),
    [
        ("points", [[400], [200, 400]]),
        ("margin", [[300, 400], [200, 300, 400]]),
        ("win", [[300, 400], [200, 300, 400]]),
    ],
)
def test_places_tell_apart_what_the_objective_tells_apart(objective, thresholds):
    objective_terms = threshold_objective(problem_against([[300, 100], [300, 300]], objective))
    assert [steps.tolist() for steps in objective_terms.thresholds] == thresholds
    assert objective_terms.union.tolist() == sorted({step for steps in thresholds for step in steps})


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_strengths_that_cannot_be_attained_are_not_told_apart(objective):
    # 50 is beaten by anything, 600 by nothing, and 250 by 300 whatever lies between.
    objective_terms = threshold_objective(problem_against([[50, 250], [600, 250]], objective))
    assert [steps.tolist() for steps in objective_terms.thresholds] == [[], [300]]


def test_a_threshold_is_reached_only_with_those_below():
    problem = problem_against([[200, 300], [400, 500]], "margin")
    for values in product((0, 1), repeat=4):
        allowed = allows(
            lambda: threshold_objective(problem),
            lambda objective_terms, v=values: zip(objective_terms.reaches[0], v, strict=True),
        )
        assert allowed == (list(values) == sorted(values, reverse=True))


def test_a_row_is_beaten_or_held_only_with_the_points_for_it():
    """All outcomes in both places, with and without margins from locked places, for unequal and for equal weights."""
    trials = 0
    for rules, offset in product((Rules(), Rules(weights=(4, 4, 1, 1, 1))), (-7, -1, 0, 1, 8)):
        problem = problem_against([[300, 300]], "win", offsets=[offset], rules=rules)
        for outcomes in product((-1, 0, 1), repeat=2):
            vector = [300 + 100 * outcome for outcome in outcomes]
            margin = offset + sum(w * outcome for w, outcome in zip(problem.weights, outcomes, strict=True))
            for claimed in (0, 1):

                def fixed(objective_terms, vector=vector, claimed=claimed):
                    (reached,) = [boolean for boolean, _, least in objective_terms.row_results if least == claimed]
                    return [*reached_by(objective_terms, vector), (reached, 1)]

                assert allows(lambda problem=problem: threshold_objective(problem), fixed) == (margin >= claimed)
                trials += 1
    assert trials == 2 * 5 * 9 * 2


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_pay_is_the_value_of_the_strengths(objective):
    rows = [[300, 100], [250, 300], [500, 50], [600, 400]]
    problem = problem_against(rows, objective, weights=[5, 1, 2**47, 3], offsets=[0, 1, -3, 0])
    objective_terms = threshold_objective(problem)
    for vector in product(STRENGTHS.tolist(), repeat=2):
        values = [0] * len(objective_terms.model.proto.variables)
        for boolean, value in reached_by(objective_terms, vector):
            values[boolean.index] = value
        margins = np.sign(np.array(vector) - problem.mix.rows) @ problem.weights + problem.row_offsets
        for boolean, row, least in objective_terms.row_results:
            values[boolean.index] = int(margins[row] >= least)
        assert objective_terms.value(values) == problem.evaluate([vector])[0]


def test_what_places_want_is_read_back():
    objective_terms = threshold_objective(problem_against([[200, 300], [400, 500]], "margin"))
    values = [0] * len(objective_terms.model.proto.variables)
    assert objective_terms.demands(values) == [-1, -1]
    for boolean, value in reached_by(objective_terms, (300, 500)):
        values[boolean.index] = value
    assert objective_terms.demands(values) == [300, 500]


def test_a_place_wants_a_strength_by_its_next_threshold():
    objective_terms = threshold_objective(problem_against([[200, 300], [400, 300]], "win"))
    assert [steps.tolist() for steps in objective_terms.thresholds] == [[200, 300, 400, 500], [300, 400]]
    first, second = objective_terms.reaches
    assert [boolean.index for boolean in objective_terms.wants(200)] == [first[0].index, second[0].index]
    assert [boolean.index for boolean in objective_terms.wants(400)] == [first[2].index, second[1].index]
    assert [boolean.index for boolean in objective_terms.wants(500)] == [first[3].index]
