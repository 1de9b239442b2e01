from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from solver.best_response.problem import ResponseProblem
from solver.errors import ArrangementError, OpponentError, PayoffError
from solver.game.deal import Deal
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from solver.strategies.payoffs import value_against
from tests.support.samples import random_arrangement, random_mix

D1 = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")
RULES = Rules(weights=(3, 1, 500, 6, 7))
GENERATOR = np.random.default_rng(6)
MIX = random_mix(D1, GENERATOR, 12).strength_mix()
MINE = [random_arrangement(D1, GENERATOR) for _ in range(12)]
LOCKS = [places for count in range(5) for places in combinations(range(5), count)]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("places", LOCKS)
def test_values_are_those_of_the_whole_arrangement_whatever_is_locked(objective, places):
    for mine in MINE:
        locked = {place: mine.packets[place] for place in places}
        problem = ResponseProblem.of(D1, MIX, objective, RULES, locked)
        free = [place for place in range(5) if place not in places]
        assert problem.places == len(free)
        assert problem.weights == tuple(RULES.weights[place] for place in free)
        assert set(problem.deal.cards) == {card for place in free for card in mine.packets[place]}
        strengths = mine.strengths(RULES)
        (value,) = problem.evaluate([[strengths[place] for place in free]]).tolist()
        assert Fraction(value, problem.denominator) == value_against(strengths, MIX, RULES.weights).of(objective)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_many_vectors_are_evaluated_as_one_by_one(objective):
    problem = ResponseProblem.of(D1, MIX, objective)
    vectors = [mine.strengths() for mine in MINE]
    values = problem.evaluate(vectors)
    assert values.dtype == np.int64
    assert values.tolist() == [problem.evaluate([vector])[0] for vector in vectors]
    assert len(set(values.tolist())) > 3


def test_a_drawn_match_is_worth_half():
    problem = ResponseProblem.of(D1, MixedStrategy.pure(MINE[0]).strength_mix(), "win")
    assert problem.evaluate([MINE[0].strengths()]).tolist() == [problem.denominator // 2]


@pytest.mark.parametrize("objective", ["points", "margin"])
def test_additive_values_are_sums_of_place_values(objective):
    problem = ResponseProblem.of(D1, MIX, objective, RULES, {0: MINE[0].packets[0]})
    strengths = MINE[0].strengths(RULES)[1:]
    parts = [int(problem.place_values(place, strength)) for place, strength in enumerate(strengths)]
    assert problem.evaluate([strengths]).tolist() == [sum(parts) + problem.earned]


def test_rules_are_the_default_ones_where_omitted():
    problem = ResponseProblem.of(D1, MIX, "points")
    assert (problem.rules, problem.weights, problem.earned) == (Rules(), (3, 4, 5, 6, 7), 0)
    assert not problem.row_offsets.any()


def test_smaller_games_use_the_first_weights():
    deal = Deal(D1.cards[:10])
    problem = ResponseProblem.of(deal, random_mix(deal, np.random.default_rng(0), 2).strength_mix(), "win")
    assert (problem.places, problem.weights) == (2, (3, 4))


def test_a_mix_of_another_number_of_places_is_refused():
    with pytest.raises(OpponentError, match="the mix has 5 places: expected 2"):
        ResponseProblem.of(Deal(D1.cards[:10]), MIX, "points")


def test_an_unknown_objective_is_refused():
    with pytest.raises(PayoffError, match="'profit'"):
        ResponseProblem.of(D1, MIX, "profit")


PACKETS = MINE[0].packets


@pytest.mark.parametrize(
    ("locked", "message"),
    [
        ({5: PACKETS[0]}, "place 6 does not exist: expected 1 to 5"),
        ({-1: PACKETS[0]}, "place 0 does not exist"),
        ({2: PACKETS[0][:4]}, "locked in place 3 has 4 cards: expected 5"),
        ({2: ()}, "locked in place 3 has 0 cards"),
        ({0: PACKETS[0], 1: PACKETS[0]}, "locked in place 2, is locked twice"),
        ({0: (PACKETS[0][0],) * 5}, "is locked twice"),
        ({4: parse_cards("7s 7d 7c 8s 8h")}, "7s, locked in place 5, is not in the deal"),
        (dict(enumerate(PACKETS)), "every place is locked"),
    ],
)
def test_locks_that_cannot_be_are_refused(locked, message):
    with pytest.raises(ArrangementError, match=message):
        ResponseProblem.of(D1, MIX, "points", Rules(), locked)
