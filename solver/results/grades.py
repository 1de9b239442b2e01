"""A grade with the opponent that it is against: what is written of `grade`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.game.notation import format_cards
from solver.results.opponents import opponent_fields
from solver.results.packets import Packet, packet_fields, packets_of
from solver.results.shared_fields import figure_fields, header, value_fields
from solver.system.json_document import Document

if TYPE_CHECKING:
    # As for best responses: who only writes other documents shall not wait for the engines to load.
    from solver.best_response.grading import Exchange, Grade
    from solver.opponents.specification import Opponent


@dataclass(frozen=True, slots=True)
class GradeResult:
    """A grade, the opponent that it is against, and what the graded packets are against that opponent.

    Parameters
    ----------
    grade
        The grade.
    specs
        The opponent as given.
    opponent
        The opponent, or None if it was not ready in time; all that depends on one is then None as well.
    packets
        Of the graded arrangement, place 1 first.
    """

    grade: "Grade"
    specs: tuple[str, ...]
    opponent: "Opponent | None"
    packets: tuple[Packet, ...]

    @classmethod
    def of(cls, grade: "Grade", specs: Sequence[str], opponent: "Opponent | None") -> "GradeResult":
        """Find out what the packets are."""
        mix = None if opponent is None else opponent.mix
        return cls(grade, tuple(specs), opponent, packets_of(grade.arrangement, grade.rules, mix))

    def document(self, seed: int) -> Document:
        """Return the document of the result."""
        grade = self.grade
        best, answer = grade.best, grade.best_answer
        return {
            **header("grade", grade.arrangement.deal, grade.rules, grade.objective, seed),
            "opponent": opponent_fields(self.specs, self.opponent),
            "status": grade.status,
            "arrangement": grade.arrangement.packet_texts(),
            "packets": packet_fields(self.packets),
            "value": value_fields(grade.value),
            **figure_fields("objective_value", grade.objective_value_exact),
            **figure_fields("best_value", grade.best_value_exact),
            "best_arrangement": None if best is None else best.arrangement.packet_texts(),
            **figure_fields("regret", grade.regret_exact),
            "best_answer": {
                "arrangement": answer.arrangement.packet_texts(),
                **figure_fields("margin", answer.objective_value_exact),
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
        **figure_fields("gain", exchange.gain),
        "arrangement": exchange.arrangement.packet_texts(),
    }
