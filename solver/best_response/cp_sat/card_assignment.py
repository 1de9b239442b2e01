"""From cores to packets: real cards for what a model chose, and what is left over to fill up."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.best_response.cp_sat.patterns import Cores
from solver.errors import InternalError
from solver.game.cards import LOWEST_RANK, PACKET_SIZE, SUITS
from solver.game.deal import Deal

IntArray = npt.NDArray[np.int64]


def assign_cores(cores: Cores, chosen: Sequence[int], demands: Sequence[int]) -> list[int | None]:
    """Return a core for each place, the strongest to the place that demands most.

    If for every strength at least as many chosen cores as places reach it, this meets every demand: where the i-th
    highest demand is d, i places demand d or more, so that the i-th strongest core reaches d.

    Parameters
    ----------
    cores
        The cores of the model.
    chosen
        Indices into `cores`, with repetition.
    demands
        Strength that each place must reach; -1 where there is none.

    Raises
    ------
    InternalError
        If a demand is not met.
    """
    strongest = sorted(chosen, key=lambda core: (-int(cores.strengths[core]), core))
    assigned: list[int | None] = [None] * len(demands)
    demanding = [place for place in range(len(demands)) if demands[place] >= 0]
    demanding.sort(key=lambda place: (-demands[place], place))
    for rank, place in enumerate(demanding):
        if rank >= len(strongest) or cores.strengths[strongest[rank]] < demands[place]:
            raise InternalError(f"no core of the model reaches strength {demands[place]} in place {place + 1}")
        assigned[place] = strongest[rank]
    return assigned


def complete_packets(deal: Deal, cores: Cores, assigned: Sequence[int | None]) -> list[list[int]]:
    """Return packets of real cards that contain the cores assigned to them; None leaves a packet to the left-overs.

    Raises
    ------
    InternalError
        If the cores need more cards than there are.
    """
    packets = [[] if core is None else list(cores.flush_cards(core)) for core in assigned]
    taken = {card for packet in packets for card in packet}
    left = [card for card in deal.cards if card not in taken]
    for packet, core in zip(packets, assigned, strict=True):
        if core is None or packet:
            continue
        for rank, count in enumerate(cores.counts[core].tolist(), LOWEST_RANK):
            fitting = [card for card in left if card // SUITS == rank][:count]
            if len(fitting) < count:
                raise InternalError(f"the cores of the model need more cards of rank {rank} than the deal holds")
            packet += fitting
            left = [card for card in left if card not in fitting]
    for packet in packets:
        missing = PACKET_SIZE - len(packet)
        packet += left[:missing]
        left = left[missing:]
    return packets
