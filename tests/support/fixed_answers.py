"""Answers to fixed questions, one a line, which no release of a library may change.

`python -m tests.support.fixed_answers` prints them.

Values alone: of arrangements that tie, or of several equilibria, each release may find another.
"""

from hashlib import sha256
from itertools import combinations

import numpy as np

from solver.best_response.solve import solve_best_response
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import GAME_VALUES
from solver.equilibrium.solve import solve_equilibrium
from solver.game.arrangement import Arrangement
from solver.game.cards import PACK
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.opponents.specification import parse_opponent
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import OBJECTIVES
from tests.support.cases import best_response_cases
from tests.support.d1 import D1
from tests.support.samples import RULE_SETS

EXACT_MODELS = ("greedy", "greedy-shuffled", "random", "undominated", "level:3")
LARGEST_GAME = 300
"""Partitions of the deals whose equilibria are found, in a second or so each."""


def main():
    hands = np.array(list(combinations(PACK, 5)))
    for rules in RULE_SETS[:5]:
        print("hands", rules.name, rules.ace_low, digest(evaluate_hands(hands, rules)))
    for case in best_response_cases():
        deal = Deal.parse(case.cards)
        partitions = undominated_partitions(deal, case.rules)
        print(case.id, len(partitions), digest(partitions.strengths))
        weights, packets = zip(*case.opponent, strict=True)
        mix = MixedStrategy(tuple(map(Arrangement.of_texts, packets)), weights)
        for objective in OBJECTIVES:
            response = solve_best_response(deal, mix, objective, case.rules, engine="both")
            print(case.id, objective, response.status, response.objective_value_exact, response.bound_exact)
    for objective in ("points", "margin"):
        for spec in EXACT_MODELS:
            response = solve_best_response(D1, parse_opponent(spec, D1, objective=objective), objective)
            print(spec, objective, response.status, response.objective_value_exact)
        # What floating point finds is the same to its last figures only.
        response = solve_best_response(D1, parse_opponent("quantal:1", D1), objective)
        print("quantal:1", objective, response.status, f"{response.objective_value:.6f}")
    for case in best_response_cases():
        if case.undominated_partitions > LARGEST_GAME:
            continue
        deal = Deal.parse(case.cards)
        for objective in GAME_VALUES:
            equilibrium = solve_equilibrium(deal, objective, case.rules)
            best = solve_best_response(deal, equilibrium.strategies, objective, case.rules, engine="enumerate")
            print(case.id, objective, equilibrium.status, f"{best.objective_value:.6f}")


def digest(strengths):
    return sha256(np.ascontiguousarray(strengths, dtype=np.int64).tobytes()).hexdigest()


if __name__ == "__main__":
    main()
