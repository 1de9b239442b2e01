"""The ranking of five-card hands written out for one hand at a time: slow, plain, and apart from the evaluator.

`ranking_key` maps a hand to a tuple; tuples compare as the hands do, and equal tuples are tied hands.
"""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"

POKER_ORDER = (
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
STRIPPED_PACK_ORDER = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "full house",
    "flush",
    "four of a kind",
    "straight flush",
)
STRAIGHTS = ("A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA")
LOW_ACE_STRAIGHT = "A789T"


def cards_of(text: str) -> list[int]:
    """Return the ids of cards written like ``As Td 7c``."""
    return [4 * RANKS.index(rank) + SUITS.index(suit) for rank, suit in text.split()]


def straights_of(rule_set: str, ace_low: bool) -> tuple[str, ...]:
    """Return the ranks of every straight, the weakest straight first."""
    if ace_low or rule_set == "telesina":
        return (LOW_ACE_STRAIGHT, *STRAIGHTS)
    return STRAIGHTS


def category_of(hand: Iterable[int], rule_set: str, ace_low: bool) -> str:
    """Return the category of a hand by its name."""
    ranks, suits = ranks_and_suits(hand)
    is_flush = len(set(suits)) == 1
    is_straight = any(set(ranks) == set(straight) for straight in straights_of(rule_set, ace_low))
    if is_straight:
        return "straight flush" if is_flush else "straight"
    if is_flush:
        return "flush"
    copies = sorted(ranks.count(rank) for rank in set(ranks))
    if copies == [1, 4]:
        return "four of a kind"
    if copies == [2, 3]:
        return "full house"
    if copies == [1, 1, 3]:
        return "three of a kind"
    if copies == [1, 2, 2]:
        return "two pair"
    if copies == [1, 1, 1, 2]:
        return "pair"
    return "high card"


def tie_breakers(hand: Iterable[int], category: str, rule_set: str, ace_low: bool) -> tuple[int, ...]:
    """Return what decides between two hands of the same category, the most important number first."""
    ranks, _ = ranks_and_suits(hand)
    if category in ("straight", "straight flush"):
        order = straights_of(rule_set, ace_low)
        return (next(place for place, straight in enumerate(order) if set(straight) == set(ranks)),)
    singles, pairs, trips, quads = (high_to_low(ranks, copies) for copies in (1, 2, 3, 4))
    all_of_them = {
        "high card": singles,
        "flush": singles,
        "pair": pairs + singles,
        "two pair": pairs + singles,
        "three of a kind": trips + singles,
        "full house": trips + pairs,
        "four of a kind": quads + singles,
    }
    printed_in_the_rules = {
        "high card": singles,
        "flush": singles,
        "pair": pairs + singles,
        "two pair": pairs,
        "three of a kind": trips,
        "full house": trips,
        "four of a kind": quads,
    }
    return tuple((printed_in_the_rules if rule_set == "quintet-text" else all_of_them)[category])


def ranking_key(hand: Iterable[int], rule_set: str, ace_low: bool) -> tuple[int, ...]:
    """Return a tuple that is larger for a stronger hand and equal for a tied one."""
    order = STRIPPED_PACK_ORDER if rule_set == "telesina" else POKER_ORDER
    category = category_of(hand, rule_set, ace_low)
    return (order.index(category), *tie_breakers(hand, category, rule_set, ace_low))


def ranks_and_suits(hand: Iterable[int]) -> tuple[str, str]:
    ranks = "".join(RANKS[card // 4] for card in hand)
    suits = "".join(SUITS[card % 4] for card in hand)
    return ranks, suits


def high_to_low(ranks: str, copies: int) -> list[int]:
    """Return the ranks that occur exactly so many times, the highest first."""
    return sorted((RANKS.index(rank) for rank in set(ranks) if ranks.count(rank) == copies), reverse=True)
