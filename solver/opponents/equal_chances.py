"""Mixes that play some of the undominated arrangements, all equally likely."""

import numpy as np

from solver.dominance.orders import distinct_orders, order_table
from solver.dominance.partitions import Partitions
from solver.game.arrangement import Arrangement
from solver.game.arrays import BoolArray
from solver.strategies.mixed_strategy import MixedStrategy


def equally_likely(partitions: Partitions, chosen: BoolArray) -> MixedStrategy:
    """Return the mix of the chosen arrangements, shape (m, n!); equal strength vectors count once."""
    table = order_table(partitions.strengths.shape[1])
    arrangements = []
    for row, order in np.argwhere(chosen & distinct_orders(partitions.strengths)).tolist():
        packets = partitions.packets(row)
        arrangements.append(Arrangement(tuple(packets[packet] for packet in table[order])))
    return MixedStrategy(tuple(arrangements), (1,) * len(arrangements))
