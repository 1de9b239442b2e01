"""The best response as one would write it down first: a boolean for every hand in every place.

    maximise    sum over places p and hands h of G[p, h] x[p, h]
    subject to  hands in place p            =  1    for every place
                hands that hold card c      =  1    for every card

Nothing is wrong with it but its size: 53,130 hands in five places. It is kept as the baseline of the formulations in
`solver`, for the additive objectives only, and runs on CP-SAT's own parameters with one worker.
"""

import time

import numpy as np
from ortools.sat.python import cp_model

from solver.best_response.cp_sat.answer import checked_answer
from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.game.hand_table import hands_of


def solve_boolean_per_hand(problem: ResponseProblem, deadline: float) -> EngineAnswer | None:
    """Return the best packets for `points` or `margin`; the building of the model is on the clock as well.

    Parameters
    ----------
    problem
        The question; the weights of its mix must be small, for CP-SAT adds the coefficients of all booleans up.
    deadline
        Value of `time.monotonic` at which to stop.
    """
    table = hands_of(problem.deal, problem.rules)
    model = cp_model.CpModel()
    places = [[model.new_bool_var("") for _ in table.hands] for _ in range(problem.places)]
    for place in places:
        model.add_exactly_one(place)
    for card in problem.deal.cards:
        holders = np.flatnonzero((table.hands == card).any(axis=1)).tolist()
        model.add_exactly_one([place[hand] for place in places for hand in holders])
    values = [problem.place_values(place, table.strengths).tolist() for place in range(problem.places)]
    model.maximize(
        cp_model.LinearExpr.weighted_sum(
            [boolean for place in places for boolean in place], [value for row in values for value in row]
        )
    )
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = max(0.0, deadline - time.monotonic())
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    solution = solver.response_proto.solution
    taken = [next(hand for hand, boolean in enumerate(place) if solution[boolean.index]) for place in places]
    claim = problem.earned + sum(row[hand] for row, hand in zip(values, taken, strict=True))
    bound = problem.earned - int(solver.response_proto.inner_objective_lower_bound)
    return checked_answer(problem, table.hands[taken].tolist(), claim, bound)
