"""Time to find and prove a best response, by the engines of the program.

Every answer is checked before its time counts: against the known optimum of the case, or against the enumeration of the
undominated partitions. Building the model is on the clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.deals.instance_sets import instances
from benchmarks.deals.response_questions import (
    EQUILIBRIA,
    QUANTAL,
    Question,
    Solve,
    answered,
    measured,
    of_case,
    of_deal,
)
from benchmarks.reporting.figures import Cactus, Figure, Scatter
from benchmarks.reporting.summary import SOLVED, Record, seconds_of
from benchmarks.reporting.tables import Table, seconds_text, time_table
from solver.best_response.cp_sat.exact_cover_model import solve_exact_cover_model
from solver.best_response.cp_sat.packing_model import solve_packing_model
from solver.best_response.dynamic_program import best_value
from solver.best_response.enumeration import best_response
from solver.dominance.partitions import undominated_partitions
from solver.strategies.objectives import OBJECTIVES
from solver.system.limits import Limits
from tests.support.cases import best_response_cases

TITLE = "Best response"
LESSON = "How long each engine takes to prove a best response, by objective and by how the opponent plays."
PACKING, COVER = "CP-SAT, packing", "CP-SAT, exact cover"
ENUMERATION, DYNAMIC_PROGRAM = "enumeration, partitions known", "dynamic program"
CASES = "cases"
GROUPS = (CASES, EQUILIBRIA, QUANTAL)
EQUILIBRIUM_CASES = ("HX09", "HX10", "HX11", "HX12")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: every `step`-th case, random deals, those of them for `win` too, seconds for each."""

    step: int
    deals: int
    win_deals: int
    limit: float


SIZES = {"tiny": Size(24, 1, 0, 2.0), "quick": Size(4, 3, 1, 10.0), "full": Size(1, 30, 6, 60.0)}


def run(size: str) -> list[Record]:
    """Return one record a question and contestant."""
    plan = SIZES[size]
    cases = {case.id: case for case in best_response_cases()}
    plain = [case for case in cases.values() if case.id not in EQUILIBRIUM_CASES][:: plan.step]
    near = [cases[name] for name in EQUILIBRIUM_CASES[:: min(plan.step, 4)]]
    questions = [
        *(of_case(CASES, case, objective) for case in plain for objective in OBJECTIVES),
        *(of_case(EQUILIBRIA, case, objective) for case in near for objective in OBJECTIVES),
    ]
    for number, instance in enumerate(instances("random-100", plan.deals)):
        objectives = OBJECTIVES if number < plan.win_deals else ("points", "margin")
        questions += of_deal(instance.id, instance.deal, objectives)
    return [record for question in questions for record in _by_engine(question, plan.limit)]


def _by_engine(question: Question, limit: float) -> list[Record]:
    problem = question.problem
    partitions = undominated_partitions(problem.deal, problem.rules)
    contestants: dict[str, Solve] = {
        PACKING: lambda deadline: answered(solve_packing_model(problem, limits=Limits(deadline))),
        ENUMERATION: lambda deadline: (True, best_response(problem, partitions).value),
    }
    if question.group.startswith(CASES):
        contestants[COVER] = lambda deadline: answered(solve_exact_cover_model(problem, limits=Limits(deadline)))
    if problem.objective != "win":
        contestants[DYNAMIC_PROGRAM] = lambda deadline: (True, best_value(problem))
    return measured(question, contestants, limit)


def tables(records: list[Record]) -> list[Table]:
    """Return the times by group, and the proofs for `win` by the number of the opponent's arrangements."""
    ordered = sorted(records, key=lambda record: GROUPS.index(record["group"].split(",")[0]))
    return [time_table("Time to a proven best response", ordered), _win_by_support(records)]


def _win_by_support(records: Sequence[Record]) -> Table:
    proofs = sorted(_win_proofs(records), key=lambda record: (record["rows"], record["instance"]))
    rows = tuple(
        (record["instance"], str(record["rows"]), seconds_text(seconds, record["limit"]))
        for record, seconds in zip(proofs, seconds_of(proofs), strict=True)
    )
    return Table("`win` against equilibrium mixes, packing model, by support", ("mix", "support", "time"), rows)


def _win_proofs(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record["contestant"] == PACKING and record["group"] == f"{EQUILIBRIA}, win"]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot of the cases by engine, and the proofs for `win` by support."""
    series: dict[str, list[float]] = {}
    for record, seconds in zip(records, seconds_of(records), strict=True):
        if record["group"].startswith(CASES):
            series.setdefault(record["contestant"], []).append(seconds)
    proofs = _win_proofs(records)
    points = [(float(record["rows"]), record["seconds"]) for record in proofs if record["status"] == SOLVED]
    return [
        Cactus("best-response-engines", "Best responses of the cases by engine", series),
        Scatter(
            "best-response-win",
            "Proof of the `win` best response against equilibrium mixes",
            "arrangements in the mix",
            "seconds",
            {PACKING: points},
            logarithmic_x=True,
            logarithmic_y=True,
        ),
    ]
