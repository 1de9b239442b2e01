"""The same best responses by different formulations on different solvers, on ten cases.

Every proof is checked against the known optimum of the case. Building and translating the model is on the clock. HiGHS
gets the rows of the CP-SAT models and proves in floating point; what it finds is scored again in integers.
"""

from benchmarks.deals.response_questions import Solve, answered, measured, of_case
from benchmarks.peers.boolean_per_hand import solve_boolean_per_hand
from benchmarks.peers.highs_milp import solve_as_milp
from benchmarks.reporting.figures import Cactus, Figure
from benchmarks.reporting.summary import Record, grouped, seconds_of
from benchmarks.reporting.tables import Table, seconds_text, time_table
from solver.best_response.cp_sat.exact_cover_model import ExactCoverModel, solve_exact_cover_model
from solver.best_response.cp_sat.packing_model import PackingModel, solve_packing_model
from solver.best_response.problem import ResponseProblem
from solver.system.limits import Limits
from tests.support.cases import best_response_cases

TITLE = "Formulations of the best response"
LESSON = (
    "How much of the speed is the formulation (a boolean per hand and place, exact cover of the cards, "
    "packing), and how much the solver (CP-SAT, HiGHS)."
)
CASES = ("H16", "H00", "H05", "H12", "H23", "HS00", "HS03", "HS07", "HX02", "HX05")
SIZES = {"tiny": (1, 2.0), "quick": (1, 10.0), "full": (10, 60.0)}
"""Number of the cases, and seconds for each contestant."""


def run(size: str) -> list[Record]:
    """Return one record a case and contestant."""
    count, limit = SIZES[size]
    cases = {case.id: case for case in best_response_cases()}
    records = []
    for name in CASES[:count]:
        question = of_case("cases", cases[name], "points")
        records += measured(question, _contestants(question.problem, limit), limit)
    return records


def _contestants(problem: ResponseProblem, limit: float) -> dict[str, Solve]:
    def on_highs(model: type[PackingModel] | type[ExactCoverModel]) -> tuple[bool, int | None]:
        answer = solve_as_milp(model, problem, limit)
        return answer.optimal, answer.value

    return {
        "CP-SAT, packing": lambda deadline: answered(solve_packing_model(problem, limits=Limits(deadline))),
        "HiGHS, packing": lambda deadline: on_highs(PackingModel),
        "CP-SAT, exact cover": lambda deadline: answered(solve_exact_cover_model(problem, limits=Limits(deadline))),
        "HiGHS, exact cover": lambda deadline: on_highs(ExactCoverModel),
        "CP-SAT, boolean per hand and place": lambda deadline: answered(solve_boolean_per_hand(problem, deadline)),
    }


def tables(records: list[Record]) -> list[Table]:
    """Return the times together and case by case."""
    contestants = list(grouped(records, lambda record: record["contestant"]))
    rows = []
    for name, members in grouped(records, lambda record: record["instance"]).items():
        times = [
            seconds_text(seconds, member["limit"]) for member, seconds in zip(members, seconds_of(members), strict=True)
        ]
        rows.append((name, *times))
    return [
        time_table("Time to a proven best response by points", records),
        Table("Case by case", ("case", *contestants), tuple(rows)),
    ]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot."""
    contestants = grouped(records, lambda record: record["contestant"])
    series = {name: seconds_of(members) for name, members in contestants.items()}
    return [Cactus("formulations", "Best responses by points by formulation and solver", series)]
