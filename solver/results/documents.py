"""Results as JSON documents: plain data, exact figures beside the floats."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from solver.errors import QuintetError, ResultError
from solver.game.arrangement import Arrangement, Score
from solver.game.deal import Deal
from solver.game.evaluator import CATEGORIES, categories_of, evaluate_hands
from solver.game.notation import format_cards
from solver.game.rules import Rules
from solver.language.hand_names import describe_hand
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.payoffs import Value, place_counts
from solver.strategies.strength_mix import StrengthMix
from solver.system.environment import versions
from solver.system.files import read_json
from solver.system.json_document import Document

if TYPE_CHECKING:
    # What needs no solver, such as `hand` and `deal`, shall not wait for one to load.
    from solver.best_response.grading import Exchange, Grade
    from solver.best_response.solve import BestResponse
    from solver.equilibrium.double_oracle import Equilibrium
    from solver.opponents.specification import Opponent


def header(command: str, deal: Deal | None, rules: Rules, objective: str | None, seed: int | None) -> Document:
    """Return the fields that every document begins with."""
    return {
        "schema": f"quintet.{command}/1",
        "deal": None if deal is None else deal_fields(deal),
        "rules": {"name": rules.name, "ace_low": rules.ace_low, "weights": list(rules.weights)},
        "objective": objective,
        "seed": seed,
        "versions": versions(),
    }


def deal_fields(deal: Deal) -> Document:
    """Return the cards in play and those laid aside."""
    return {"cards": deal.text(), "removed": format_cards(deal.removed)}


def exact(figure: Fraction | None) -> str | None:
    """Return an exact figure in lowest terms, such as ``229/10`` or ``18``."""
    return None if figure is None else str(figure)


def value_fields(value: Value | None) -> Document | None:
    """Return the six figures as floats."""
    if value is None:
        return None
    names = ("points", "opponent_points", "margin", "win", "draw", "loss")
    return {name: float(getattr(value, name)) for name in names}


def hand_fields(cards: Sequence[int], rules: Rules, *, language: str = "en") -> Document:
    """Return cards, category, name and strength of one five-card hand."""
    strength = int(evaluate_hands(np.array([cards]), rules)[0])
    return {
        "cards": format_cards(sorted(cards, reverse=True)),
        "category": CATEGORIES[int(categories_of(strength, rules))],
        "name": describe_hand(cards, rules, language),
        "strength": strength,
    }


def packet_fields(arrangement: Arrangement, rules: Rules, mix: StrengthMix | None) -> list[Document]:
    """Return what each packet is and, against a mix, its chances of winning, tying and losing its place."""
    fields = []
    for place, packet in enumerate(arrangement.packets):
        hand = hand_fields(packet, rules)
        win = tie = loss = None
        if mix is not None:
            below, above = (int(count) for count in place_counts(mix.places[place], hand["strength"]))
            win, tie, loss = below / mix.total, (mix.total - below - above) / mix.total, above / mix.total
        fields.append(
            {
                "weight": rules.weights[place],
                "cards": hand["cards"],
                "category": hand["category"],
                "name": hand["name"],
                "win": win,
                "tie": tie,
                "loss": loss,
            }
        )
    return fields


def opponent_fields(specs: Sequence[str], opponent: "Opponent | None") -> Document:
    """Return the opponent as given, and its strategies where they can be listed."""
    fields: Document = {"spec": list(specs), "sampled": None if opponent is None else opponent.sampled}
    if opponent is not None and opponent.sampled:
        fields["samples"] = opponent.samples
    if opponent is not None and opponent.strategies is not None:
        fields["strategies"] = [
            {"arrangement": record["arrangement"], "weight": record["weight"]}
            for record in opponent.strategies.records()
        ]
    return fields


def solve_document(response: "BestResponse", specs: Sequence[str], opponent: "Opponent | None", seed: int) -> Document:
    """Return the document of a best response; without an opponent, all that depends on one is null."""
    mix = None if opponent is None else opponent.mix
    return {
        **header("solve", response.deal, response.rules, response.objective, seed),
        "opponent": opponent_fields(specs, opponent),
        "engine": response.engine,
        "locked": {str(place + 1): format_cards(packet) for place, packet in sorted(response.locked.items())},
        "status": response.status,
        "arrangement": response.arrangement.packet_texts(),
        "packets": packet_fields(response.arrangement, response.rules, mix),
        "value": value_fields(response.value),
        "objective_value": response.objective_value,
        "objective_value_exact": exact(response.objective_value_exact),
        "bound": response.bound,
        "bound_exact": exact(response.bound_exact),
        "alternatives": [
            {
                "arrangement": alternative.arrangement.packet_texts(),
                "objective_value": float(alternative.value.of(response.objective)),
                "objective_value_exact": exact(alternative.value.of(response.objective)),
                "value": value_fields(alternative.value),
            }
            for alternative in response.alternatives
        ],
    }


def grade_document(grade: "Grade", specs: Sequence[str], opponent: "Opponent | None", seed: int) -> Document:
    """Return the document of a grade; without an opponent, all that depends on one is null."""
    mix = None if opponent is None else opponent.mix
    best, answer = grade.best, grade.best_answer
    return {
        **header("grade", grade.arrangement.deal, grade.rules, grade.objective, seed),
        "opponent": opponent_fields(specs, opponent),
        "status": grade.status,
        "arrangement": grade.arrangement.packet_texts(),
        "packets": packet_fields(grade.arrangement, grade.rules, mix),
        "value": value_fields(grade.value),
        **_figure_fields("objective_value", grade.objective_value_exact),
        **_figure_fields("best_value", grade.best_value_exact),
        "best_arrangement": None if best is None else best.arrangement.packet_texts(),
        **_figure_fields("regret", grade.regret_exact),
        "best_answer": {
            "arrangement": answer.arrangement.packet_texts(),
            **_figure_fields("margin", answer.objective_value_exact),
        },
        "exchange": None if grade.exchange is None else _exchange_fields(grade.exchange),
    }


def _exchange_fields(exchange: "Exchange") -> Document:
    """Return an exchange: `first` and `second` are two cards, or the places of two packets."""
    first, second = exchange.places
    cards = exchange.cards
    return {
        "kind": "packets" if cards is None else "cards",
        "first": first + 1 if cards is None else format_cards(cards[:1]),
        "second": second + 1 if cards is None else format_cards(cards[1:]),
        **_figure_fields("gain", exchange.gain),
        "arrangement": exchange.arrangement.packet_texts(),
    }


def _figure_fields(name: str, figure: Fraction | None) -> Document:
    """Return a figure as a float and exactly."""
    return {name: None if figure is None else float(figure), f"{name}_exact": exact(figure)}


def round_document(
    number: int, theirs: Arrangement, score: Score, grade: "Grade", opponent: "Opponent", seed: int
) -> Document:
    """Return the document of one deal of a match: the player's grade, what the opponent laid, and the referee."""
    return {
        **grade_document(grade, opponent.spec, opponent, seed),
        "schema": "quintet.play/1",
        "round": number,
        "opponent_arrangement": theirs.packet_texts(),
        **_score_fields(score),
    }


