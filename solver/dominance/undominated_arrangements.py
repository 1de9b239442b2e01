"""The undominated arrangements of a deal: every undominated partition in every order of its packets.

They are all a player ever needs (no arrangement does better than each of them against anything), so the game on them is
the whole game. An arrangement is named by its index: partition times number of orders plus order.
"""

import math
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from solver.dominance.orders import distinct_orders, order_table
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.game.arrangement import Arrangement
from solver.game.arrays import BoolArray, IntArray
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy

Float = TypeVar("Float", bound=np.floating[Any])


class ArrangementTable:
    """All undominated arrangements as strength classes, place by place.

    Parameters
    ----------
    partitions
        The undominated partitions of the deal.
    rules
        Rule set that the strengths belong to; as many of its weights are used as there are places.

    Attributes
    ----------
    orders
        Shape (n!, n), int64: packet (0 = weakest) that each order lays in each place; the identity comes first.
    classes
        Shape (m, n), int64: dense classes of the packets of each partition, ascending in each row.
    """

    def __init__(self, partitions: Partitions, rules: Rules) -> None:
        self.partitions = partitions
        self.rules = rules
        self.places = partitions.strengths.shape[1]
        self.place_weights = np.array(rules.weights[: self.places], dtype=np.int64)
        self.orders = order_table(self.places)
        self.class_strengths = np.unique(partitions.strengths)
        self.classes = np.searchsorted(self.class_strengths, partitions.strengths).astype(np.int64)

    @classmethod
    def of(cls, deal: Deal, rules: Rules) -> "ArrangementTable":
        """Find the undominated partitions of a deal and lay them out in every order."""
        return cls(undominated_partitions(deal, rules), rules)

    @property
    def partition_count(self) -> int:
        """Number of undominated partitions, m."""
        return len(self.classes)

    @property
    def size(self) -> int:
        """Number of arrangements, m n!."""
        return self.partition_count * math.factorial(self.places)

    @property
    def distinct(self) -> BoolArray:
        """Shape (m, n!): False for an order that differs from an earlier one only by packets of equal strength."""
        return distinct_orders(self.partitions.strengths)

    def rows(self, indices: IntArray) -> IntArray:
        """Return the classes place by place, shape (k, n), of the arrangements with these indices."""
        partition, order = np.divmod(indices, len(self.orders))
        return self.classes[partition[:, None], self.orders[order]]

    def over_orders(self, packet_values: npt.NDArray[Float]) -> npt.NDArray[Float]:
        """Add up what the packets are worth where each order lays them.

        Parameters
        ----------
        packet_values
            Shape (m, n, n): worth of packet i in place p.

        Returns
        -------
        ndarray
            Shape (m, n!), the same dtype.
        """
        laid = self._laid.astype(packet_values.dtype)
        sums: npt.NDArray[Float] = packet_values.reshape(len(packet_values), -1) @ laid
        return sums

    @cached_property
    def _laid(self) -> npt.NDArray[np.int8]:
        """Shape (n n, n!): 1 where an order lays packet i in place p."""
        laid = np.zeros((self.places, self.places, len(self.orders)), dtype=np.int8)
        columns = np.arange(len(self.orders))
        for place in range(self.places):
            laid[self.orders[:, place], place, columns] = 1
        return laid.reshape(-1, len(self.orders))

    def indices_of(self, mix: MixedStrategy) -> IntArray:
        """Return the index of each strategy that is an undominated arrangement, ascending; the others are left out."""
        partition_of = {tuple(row): index for index, row in enumerate(self.partitions.strengths.tolist())}
        order_of = {tuple(row): index for index, row in enumerate(self.orders.tolist())}
        found = set()
        for arrangement in mix.arrangements:
            strengths = arrangement.strengths(self.rules)
            order = np.argsort(np.argsort(strengths, kind="stable"))
            partition = partition_of.get(tuple(sorted(strengths)))
            if partition is not None:
                found.add(partition * len(self.orders) + order_of[tuple(order.tolist())])
        return np.array(sorted(found), dtype=np.int64)

    def arrangement(self, index: int) -> Arrangement:
        """Return the arrangement in cards."""
        partition, order = divmod(index, len(self.orders))
        packets = self.partitions.packets(partition)
        return Arrangement(tuple(packets[packet] for packet in self.orders[order]))
