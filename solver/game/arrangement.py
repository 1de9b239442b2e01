"""Arrangements of the cards in ordered packets, and the referee who compares two of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index

import numpy as np

from solver.errors import ArrangementError, DealError, NotationError
from solver.game.cards import PACKET_SIZE, PLACES
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import format_card, format_cards, parse_packets
from solver.game.rules import Rules


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Ordered packets of five cards, place 1 first; no order of strength among them is required.

    Parameters
    ----------
    packets
        1 to 5 packets of five card ids each, all different and of the 32-card pack; inside a packet the cards are
        kept in canonical order.

    Raises
    ------
    ArrangementError
        If a packet has not five cards, a card is used twice, or is no id of the pack.
    """

    packets: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        try:
            packets = tuple(tuple(sorted(map(index, packet), reverse=True)) for packet in self.packets)
        except TypeError:
            raise ArrangementError(f"packets are made of card ids, whole numbers, not {self.packets!r:.60}") from None
        if not 1 <= len(packets) <= PLACES:
            raise ArrangementError(f"expected {PLACES} packets, not {len(packets)}")
        seen: dict[int, int] = {}
        for place, packet in enumerate(packets, 1):
            if len(packet) != PACKET_SIZE:
                raise ArrangementError(f"packet {place} has {len(packet)} cards: expected {PACKET_SIZE}")
            for card in packet:
                if card in seen:
                    raise ArrangementError(f"{format_card(card)} given twice, in packets {seen[card]} and {place}")
                seen[card] = place
        try:
            Deal(tuple(seen))
        except DealError as error:
            raise ArrangementError(str(error)) from None
        object.__setattr__(self, "packets", packets)

    @classmethod
    def parse(cls, text: str) -> "Arrangement":
        """Read five packets, place 1 first, with ``|``, ``/`` or a line end between them."""
        packets = parse_packets(text)
        if len(packets) != PLACES:
            raise ArrangementError(f"expected {PLACES} packets with | or / between them, not {len(packets)}")
        return cls(tuple(packets))

    @classmethod
    def of_texts(cls, packets: Iterable[str]) -> "Arrangement":
        """Read one text a packet, as the JSON documents write arrangements."""
        texts = list(packets)
        if len(texts) != PLACES:
            raise ArrangementError(f"expected {PLACES} packets, not {len(texts)}")
        parsed: list[tuple[int, ...]] = []
        for place, text in enumerate(texts, 1):
            try:
                pieces = parse_packets(text)
            except NotationError as error:
                raise ArrangementError(f"packet {place}: {error}") from None
            parsed.append(tuple(card for piece in pieces for card in piece))
        return cls(tuple(parsed))

    @property
    def deal(self) -> Deal:
        """The deal that this arrangement lays out."""
        return Deal(tuple(card for packet in self.packets for card in packet))

    def strengths(self, rules: Rules | None = None) -> tuple[int, ...]:
        """Return the strength of each packet, place 1 first; larger is stronger."""
        return tuple(evaluate_hands(np.array(self.packets), rules).tolist())

    def packet_texts(self, notation: str = "letters") -> list[str]:
        """Return each packet as text."""
        return [format_cards(packet, notation) for packet in self.packets]

    def text(self, notation: str = "letters") -> str:
        """Return the packets on one line with ``|`` between them."""
        return " | ".join(self.packet_texts(notation))


@dataclass(frozen=True, slots=True)
class Score:
    """What the referee says of two arrangements.

    Parameters
    ----------
    weights
        Points that each place is worth.
    winners
        Winner of each place: 1, 2, or 0 for a tie.
    """

    weights: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def points(self) -> tuple[int, int]:
        """Points of the first and of the second player."""
        return self._points_of(1), self._points_of(2)

    @property
    def tied(self) -> int:
        """Points of the tied places, which nobody gets."""
        return self._points_of(0)

    @property
    def draw(self) -> bool:
        """Whether both have the same points."""
        return self._points_of(1) == self._points_of(2)

    def _points_of(self, winner: int) -> int:
        return sum(weight for weight, won in zip(self.weights, self.winners, strict=True) if won == winner)


def score(first: Arrangement, second: Arrangement, rules: Rules | None = None) -> Score:
    """Compare two arrangements of the same deal place by place.

    Raises
    ------
    ArrangementError
        If they do not lay out the same cards.
    """
    require_deal(second, first.deal, "the second arrangement")
    rules = rules or Rules()
    return referee(first.strengths(rules), second.strengths(rules), rules.weights)


def referee(first: Sequence[int], second: Sequence[int], weights: Sequence[int]) -> Score:
    """Compare strengths place by place; as many of the weights are used as there are places."""
    winners = tuple(
        (1 if mine > theirs else 2 if mine < theirs else 0) for mine, theirs in zip(first, second, strict=True)
    )
    return Score(tuple(weights[: len(winners)]), winners)


def require_deal(arrangement: Arrangement, deal: Deal, what: str = "the arrangement") -> None:
    """Raise `ArrangementError` naming a card if the arrangement does not lay out exactly the cards of the deal."""
    held, used = set(deal.cards), {card for packet in arrangement.packets for card in packet}
    foreign = sorted(used - held, reverse=True)
    if foreign:
        raise ArrangementError(f"{what} uses {format_card(foreign[0])}, which is not in the deal")
    missing = sorted(held - used, reverse=True)
    if missing:
        raise ArrangementError(f"{what} leaves out {format_card(missing[0])}")
