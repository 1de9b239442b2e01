"""From patterns to packets: real cards for what a model chose, and what is left over to fill up."""

from collections.abc import Sequence

from solver.best_response.cp_sat.patterns import Patterns
from solver.errors import InternalError
from solver.game.cards import LOWEST_RANK, PACKET_SIZE, SUITS
from solver.game.deal import Deal


def assign_patterns(patterns: Patterns, chosen: Sequence[int], demands: Sequence[int]) -> list[int | None]:
    """Return a pattern for each place, the strongest to the place that demands most.

    If for every strength at least as many chosen patterns as places reach it, this meets every demand: where the i-th
    highest demand is d, i places demand d or more, so that the i-th strongest pattern reaches d.

    Parameters
    ----------
    patterns
        The patterns of the model.
    chosen
        Indices into `patterns`, with repetition.
    demands
        Strength that each place must reach; -1 where there is none.

    Raises
    ------
    InternalError
        If a demand is not met.
    """
    strongest = sorted(chosen, key=lambda pattern: (-int(patterns.strengths[pattern]), pattern))
    assigned: list[int | None] = [None] * len(demands)
    demanding = [place for place in range(len(demands)) if demands[place] >= 0]
    demanding.sort(key=lambda place: (-demands[place], place))
    for rank, place in enumerate(demanding):
        if rank >= len(strongest) or patterns.strengths[strongest[rank]] < demands[place]:
            raise InternalError(f"no pattern of the model reaches strength {demands[place]} in place {place + 1}")
        assigned[place] = strongest[rank]
    return assigned


def complete_packets(deal: Deal, patterns: Patterns, assigned: Sequence[int | None]) -> list[list[int]]:
    """Return packets of real cards that contain the patterns assigned to them; None leaves a packet to the left-overs.

    Raises
    ------
    InternalError
        If the patterns need more cards than there are.
    """
    packets = [[] if pattern is None else list(patterns.flush_cards(pattern)) for pattern in assigned]
    taken = {card for packet in packets for card in packet}
    left = [card for card in deal.cards if card not in taken]
    for packet, pattern in zip(packets, assigned, strict=True):
        if pattern is None or packet:
            continue
        for rank, count in enumerate(patterns.counts[pattern].tolist(), LOWEST_RANK):
            fitting = [card for card in left if card // SUITS == rank][:count]
            if len(fitting) < count:
                raise InternalError(f"the patterns of the model need more cards of rank {rank} than the deal holds")
            packet += fitting
            left = [card for card in left if card not in fitting]
    for packet in packets:
        missing = PACKET_SIZE - len(packet)
        packet += left[:missing]
        left = left[missing:]
    return packets
