"""The cards in play: a deal, what is laid aside, and its canonical form under relabelled suits."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import index

import numpy as np

from solver.errors import DealError
from solver.game.cards import DEAL_SIZE, PACK, PACKET_SIZE, SUITS, card_id, rank_of, suit_of
from solver.game.notation import distinct_cards, format_card, format_cards

REMOVED_SIZE = len(PACK) - DEAL_SIZE


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards that both players hold.

    Parameters
    ----------
    cards
        5, 10, 15, 20 or 25 different ids of the 32-card pack, in any order; kept highest rank first, suits in the
        order spades, hearts, diamonds, clubs. A real deal has 25; fewer make the smaller games of the same kind that
        are left when packets are locked.

    Raises
    ------
    DealError
        If a card is no id of the pack or given twice, or their number is no multiple of five up to 25.
    """

    cards: tuple[int, ...]

    def __post_init__(self) -> None:
        try:
            given = [index(card) for card in self.cards]
        except TypeError:
            raise DealError(f"a deal is made of card ids, whole numbers, not {self.cards!r:.60}") from None
        _require_pack(given)
        cards = tuple(sorted(given, reverse=True))
        for first, second in pairwise(cards):
            if first == second:
                raise DealError(f"{format_card(first)} given twice: expected different cards")
        if len(cards) % PACKET_SIZE or not PACKET_SIZE <= len(cards) <= DEAL_SIZE:
            raise DealError(f"expected {DEAL_SIZE} cards, not {len(cards)}")
        object.__setattr__(self, "cards", cards)

    @classmethod
    def parse(cls, text: str) -> "Deal":
        """Read the 25 cards in play, in any order and notation."""
        return cls(_parse_pack_cards(text, DEAL_SIZE, "the cards in play"))

    @classmethod
    def from_removed(cls, text: str) -> "Deal":
        """Read the seven cards that are laid aside; the deal is the other 25.

        Examples
        --------
        >>> len(Deal.from_removed("7s 7h 8d 9c Th Qd Ks").cards)
        25
        """
        return cls.without(_parse_pack_cards(text, REMOVED_SIZE, "the cards laid aside"))

    @classmethod
    def without(cls, removed: Iterable[int]) -> "Deal":
        """Return the deal of the 32-card pack without these seven card ids."""
        aside = set(removed)
        return cls(tuple(card for card in PACK if card not in aside))

    @classmethod
    def random(cls, generator: np.random.Generator) -> "Deal":
        """Draw a deal, all 3,365,856 equally likely."""
        return cls.without(generator.choice(np.array(PACK), REMOVED_SIZE, replace=False).tolist())

    @property
    def places(self) -> int:
        """Number of packets, 5 for a real deal."""
        return len(self.cards) // PACKET_SIZE

    @property
    def removed(self) -> tuple[int, ...]:
        """Ids of the pack that are not in play, in canonical order."""
        held = set(self.cards)
        return tuple(card for card in reversed(PACK) if card not in held)

    @property
    def multiplicity(self) -> int:
        """Number of different deals that relabelling the suits makes of this one, itself included: 1 to 24."""
        ranks_by_suit = [frozenset(rank_of(c) for c in self.cards if suit_of(c) == suit) for suit in range(SUITS)]
        return math.factorial(SUITS) // math.prod(map(math.factorial, Counter(ranks_by_suit).values()))

    def text(self, notation: str = "letters") -> str:
        """Return the cards in canonical order."""
        return format_cards(self.cards, notation)

    def canonical(self) -> "Deal":
        """Return the representative of the deals that differ from this one only by the names of the suits.

        Of the relabelled deals it is the one whose suits, from spades to clubs, hold ever smaller sets of ranks (read
        as binary numbers, the ace first): 156,248 deals stand for all 3,365,856.
        """
        ranks_by_suit = [
            sorted((rank_of(c) for c in self.cards if suit_of(c) == suit), reverse=True) for suit in range(SUITS)
        ]
        ranks_by_suit.sort()
        return Deal(tuple(card_id(rank, suit) for suit, ranks in enumerate(ranks_by_suit) for rank in ranks))


def random_deals(seed: int, count: int) -> Iterator[Deal]:
    """Yield the deals of a seed one by one; the first ones are the same whatever the count."""
    generator = np.random.default_rng(seed)
    for _ in range(count):
        yield Deal.random(generator)


def _parse_pack_cards(text: str, count: int, what: str) -> tuple[int, ...]:
    cards = distinct_cards(text)
    _require_pack(cards)
    if len(cards) != count:
        raise DealError(f"expected {count} cards, {what}, not {len(cards)}")
    return cards


def _require_pack(cards: Iterable[int]) -> None:
    for place, card in enumerate(cards, 1):
        if card not in PACK:
            name = format_card(card) if 0 <= card < PACK.stop else str(card)
            raise DealError(f"card {place}, {name}, is not in the 32-card pack: expected 7 8 9 T J Q K A")
