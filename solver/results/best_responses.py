"""A best response with the opponent that it answers: what is written of `solve`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.game.notation import format_cards
from solver.results.opponents import opponent_fields
from solver.results.packets import Packet, packet_fields, packets_of
from solver.results.shared_fields import figure_fields, header, value_fields
from solver.system.json_document import Document

if TYPE_CHECKING:
    # Who only hands questions to others, as the parent of a batch, shall not load and hold the engines for it.
    from solver.best_response.result import Alternative, BestResponse
    from solver.opponents.specification import Opponent


@dataclass(frozen=True, slots=True)
class SolveResult:
    """A best response, the opponent that it answers, and what its packets are against that opponent.

    Parameters
    ----------
    response
        The best response.
    specs
        The opponent as given.
    opponent
        The opponent, or None if it was not ready in time; all that depends on one is then None as well.
    packets
        Place 1 first.
    """

    response: "BestResponse"
    specs: tuple[str, ...]
    opponent: "Opponent | None"
    packets: tuple[Packet, ...]

    @classmethod
    def of(cls, response: "BestResponse", specs: Sequence[str], opponent: "Opponent | None") -> "SolveResult":
        """Find out what the packets are."""
        mix = None if opponent is None else opponent.mix
        return cls(response, tuple(specs), opponent, packets_of(response.arrangement, response.rules, mix))

    def document(self, seed: int) -> Document:
        """Return the document of the result."""
        response = self.response
        return {
            **header("solve", response.deal, response.rules, response.objective.value, seed),
            "opponent": opponent_fields(self.specs, self.opponent),
            "engine": response.engine.value,
            "locked": {str(place + 1): format_cards(packet) for place, packet in sorted(response.locked.items())},
            "status": response.status.value,
            "arrangement": response.arrangement.packet_texts(),
            "packets": packet_fields(self.packets),
            "value": value_fields(response.value),
            **figure_fields("objective_value", response.objective_value_exact),
            **figure_fields("bound", response.bound_exact),
            "alternatives": [_alternative_fields(each, response.objective) for each in response.alternatives],
        }


def _alternative_fields(alternative: "Alternative", objective: str) -> Document:
    return {
        "arrangement": alternative.arrangement.packet_texts(),
        **figure_fields("objective_value", alternative.value.of(objective)),
        "value": value_fields(alternative.value),
    }
