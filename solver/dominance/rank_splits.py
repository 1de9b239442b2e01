"""How cards split into rank packets, suits forgotten.

Of the splits of a state (rank counts) only those are listed whose packets are pairwise *locally undominated*: no
other split of the same ten cards into two packets is at least as strong in both and stronger in one. A split with a
pair that can be improved so can itself be improved, so that no undominated split is missed. docs/dominance.md has the
proof.

All of this depends on the eight rank counts of a deal and on the rule set alone: 3,144 count vectors serve all
3,365,856 deals, and what is found for one deal is kept for the next.
"""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.dominance.rank_multisets import RankPackets, digits_of, fits
from solver.game.arrays import BoolArray, IntArray
from solver.game.cards import PACKET_SIZE, SUITS
from solver.game.rules import Rules

MEMORY_LIMIT = 1 << 26
"""Bytes of splits that are kept for later deals: 64 MiB."""


@dataclass(frozen=True, slots=True, eq=False)
class SplitTable:
    """Splits into the same number of packets, sorted by the state that they share out.

    Parameters
    ----------
    packets
        Shape (p, r), int16: ids of the packets, one split a column, weakest packet first.
    states
        Shape (r,), int32, ascending.
    """

    packets: npt.NDArray[np.int16]
    states: npt.NDArray[np.int32]

    @classmethod
    def of(cls, packets: IntArray, states: IntArray) -> "SplitTable":
        """Sort splits by state; those of one state keep their order."""
        order = stable_order(states)
        return cls(packets[:, order].astype(np.int16), states[order].astype(np.int32))

    @property
    def nbytes(self) -> int:
        """Size in memory."""
        return self.packets.nbytes + self.states.nbytes

    def of_states(self, states: IntArray) -> tuple[IntArray, IntArray]:
        """Return the splits of each of `states`: indices into `states`, shape (t,), and packet ids, shape (p, t)."""
        first = np.searchsorted(self.states, states)
        sizes = np.searchsorted(self.states, states, side="right") - first
        owners = np.repeat(np.arange(len(states)), sizes)
        columns = np.arange(len(owners)) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
        return owners, self.packets[:, columns].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class RankSplits:
    """The rank packets of a deal and the splits of what choices of flush packets can leave of its cards.

    Parameters
    ----------
    packets
        The rank packets.
    tables
        Entry p holds the splits into p packets, p = 0, …, n.
    """

    packets: RankPackets
    tables: tuple[SplitTable, ...]

    @property
    def nbytes(self) -> int:
        """Size in memory, but for small parts."""
        return self.packets.multisets.nbytes + sum(table.nbytes for table in self.tables)

    @classmethod
    def of(cls, packets: RankPackets) -> "RankSplits":
        """Find the splits."""
        places = int(packets.counts.sum()) // PACKET_SIZE
        found = [np.empty((0, 1), dtype=np.int64), np.arange(len(packets))[None]]
        whole = packets.counts[None]
        if places > 1:
            pairs, compatible = locally_undominated_pairs(packets)
            found.append(pairs)
        if places > 2:
            found.append(_triples(packets, pairs, compatible))
        if places > 3:
            one_flush = packets.multisets[packets.multisets.max(axis=1) == 1]
            rooms = whole if places == 4 else whole - one_flush
            found.append(_joined(packets, pairs, pairs, rooms, compatible))
        if places > 4:
            found.append(_joined(packets, pairs, found[3], whole, compatible))
        return cls(packets, tuple(_table(packets, splits, places) for splits in found))


def _table(packets: RankPackets, splits: IntArray, places: int) -> SplitTable:
    """Tabulate the splits of those states that flush packets can leave: no rank more than once a flush packet."""
    rest = digits_of(packets.counts) - packets.digits[splits].sum(axis=0)
    flushes = np.ones_like(packets.counts) * min(places - len(splits), SUITS)
    needed = splits[:, fits(rest, digits_of(flushes))]
    return SplitTable.of(needed, packets.states[needed].sum(axis=0))


def locally_undominated_pairs(packets: RankPackets) -> tuple[IntArray, BoolArray]:
    """Return the undominated splits of all states of ten cards.

    Returns
    -------
    pairs
        Shape (2, r), int64: packet ids, the weaker first; sorted by state, those of one state with the weaker packet
        falling and so with the stronger one rising. One of each set of pairs of one state that tie in both packets:
        exchanging it for another changes neither the strengths of a split nor the cards left for its other packets.
    compatible
        Shape (k, k), bool, symmetric: whether two packets make an undominated pair; tied pairs are all in it.
    """
    ids = len(packets)
    room = digits_of(packets.counts) - packets.digits
    both_fit = np.triu(fits(packets.digits, room[:, None]))
    weaker, stronger = np.divmod(np.flatnonzero(both_fit)[::-1], ids)
    states = packets.states[weaker] + packets.states[stronger]
    order = stable_order(states)
    weaker, stronger, states = weaker[order], stronger[order], states[order]
    # A run is what has one state and one weaker strength. Runs of a state come with the weaker strength falling, so
    # that a run has undominated pairs where its strongest partner beats those of all earlier runs of its state.
    low, high = packets.classes[weaker], packets.classes[stronger]
    starts_run = np.diff(states * ids + low, prepend=-1) != 0
    run = np.cumsum(starts_run) - 1
    best = np.maximum.reduceat(high, np.flatnonzero(starts_run))
    record = np.maximum.accumulate(states[starts_run] * ids + best)
    kept = np.flatnonzero((np.diff(record, prepend=-1) > 0)[run] & (high == best[run]))
    compatible = np.zeros((ids, ids), dtype=np.bool_)
    compatible[weaker[kept], stronger[kept]] = True
    compatible |= compatible.T
    kept = kept[np.diff(run[kept], prepend=-1) != 0]
    return np.stack((weaker[kept], stronger[kept])), compatible


