from itertools import product

import numpy as np
import pytest

from solver.best_response.cp_sat.threshold_objective import LevelModel
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


def level_model(problem):
    return LevelModel(problem, STRENGTHS, Limits())


def reached_by(levels, vector):
    """Return the booleans of a strength vector with their values."""
    return [
        (boolean, int(strength >= step))
        for steps, booleans, strength in zip(levels.thresholds, levels.reaches, vector, strict=True)
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
    levels = level_model(problem_against([[300, 100], [300, 300]], objective))
    assert [steps.tolist() for steps in levels.thresholds] == thresholds
    assert levels.all_thresholds.tolist() == sorted({step for steps in thresholds for step in steps})


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_strengths_that_cannot_be_attained_are_not_told_apart(objective):
    # 50 is beaten by anything, 600 by nothing, and 250 by 300 whatever lies between.
    levels = level_model(problem_against([[50, 250], [600, 250]], objective))
    assert [steps.tolist() for steps in levels.thresholds] == [[], [300]]


def test_a_threshold_is_reached_only_with_those_below():
    problem = problem_against([[200, 300], [400, 500]], "margin")
    for values in product((0, 1), repeat=4):
        allowed = allows(lambda: level_model(problem), lambda levels, v=values: zip(levels.reaches[0], v, strict=True))
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

                def fixed(levels, vector=vector, claimed=claimed):
                    (reached,) = [boolean for boolean, _, least in levels.row_results if least == claimed]
                    return [*reached_by(levels, vector), (reached, 1)]

                assert allows(lambda problem=problem: level_model(problem), fixed) == (margin >= claimed)
                trials += 1
    assert trials == 2 * 5 * 9 * 2


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_pay_is_the_value_of_the_strengths(objective):
    rows = [[300, 100], [250, 300], [500, 50], [600, 400]]
    problem = problem_against(rows, objective, weights=[5, 1, 2**47, 3], offsets=[0, 1, -3, 0])
    levels = level_model(problem)
    for vector in product(STRENGTHS.tolist(), repeat=2):
        values = [0] * len(levels.model.proto.variables)
        for boolean, value in reached_by(levels, vector):
            values[boolean.index] = value
        margins = np.sign(np.array(vector) - problem.mix.rows) @ problem.weights + problem.row_offsets
        for boolean, row, least in levels.row_results:
            values[boolean.index] = int(margins[row] >= least)
        assert levels.value(values) == problem.evaluate([vector])[0]


def test_what_places_want_is_read_back():
    levels = level_model(problem_against([[200, 300], [400, 500]], "margin"))
    values = [0] * len(levels.model.proto.variables)
    assert levels.demands(values) == [-1, -1]
    for boolean, value in reached_by(levels, (300, 500)):
        values[boolean.index] = value
    assert levels.demands(values) == [300, 500]


def test_a_place_wants_a_strength_by_its_next_threshold():
    levels = level_model(problem_against([[200, 300], [400, 300]], "win"))
    assert [steps.tolist() for steps in levels.thresholds] == [[200, 300, 400, 500], [300, 400]]
    first, second = levels.reaches
    assert [boolean.index for boolean in levels.wants(200)] == [first[0].index, second[0].index]
    assert [boolean.index for boolean in levels.wants(400)] == [first[2].index, second[1].index]
    assert [boolean.index for boolean in levels.wants(500)] == [first[3].index]
