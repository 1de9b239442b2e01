"""Time to find and prove a best response: formulations, solvers, and engines without a solver.

Every answer is checked before its time counts: against the known optimum of the case, or against the enumeration of the
undominated partitions. Building the model is on the clock.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.boolean_per_hand import solve_boolean_per_hand
from benchmarks.figures import Cactus, Figure, Scatter
from benchmarks.highs_milp import solve_as_milp
from benchmarks.instance_sets import instances
from benchmarks.summary import SOLVED, UNSOLVED, Record, seconds_of
from benchmarks.tables import Table, seconds_text, time_table
from solver.arrangement import Arrangement
from solver.cp_model import CoreModel, solve_core_model
from solver.deal import Deal
from solver.double_oracle import solve_equilibrium
from solver.enumeration import best_response
from solver.exact_cover_model import ExactCoverModel, solve_exact_cover_model
from solver.mixed_strategy import MixedStrategy
from solver.model_answer import ModelAnswer
from solver.objectives import OBJECTIVES
from solver.opponents import parse_opponent
from solver.partitions import undominated_partitions
from solver.place_dp import best_value
from solver.response_problem import ResponseProblem
from solver.strength_mix import StrengthMix
from tests.cases import Case, best_response_cases

TITLE = "Best response"
LESSON = (
    "How much of the speed is the formulation (a boolean per hand and place, exact cover, packing of cores), how much "
    "the solver (CP-SAT, HiGHS), and what engines without one take."
)
PACKING, COVER = "CP-SAT, packing of cores", "CP-SAT, exact cover"
ENUMERATION, PROGRAMME = "enumeration, partitions known", "dynamic programme"
CASES, EQUILIBRIA, QUANTAL, FORMULATIONS = "cases", "equilibrium mixes", "quantal:1", "formulations"
GROUPS = (CASES, EQUILIBRIA, QUANTAL, FORMULATIONS)
EQUILIBRIUM_CASES = ("HX09", "HX10", "HX11", "HX12")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: every `step`-th case, random deals, cases for slow contestants, and seconds for each."""

    step: int
    deals: int
    formulations: tuple[str, ...]
    limit: float


