"""Strength of five-card packets, for whole arrays of hands at once.

A hand's five ranks are found by one sum: each rank has a weight such that the sums of all 6,175 multisets of five
ranks (no rank more than four times) differ, so that the sum indexes a table of strengths. A second small number a
card, added in the same integer above the first, tells whether the five suits are one.

Strengths are dense class numbers within a rule set over the whole 52-card pack: 0 is the weakest class, equal
strengths tie, larger is stronger. They do not depend on the weights of the places.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.cards import FULL_PACK, LOWEST_RANK, PACKET_SIZE, RANKS, SUITS
from solver.errors import DealError
from solver.rules import Rules

IntArray = npt.NDArray[np.int64]

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(9)

_ACE = RANKS - 1
_WHEEL = (0, 1, 2, 3, _ACE)
_LOW_ACE = (LOWEST_RANK, LOWEST_RANK + 1, LOWEST_RANK + 2, LOWEST_RANK + 3, _ACE)

# Found by a greedy search: the smallest weights in turn whose five-card sums stay distinct. The ace comes first, so
# that the hands of the 32-card pack use only the first 10,681 entries of the table and stay in the fastest cache.
_WEIGHTS_FROM_ACE_DOWN = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
_SUIT_CODES = (0, 1, 6, 36)
_SUIT_SHIFT = 20
_SUM_MASK = (1 << _SUIT_SHIFT) - 1
_BLOCK = 1 << 14


class _Tables(NamedTuple):
    plain: npt.NDArray[np.int32]
    """Strength by rank sum of a hand that is no flush; -1 where no hand has the sum."""
    flush: npt.NDArray[np.int32]
    """Strength by rank sum of a hand of one suit; -1 where the ranks repeat."""
    categories: npt.NDArray[np.int8]
    """Category by strength, an index into `CATEGORIES`."""


def _straight_top(ranks: tuple[int, ...], rules: Rules) -> int | None:
    """Return the rank by which a straight is compared (ascending `ranks`), None where they are no straight.

    The wheel counts as five-high, below six-high; A-7-8-9-T, where it is a straight, lies below every other.
    """
    if rules.low_ace_straight and ranks == _LOW_ACE:
        return -1
    if ranks == _WHEEL:
        return 3
    if all(b - a == 1 for a, b in zip(ranks, ranks[1:], strict=False)):
        return ranks[-1]
    return None


def _ranking_key(ranks: tuple[int, ...], flush: bool, rules: Rules) -> tuple[int, ...]:
    """Return (order of the category, category, tie-breakers…), which compares as the hands do."""
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = tuple(count for count, _ in groups)
    ties = tuple(rank for _, rank in groups)
    if len(groups) == PACKET_SIZE:
        top = _straight_top(ranks, rules)
        if top is not None:
            category, ties = (STRAIGHT_FLUSH if flush else STRAIGHT), (top,)
        else:
            category = FLUSH if flush else HIGH_CARD
    else:
        category = {(4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR}.get(shape, PAIR)
        if rules.compares_text_only and category != PAIR:
            ties = ties[:2] if category == TWO_PAIR else ties[:1]
    order = category
    if rules.flush_beats_full_house and category in (FLUSH, FULL_HOUSE):
        order = FLUSH + FULL_HOUSE - category
    return (order, category, *ties)


def _rank_multisets() -> Iterator[tuple[int, ...]]:
    for ranks in combinations_with_replacement(range(RANKS), PACKET_SIZE):
        if ranks[0] != ranks[-1]:
            yield ranks


@cache
def _tables_of(name: str, ace_low: bool) -> _Tables:
    rules = Rules(name, ace_low)
    keys: dict[tuple[tuple[int, ...], bool], tuple[int, ...]] = {}
    for ranks in _rank_multisets():
        keys[ranks, False] = _ranking_key(ranks, False, rules)
        if len(set(ranks)) == PACKET_SIZE:
            keys[ranks, True] = _ranking_key(ranks, True, rules)
    classes = sorted(set(keys.values()))
    strength_of = {key: strength for strength, key in enumerate(classes)}
    weights = _WEIGHTS_FROM_ACE_DOWN[::-1]
    size = 1 + max(sum(weights[rank] for rank in ranks) for ranks, _ in keys)
    plain = np.full(size, -1, dtype=np.int32)
    flush = np.full(size, -1, dtype=np.int32)
    for (ranks, suited), key in keys.items():
        (flush if suited else plain)[sum(weights[rank] for rank in ranks)] = strength_of[key]
    categories = np.array([category for _, category, *_ in classes], dtype=np.int8)
    for table in (plain, flush, categories):
        table.flags.writeable = False
    return _Tables(plain, flush, categories)


@cache
def _card_keys() -> npt.NDArray[np.int32]:
    weights = _WEIGHTS_FROM_ACE_DOWN[::-1]
    return np.array(
        [weights[card // SUITS] + (_SUIT_CODES[card % SUITS] << _SUIT_SHIFT) for card in FULL_PACK], dtype=np.int32
    )


@cache
def _one_suit() -> npt.NDArray[np.bool_]:
    """Whether a sum of five suit codes belongs to five cards of one suit."""
    flags = np.zeros(PACKET_SIZE * max(_SUIT_CODES) + 1, dtype=np.bool_)
    flags[[PACKET_SIZE * code for code in _SUIT_CODES]] = True
    return flags


def evaluate_hands(cards: npt.ArrayLike, rules: Rules | None = None) -> IntArray:
    """Return the strength of each five-card hand; larger is stronger, equal strengths tie.

    Parameters
    ----------
    cards
        Integer card ids, shape (n, 5), each ``rank * 4 + suit`` from 0 (2c) to 51 (As). That no hand repeats a card is
        the caller's promise.
    rules
        Rule set; `Rules()` if omitted.

    Returns
    -------
    ndarray
        Shape (n,), int64: class numbers of the rule set over the 52-card pack, from 0 (the weakest) without gaps.

    Raises
    ------
    DealError
        If `cards` has another shape, is not of an integer type or holds an id outside 0 to 51.
    """
    hands = _checked_hands(cards)
    tables = tables_for(rules)
    keys, one_suit = _card_keys(), _one_suit()
    strengths = np.empty(len(hands), dtype=np.int64)
    for start in range(0, len(hands), _BLOCK):
        block = slice(start, start + _BLOCK)
        sums = keys[hands[block]].sum(axis=1, dtype=np.int32)
        ranks = sums & _SUM_MASK
        suited = one_suit[sums >> _SUIT_SHIFT]
        strengths[block] = np.where(suited, tables.flush[ranks], tables.plain[ranks])
    return strengths


def tables_for(rules: Rules | None) -> _Tables:
    """Return the strength tables of a rule set; the place weights play no part in them."""
    rules = rules or Rules()
    return _tables_of(rules.name, rules.ace_low)


def categories_of(strengths: npt.ArrayLike, rules: Rules | None = None) -> npt.NDArray[np.int8]:
    """Return the category of each strength as an index into `CATEGORIES`, same shape as `strengths`."""
    categories: npt.NDArray[np.int8] = tables_for(rules).categories[np.asarray(strengths)]
    return categories


def strength_count(rules: Rules | None = None) -> int:
    """Return the number of strength classes of the 52-card pack, 7,462 under ``quintet``."""
    return len(tables_for(rules).categories)


def _checked_hands(cards: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    hands = np.asarray(cards)
    if hands.ndim != 2 or hands.shape[1] != PACKET_SIZE:
        raise DealError(f"hands must be an array of shape (n, {PACKET_SIZE}), not {hands.shape}")
    if not np.issubdtype(hands.dtype, np.integer):
        raise DealError(f"hands must be integer card ids, not {hands.dtype}")
    if hands.size and not (0 <= hands.min() and hands.max() < len(FULL_PACK)):
        raise DealError(f"card ids must be from 0 to {len(FULL_PACK) - 1}, not {hands.min()} to {hands.max()}")
    return hands
