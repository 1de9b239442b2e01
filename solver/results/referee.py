"""What the referee says, as documents have it."""

from solver.game.arrangement import Arrangement, Score
from solver.game.rules import Rules
from solver.results.shared_fields import header
from solver.system.json_document import Document


def score_document(first: Arrangement, second: Arrangement, score: Score, rules: Rules) -> Document:
    """Return the document of the referee."""
    return {
        **header("score", first.deal, rules, None, None),
        "first": first.packet_texts(),
        "second": second.packet_texts(),
        **score_fields(score),
    }


def score_fields(score: Score) -> Document:
    """Return what the referee says; points are those of the first and of the second player."""
    places = zip(score.weights, score.winners, strict=True)
    return {
        "points": list(score.points),
        "tied": score.tied,
        "draw": score.draw,
        "places": [{"weight": weight, "winner": winner} for weight, winner in places],
    }
