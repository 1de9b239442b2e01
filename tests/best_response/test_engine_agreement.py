"""All engines on the same random questions; they share nothing but the evaluator."""

from itertools import product

import numpy as np
import pytest

from solver.best_response import dynamic_program, enumeration
from solver.best_response.cp_sat.packing_model import solve_packing_model
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.strategies.objectives import OBJECTIVES
from tests.support.samples import RULE_SETS, random_deal, random_mix

EXTREME_DEALS = (
    "7c 8c 9c Tc Jc Qc Kc",
    "8c 9c Tc Jc Qc Kc Ac",
    "7c 7d 7h 7s 8c 8d 8h",
    "Ac Ad Ah As Kc Kd Kh",
    "7c 8d 9h Ts Jc Qd Kh",
    "8s Jc Jd Jh Qh Qs Kd",
)


def require_agreement(deal, mix, rules, objective, locked=None):
    """Check that every engine proves the same value with cards that reach it."""
    problem = ResponseProblem.of(deal, mix.strength_mix(rules), objective, rules, locked)
    answers = [enumeration.best_response(problem, undominated_partitions(problem.deal, rules))]
    if objective != "win":
        answers.append(dynamic_program.best_response(problem))
    by_model = solve_packing_model(problem)
    assert by_model.status == "optimal"
    answers.append(by_model)
    assert len({answer.value for answer in answers}) == 1
    for answer in answers:
        arrangement = Arrangement(tuple(tuple(packet) for packet in answer.packets))
        assert arrangement.deal == problem.deal
        assert problem.evaluate([arrangement.strengths(rules)]).tolist() == [answer.value]


@pytest.mark.parametrize(("rules", "objective"), list(product(RULE_SETS, OBJECTIVES)))
def test_engines_agree_on_small_games(rules, objective):
    generator = np.random.default_rng(11)
    for places, suits in product((1, 2, 3), (2, 4)):
        deal = random_deal(places, generator, suits)
        require_agreement(deal, random_mix(deal, generator, 4), rules, objective)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(72))
def test_engines_agree_on_random_deals(seed):
    generator = np.random.default_rng([seed, 12])
    rules = RULE_SETS[seed % len(RULE_SETS)]
    deal = random_deal(5, generator)
    mix = random_mix(deal, generator, (1, 3, 10, 30)[seed % 4], largest_weight=10 ** (seed % 10))
    for objective in OBJECTIVES:
        require_agreement(deal, mix, rules, objective)


@pytest.mark.slow
@pytest.mark.parametrize("removed", EXTREME_DEALS)
@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_engines_agree_on_extreme_deals(rules, removed):
    generator = np.random.default_rng(13)
    deal = Deal.from_removed(removed)
    mix = random_mix(deal, generator, 5)
    for objective in OBJECTIVES:
        require_agreement(deal, mix, rules, objective)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_engines_agree_with_locked_packets(seed):
    generator = np.random.default_rng([seed, 14])
    deal = random_deal(5, generator)
    mix = random_mix(deal, generator, 5)
    mine = random_mix(deal, generator, 1).arrangements[0]
    places = generator.permutation(5)[: 1 + seed % 3].tolist()
    for objective in OBJECTIVES:
        require_agreement(deal, mix, RULE_SETS[0], objective, {place: mine.packets[place] for place in places})
