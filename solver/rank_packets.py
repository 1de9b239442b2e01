"""Packets without their suits: the rank multisets of a deal, and how they combine.

A *rank packet* is a multiset of five ranks, counted as no flush. A *state* says how many cards of each rank are used;
a *split* shares a state out among rank packets. All of this depends on the eight rank counts of a deal alone: 3,144
count vectors serve all 3,365,856 deals, and what is found for one is kept for the next.

Only splits whose packets are pairwise *locally undominated* are listed: no other split of the same ten cards into two
packets is at least as strong in both and stronger in one. A split with a pair that can be improved so can itself be
improved, so that no undominated split is missed. docs/dominance.md has the proof.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from solver.cards import LOWEST_RANK, PACKET_SIZE, RANKS, SUITS
from solver.evaluator import evaluate_hands
from solver.rules import Rules

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

PACK_RANKS = RANKS - LOWEST_RANK
MEMORY_LIMIT = 1 << 27
"""Bytes that may be kept for later deals: 128 MiB."""

_NIBBLES = 1 << 4 * np.arange(PACK_RANKS)
_GUARD = 8 * int(_NIBBLES.sum())


@dataclass(frozen=True, slots=True, eq=False)
class SplitTable:
    """Splits into the same number of packets, ordered by the state that they share out.

    Parameters
    ----------
    packets
        Shape (p, r), int16: column by column the packets of a split, weakest first.
    starts
        Shape (s + 1,), int32: the splits of state i are the columns from ``starts[i]`` to before ``starts[i + 1]``.
    """

    packets: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int32]

    @classmethod
    def of(cls, packets: IntArray, states: IntArray, state_count: int) -> "SplitTable":
        """Order splits by state; those of one state keep their order."""
        sizes = np.bincount(states, minlength=state_count)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        order = stable_order(states, sizes > 0)
        return cls(packets.astype(np.int16)[:, order], starts.astype(np.int32))

    @property
    def nbytes(self) -> int:
        """Size in memory."""
        return self.packets.nbytes + self.starts.nbytes

    def of_states(self, states: IntArray) -> tuple[IntArray, IntArray]:
        """Return the splits of each of `states`: indices into `states`, shape (t,), and packets, shape (p, t)."""
        first = self.starts[states].astype(np.int64)
        sizes = self.starts[states + 1] - first
        owners = np.repeat(np.arange(len(states)), sizes)
        columns = np.arange(len(owners)) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
        return owners, self.packets[:, columns].astype(np.int64)


class RankPackets:
    """The rank packets of a deal and its locally undominated splits.

    Parameters
    ----------
    counts
        Shape (8,): cards of each rank from seven to ace, 0 to 4 each, five a packet in all.
    rules
        Rule set; the place weights play no part.

    Attributes
    ----------
    multisets
        Shape (k, 8), int64: the rank packets; the index of a packet is its *id*.
    strengths
        Shape (k,), int64: values of `evaluate_hands`, ascending with the id.
    bases
        Shape (8,), int64: a multiset uses up the state ``multiset @ bases``, so that states add up as packets do.
    full_state
        The state that uses up all cards of the deal.
    splits
        For p = 0, 1, … the splits into p packets: of every state for p <= 3, and for p = 4 and 5 of those states that
        choices of flush packets can leave (all cards, or all cards but five of different ranks).
    """

    def __init__(self, counts: IntArray, rules: Rules) -> None:
        multisets = _all_multisets()
        multisets = multisets[(multisets <= counts).all(axis=1)]
        strengths = _strengths_without_flush(multisets, rules)
        order = np.argsort(strengths, kind="stable")
        self.multisets = multisets[order]
        self.strengths = strengths[order]
        self.bases = np.concatenate(([1], np.cumprod(counts + 1)[:-1]))
        self.full_state = int(counts @ self.bases)
        self._counts = counts
        self._states = self.multisets @ self.bases
        self._nibbles = self.multisets @ _NIBBLES
        self._classes = np.cumsum(np.diff(self.strengths, prepend=self.strengths[:1]) > 0)
        self.splits = self._all_splits()

    @property
    def nbytes(self) -> int:
        """Size in memory, small parts apart."""
        return self.multisets.nbytes + sum(table.nbytes for table in self.splits)

    def _all_splits(self) -> tuple[SplitTable, ...]:
        places = int(self._counts.sum()) // PACKET_SIZE
        whole = self._counts[None]
        none, single = np.empty((0, 1), dtype=np.int64), np.arange(len(self.strengths))[None]
        tables = [self._table(none), self._table(single)]
        if places > 1:
            pairs, compatible = self._pairs()
            tables.append(self._table(pairs))
        if places > 2:
            tables.append(self._table(self._triples(pairs, compatible)))
        if places > 3:
            flush_ranks = self.multisets[self.multisets.max(axis=1) == 1]
            rooms = whole if places == 4 else whole - flush_ranks
            tables.append(self._table(self._joined(tables[2], tables[2], rooms, compatible)))
        if places > 4:
            tables.append(self._table(self._joined(tables[2], tables[3], whole, compatible)))
        return tuple(tables)

    def _table(self, packets: IntArray) -> SplitTable:
        return SplitTable.of(packets, self._states[packets].sum(axis=0), self.full_state + 1)

    def _fits(self, rooms: IntArray, used: IntArray) -> BoolArray:
        """Return whether cards fit into rooms, both as hexadecimal digits a rank: no digit may fall below zero."""
        return ((rooms | _GUARD) - used) & _GUARD == _GUARD

    def _pairs(self) -> tuple[IntArray, BoolArray]:
        """Return the undominated pairs, shape (2, r), and the table, shape (k, k), of packets that may stand together.

        Pairs that tie in both packets are all in the table, but only one of them is returned: exchanging one for the
        other changes neither the strengths nor the cards of a split. Of one state, pairs come with the weaker packet
        falling and so with the stronger one rising.
        """
        ids = len(self.strengths)
        whole = self._counts @ _NIBBLES
        fits = np.triu(self._fits(whole - self._nibbles[:, None], self._nibbles))
        weaker, stronger = np.divmod(np.flatnonzero(fits)[::-1], ids)
        states = self._states[weaker] + self._states[stronger]
        order = stable_order(states, np.bincount(states) > 0)
        weaker, stronger, states = weaker[order], stronger[order], states[order]
        # A run is what has one state and one weaker strength; runs of a state come with the weaker strength falling, so
        # that a run is undominated where its strongest partner beats those of all runs before it.
        low, high = self._classes[weaker], self._classes[stronger]
        starts_run = np.diff(states * ids + low, prepend=-1) != 0
        run = np.cumsum(starts_run) - 1
        best = np.maximum.reduceat(high, np.flatnonzero(starts_run))
        level = states[starts_run] * ids + best
        rises = np.diff(np.maximum.accumulate(level), prepend=-1) > 0
        kept = np.flatnonzero(rises[run] & (high == best[run]))
        compatible = np.zeros((ids, ids), dtype=np.bool_)
        compatible[weaker[kept], stronger[kept]] = True
        compatible |= compatible.T
        kept = kept[np.diff(run[kept], prepend=-1) != 0]
        return np.stack((weaker[kept], stronger[kept])), compatible

    def _triples(self, pairs: IntArray, compatible: BoolArray) -> IntArray:
        """Return all pairs with a third packet, not weaker, that is compatible with both: shape (3, r)."""
        above = compatible & (self._classes >= self._classes[:, None])
        bits = np.packbits(above, axis=1, bitorder="little")
        both = (bits[pairs[0]] & bits[pairs[1]]).ravel()
        occupied = np.flatnonzero(both)
        found = np.flatnonzero(np.unpackbits(both[occupied], bitorder="little"))
        pair, byte = np.divmod(occupied[found >> 3], bits.shape[1])
        third = (byte << 3) + (found & 7)
        rooms = self._counts @ _NIBBLES - self._nibbles[pairs].sum(axis=0)
        fits = self._fits(rooms[pair], self._nibbles[third])
        return np.concatenate((pairs[:, pair[fits]], third[None, fits]))

    def _joined(self, lower: SplitTable, upper: SplitTable, rooms: IntArray, compatible: BoolArray) -> IntArray:
        """Return the splits of each room (rank counts) into a pair of `lower` and a not weaker split of `upper`.

        The pairs of one state come with the stronger packet rising, so that those that fit below an upper split are a
        run from the first; all runs are walked along in step.
        """
        pairs, tops = lower.packets.astype(np.int64), upper.packets.astype(np.int64)
        pair_class = np.append(self._classes[pairs[1]], len(self._classes))
        top_class = self._classes[tops[0]]
        used = self._nibbles[tops].sum(axis=0)
        fits = self._fits((rooms @ _NIBBLES)[:, None], used)
        room, top = np.divmod(np.flatnonzero(fits), len(used))
        rest = (rooms @ self.bases)[room] - self._states[tops].sum(axis=0)[top]
        pair, end = lower.starts[rest].astype(np.int64), lower.starts[rest + 1]
        found = []
        while len(top):
            below = np.flatnonzero((pair < end) & (pair_class[pair] <= top_class[top]))
            pair, end, top = pair[below], end[below], top[below]
            fit_pair, fit_top = pair, top
            for high in tops:
                for low in pairs[::-1]:
                    both = np.flatnonzero(compatible[low[fit_pair], high[fit_top]])
                    fit_pair, fit_top = fit_pair[both], fit_top[both]
            found.append(np.concatenate((pairs[:, fit_pair], tops[:, fit_top])))
            pair = pair + 1
        return np.concatenate(found, axis=1)


@cache
def _all_multisets() -> IntArray:
    """Shape (784, 8): how many cards of each rank, for all multisets of five ranks with no rank more than four times."""
    ranks = combinations_with_replacement(range(PACK_RANKS), PACKET_SIZE)
    counts = np.array([np.bincount(choice, minlength=PACK_RANKS) for choice in ranks])
    return counts[counts.max(axis=1) <= SUITS]


def _strengths_without_flush(multisets: IntArray, rules: Rules) -> IntArray:
    """Return the strength of each multiset in mixed suits: cards in order of rank take the suits in turn."""
    ranks = np.repeat(np.tile(np.arange(PACK_RANKS), len(multisets)), multisets.ravel())
    cards = (ranks.reshape(-1, PACKET_SIZE) + LOWEST_RANK) * SUITS + np.arange(PACKET_SIZE) % SUITS
    return evaluate_hands(cards, rules)


def stable_order(states: IntArray, present: BoolArray) -> IntArray:
    """Return the stable order of `states`, given which states occur.

    The states of one number of cards are fewer than 2^16, and NumPy sorts integers of 16 bits by their digits, several
    times faster than wider ones.
    """
    return np.argsort(np.cumsum(present)[states].astype(np.uint16), kind="stable")


_kept: OrderedDict[tuple[tuple[int, ...], str, bool], RankPackets] = OrderedDict()


def rank_packets(counts: IntArray, rules: Rules) -> RankPackets:
    """Return the rank packets for these rank counts, from memory if they were among the last ones asked for."""
    key = (tuple(counts.tolist()), rules.name, rules.ace_low)
    found = _kept.pop(key, None) or RankPackets(counts, rules)
    _kept[key] = found
    size = sum(item.nbytes for item in _kept.values())
    while size > MEMORY_LIMIT:
        size -= _kept.popitem(last=False)[1].nbytes
    return found


def forget_rank_packets() -> None:
    """Empty the memory of `rank_packets`."""
    _kept.clear()
