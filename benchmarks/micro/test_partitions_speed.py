"""Hot paths that find and price the undominated partitions."""

import pytest

from benchmarks.deals.instance_sets import instances
from solver.best_response.enumeration import all_values
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.dominance.rank_splits import forget_rank_splits
from solver.equilibrium.quantal_response import solve_quantal_response
from solver.game.deal import random_deals
from solver.opponents.specification import parse_opponent

DEAL = next(random_deals(0, 1))


def test_partitions_with_a_cold_cache(benchmark):
    partitions = benchmark.pedantic(undominated_partitions, [DEAL], setup=forget_rank_splits, rounds=10)
    assert len(partitions) == 230


def test_partitions_of_the_largest_deal_with_a_warm_cache(benchmark):
    (largest,) = (deal for deal in instances("extreme-8") if deal.partitions == 1741)
    partitions = benchmark(undominated_partitions, largest.deal)
    assert len(partitions) == 1741


@pytest.mark.parametrize("objective", ["points", "margin", "win"])
def test_pricing_against_level_one(benchmark, objective):
    partitions = undominated_partitions(DEAL)
    problem = ResponseProblem.of(DEAL, parse_opponent("level:1", DEAL, objective=objective).mix, objective)
    values = benchmark(all_values, problem, partitions)
    assert values.shape == (230, 120)


def test_quantal_response(benchmark):
    probabilities = benchmark(solve_quantal_response, undominated_partitions(DEAL), 1.0, (3, 4, 5, 6, 7))
    assert abs(probabilities.sum() - 1) < 1e-9
