"""Best responses and grades as text."""

from collections.abc import Sequence

from rich.text import Text

from solver.best_response import OPTIMAL, Alternative, BestResponse
from solver.grading import Exchange, Grade
from solver.notation import format_card
from solver.opponents import Opponent
from solver.report import write_arrangement, write_packets, write_value
from solver.results import packet_fields
from solver.style import Style, amount


def write_solution(style: Style, response: BestResponse, specs: Sequence[str], opponent: Opponent | None) -> None:
    """Write a best response: the packets with their chances, the six figures, and what is proven."""
    if style.quiet:
        style.line(style.packets(response.arrangement))
        return
    heading = "Best arrangement against {opponent}, by {objective}"
    if response.value is None:
        heading = "Greedy arrangement; the opponent {opponent} was not ready in time"
    _write_heading(style, heading, specs, response.objective)
    mix = None if opponent is None else opponent.mix
    write_packets(style, response.arrangement, response.rules, packet_fields(response.arrangement, response.rules, mix))
    style.line()
    write_arrangement(style, "Arrangement", response.arrangement)
    if response.value is None or response.bound_exact is None:
        return
    write_value(style, response.value, samples=_samples(opponent))
    proof = (
        "Proven optimal: no arrangement has more than {bound}"
        if response.status == OPTIMAL
        else "Not proven: the best possible is at most {bound}"
    )
    style.sentence(style.phrase(proof, bound=amount(response.bound_exact, response.objective)))
    if response.alternatives:
        style.line()
        _write_alternatives(style, response.alternatives, response.objective)


def _samples(opponent: Opponent | None) -> int | None:
    return opponent.samples if opponent is not None and opponent.sampled else None


def _write_heading(style: Style, heading: str, specs: Sequence[str], objective: str) -> None:
    style.sentence(style.phrase(heading, opponent=", ".join(specs), objective=style.phrase(objective)))
    style.line()


def _write_alternatives(style: Style, alternatives: Sequence[Alternative], objective: str) -> None:
    table = style.table("Rank", "Value", "Arrangement", right=("Rank", "Value"))
    for number, alternative in enumerate(alternatives, 1):
        value = amount(alternative.value.of(objective), objective, exact=False)
        table.add_row(str(number), value, style.compact(alternative.arrangement))
    style.show(table)


def write_grade(style: Style, grade: Grade, specs: Sequence[str], opponent: Opponent | None) -> None:
    """Write a grade: chances, figures, what is given away, the best exchange, and the best answer to it."""
    if not style.quiet:
        heading = "Your arrangement against {opponent}, by {objective}"
        if opponent is None:
            heading = "Your arrangement; the opponent {opponent} was not ready in time"
        _write_heading(style, heading, specs, grade.objective)
        mix = None if opponent is None else opponent.mix
        write_packets(style, grade.arrangement, grade.rules, packet_fields(grade.arrangement, grade.rules, mix))
        style.line()
    if grade.value is None:
        _write_best_answer(style, grade)
        return
    if not style.quiet:
        write_value(style, grade.value, samples=_samples(opponent))
        style.line()
    write_regret(style, grade)
    if not style.quiet:
        _write_best_answer(style, grade)


def write_regret(style: Style, grade: Grade) -> None:
    """Write what the best arrangement is worth, what this one gives away, and the exchange that mends most of it."""
    best, mine, regret = grade.best_value_exact, grade.objective_value_exact, grade.regret_exact
    if grade.best is None or best is None or mine is None or regret is None:
        return
    if regret == 0:
        style.line(style.phrase("Regret 0: no arrangement is worth more than yours"))
        return
    mine_text, best_text, regret_text = (amount(value, grade.objective) for value in (mine, best, regret))
    text = "On average yours is worth {mine}, the best {best}: regret {regret}"
    style.sentence(style.phrase(text, mine=mine_text, best=best_text, regret=regret_text))
    if style.quiet:
        return
    write_arrangement(style, "Best", grade.best.arrangement)
    style.sentence(_exchange(style, grade.exchange, grade.objective))


def _write_best_answer(style: Style, grade: Grade) -> None:
    answer = grade.best_answer
    if answer.value is None:
        return
    style.line()
    text = "Whoever knew your arrangement would beat it {points}-{opponent_points}"
    if answer.value.margin <= 0:
        text = "Not even somebody who knew your arrangement would beat it"
    points, opponent_points = answer.value.points, answer.value.opponent_points
    style.sentence(style.phrase(text, points=points, opponent_points=opponent_points))
    write_arrangement(style, "Best answer", answer.arrangement)


def _exchange(style: Style, exchange: Exchange | None, objective: str) -> Text | str:
    if exchange is None:
        return style.phrase("No exchange of two cards or of two packets gains anything")
    first, second = (place + 1 for place in exchange.places)
    gain = amount(exchange.gain, objective)
    if exchange.cards is None:
        text = "Best exchange: the packets of places {first} and {second}, gains {gain}"
        return style.phrase(text, first=first, second=second, gain=gain)
    mine, other = (format_card(card, style.cards) for card in exchange.cards)
    text = "Best exchange: {mine} of place {first} for {other} of place {second}, gains {gain}"
    return style.phrase(text, mine=mine, first=first, other=other, second=second, gain=gain)
