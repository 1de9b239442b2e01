"""Hot paths of the engines: building and solving the CP-SAT model, the dynamic program, linear programs."""

import numpy as np
import pytest

from solver.best_response import dynamic_program
from solver.best_response.cp_sat.packing_model import PackingModel, solve_packing_model
from solver.best_response.enumeration import best_response
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.matrix_game import solve_matrix_game
from solver.equilibrium.solve import solve_equilibrium
from solver.game.deal import random_deals
from solver.opponents.specification import parse_opponent
from solver.system.limits import Limits

DEAL = next(random_deals(0, 1))


def question(objective):
    return ResponseProblem.of(DEAL, parse_opponent("greedy-shuffled", DEAL).mix, objective)


@pytest.mark.parametrize("objective", ["points", "win"])
def test_building_the_packing(benchmark, objective):
    model = benchmark(PackingModel, question(objective), Limits()).model
    assert len(model.proto.variables) > 100


@pytest.mark.parametrize("objective", ["points", "margin", "win"])
def test_best_response_by_cp_sat(benchmark, objective):
    problem = question(objective)
    answer = benchmark.pedantic(solve_packing_model, [problem], rounds=5)
    assert answer.status == "optimal"
    assert answer.value == best_response(problem, undominated_partitions(DEAL)).value


def test_best_response_by_place_dp(benchmark):
    problem = question("margin")
    answer = benchmark.pedantic(dynamic_program.best_response, [problem], rounds=5)
    assert answer.value == best_response(problem, undominated_partitions(DEAL)).value


def test_matrix_game_of_a_hundred_strategies(benchmark):
    payoffs = np.random.default_rng(0).normal(size=(100, 100))
    solution = benchmark(solve_matrix_game, payoffs - payoffs.T)
    assert abs(solution.value) < 1e-9


@pytest.mark.parametrize("objective", ["margin", "win"])
def test_equilibrium(benchmark, objective):
    equilibrium = benchmark.pedantic(solve_equilibrium, [DEAL, objective], rounds=3)
    assert equilibrium.status == "converged"
