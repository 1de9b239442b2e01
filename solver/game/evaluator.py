"""Strength of five-card packets, for whole arrays of hands at once.

Every card has one key, and a hand is the sum of its five keys. The low bits of the sum add up rank weights, chosen so
that the sums of all 6,175 multisets of five ranks (no rank more than four times) differ: they index a table of
strengths. Above them each suit has a counter of three bits, which shows the flushes.

Strengths are dense class numbers within a rule set over the whole 52-card pack: 0 is the weakest class, equal
strengths tie, larger is stronger. They do not depend on the weights of the places.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import DealError
from solver.game.arrays import IntArray
from solver.game.cards import FULL_PACK, LOWEST_RANK, PACKET_SIZE, RANKS, SUITS, rank_of, suit_of
from solver.game.rules import Rules

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

RANK_WEIGHTS = (79415, 43258, 19998, 12522, 5624, 2422, 992, 312, 94, 22, 5, 1, 0)
"""Weight of each rank, two to ace: the greedy choice of the smallest weights in turn whose five-card sums stay
distinct. The ace comes first in that choice, so that the hands of the 32-card pack use only the first 10,681 entries of
a table and stay in a fast cache."""

_ACE = RANKS - 1
_WHEEL = (0, 1, 2, 3, _ACE)
_LOW_ACE = (LOWEST_RANK, LOWEST_RANK + 1, LOWEST_RANK + 2, LOWEST_RANK + 3, _ACE)

# Layout of a sum of card keys, 31 bits in all: 19 for the rank weights, then three for the number of cards of each
# suit. Only a count of five, 101 in binary, has the first and the third bit set.
_RANK_BITS = 19
_COUNTER_BITS = 3
_RANK_MASK = (1 << _RANK_BITS) - 1
_FIRST_BITS = sum(1 << (_RANK_BITS + _COUNTER_BITS * suit) for suit in range(SUITS))

# Hands evaluated at a time: large enough for the calls to NumPy to cost nothing, small enough for the intermediate
# arrays (about 1 MB) to stay in cache and be reused.
_BLOCK = 1 << 15


@dataclass(frozen=True, slots=True)
class StrengthTables:
    """What a rule set says about every five-card hand; the arrays are read-only."""

    plain: IntArray
    """Strength by rank sum of a hand that is no flush; -1 where no hand has the sum."""
    flush: IntArray
    """Strength by rank sum of a hand of one suit; -1 where no such hand has the sum."""
    categories: IntArray
    """Category by strength, an index into `CATEGORIES`."""


def _straight_top(ranks: tuple[int, ...], rules: Rules) -> int | None:
    """Return the rank by which a straight is compared (ascending `ranks`), None where they are no straight.

    The wheel counts as five-high, below six-high; A-7-8-9-T, where it is a straight, lies below every other.
    """
    if rules.low_ace_straight and ranks == _LOW_ACE:
        return -1
    if ranks == _WHEEL:
        return 3
    if all(higher - lower == 1 for lower, higher in pairwise(ranks)):
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
def _tables_of(name: str, ace_low: bool) -> StrengthTables:
    rules = Rules(name, ace_low)
    keys: dict[tuple[tuple[int, ...], bool], tuple[int, ...]] = {}
    for ranks in _rank_multisets():
        keys[ranks, False] = _ranking_key(ranks, False, rules)
        if len(set(ranks)) == PACKET_SIZE:
            keys[ranks, True] = _ranking_key(ranks, True, rules)
    classes = sorted(set(keys.values()))
    strength_of = {key: strength for strength, key in enumerate(classes)}
    plain = np.full(PACKET_SIZE * max(RANK_WEIGHTS) + 1, -1, dtype=np.int64)
    flush = np.full_like(plain, -1)
    for (ranks, suited), key in keys.items():
        (flush if suited else plain)[sum(RANK_WEIGHTS[rank] for rank in ranks)] = strength_of[key]
    categories = np.array([category for _, category, *_ in classes], dtype=np.int64)
    for table in (plain, flush, categories):
        table.flags.writeable = False
    return StrengthTables(plain, flush, categories)


@cache
def _card_keys() -> npt.NDArray[np.int32]:
    keys = np.array(
        [RANK_WEIGHTS[rank_of(card)] + (1 << (_RANK_BITS + _COUNTER_BITS * suit_of(card))) for card in FULL_PACK],
        dtype=np.int32,
    )
    keys.flags.writeable = False
    return keys


def evaluate_hands(cards: npt.ArrayLike, rules: Rules | None = None) -> IntArray:
    """Return the strength of each five-card hand; larger is stronger, equal strengths tie.

    Fastest on a C-ordered int64 array, which is read in place; anything else is converted block by block.

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

    Examples
    --------
    >>> from solver.game.notation import parse_cards
    >>> royal, pair = evaluate_hands([parse_cards("As Ks Qs Js Ts"), parse_cards("As Ah Qs Js Ts")])
    >>> bool(royal > pair)
    True
    """
    hands = _integer_rows(cards)
    tables = tables_for(rules)
    strengths = np.empty(len(hands), dtype=np.int64)
    for start in range(0, len(hands), _BLOCK):
        block = slice(start, start + _BLOCK)
        _evaluate_block(hands[block], tables, out=strengths[block])
    return strengths


def _evaluate_block(hands: npt.NDArray[np.integer[Any]], tables: StrengthTables, out: IntArray) -> None:
    ids = np.ascontiguousarray(hands, dtype=np.int64)
    # Seen as unsigned, a negative id is a huge one: a single pass finds both kinds of foreign ids.
    if ids.view(np.uint64).max() >= len(FULL_PACK):
        foreign = hands[(ids < 0) | (ids >= len(FULL_PACK))]
        raise DealError(f"{foreign[0]} is no card id: expected whole numbers from 0 to {len(FULL_PACK) - 1}")
    # All indices are valid from here on: mode="wrap" only saves `take` the check of each, and a copy where it has an
    # `out`. One gather of all keys and a sum of its strided columns beat a sum over the short axis (seven times slower)
    # and five gathers from strided columns.
    keys = _card_keys().take(ids, mode="wrap")
    sums = keys[:, 0] + keys[:, 1]
    for column in range(2, PACKET_SIZE):
        sums += keys[:, column]
    rank_sums = (sums & _RANK_MASK).astype(np.int64)  # the type that `take` would convert its indices to
    tables.plain.take(rank_sums, mode="wrap", out=out)
    # Flushes are rare (less than one hand in 500): they are written over the strengths found above.
    suited = np.flatnonzero((sums & (sums >> 2) & _FIRST_BITS) != 0)
    out[suited] = tables.flush[rank_sums[suited]]


def tables_for(rules: Rules | None) -> StrengthTables:
    """Return the strength tables of a rule set; the place weights play no part in them."""
    rules = rules or Rules()
    return _tables_of(rules.name, rules.ace_low)


def categories_of(strengths: npt.ArrayLike, rules: Rules | None = None) -> IntArray:
    """Return the category of each strength as an index into `CATEGORIES`, same shape as `strengths`."""
    categories: IntArray = tables_for(rules).categories[np.asarray(strengths)]
    return categories


def strength_count(rules: Rules | None = None) -> int:
    """Return the number of strength classes of the 52-card pack, 7,462 under ``quintet``."""
    return len(tables_for(rules).categories)


def _integer_rows(cards: npt.ArrayLike) -> npt.NDArray[np.integer[Any]]:
    try:
        hands = np.asarray(cards)
    except ValueError:
        raise DealError(f"hands must be an array of shape (n, {PACKET_SIZE}), not rows of different lengths") from None
    if hands.ndim != 2 or hands.shape[1] != PACKET_SIZE:
        raise DealError(f"hands must be an array of shape (n, {PACKET_SIZE}), not {hands.shape}")
    if hands.dtype.kind not in "iu":
        raise DealError(f"hands must be integer card ids, not {hands.dtype}")
    return hands
