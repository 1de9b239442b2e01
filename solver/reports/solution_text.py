"""Best responses and grades as text."""

from collections.abc import Sequence

from solver.best_response.result import Alternative
from solver.language.numbers import amount
from solver.opponents.specification import Opponent
from solver.reports.console import Style
from solver.reports.sentences import (
    answer_sentence,
    exchange_sentence,
    grade_heading,
    match_sentence,
    points_sentence,
    proof_sentence,
    regret_sentence,
    solution_heading,
)
from solver.reports.tables import write_arrangement, write_packets
from solver.results.best_responses import SolveResult
from solver.results.grades import GradeResult
from solver.strategies.payoffs import Value


def write_solution(style: Style, result: SolveResult) -> None:
    """Write a best response: the packets with their chances, the six figures, and what is proven."""
    response, opponent = result.response, result.opponent
    if style.quiet:
        style.line(style.packets(response.arrangement))
        return
    style.sentence(solution_heading(response, result.specs, style.language))
    style.line()
    write_packets(style, result.packets)
    style.line()
    write_arrangement(style, "Arrangement", response.arrangement)
    if response.value is None:
        return
    _write_value(style, response.value, opponent)
    style.sentence(proof_sentence(response, opponent, style.language))
    if response.alternatives:
        style.line()
        _write_alternatives(style, response.alternatives, response.objective)


def _write_value(style: Style, value: Value, opponent: Opponent | None) -> None:
    style.sentence(points_sentence(value, style.language))
    style.sentence(match_sentence(value, opponent, style.language))


def _write_alternatives(style: Style, alternatives: Sequence[Alternative], objective: str) -> None:
    table = style.table("No.", "Value", "Arrangement", right=("No.", "Value"))
    for number, alternative in enumerate(alternatives, 1):
        value = amount(alternative.value.of(objective), objective, exact=False)
        table.add_row(str(number), value, style.compact(alternative.arrangement))
    style.show(table)


def write_grade(style: Style, result: GradeResult) -> None:
    """Write a grade: chances, figures, what is given away, the best exchange, and the best answer to it."""
    grade, opponent = result.grade, result.opponent
    if not style.quiet:
        style.sentence(grade_heading(grade, result.specs, style.language))
        style.line()
        write_packets(style, result.packets)
        style.line()
        if grade.value is not None:
            _write_value(style, grade.value, opponent)
            style.line()
    write_regret(style, result)
    if style.quiet and grade.value is not None:
        return
    if grade.value is not None:
        style.line()
    style.sentence(answer_sentence(grade, style.language))
    write_arrangement(style, "Best answer", grade.best_answer.arrangement)


def write_regret(style: Style, result: GradeResult) -> None:
    """Write what the best arrangement is worth, what this one gives away, and the exchange that mends most of it."""
    grade = result.grade
    if grade.best is None:
        return
    style.sentence(regret_sentence(grade, result.opponent, style.language))
    if grade.regret_exact and not style.quiet:
        write_arrangement(style, "Best", grade.best.arrangement)
        style.sentence(exchange_sentence(grade, style.cards, style.language))
