"""An arrangement as a player gives it line by line: all at once, or packet by packet."""

from solver.errors import ArrangementError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.cards import PACKET_SIZE
from solver.game.deal import Deal
from solver.game.notation import format_card, parse_packets


class ArrangementEntry:
    """Packets of a deal laid so far, place 1 first.

    Parameters
    ----------
    deal
        The cards to lay out.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.packets: list[tuple[int, ...]] = []

    @property
    def left(self) -> tuple[int, ...]:
        """Cards that are not laid yet, in canonical order."""
        laid = {card for packet in self.packets for card in packet}
        return tuple(card for card in self.deal.cards if card not in laid)

    def take(self, line: str) -> Arrangement | None:
        """Lay what a line holds, and return the arrangement once it is whole.

        A line holds all packets, which then replace those laid before, or the next one or more. An empty line lays the
        last packet when nothing else is left, and otherwise nothing.

        Raises
        ------
        QuintetError
            If the line cannot be read or does not fit; nothing has then changed.
        """
        if line.strip():
            given = parse_packets(line, first=len(self.packets) + 1)
            self.packets = self._checked(given if len(given) == self.deal.places else [*self.packets, *given])
        elif len(self.packets) == self.deal.places - 1:
            self.packets.append(self.left)
        if len(self.packets) < self.deal.places:
            return None
        arrangement = Arrangement(tuple(self.packets))
        require_deal(arrangement, self.deal)
        return arrangement

    def undo(self) -> None:
        """Take the last packet back, if there is one."""
        del self.packets[-1:]

    def _checked(self, packets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        if len(packets) > self.deal.places:
            raise ArrangementError(f"{len(packets)} packets: expected {self.deal.places} in all")
        owner: dict[int, int] = {}
        for place, packet in enumerate(packets, 1):
            if len(packet) != PACKET_SIZE:
                hint = ", and | between packets" if len(packet) > PACKET_SIZE else ""
                raise ArrangementError(f"packet {place} has {len(packet)} cards: expected {PACKET_SIZE}{hint}")
            for card in packet:
                if card not in self.deal.cards:
                    raise ArrangementError(f"{format_card(card)} is not in this deal")
                if card in owner:
                    raise ArrangementError(f"{format_card(card)} given twice, in packets {owner[card]} and {place}")
                owner[card] = place
        return packets
