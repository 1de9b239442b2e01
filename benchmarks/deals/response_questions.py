"""Best-response questions with known values, and timing of those who answer them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.reporting.summary import SOLVED, UNSOLVED, Record
from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.enumeration import best_response
from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.solve import solve_equilibrium
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.opponents.specification import parse_opponent
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.cases import Case

EQUILIBRIA, QUANTAL = "equilibrium mixes", "quantal:1"

Solve = Callable[[float], tuple[bool, int | None]]
"""Takes the `time.monotonic` reading at which to stop, and says whether it proved its value, and the value."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its known value."""

    group: str
    instance: str
    problem: ResponseProblem
    best: Fraction


def of_case(what: str, case: Case, objective: str) -> Question:
    """Return the question of a known case."""
    arrangements = tuple(Arrangement.of_texts(packets) for _, packets in case.opponent)
    mix = MixedStrategy(arrangements, tuple(weight for weight, _ in case.opponent)).strength_mix(case.rules)
    problem = ResponseProblem.of(Deal.parse(case.cards), mix, objective, case.rules)
    return Question(f"{what}, {objective}", case.id, problem, case.best[objective])


def of_deal(name: str, deal: Deal, objectives: tuple[str, ...]) -> list[Question]:
    """Ask for the best responses to both equilibrium mixes of a deal and to its quantal response."""
    partitions = undominated_partitions(deal)
    mixes = [(QUANTAL, parse_opponent("quantal:1", deal).mix)]
    for objective in ("margin", "win"):
        equilibrium = solve_equilibrium(deal, objective, time_limit=60.0)
        mixes.append((EQUILIBRIA, equilibrium.strategies.strength_mix()))
    questions = []
    for what, mix in mixes:
        for objective in objectives:
            problem = ResponseProblem.of(deal, mix, objective)
            best = Fraction(best_response(problem, partitions).value, problem.denominator)
            questions.append(Question(f"{what}, {objective}", f"{name} ({len(mix.rows)})", problem, best))
    return questions


def answered(answer: EngineAnswer | None) -> tuple[bool, int | None]:
    """Return whether a model's answer is proven, and its value."""
    return (False, None) if answer is None else (answer.status == "optimal", answer.value)


def measured(question: Question, contestants: Mapping[str, Solve], limit: float) -> list[Record]:
    """Let all contestants answer, one after the other.

    Raises
    ------
    AssertionError
        If one of them proves another value than the known one.
    """
    records: list[Record] = []
    for contestant, solve in contestants.items():
        start = time.monotonic()
        proven, value = solve(start + limit)
        seconds = time.monotonic() - start
        if proven and (value is None or Fraction(value, question.problem.denominator) != question.best):
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
