"""Saved mixes: verified again, and refused when anything of the proof is altered."""

import copy
from fractions import Fraction

import pytest

from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.mixes.question import MixLimits
from solver.results.mixes import answer_mix
from solver.verification.verify import verify_document

DEAL = Deal.from_removed("7s 7h 8d 9c Th Qd Ks")


def saved(specs=("greedy",), objective="margin", **limits):
    return answer_mix(DEAL, specs, MixLimits(**limits), objective, Rules(), 3).document()


def failed(document):
    return [check.name for check in verify_document(document) if not check.holds]


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize(
    ("specs", "limits"),
    [
        (("greedy",), {"risk": Fraction(1, 10)}),
        (("2:greedy", "1:greedy-shuffled"), {}),
        (("greedy",), {"splits": 1, "risk": Fraction(2, 5)}),
        ((), {"at_most": 1}),
        ((), {"splits": 1}),
    ],
)
def test_a_saved_mix_verifies(objective, specs, limits):
    assert failed(saved(specs, objective, **limits)) == []


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_an_altered_proof_is_refused(objective):
    document = saved(("greedy-shuffled",), objective, risk=Fraction(1, 100))
    assert len(document["proof"]["answers"]) > 3
    for number in range(3):
        raised = copy.deepcopy(document)
        raised["proof"]["answers"][number]["multiplier"] += 1
        assert "bound" in failed(raised)
    short = copy.deepcopy(document)
    del short["proof"]["answers"][0]
    assert "bound" in failed(short)


def test_claims_beyond_the_truth_are_refused():
    document = saved(risk=Fraction(1, 2))
    assert "gain_exact" in failed({**document, "gain_exact": "9"})
    assert "bound" in failed({**document, "bound_exact": "1/100"})
    assert "limits" in failed({**document, "limits": {**document["limits"], "at_most": 1}})
    assert "risk" in failed({**document, "limits": {**document["limits"], "risk_exact": "1/9"}})
