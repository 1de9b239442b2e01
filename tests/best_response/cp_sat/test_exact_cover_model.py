from fractions import Fraction

import numpy as np
import pytest

from solver.best_response.cp_sat.exact_cover_model import ExactCoverModel, solve_exact_cover_model
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import parse_cards
from solver.strategies.objectives import OBJECTIVES
from tests.support.cases import best_response_cases
from tests.support.formulations import (
    allows,
    case_problem,
    index_of_flush,
    index_of_ranks,
    problem_telling_apart,
    unlimited,
)
from tests.support.samples import random_arrangement

DEAL = Deal(parse_cards("Ac Kc Qc Jc 9c 8c Ad Kd Qd Jd 9d 8d Ah Kh 7h"))
MODEL = unlimited(ExactCoverModel, problem_telling_apart(DEAL, "margin", ("A", "AA", "AAA", "AcKcQcJc9c")))


def taken(*packets):
    """Return a function that takes the kinds of packets given by ranks or flush cards, and no other."""

    def fixed(model):
        pairs = []
        for takes, packet in zip(model.takes, packets, strict=True):
            index = (index_of_flush if len(packet) > 5 else index_of_ranks)(model.kinds, packet)
            pairs += [(boolean, int(kind == index)) for kind, boolean in enumerate(takes)]
        return pairs

    return fixed


def test_every_card_is_laid_out_once():
    assert allows(MODEL, taken("AAAKK", "KQQJJ", "99887"))
    assert not allows(MODEL, taken("AAAKK", "AQQJJ", "99887"))
    assert not allows(MODEL, taken("AAAKK", "KQQJ8", "99887"))


def test_flush_cards_count_among_the_ranks():
    assert allows(MODEL, taken("AcKcQcJc9c", "AKQJ8", "AK987"))
    assert not allows(MODEL, taken("AcKcQcJc9c", "AKQJ8", "AK887"))


def test_a_suit_makes_one_flush_at_most():
    assert allows(MODEL, taken("AcKcQcJc9c", "AdKdQdJd9d", "AK887"))
    assert not allows(MODEL, taken("AcKcQcJc9c", "AcKcQcJc8c", "AK987"))


def test_a_place_takes_one_packet():
    def fixed(count):
        return lambda model: [(boolean, int(kind < count)) for kind, boolean in enumerate(model.takes[0])]

    assert not allows(MODEL, fixed(0))
    assert not allows(MODEL, fixed(2))
    assert allows(MODEL, taken("AAAKK", "KQQJJ", "99887"))


def test_a_place_reaches_the_thresholds_of_its_packet():
    packets = ("AAAKK", "KQQJJ", "99887")
    model = MODEL()
    strength = model.kinds.strengths[index_of_ranks(model.kinds, packets[1])]
    own = int(np.searchsorted(model.objective.thresholds[1], strength, side="right"))
    assert 0 < own < len(model.objective.thresholds[1])

    def fixed(count):
        return lambda model: [
            *taken(*packets)(model),
            *((boolean, int(step < count)) for step, boolean in enumerate(model.objective.reaches[1])),
        ]

    assert allows(MODEL, fixed(own))
    assert not allows(MODEL, fixed(own + 1))
    assert not allows(MODEL, fixed(own - 1))


def known_optima():
    """Return all rows for all objectives, a third of the shorter ones for the default run."""
    for index, case in enumerate(best_response_cases()):
        for turn, objective in enumerate(OBJECTIVES):
            long = (index + turn) % 3 or case.id in ("HX09", "HX10", "HX11", "HS04")
            marks = [pytest.mark.slow] if long else []
            yield pytest.param(case, objective, id=f"{case.id}-{objective}", marks=marks)


@pytest.mark.parametrize(("case", "objective"), list(known_optima()))
def test_known_optima(case, objective):
    problem = case_problem(case, objective)
    answer = solve_exact_cover_model(problem)
    assert answer.status == "optimal"
    assert answer.value == answer.bound
    assert Fraction(answer.value, problem.denominator) == case.best[objective]
    strengths = evaluate_hands(np.array(answer.packets), problem.rules)
    assert problem.evaluate([strengths])[0] == answer.value
    assert sorted(card for packet in answer.packets for card in packet) == sorted(problem.deal.cards)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_legal_hint_is_a_solution_worth_its_value(objective):
    problem = problem_telling_apart(DEAL, objective, ("A", "AA", "AAA", "AcKcQcJc9c"))
    generator = np.random.default_rng(8)
    for _ in range(5):
        packets = random_arrangement(DEAL, generator).packets

        def fixed(model, packets=packets):
            model.hint(packets)
            hinted = model.model.proto.solution_hint
            variables = [model.model.get_int_var_from_proto_index(index) for index in hinted.vars]
            return list(zip(variables, hinted.values, strict=True))

        assert allows(unlimited(ExactCoverModel, problem), fixed)
        values = {variable.index: value for variable, value in fixed(unlimited(ExactCoverModel, problem)())}
        model = unlimited(ExactCoverModel, problem)()
        constants = {"points": 1, "margin": 1, "win": 2}[objective]
        assert len(values) == len(model.model.proto.variables) - constants
        claimed = model.objective.value([values.get(index, 0) for index in range(len(model.model.proto.variables))])
        assert claimed == problem.evaluate([evaluate_hands(np.array(packets), problem.rules)])[0]
