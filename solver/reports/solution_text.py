"""Best responses and grades as text."""

from collections.abc import Sequence

from solver.best_response.grading import Grade
from solver.best_response.solve import Alternative, BestResponse
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
from solver.results.documents import packet_fields
from solver.strategies.payoffs import Value


def write_solution(style: Style, response: BestResponse, specs: Sequence[str], opponent: Opponent | None) -> None:
    """Write a best response: the packets with their chances, the six figures, and what is proven."""
    if style.quiet:
        style.line(style.packets(response.arrangement))
        return
    style.sentence(solution_heading(response, specs, style.language))
    style.line()
    mix = None if opponent is None else opponent.mix
    write_packets(style, response.arrangement, response.rules, packet_fields(response.arrangement, response.rules, mix))
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
    table = style.table("Rank", "Value", "Arrangement", right=("Rank", "Value"))
    for number, alternative in enumerate(alternatives, 1):
        value = amount(alternative.value.of(objective), objective, exact=False)
        table.add_row(str(number), value, style.compact(alternative.arrangement))
    style.show(table)


def write_grade(style: Style, grade: Grade, specs: Sequence[str], opponent: Opponent | None) -> None:
    """Write a grade: chances, figures, what is given away, the best exchange, and the best answer to it."""
    if not style.quiet:
        style.sentence(grade_heading(grade, specs, style.language))
        style.line()
        mix = None if opponent is None else opponent.mix
        write_packets(style, grade.arrangement, grade.rules, packet_fields(grade.arrangement, grade.rules, mix))
        style.line()
        if grade.value is not None:
            _write_value(style, grade.value, opponent)
            style.line()
    write_regret(style, grade, opponent)
    if style.quiet and grade.value is not None:
        return
    if grade.value is not None:
        style.line()
    style.sentence(answer_sentence(grade, style.language))
    write_arrangement(style, "Best answer", grade.best_answer.arrangement)


def write_regret(style: Style, grade: Grade, opponent: Opponent | None) -> None:
    """Write what the best arrangement is worth, what this one gives away, and the exchange that mends most of it."""
    if grade.best is None:
        return
    style.sentence(regret_sentence(grade, opponent, style.language))
    if grade.regret_exact and not style.quiet:
        write_arrangement(style, "Best", grade.best.arrangement)
        style.sentence(exchange_sentence(grade, style.cards, style.language))