def _triples(packets: RankPackets, pairs: IntArray, compatible: BoolArray) -> IntArray:
    """Return all pairs with a third packet, not weaker, that is compatible with both: shape (3, r)."""
    above = compatible & (packets.classes >= packets.classes[:, None])
    bits = np.packbits(above, axis=1, bitorder="little")
    common = (bits[pairs[0]] & bits[pairs[1]]).ravel()
    occupied = np.flatnonzero(common)
    found = np.flatnonzero(np.unpackbits(common[occupied], bitorder="little"))
    pair, byte = np.divmod(occupied[found >> 3], bits.shape[1])
    third = (byte << 3) + (found & 7)
    room = digits_of(packets.counts) - packets.digits[pairs].sum(axis=0)
    fit = fits(packets.digits[third], room[pair])
    return np.concatenate((pairs[:, pair[fit]], third[None, fit]))


def _joined(
    packets: RankPackets, pairs: IntArray, uppers: IntArray, rooms: IntArray, compatible: BoolArray
) -> IntArray:
    """Return the splits of each room (rank counts, shape (s, 8)) into a pair and a not weaker split of `uppers`.

    The pairs of one state come with the stronger packet rising, so that those that fit below an upper split are a run
    from the first on. The runs of all upper splits are walked along in step.
    """
    pair_states = packets.states[pairs].sum(axis=0)
    starts = np.searchsorted(pair_states, np.arange(packets.full_state + 2))
    pair_class = np.append(packets.classes[pairs[1]], len(packets))
    lowest = np.where(np.diff(starts) > 0, pair_class[starts[:-1]], len(packets))
    upper_states, upper_digits = packets.states[uppers].sum(axis=0), packets.digits[uppers].sum(axis=0)
    upper_class = packets.classes[uppers[0]]
    reached = []
    for room, room_state in zip(digits_of(rooms), rooms @ packets.bases, strict=True):
        upper = np.flatnonzero(fits(upper_digits, room))
        rest = room_state - upper_states[upper]
        below = np.flatnonzero(lowest[rest] <= upper_class[upper])
        reached.append((upper[below], rest[below]))
    upper, rest = (np.concatenate(parts) for parts in zip(*reached, strict=True))
    pair, end = starts[rest], starts[rest + 1]
    found = []
    while len(upper):
        fit_pair, fit_upper = pair, upper
        for high in uppers:
            for low in pairs[::-1]:
                fit = np.flatnonzero(compatible[low[fit_pair], high[fit_upper]])
                fit_pair, fit_upper = fit_pair[fit], fit_upper[fit]
        found.append(np.concatenate((pairs[:, fit_pair], uppers[:, fit_upper])))
        pair = pair + 1
        more = np.flatnonzero((pair < end) & (pair_class[pair] <= upper_class[upper]))
        pair, end, upper = pair[more], end[more], upper[more]
    return np.concatenate(found, axis=1)


def stable_order(states: IntArray) -> IntArray:
    """Return the stable order of states.

    NumPy sorts integers of 16 bits by their digits, several times faster than wider ones, so the states are numbered
    first: of the at most 81,920 states of a deal no more than 7,456 use the same number of cards.
    """
    numbers = np.cumsum(np.bincount(states) > 0, dtype=np.uint16)
    return np.argsort(numbers[states], kind="stable")


_kept: OrderedDict[tuple[tuple[int, ...], str, bool], RankSplits] = OrderedDict()


def splits_of(counts: IntArray, rules: Rules) -> RankSplits:
    """Return the splits for these rank counts; the last ones asked for are kept, up to `MEMORY_LIMIT`."""
    key = (tuple(counts.tolist()), rules.name, rules.ace_low)
    splits = _kept.pop(key, None) or RankSplits.of(RankPackets(counts, rules))
    _kept[key] = splits
    size = sum(item.nbytes for item in _kept.values())
    while size > MEMORY_LIMIT:
        size -= _kept.popitem(last=False)[1].nbytes
    return splits


def forget_rank_splits() -> None:
    """Give up what `rank_splits` keeps."""
    _kept.clear()
