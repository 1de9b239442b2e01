"""Questions for the two CP-SAT formulations, and trying out what they allow."""

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.exact_cover_model import ExactCoverModel, solve_exact_cover_model
from solver.best_response.cp_sat.packing_model import PackingModel, solve_packing_model
from solver.best_response.cp_sat.patterns import rank_counts
from solver.best_response.problem import ResponseProblem
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.hand_table import hands_of
from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import Limits

SOLVERS = (solve_packing_model, solve_exact_cover_model)
MODELS = (PackingModel, ExactCoverModel)


def case_problem(case, objective):
    """Return the question of a known case."""
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent))
    return ResponseProblem.of(Deal.parse(case.cards), mix.strength_mix(case.rules), objective, case.rules)


def problem_telling_apart(deal, objective, parts, rules=None):
    """Return a question whose places tell apart the weakest hands that contain these ranks or this flush."""
    table = hands_of(deal, rules)
    counts = rank_counts(table.hands)
    weakest = [table.strengths[_holders(table, counts, part)].min() for part in parts]
    rows = np.repeat(np.array(weakest)[:, np.newaxis], deal.places, axis=1)
    mix = StrengthMix.of_rows(rows, np.ones(len(rows), dtype=np.int64))
    return ResponseProblem.of(deal, mix, objective, rules or Rules())


def _holders(table, counts, part):
    if len(part) > 5:
        return np.all(table.hands == sorted(parse_cards(part), reverse=True), axis=1)
    return np.all(counts >= _counts_of(part), axis=1)


def _counts_of(ranks):
    return np.bincount(["789TJQKA".index(rank) for rank in ranks], minlength=8)


def row_problem(deal, row, objective, rules=None):
    """Return a question against an opponent who always has these strengths."""
    mix = StrengthMix.of_rows(np.array([row], dtype=np.int64), np.array([1], dtype=np.int64))
    return ResponseProblem.of(deal, mix, objective, rules or Rules())


def allows(make, fixed):
    """Return whether a model has a solution in which its variables have given values.

    Parameters
    ----------
    make
        Makes the formulation, anew for every trial.
    fixed
        Takes the formulation and returns pairs of a variable and its value.
    """
    formulation = make()
    for variable, value in fixed(formulation):
        formulation.model.add(variable == value)
    formulation.model.clear_objective()
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(formulation.model)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return status == cp_model.OPTIMAL


def index_of_ranks(patterns, text):
    """Return the rank multiset with these ranks, such as ``KKQ``."""
    (index,) = np.flatnonzero(np.all(patterns.counts[: patterns.rank_patterns] == _counts_of(text), axis=1))
    return int(index)


def index_of_flush(patterns, text):
    """Return the flush of these cards."""
    hand = sorted(parse_cards(text), reverse=True)
    (index,) = np.flatnonzero(np.all(patterns.flushes == hand, axis=1))
    return patterns.rank_patterns + int(index)


def unlimited(model, problem):
    """Return a function that makes the formulation of a question."""
    return lambda: model(problem, Limits())
