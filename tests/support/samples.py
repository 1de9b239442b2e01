"""Random deals and mixes, from weak to strong, for comparing engines."""

import numpy as np

from solver.game.arrangement import Arrangement
from solver.game.cards import PACK, SUITS
from solver.game.deal import Deal
from solver.game.hand_table import hands_of
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy

RULE_SETS = (
    Rules(),
    Rules(ace_low=True),
    Rules("quintet-text"),
    Rules("quintet-text", True),
    Rules("telesina"),
    Rules(weights=(9, 1, 1000, 2, 2)),
)

# Number of packets, of suits, rule set. Three packets (756,756 arrangements) are played with one number of suits a rule
# set, fewer packets with all.
SMALL_GAMES = [
    (places, suits, rules)
    for places in (1, 2, 3)
    for suits in (2, 3, 4)
    for index, rules in enumerate(RULE_SETS)
    if places < 3 or index % 3 == suits - 2
]


def random_deal(places: int, generator: np.random.Generator, suits: int = SUITS) -> Deal:
    """Return 5n cards of the first suits only: the fewer the suits, the more flushes and forced flushes."""
    cards = [card for card in PACK if card % SUITS < suits]
    return Deal(tuple(generator.choice(cards, 5 * places, replace=False).tolist()))


def random_arrangement(deal: Deal, generator: np.random.Generator, rules: Rules | None = None) -> Arrangement:
    """Fill the places in random order, each with one of the stronger hands that are left."""
    left = set(deal.cards)
    packets: dict[int, tuple[int, ...]] = {}
    for place in generator.permutation(deal.places).tolist():
        table = hands_of(Deal(tuple(left)), rules)
        by_strength = np.argsort(table.strengths, kind="stable")
        rank = int(len(by_strength) * generator.random() ** 0.1)
        packets[place] = tuple(table.hands[by_strength[rank]].tolist())
        left -= set(packets[place])
    return Arrangement(tuple(packets[place] for place in range(deal.places)))


def random_mix(deal: Deal, generator: np.random.Generator, size: int, largest_weight: int = 20) -> MixedStrategy:
    """Return a mix of random arrangements with random weights."""
    arrangements = tuple(random_arrangement(deal, generator) for _ in range(size))
    return MixedStrategy(arrangements, tuple(generator.integers(1, largest_weight, size, endpoint=True).tolist()))
