"""Patterns: the part of a packet that is enough to guarantee its strength.

A pattern is a rank multiset of up to five cards, or a flush with its cards. Filling a pattern up to five cards can only
yield a packet at least as strong as the pattern's weakest completion:

- Suits matter to flushes alone, so a rank multiset of five has one strength, unless its cards happen to be of one
  suit; then the packet is a flush or a straight flush, which beats the same ranks without it.
- The strength guaranteed by fewer cards is the weakest over all ways to add cards of the deal, hence never falls when a
  card is added to the pattern.

Two flushes of a packing never share a card as long as each suit is used by one flush at most; and rank multisets that
fit into the rank counts together with the flushes can always be given real cards, since any suits will do.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.arrays import IntArray
from solver.game.cards import LOWEST_RANK, PACK, PACKET_SIZE, SUITS, card_id
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import format_cards
from solver.game.rules import Rules

PACK_RANKS = len(PACK) // SUITS
_LETTERS = "789TJQKA"
_OUT_OF_REACH = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Patterns:
    """Patterns of a deal: rank multisets first, then flushes.

    Parameters
    ----------
    counts
        Shape (c, 8), int64: how many cards of each rank, seven to ace.
    strengths
        Shape (c,), int64: strength of the weakest packet of the deal that contains the pattern.
    flushes
        Shape (f, 5), int64: the cards of the last f patterns, which are flushes.
    """

    counts: IntArray
    strengths: IntArray
    flushes: IntArray

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def rank_patterns(self) -> int:
        """Number of patterns that are rank multisets."""
        return len(self.counts) - len(self.flushes)

    def inside(self, hand: IntArray) -> npt.NDArray[np.bool_]:
        """Return which patterns a hand contains, shape (c,), given its five cards in descending order."""
        inside = np.all(self.counts <= rank_counts([hand]), axis=1)
        inside[self.rank_patterns :] = np.all(self.flushes == hand, axis=1)
        return np.asarray(inside)

    def names(self) -> list[str]:
        """Return what a reader calls each pattern: its ranks, highest first, or the cards of a flush."""
        names = [
            "".join(letter * n for letter, n in zip(_LETTERS, row, strict=True))[::-1] for row in self.counts.tolist()
        ]
        names[self.rank_patterns :] = [format_cards(hand) for hand in self.flushes.tolist()]
        return names

    def flush_cards(self, pattern: int) -> tuple[int, ...]:
        """Return the cards of a flush; empty for a rank multiset."""
        if pattern < self.rank_patterns:
            return ()
        return tuple(self.flushes[pattern - self.rank_patterns].tolist())

    def flushes_of_suit(self, suit: int) -> list[int]:
        """Return the indices of the flushes of a suit, ascending."""
        first = self.rank_patterns
        return [first + flush for flush in np.flatnonzero(self.flushes[:, 0] % SUITS == suit).tolist()]


def rank_counts(cards: npt.ArrayLike) -> IntArray:
    """Return how many cards of each rank, seven to ace, each row of card ids holds: (m, k) to (m, 8)."""
    ranks = np.asarray(cards, dtype=np.int64) // SUITS - LOWEST_RANK
    counts: IntArray = np.sum(ranks[:, :, np.newaxis] == np.arange(PACK_RANKS), axis=1, dtype=np.int64)
    return counts


def whole_packets(deal: Deal, rules: Rules) -> Patterns:
    """Return every rank multiset of five that the deal can form, and every flush."""
    lattice = _multiset_lattice()
    guarantees = _weakest_completions(deal, rules)[:-1]
    whole = (lattice.sizes == PACKET_SIZE) & (guarantees != _OUT_OF_REACH)
    flushes = _flushes(deal)
    return Patterns(
        np.concatenate([lattice.counts[whole], rank_counts(flushes)]),
        np.concatenate([guarantees[whole], evaluate_hands(flushes, rules)]),
        flushes,
    )


def minimal_patterns(deal: Deal, rules: Rules, thresholds: IntArray) -> Patterns:
    """Return the patterns that no smaller pattern can replace, given the strengths that are told apart.

    Parameters
    ----------
    deal, rules
        Cards and rule set.
    thresholds
        Shape (t,), int64, ascending strengths. Of a packet only the highest threshold that it reaches is of interest;
        a pattern that holds another one with the same highest threshold is left out, as is what reaches none.
    """
    lattice = _multiset_lattice()
    guarantees = _weakest_completions(deal, rules)
    steps = np.searchsorted(thresholds, guarantees, side="right")
    steps[guarantees == _OUT_OF_REACH] = -1
    minimal = (steps[:-1] > 0) & (steps[:-1] > steps[lattice.smaller].max(axis=1))
    flushes = _flushes(deal)
    strengths = evaluate_hands(flushes, rules)
    counts = rank_counts(flushes)
    plain_steps = steps[lattice.index_of(counts)]
    better = np.searchsorted(thresholds, strengths, side="right") > plain_steps
    return Patterns(
        np.concatenate([lattice.counts[minimal], counts[better]]),
        np.concatenate([guarantees[:-1][minimal], strengths[better]]),
        flushes[better],
    )


class _Lattice(NamedTuple):
    """All rank multisets of up to five cards, the smaller ones first; row m stands for "none"."""

    counts: IntArray
    sizes: IntArray
    larger: IntArray
    """Shape (m, 8): index after adding a card of a rank, m where there is no such multiset."""
    smaller: IntArray
    """Shape (m, 8): index after taking a card of a rank away, m where there is none."""
    hands: IntArray
    """Shape (784, 5): for each multiset of five a hand that is no flush."""
    by_code: IntArray

    def index_of(self, counts: IntArray) -> IntArray:
        found: IntArray = self.by_code[counts @ _CODE_WEIGHTS]
        return found


_CODE_WEIGHTS = (SUITS + 1) ** np.arange(PACK_RANKS, dtype=np.int64)


@cache
def _multiset_lattice() -> _Lattice:
    rows = [
        [ranks.count(rank) for rank in range(PACK_RANKS)]
        for size in range(PACKET_SIZE + 1)
        for ranks in combinations_with_replacement(range(PACK_RANKS), size)
    ]
    counts = np.array(rows, dtype=np.int64)
    counts = counts[counts.max(axis=1) <= SUITS]
    sizes = counts.sum(axis=1)
    none = len(counts)
    by_code = np.full((SUITS + 1) ** PACK_RANKS, none, dtype=np.int64)
    by_code[counts @ _CODE_WEIGHTS] = np.arange(none)
    larger, smaller = np.full((2, none, PACK_RANKS), none, dtype=np.int64)
    for rank, unit in enumerate(np.eye(PACK_RANKS, dtype=np.int64)):
        addable = (counts[:, rank] < SUITS) & (sizes < PACKET_SIZE)
        larger[addable, rank] = by_code[(counts[addable] + unit) @ _CODE_WEIGHTS]
        held = counts[:, rank] > 0
        smaller[held, rank] = by_code[(counts[held] - unit) @ _CODE_WEIGHTS]
    hands = np.array([_plain_hand(row) for row in counts[sizes == PACKET_SIZE].tolist()], dtype=np.int64)
    for array in (counts, sizes, larger, smaller, hands, by_code):
        array.flags.writeable = False
    return _Lattice(counts, sizes, larger, smaller, hands, by_code)


def _plain_hand(counts: list[int]) -> list[int]:
    """Return cards with these rank counts that are not of one suit."""
    cards = [card_id(LOWEST_RANK + rank, suit) for rank, count in enumerate(counts) for suit in range(count)]
    if max(counts) == 1:
        cards[0] += 1
    return cards


def _weakest_completions(deal: Deal, rules: Rules) -> IntArray:
    """Return the strength that each multiset of the lattice guarantees; out of reach where the deal lacks the cards.

    guarantee(M) = min over ranks r of guarantee(M + r), from five cards down to none; one more entry stands for "none".
    """
    lattice = _multiset_lattice()
    available = np.bincount([card // SUITS - LOWEST_RANK for card in deal.cards], minlength=PACK_RANKS)
    guarantees = np.full(len(lattice.counts) + 1, _OUT_OF_REACH, dtype=np.int64)
    whole = np.flatnonzero(lattice.sizes == PACKET_SIZE)
    possible = np.all(lattice.counts[whole] <= available, axis=1)
    guarantees[whole] = np.where(possible, evaluate_hands(lattice.hands, rules), _OUT_OF_REACH)
    for size in range(PACKET_SIZE - 1, -1, -1):
        part = np.flatnonzero(lattice.sizes == size)
        guarantees[part] = guarantees[lattice.larger[part]].min(axis=1)
    return guarantees


def _flushes(deal: Deal) -> IntArray:
    """Return all hands of one suit, shape (f, 5)."""
    hands = [
        hand
        for suit in range(SUITS)
        for hand in combinations([card for card in deal.cards if card % SUITS == suit], PACKET_SIZE)
    ]
    return np.array(hands, dtype=np.int64).reshape(-1, PACKET_SIZE)