SIZES = {
    "tiny": Size(24, 1, ("H16",), 2.0),
    "quick": Size(4, 3, ("HS00",), 20.0),
    "full": Size(1, 30, ("H16", "H12", "HS00", "HS03", "HS07"), 120.0),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its known value."""

    group: str
    instance: str
    problem: ResponseProblem
    best: Fraction


def run(size: str) -> list[Record]:
    """Return one record a question and contestant."""
    plan = SIZES[size]
    cases = {case.id: case for case in best_response_cases()}
    plain = [case for case in cases.values() if case.id not in EQUILIBRIUM_CASES][:: plan.step]
    near = [cases[name] for name in EQUILIBRIUM_CASES[:: min(plan.step, 4)]]
    questions = [
        *(_of_case(CASES, case, objective) for case in plain for objective in OBJECTIVES),
        *(_of_case(EQUILIBRIA, case, objective) for case in near for objective in OBJECTIVES),
        *(each for instance in instances("random-100", plan.deals) for each in _of_deal(instance.id, instance.deal)),
    ]
    records = [record for question in questions for record in _by_program(question, plan.limit)]
    for name in plan.formulations:
        records += _by_formulation(_of_case(FORMULATIONS, cases[name], "margin"), plan.limit)
    return records


def _of_case(what: str, case: Case, objective: str) -> Question:
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent)).strength_mix(case.rules)
    problem = ResponseProblem.of(Deal.parse(case.cards), mix, objective, case.rules)
    return Question(f"{what}, {objective}", case.id, problem, case.best[objective])


def _of_deal(name: str, deal: Deal) -> list[Question]:
    """Ask for the best responses to the equilibrium mixes of a deal and to its quantal response."""
    partitions = undominated_partitions(deal)
    mixes: list[tuple[str, StrengthMix]] = [(QUANTAL, parse_opponent("quantal:1", deal).mix)]
    for objective in ("margin", "win"):
        equilibrium = solve_equilibrium(deal, objective, time_limit=60.0)
        mixes.append((EQUILIBRIA, equilibrium.strategies.strength_mix()))
    questions = []
    for what, mix in mixes:
        for objective in OBJECTIVES:
            problem = ResponseProblem.of(deal, mix, objective)
            best = Fraction(best_response(problem, partitions).value, problem.denominator)
            questions.append(Question(f"{what}, {objective}", f"{name} ({len(mix.rows)})", problem, best))
    return questions


def _by_program(question: Question, limit: float) -> list[Record]:
    """Time the engines of the program."""
    problem = question.problem
    partitions = undominated_partitions(problem.deal, problem.rules)
    contestants: dict[str, Callable[[float], tuple[bool, int | None]]] = {
        PACKING: lambda deadline: _answered(solve_core_model(problem, deadline=deadline)),
        ENUMERATION: lambda deadline: (True, best_response(problem, partitions).value),
    }
    if question.group.startswith(CASES):
        contestants[COVER] = lambda deadline: _answered(solve_exact_cover_model(problem, deadline=deadline))
    if problem.objective != "win":
        contestants[PROGRAMME] = lambda deadline: (True, best_value(problem))
    return _measured(question, contestants, limit)


def _by_formulation(question: Question, limit: float) -> list[Record]:
    """Time every formulation on every solver."""
    problem = question.problem

    def on_highs(model: type[CoreModel] | type[ExactCoverModel]) -> tuple[bool, int | None]:
        answer = solve_as_milp(model, problem, limit)
        return answer.optimal, answer.value

    return _measured(
        question,
        {
            PACKING: lambda deadline: _answered(solve_core_model(problem, deadline=deadline)),
            COVER: lambda deadline: _answered(solve_exact_cover_model(problem, deadline=deadline)),
            "HiGHS, packing of cores": lambda deadline: on_highs(CoreModel),
            "HiGHS, exact cover": lambda deadline: on_highs(ExactCoverModel),
            "CP-SAT, boolean per hand and place": lambda deadline: _answered(solve_boolean_per_hand(problem, deadline)),
        },
        limit,
    )


def _answered(answer: ModelAnswer) -> tuple[bool, int | None]:
    return answer.status == "optimal", answer.value


def _measured(
    question: Question, contestants: dict[str, Callable[[float], tuple[bool, int | None]]], limit: float
) -> list[Record]:
    records: list[Record] = []
    for contestant, solve in contestants.items():
        start = time.monotonic()
        proven, value = solve(start + limit)
        seconds = time.monotonic() - start
        if proven and Fraction(value or 0, question.problem.denominator) != question.best:
            raise AssertionError(f"{contestant} proves {value} on {question.instance}, not {question.best}")
        records.append(
            {
                "group": question.group,
                "contestant": contestant,
                "instance": question.instance,
                "status": SOLVED if proven else UNSOLVED,
                "seconds": seconds,
                "limit": limit,
                "rows": len(question.problem.mix.rows),
            }
        )
    return records


def tables(records: list[Record]) -> list[Table]:
    """Return the times by group, and the proofs for the match by the number of the opponent's arrangements."""
    ordered = sorted(records, key=lambda record: GROUPS.index(record["group"].split(",")[0]))
    return [time_table("Time to a proven best response", ordered), _win_by_support(records)]


def _win_by_support(records: Sequence[Record]) -> Table:
    proofs = sorted(_win_proofs(records), key=lambda record: (record["rows"], record["instance"]))
    rows = tuple(
        (record["instance"], str(record["rows"]), seconds_text(seconds, record["limit"]))
        for record, seconds in zip(proofs, seconds_of(proofs), strict=True)
    )
    return Table("`win` against equilibrium mixes, packing of cores, by support", ("mix", "support", "time"), rows)


def _win_proofs(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record["contestant"] == PACKING and record["group"] == f"{EQUILIBRIA}, win"]


def figures(records: list[Record]) -> list[Figure]:
    """Return a cactus plot of the formulations and one of the engines, and the proofs for the match by support."""
    series: dict[str, dict[str, list[float]]] = {FORMULATIONS: {}, CASES: {}}
    for record, seconds in zip(records, seconds_of(records), strict=True):
        what = record["group"].split(",")[0]
        if what in series:
            series[what].setdefault(record["contestant"], []).append(seconds)
    proofs = _win_proofs(records)
    points = [(float(record["rows"]), record["seconds"]) for record in proofs if record["status"] == SOLVED]
    return [
        Cactus("best-response-formulations", "Best responses by formulation and solver", series[FORMULATIONS]),
        Cactus("best-response-engines", "Best responses of the cases by engine", series[CASES]),
        Scatter(
            "best-response-win",
            "Proof of the best response for the match against equilibrium mixes",
            "arrangements in the mix",
            "seconds",
            {PACKING: points},
            logarithmic_x=True,
            logarithmic_y=True,
        ),
    ]
