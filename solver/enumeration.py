"""Exact best response by enumeration of the undominated partitions in all orders.

Nothing is lost: whatever the objective, an arrangement does no better than some order of an undominated partition
(see `partitions`).
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from solver.errors import DealError, RulesError
from solver.partitions import Partitions
from solver.response_problem import ResponseProblem

IntArray = npt.NDArray[np.int64]

_ROW_BLOCK = 1 << 10
"""Rows of the mix whose comparisons with all packets are held at once: some ten megabytes."""
_MARGIN_BLOCK = 1 << 17
"""Margins that are held at once: few enough to stay in a core's cache."""


@dataclass(frozen=True, slots=True)
class EnumerationAnswer:
    """One arrangement of the free cards.

    Parameters
    ----------
    value
        Its value in units of 1/`ResponseProblem.denominator`, with what locked packets earn.
    strengths
        Strength of the packet in each free place.
    packets
        Card ids of the packet in each free place.
    partition
        Index of its partition.
    """

    value: int
    strengths: tuple[int, ...]
    packets: tuple[tuple[int, ...], ...]
    partition: int


@cache
def orders(places: int) -> IntArray:
    """Return all orders of `places` packets, shape (n!, n), lexicographic: entry [o, p] is the packet in place p."""
    table = np.array(list(permutations(range(places))), dtype=np.int64)
    table.flags.writeable = False
    return table


def best_response(problem: ResponseProblem, partitions: Partitions) -> EnumerationAnswer:
    """Return the best arrangement; of equally good ones that of the first partition, in its first order."""
    values = all_values(problem, partitions)
    return _answer(partitions, values, int(values.argmax()))


def best_vectors(problem: ResponseProblem, partitions: Partitions, count: int) -> list[EnumerationAnswer]:
    """Return the `count` best arrangements with different strengths, best first, equal values by partition and order.

    Fewer are returned where there are fewer undominated strength vectors.
    """
    values = all_values(problem, partitions)
    candidates = np.flatnonzero(distinct_orders(partitions.strengths))
    best = np.argsort(-values.ravel()[candidates], kind="stable")[:count]
    return [_answer(partitions, values, int(index)) for index in candidates[best]]


def distinct_orders(strengths: IntArray) -> npt.NDArray[np.bool_]:
    """Return which orders of each partition, shape (m, n!), are the first to give their strength vector.

    Packets that tie are neighbours in the ascending `strengths`, shape (m, n). Of the orders that differ only by an
    exchange of such packets, the first one has each of them before the next.
    """
    ties = strengths[:, 1:] == strengths[:, :-1]
    place_of = np.argsort(orders(strengths.shape[1]), axis=1)
    swapped = place_of[:, 1:] < place_of[:, :-1]
    distinct: npt.NDArray[np.bool_] = ties.astype(np.int64) @ swapped.T.astype(np.int64) == 0
    return distinct


def all_values(problem: ResponseProblem, partitions: Partitions) -> IntArray:
    """Return the value of every partition in every one of the `orders`, shape (m, n!), int64.

    The unit is 1/`problem.denominator`; what locked packets earn is included.

    Raises
    ------
    DealError, RulesError
        If the partitions are not those of the problem's free cards under its rules.
    """
    if partitions.deal != problem.deal:
        raise DealError("the partitions are not those of the free cards")
    if (partitions.rules.name, partitions.rules.ace_low) != (problem.rules.name, problem.rules.ace_low):
        raise RulesError("the partitions were found under other rules")
    if problem.objective == "win":
        return _win_values(problem, partitions.strengths)
    return _additive_values(problem, partitions.strengths)


def _additive_values(problem: ResponseProblem, strengths: IntArray) -> IntArray:
    table = orders(problem.places)
    values = np.full((len(strengths), len(table)), problem.earned, dtype=np.int64)
    for place in range(problem.places):
        values += problem.place_values(place, strengths)[:, table[:, place]]
    return values


def _win_values(problem: ResponseProblem, strengths: IntArray) -> IntArray:
    """Return the values for ``win``: total weight of the rows, plus that of the beaten, minus that of the beating ones.

    The margin of an arrangement against a row is a sum of five numbers that depend on one packet each, at most 5000 in
    all. Weights are added up as float64 by a matrix product, which is exact: no sum is above 2**53.
    """
    mix, places = problem.mix, range(problem.places)
    levels, level_of = np.unique(strengths, return_inverse=True)
    vectors = level_of.reshape(strengths.shape)[:, orders(problem.places)].reshape(-1, problem.places)
    values = np.full(len(vectors), mix.row_total, dtype=np.int64)
    for first in range(0, len(mix.rows), _ROW_BLOCK):
        rows = slice(first, first + _ROW_BLOCK)
        weights = mix.row_weights[rows].astype(np.float64)
        shares = [
            (problem.weights[place] * np.sign(levels[:, None] - mix.rows[rows, place])).astype(np.int16)
            for place in places
        ]
        shares[0] += problem.row_offsets[rows].astype(np.int16)
        step = max(1, _MARGIN_BLOCK // len(weights))
        for start in range(0, len(vectors), step):
            block = vectors[start : start + step]
            margins = shares[0][block[:, 0]]
            for place in places[1:]:
                margins += shares[place][block[:, place]]
            values[start : start + step] += (np.sign(margins).astype(np.float64) @ weights).astype(np.int64)
    return values.reshape(len(strengths), -1)


def _answer(partitions: Partitions, values: IntArray, index: int) -> EnumerationAnswer:
    partition, order = divmod(index, values.shape[1])
    packet_in = orders(partitions.strengths.shape[1])[order].tolist()
    strengths, packets = partitions.strengths[partition].tolist(), partitions.packets(partition)
    return EnumerationAnswer(
        value=int(values[partition, order]),
        strengths=tuple(strengths[packet] for packet in packet_in),
        packets=tuple(tuple(packets[packet]) for packet in packet_in),
        partition=partition,
    )
