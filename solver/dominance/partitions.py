"""Undominated partitions: the few ways to split a deal into packets that can be worth playing.

A partition is written as its packets' strengths in ascending order. If partition b is at least as strong as partition
a in every component, then for every order of a's packets there is an order of b's that does at least as well against
anything, whatever the objective. So only the Pareto-maximal partitions matter: a few hundred of 5e12.

Suits matter to flushes alone. A deal has at most eight cards of a suit, so at most one flush packet of each suit; every
choice of flush packets is joined with the splits of the remaining cards into rank packets (`rank_splits`), where suits
are forgotten. A rank packet may in truth be forced to be a flush; then the true partition is stronger than the one
that was counted, and it is itself among the joined ones, under its own flushes. docs/dominance.md has the proofs.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from solver.dominance.pareto import undominated, undominated_in_groups
from solver.dominance.rank_multisets import PACK_RANKS
from solver.dominance.rank_splits import splits_of
from solver.errors import InternalError
from solver.game.arrays import IntArray
from solver.game.cards import FULL_PACK, LOWEST_RANK, PACKET_SIZE, SUITS, rank_of, suit_of
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules


@dataclass(frozen=True, slots=True, eq=False)
class Partitions:
    """All undominated partitions of a deal, each with one way to lay it out in cards.

    Parameters
    ----------
    deal
        The cards, five for each of the n packets.
    rules
        The rule set; strengths depend on its name and `ace_low`, not on the weights.
    strengths
        Shape (m, n), int64, read-only: values of `evaluate_hands`, ascending in each row; rows are different and in
        lexicographic order.
    hands
        Shape (m, n, 5), int64, read-only: card ids of the packets, in the order of `strengths`.
    """

    deal: Deal
    rules: Rules
    strengths: IntArray
    hands: IntArray

    def __len__(self) -> int:
        return len(self.strengths)

    def packets(self, index: int) -> tuple[tuple[int, ...], ...]:
        """Return the packets of one partition, weakest first, as card ids in canonical order."""
        return tuple(tuple(packet) for packet in self.hands[index].tolist())


def undominated_partitions(deal: Deal, rules: Rules | None = None) -> Partitions:
    """Return all undominated partitions of a deal of 5n cards into n packets.

    Parameters
    ----------
    deal
        1 to 5 packets' worth of cards.
    rules
        Rule set; `Rules()` if omitted.

    Raises
    ------
    InternalError
        If the cards found for a partition do not have its strengths.

    Examples
    --------
    >>> partitions = undominated_partitions(Deal.from_removed("7s 7h 8d 9c Th Qd Ks"))
    >>> partitions.strengths.shape[1], bool((partitions.strengths[:, 1:] >= partitions.strengths[:, :-1]).all())
    (5, True)
    """
    rules = rules or Rules()
    packets = _Packets(deal, rules)
    candidates = packets.partitions()
    candidates = candidates[undominated(np.sort(packets.strengths[candidates], axis=1))]
    strengths = packets.strengths[candidates]
    order = np.argsort(strengths, axis=1, kind="stable")
    candidates = np.take_along_axis(candidates, order, axis=1)
    strengths = np.take_along_axis(strengths, order, axis=1)
    order = np.lexsort(strengths.T[::-1])
    strengths = strengths[order]
    hands = packets.lay_out(candidates[order])
    _check(deal, rules, strengths, hands)
    strengths.flags.writeable = False
    hands.flags.writeable = False
    return Partitions(deal, rules, strengths, hands)


class _Packets:
    """Rank packets and flush packets of a deal under common ids: the flush packets follow the rank packets.

    Attributes
    ----------
    strengths
        Shape (k,), int64, by packet id.
    multisets
        Shape (k, 8), int64: cards of each rank, by packet id.
    flushes
        One array of packet ids a suit.
    flush_cards
        Shape (f, 5), int64: card ids of the flush packets, in the order of their ids.
    splits
        The rank packets and their splits.
    """

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self.deal = deal
        counts = np.bincount([rank_of(card) - LOWEST_RANK for card in deal.cards], minlength=PACK_RANKS)
        self.splits = splits_of(counts, rules)
        rank_packets = self.splits.packets
        suits = [[card for card in deal.cards if suit_of(card) == suit] for suit in range(SUITS)]
        by_suit = [list(combinations(cards, PACKET_SIZE)) for cards in suits]
        self.flush_cards = np.array([hand for hands in by_suit for hand in hands], dtype=np.int64)
        self.flush_cards = self.flush_cards.reshape(-1, PACKET_SIZE)
        flush_ranks = self.flush_cards // SUITS - LOWEST_RANK
        flush_multisets = np.eye(PACK_RANKS, dtype=np.int64)[flush_ranks].sum(axis=1)
        self.multisets = np.concatenate((rank_packets.multisets, flush_multisets))
        self.strengths = np.concatenate((rank_packets.strengths, evaluate_hands(self.flush_cards, rules)))
        ends = np.cumsum([len(rank_packets)] + [len(hands) for hands in by_suit])
        self.flushes = [np.arange(*ends[suit : suit + 2]) for suit in range(SUITS)]

    def partitions(self) -> IntArray:
        """Return candidates, shape (c, n), packet ids: all undominated partitions are among them."""
        found = []
        for count, chosen in enumerate(self._flush_choices()):
            left = self.splits.packets.full_state - self._states(chosen)
            owners, rest = self.splits.tables[self.deal.places - count].of_states(left)
            found.append(np.concatenate((rest, chosen[owners].T)))
        return np.concatenate(found, axis=1).T

    def _states(self, packets: IntArray) -> IntArray:
        states: IntArray = (self.multisets @ self.splits.packets.bases)[packets].sum(axis=1)
        return states

    def _flush_choices(self) -> list[IntArray]:
        """Return the choices of 0, 1, 2, … flush packets, at most one of each suit.

        Of choices that use up the same ranks only the undominated ones are kept, suit by suit: what the other cards
        can do depends on their ranks alone.
        """
        choices = [np.empty((1, 0), dtype=np.int64)]
        for flushes in self.flushes:
            if not len(flushes):
                continue
            longer = [
                np.concatenate(
                    (np.repeat(chosen, len(flushes), axis=0), np.tile(flushes, len(chosen))[:, None]), axis=1
                )
                for chosen in choices[: self.deal.places]
            ]
            for count, chosen in enumerate(longer, 1):
                if count < len(choices):
                    chosen = np.concatenate((choices[count], chosen))
                kept = undominated_in_groups(np.sort(self.strengths[chosen], axis=1), self._states(chosen))
                choices[count : count + 1] = [chosen[kept]]
        return choices

    def lay_out(self, partitions: IntArray) -> IntArray:
        """Return cards, shape (m, n, 5), for partitions of packet ids, shape (m, n).

        Flush packets have their cards; the other cards go, rank by rank, to the rank packets that need them.
        """
        rows = len(partitions)
        first_flush = len(self.splits.packets)
        held = np.array(self.deal.cards)
        ranks = np.repeat(np.tile(np.arange(PACK_RANKS), len(self.multisets)), self.multisets.ravel())
        slot_ranks = ranks.reshape(-1, PACKET_SIZE)[partitions].reshape(rows, -1)
        is_flush = partitions >= first_flush
        hands = np.zeros((*partitions.shape, PACKET_SIZE), dtype=np.int64)
        hands[is_flush] = self.flush_cards[partitions[is_flush] - first_flush]
        taken = np.zeros((rows, len(FULL_PACK)), dtype=np.bool_)
        taken[np.nonzero(is_flush)[0][:, None], hands[is_flush]] = True
        free = np.nonzero(~taken[:, held])[1]
        row, slot = np.nonzero(np.repeat(~is_flush, PACKET_SIZE, axis=1))
        by_rank = np.lexsort((-slot_ranks[row, slot], row))
        hands.reshape(rows, -1)[row[by_rank], slot[by_rank]] = held[free]
        return np.ascontiguousarray(np.sort(hands, axis=2)[:, :, ::-1])


def _check(deal: Deal, rules: Rules, strengths: IntArray, hands: IntArray) -> None:
    if not (np.sort(hands.reshape(len(hands), -1), axis=1) == sorted(deal.cards)).all():
        raise InternalError("an undominated partition does not use every card of the deal once")
    if not (evaluate_hands(hands.reshape(-1, PACKET_SIZE), rules).reshape(strengths.shape) == strengths).all():
        raise InternalError("the cards of an undominated partition do not have its strengths")