def score_document(first: Arrangement, second: Arrangement, score: Score, rules: Rules) -> Document:
    """Return the document of the referee."""
    return {
        **header("score", first.deal, rules, None, None),
        "first": first.packet_texts(),
        "second": second.packet_texts(),
        **_score_fields(score),
    }


def _score_fields(score: Score) -> Document:
    """Return what the referee says; points are those of the first and of the second player."""
    places = zip(score.weights, score.winners, strict=True)
    return {
        "points": list(score.points),
        "tied": score.tied,
        "draw": score.draw,
        "places": [{"weight": weight, "winner": winner} for weight, winner in places],
    }


def hand_document(hands: Sequence[Sequence[int]], rules: Rules) -> Document:
    """Return the document of judged hands, strongest first, hands of equal strength in the order given."""
    fields = sorted((hand_fields(hand, rules) for hand in hands), key=lambda hand: -int(hand["strength"]))
    return {**header("hand", None, rules, None, None), "hands": fields}


def deal_document(number: int, deal: Deal, seed: int) -> Document:
    """Return one dealt line, in the form that a batch reads."""
    return {"schema": "quintet.deal/1", "id": number, **deal_fields(deal), "seed": seed}


def equilibrium_document(equilibrium: "Equilibrium", tolerance: float, seed: int) -> Document:
    """Return the document of an equilibrium, with one arrangement drawn from the mix by the seed."""
    mix = equilibrium.strategies
    return {
        **header("equilibrium", equilibrium.deal, equilibrium.rules, equilibrium.objective, seed),
        "status": equilibrium.status,
        "exploitability": equilibrium.exploitability,
        "exploitability_exact": exact(equilibrium.exploitability_exact),
        "tolerance": tolerance,
        "iterations": equilibrium.iterations,
        "undominated_partitions": equilibrium.undominated_partitions,
        "total_weight": mix.total,
        "strategies": mix.records(),
        "play": draw(mix, seed).packet_texts(),
    }


def draw(mix: MixedStrategy, seed: int) -> Arrangement:
    """Return the arrangement that a seed draws from a mix."""
    return mix.draw(np.random.default_rng(seed))


def read_equilibrium(path: str, deal: Deal, rules: Rules, objective: str) -> MixedStrategy:
    """Return the mix of a saved equilibrium document.

    Raises
    ------
    FileError
        If the file cannot be read.
    ResultError
        If it is no such document, one of another deal, objective or rule set, or its strategies are no mix.
    """
    document = read_json(path)
    fields = header("equilibrium", deal, rules, objective, None)
    for name in ("schema", "deal", "objective", "rules"):
        if not isinstance(document, dict) or document.get(name) != fields[name]:
            raise ResultError(f"{path}: not a saved equilibrium of this game: its {name} is another")
    try:
        return MixedStrategy.from_records(document.get("strategies"), deal, rules)
    except QuintetError as error:
        raise ResultError(f"{path}: {error}") from None
