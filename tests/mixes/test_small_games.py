"""Mixes of two-packet games against every mix of the same kind, and against an independent linear program."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.matrix_game import solve_matrix_game
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.mixes.game import MixGame
from solver.mixes.question import MixLimits
from solver.mixes.single_arrangements import losses
from solver.mixes.solve import solve_mix

RULES = Rules()
DEALS = [
    Deal(tuple(sorted(np.random.default_rng(seed).choice(range(20, 52), 10, replace=False).tolist())))
    for seed in range(3)
]


def payoffs(deal, objective):
    """Return what row arrangements make against column arrangements, by comparing packets one by one."""
    table = ArrangementTable.of(deal, RULES)
    rows = table.rows(np.arange(table.size)).tolist()
    made = np.array(
        [
            [sum(w * ((a > b) - (a < b)) for w, a, b in zip(RULES.weights, one, other, strict=False)) for other in rows]
            for one in rows
        ]
    )
    return made if objective == "margin" else np.sign(made) / 2


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("deal", DEALS)
def test_columns_of_the_game(deal, objective):
    game = MixGame(ArrangementTable.of(deal, RULES), objective)
    expected = payoffs(deal, objective)
    everything = np.arange(len(expected))
    assert (game.between(everything, everything) * float(game.unit) == expected).all()
    assert (game.columns(everything).T * float(game.unit) == expected).all()
    assert (losses(game) * float(game.unit) == expected.max(axis=0)).all()


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_arrangements_against_every_choice(deal, objective, count):
    made = payoffs(deal, objective)
    best = min(
        solve_matrix_game(made[:, list(chosen)]).value
        for chosen in combinations(range(len(made)), min(count, len(made)))
    )
    mix = solve_mix(deal, None, MixLimits(at_most=count), objective)
    assert float(mix.exploitability) == pytest.approx(best, abs=1e-8)


@pytest.mark.parametrize("objective", ["margin", "win"])
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("shares", [4, 6])
def test_shares_against_every_choice(deal, objective, shares):
    made = payoffs(deal, objective)
    best = min(
        made[:, list(chosen)].mean(axis=1).max() for chosen in combinations_with_replacement(range(len(made)), shares)
    )
    mix = solve_mix(deal, None, MixLimits(shares=shares), objective)
    assert mix.strategies.total == shares
    assert float(mix.exploitability) == pytest.approx(best, abs=1e-8)


def test_whole_risk_is_the_best_response_and_no_risk_the_equilibrium():
    deal = DEALS[0]
    model = solve_mix(deal, None, MixLimits(at_most=1)).strategies.strength_mix(RULES)
    free = solve_mix(deal, model, MixLimits(risk=Fraction(25)))
    assert free.gain == free.bound
    safe = solve_mix(deal, model, MixLimits(risk=Fraction(0)))
    assert safe.exploitability <= Fraction(1, 10**9)
    assert safe.gain <= safe.bound <= free.gain + Fraction(1, 10**6)
