"""Card ids: the 52-card pack as integers and the 32-card pack that Quintet is played with.

A card is ``rank * 4 + suit``; ranks run from 0 (two) to 12 (ace), suits are 0 clubs, 1 diamonds, 2 hearts,
3 spades. ``2c`` is 0 and ``As`` is 51, so descending ids are the canonical order of cards: highest rank first,
suits in the order spades, hearts, diamonds, clubs.
"""

RANKS = 13
SUITS = 4
FULL_PACK = range(RANKS * SUITS)
LOWEST_RANK = 5
"""Rank of the seven, the lowest card of the 32-card pack."""
PACK = range(LOWEST_RANK * SUITS, RANKS * SUITS)
"""The 32 cards of a Quintet pack, seven to ace."""
PACKET_SIZE = 5
PLACES = 5
DEAL_SIZE = PACKET_SIZE * PLACES


def card_id(rank: int, suit: int) -> int:
    """Return the id of the card with this rank (0 = two) and suit (0 = clubs)."""
    return rank * SUITS + suit


def rank_of(card: int) -> int:
    """Return the rank of a card id, 0 (two) to 12 (ace)."""
    return card // SUITS


def suit_of(card: int) -> int:
    """Return the suit of a card id: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card % SUITS
