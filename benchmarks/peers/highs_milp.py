"""The CP-SAT formulations as mixed-integer programs on HiGHS, row by row the same model.

A linear row stays as it is. At most one and exactly one become sums; an implication a => b becomes a <= b; a row that
holds only if a boolean is set gets the smallest constant that switches it off. HiGHS works in floating point, so its
objective is in points or probability, and what it finds counts only after it has been scored again in integers.
"""

import time
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from solver.best_response.cp_sat.exact_cover_model import ExactCoverModel
from solver.best_response.cp_sat.packing_model import PackingModel
from solver.best_response.cp_sat.search import SearchResult
from solver.best_response.problem import ResponseProblem
from solver.equilibrium.highs_model import _QuietHighs
from solver.system.limits import Limits

INFINITY = highspy.kHighsInf
ANY_BOUND = 1 << 62


@dataclass(frozen=True, slots=True)
class MilpAnswer:
    """What HiGHS found: whether it calls that optimal, the exact value of its packets, and the seconds it took."""

    optimal: bool
    value: int | None
    seconds: float


def solve_as_milp(
    model_class: type[PackingModel] | type[ExactCoverModel], problem: ResponseProblem, limit: float
) -> MilpAnswer:
    """Build a formulation, translate it and solve it on one thread; all of this is on the clock."""
    start = time.perf_counter()
    formulation = model_class(problem, Limits())
    proto = formulation.model.proto
    highs = _QuietHighs()
    for option, setting in {
        "output_flag": False,
        "threads": 1,
        "mip_rel_gap": 0.0,
        "mip_abs_gap": 1e-9,
        "time_limit": max(limit - (time.perf_counter() - start), 0.1),
    }.items():
        highs.setOptionValue(option, setting)
    _add_columns(highs, proto, problem.denominator)
    for constraint in proto.constraints:
        _add_row(highs, proto, constraint)
    highs.run()
    optimal = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    value = None
    if highs.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
        values = tuple(round(each) for each in highs.getSolution().col_value)
        value = formulation.answer(SearchResult(values, ANY_BOUND)).value
    return MilpAnswer(optimal, value, time.perf_counter() - start)


def _add_columns(highs: highspy.Highs, proto: Any, denominator: int) -> None:
    count = len(proto.variables)
    # CP-SAT minimises: the coefficients of a maximisation are stored negated, as HiGHS wants them.
    costs = np.zeros(count)
    for variable, coefficient in zip(proto.objective.vars, proto.objective.coeffs, strict=True):
        costs[variable] += coefficient / denominator
    lower, upper = np.array([_ends(variable.domain) for variable in proto.variables], dtype=np.float64).T
    empty = np.zeros(0, dtype=np.int32)
    highs.addCols(count, costs, lower, upper, 0, np.zeros(count, dtype=np.int32), empty, np.zeros(0))
    kinds = np.full(count, highspy.HighsVarType.kInteger)
    highs.changeColsIntegrality(count, np.arange(count, dtype=np.int32), kinds)


def _add_row(highs: highspy.Highs, proto: Any, constraint: Any) -> None:
    switches = list(constraint.enforcement_literal)
    if _is(constraint, "linear"):
        linear = constraint.linear
        row = _Row({}, *_ends(linear.domain))
        for variable, coefficient in zip(linear.vars, linear.coeffs, strict=True):
            row.terms[variable] = row.terms.get(variable, 0) + coefficient
        if switches:
            row.switch(switches[0], proto)
    elif _is(constraint, "bool_and"):
        for literal in constraint.bool_and.literals:
            row = _Row({}, -ANY_BOUND, 0)
            row.add_literal(switches[0], 1)
            row.add_literal(literal, -1)
            row.pass_to(highs)
        return
    else:
        exactly = _is(constraint, "exactly_one")
        row = _Row({}, 1 if exactly else -ANY_BOUND, 1)
        for literal in (constraint.exactly_one if exactly else constraint.at_most_one).literals:
            row.add_literal(literal, 1)
    row.pass_to(highs)


def _is(constraint: Any, kind: str) -> bool:
    # The model is a protocol buffer in OR-Tools 9.12 and a class of its own in 9.15.
    return constraint.HasField(kind) if hasattr(constraint, "HasField") else getattr(constraint, f"has_{kind}")()


def _ends(domain: Any) -> tuple[int, int]:
    return domain[0], domain[len(domain) - 1]


@dataclass(slots=True)
class _Row:
    """lower <= sum of coefficient times variable <= upper; a literal -1 - v is the negation of boolean v."""

    terms: dict[int, int]
    lower: int
    upper: int

    def add_literal(self, literal: int, coefficient: int) -> None:
        if literal < 0:
            literal, coefficient = -1 - literal, -coefficient
            self.lower += coefficient
            self.upper += coefficient
        self.terms[literal] = self.terms.get(literal, 0) + coefficient

    def switch(self, literal: int, proto: Any) -> None:
        """Demand the lower bound only where the literal is true: sum >= lower - (lower - least) (1 - literal)."""
        ranges = [
            [coefficient * end for end in _ends(proto.variables[variable].domain)]
            for variable, coefficient in self.terms.items()
        ]
        if self.upper < sum(map(max, ranges)):
            raise NotImplementedError("a switched row with an upper bound")
        slack = max(self.lower - sum(map(min, ranges)), 0)
        self.lower -= slack
        self.add_literal(literal, -slack)

    def pass_to(self, highs: highspy.Highs) -> None:
        lower = -INFINITY if self.lower <= -ANY_BOUND // 2 else float(self.lower)
        upper = INFINITY if self.upper >= ANY_BOUND // 2 else float(self.upper)
        variables = np.fromiter(self.terms, dtype=np.int32)
        highs.addRow(lower, upper, len(self.terms), variables, np.fromiter(self.terms.values(), dtype=np.float64))
