import numpy as np
import pytest

from solver.best_response.solve import quick_response, solve_best_response
from solver.game.rules import Rules
from solver.opponents.specification import parse_opponent
from solver.results.best_responses import SolveResult
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.json_document import to_json
from tests.support.command import strict_json
from tests.support.d1 import D1, FIXTURES
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.plain_data import is_plain

FEW = EXTREME_DEALS[0].deal
EXTREMES = MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 2, 4))


@pytest.mark.parametrize("spec", ["greedy", "random", "equilibrium"])
def test_a_solution_is_plain_data(spec):
    opponent = parse_opponent(spec, FEW, samples=7)
    document = SolveResult.of(solve_best_response(FEW, opponent, top=3), [spec], opponent).document(5)
    assert is_plain(document)
    assert strict_json(to_json(document)) == document
    assert document["schema"] == "quintet.solve/1"
    assert document["seed"] == 5
    assert document["opponent"]["spec"] == [spec]
    assert document["opponent"]["sampled"] == (spec == "random")
    assert ("strategies" in document["opponent"]) == (spec != "random")
    assert ("samples" in document["opponent"]) == (spec == "random")
    assert len(document["alternatives"]) == 3
    assert document["deal"] == {"cards": FEW.text(), "removed": "Ac Kc Qc Jc Tc 9c 8c"}
    assert document["rules"] == {"name": "quintet", "ace_low": False, "weights": [3, 4, 5, 6, 7]}


def test_a_solution_without_an_opponent_has_no_figures():
    response = quick_response(FEW, "margin", Rules("telesina", weights=(1, 2, 3, 4, 5)), "cpsat")
    document = SolveResult.of(response, ["quantal:1"], None).document(0)
    empty = ("value", "objective_value", "objective_value_exact", "bound", "bound_exact")
    assert [document[name] for name in empty] == [None] * 5
    assert document["opponent"] == {"spec": ["quantal:1"], "sampled": None}
    assert document["status"] == "feasible"
    assert document["rules"] == {"name": "telesina", "ace_low": False, "weights": [1, 2, 3, 4, 5]}


def test_locked_packets_are_in_the_document_by_place():
    locked = {4: FIXTURES["A"].packets[0]}
    response = solve_best_response(D1, EXTREMES, locked=locked, engine="enumerate")
    assert SolveResult.of(response, ["file:x"], None).document(0)["locked"] == {"5": "As Ah Ad Ac 8h"}


def test_numpy_numbers_are_no_plain_data():
    assert not is_plain({"a": [np.float64(1)]})
    assert not is_plain((1,))
