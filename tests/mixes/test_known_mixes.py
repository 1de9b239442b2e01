"""Mixes of known quality: figures of prototypes, recomputed here in exact integers."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from solver.equilibrium.certificate import exploitability
from solver.game.deal import Deal
from solver.mixes.question import MixLimits
from solver.mixes.result import MixStatus
from solver.mixes.solve import solve_mix
from solver.opponents.specification import parse_opponent

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "mixes.jsonl").read_text(encoding="utf-8").splitlines()
]
ILL_CONDITIONED = {"M013", "M017", "M021"}
"""Prototypes at risk 0 whose own exploitability, about 1e-7, is what their gain is too large by."""
ALLOWED = Fraction(1, 10**9)


def of_kind(kind):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def safe_mix_of(case, risk):
    deal = Deal.parse(case["cards"])
    # The prototypes' level 1 answers for points.
    objective = "points" if case["opponent"] == "level:1" else case["objective"]
    opponent = parse_opponent(case["opponent"], deal, objective=objective)
    return solve_mix(deal, opponent.mix, MixLimits(risk=risk), case["objective"])


@pytest.mark.parametrize("case", of_kind("safe"))
def test_a_safe_mix_gains_as_much_as_can_be(case):
    risk = Fraction(Decimal(str(case["risk"])))
    mix = safe_mix_of(case, risk)
    made = exploitability(mix.deal, mix.strategies, case["objective"])
    assert made == mix.exploitability <= risk + ALLOWED
    assert mix.gain <= mix.bound
    if case["id"] in ILL_CONDITIONED:
        assert mix.gain <= mix.bound < case["gain"] - 1e-4  # proven: within the risk there is no such gain
        assert safe_mix_of(case, Fraction(2, 10**7)).gain > case["gain"] - 1e-5
    else:
        assert float(mix.gain) == pytest.approx(case["gain"], abs=1e-4)
        assert mix.status == MixStatus.OPTIMAL


@pytest.mark.parametrize("case", of_kind("split"))
def test_the_best_mix_of_one_split_is_proven(case):
    mix = solve_mix(Deal.parse(case["cards"]), None, MixLimits(splits=1), case["objective"])
    assert mix.status == MixStatus.OPTIMAL
    assert float(mix.exploitability) == pytest.approx(case["exploitability"], abs=1e-5)
    splits = {frozenset(map(frozenset, each.packets)) for each in mix.strategies.arrangements}
    assert len(splits) == 1


@pytest.mark.slow
@pytest.mark.parametrize("case", of_kind("sparse"))
def test_few_arrangements_are_no_worse_than_the_prototypes(case):
    mix = solve_mix(Deal.parse(case["cards"]), None, MixLimits(at_most=case["at_most"]), case["objective"])
    assert len(mix.strategies.arrangements) <= case["at_most"]
    assert float(mix.exploitability) <= case["exploitability"] + 1e-4
