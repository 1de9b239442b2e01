"""What results come to, in whole sentences of either language."""

from collections.abc import Sequence

from solver.best_response.engine_answer import Status
from solver.best_response.grading import Grade
from solver.best_response.result import BestResponse
from solver.equilibrium.result import Equilibrium
from solver.game.notation import format_card
from solver.language.numbers import amount, figure, percent
from solver.language.translations import phrase
from solver.opponents.specification import Opponent
from solver.strategies.payoffs import Value


def solution_heading(response: BestResponse, specs: Sequence[str], language: str) -> str:
    """Say what was asked, and that the opponent was not ready if so."""
    text = "Best arrangement against {opponent}, by {objective}"
    if response.value is None:
        text = "Greedy arrangement; the opponent {opponent} was not ready in time"
    return _heading(text, specs, response.objective, language)


def grade_heading(grade: Grade, specs: Sequence[str], language: str) -> str:
    """Say what was graded, and that the opponent was not ready if so."""
    text = "Your arrangement against {opponent}, by {objective}"
    if grade.value is None:
        text = "Your arrangement; the opponent {opponent} was not ready in time"
    return _heading(text, specs, grade.objective, language)


def _heading(text: str, specs: Sequence[str], objective: str, language: str) -> str:
    return phrase(text, language, opponent=", ".join(specs), objective=phrase(objective, language))


def points_sentence(value: Value, language: str) -> str:
    """Say the expected points of both players and their difference."""
    figures = {name: figure(getattr(value, name)) for name in ("points", "opponent_points", "margin")}
    return phrase("Expected points {points}, opponent {opponent_points}, margin {margin}", language, **figures)


def match_sentence(value: Value, opponent: Opponent | None, language: str) -> str:
    """Say how likely the match is won, drawn and lost, and what that rests on if it is an estimate."""
    text = "Match won {win}, drawn {draw}, lost {loss}"
    if opponent is not None and opponent.sampled:
        text += " (estimated from {samples} arrangements of the opponent)"
    shares = {name: percent(float(getattr(value, name))) for name in ("win", "draw", "loss")}
    return phrase(text, language, samples=None if opponent is None else opponent.samples, **shares)


def proof_sentence(response: BestResponse, opponent: Opponent | None, language: str) -> str:
    """Say what is proven of a best response; nothing without an opponent."""
    if response.bound_exact is None:
        return ""
    samples = _samples(response.objective, opponent)
    text = "Not proven: the best possible is at most {bound}"
    if response.status == Status.OPTIMAL:
        text = "Proven optimal: no arrangement has more than {bound}"
        if samples is not None:
            text = "Proven optimal against the {samples} arrangements drawn: no arrangement has more than {bound}"
    return phrase(text, language, bound=amount(response.bound_exact, response.objective), samples=samples)


def regret_sentence(grade: Grade, opponent: Opponent | None, language: str) -> str:
    """Say what an arrangement gives away; nothing without an opponent."""
    samples = _samples(grade.objective, opponent)
    figures = {
        "mine": grade.objective_value_exact,
        "best": grade.best_value_exact,
        "regret": grade.regret_exact,
    }
    if grade.regret_exact is None:
        return ""
    shown = {name: amount(value, grade.objective) for name, value in figures.items() if value is not None}
    text = "On average yours is worth {mine}, the best {best}: regret {regret}"
    if not grade.regret_exact:
        text = "Regret 0: no arrangement is worth more than yours"
    if samples is not None:
        text = f"Against the {{samples}} arrangements drawn: {text[0].lower()}{text[1:]}"
    return phrase(text, language, samples=samples, **shown)


def _samples(objective: str, opponent: Opponent | None) -> int | None:
    """Return how many arrangements stand for an opponent by this objective, or None where nothing was drawn."""
    drawn = objective == "win" and opponent is not None and opponent.sampled
    return opponent.samples if drawn and opponent is not None else None


def exchange_sentence(grade: Grade, notation: str, language: str) -> str:
    """Say which single exchange gains most."""
    exchange = grade.exchange
    if exchange is None:
        return phrase("No exchange of two cards or of two packets gains anything", language)
    first, second = (place + 1 for place in exchange.places)
    gain = amount(exchange.gain, grade.objective)
    if exchange.cards is None:
        text = "Best exchange: the packets of places {first} and {second}, gains {gain}"
        return phrase(text, language, first=first, second=second, gain=gain)
    mine, other = (format_card(card, notation) for card in exchange.cards)
    text = "Best exchange: {mine} of place {first} for {other} of place {second}, gains {gain}"
    return phrase(text, language, mine=mine, first=first, other=other, second=second, gain=gain)


def answer_sentence(grade: Grade, language: str) -> str:
    """Say what somebody would win who knew the arrangement."""
    value = grade.best_answer.value
    if value is None or value.margin <= 0:
        return phrase("Not even somebody who knew your arrangement would beat it", language)
    text = "Whoever knew your arrangement would beat it {points}-{opponent_points}"
    return phrase(text, language, points=value.points, opponent_points=value.opponent_points)


def exploitability_sentence(equilibrium: Equilibrium, language: str) -> str:
    """Say how far from exact an equilibrium is proven to be at most."""
    unit = "{gain} points" if equilibrium.objective == "margin" else "{gain} of a match"
    gain = phrase(unit, language, gain=f"{equilibrium.exploitability:.3g}")
    return phrase("Exploitability {gain}, proven: no arrangement gains more against the mix", language, gain=gain)


def run_sentence(equilibrium: Equilibrium, language: str) -> str:
    """Say how the search ended and how large it was."""
    return phrase(
        "Status {status}; rounds {iterations}, undominated partitions {partitions}, support {support}",
        language,
        status=phrase(equilibrium.status, language),
        iterations=equilibrium.iterations,
        partitions=equilibrium.undominated_partitions,
        support=len(equilibrium.strategies.weights),
    )
