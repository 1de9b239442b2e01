"""The referee written out plainly: packets as text, the scalar ranking, fractions. It shares no code with `solver`."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from solver.game.rules import Rules
from tests.support.scalar_ranking import POKER_ORDER, RANKS, SUITS, cards_of, category_of, ranking_key

Packets = Sequence[str]
Mix = Sequence[tuple[int, Packets]]

PACK = {rank + suit for rank in RANKS[5:] for suit in SUITS}


@cache
def strength_of(packet: str, rule_set: str, ace_low: bool) -> tuple[int, ...]:
    return ranking_key(cards_of(packet), rule_set, ace_low)


def category_name(packet: str, rules: Rules) -> str:
    category = category_of(cards_of(packet), rules.name, rules.ace_low)
    assert category in POKER_ORDER
    return category


def results(first: Packets, second: Packets, rules: Rules) -> list[int]:
    """Return 1, 0 or -1 a place: the first wins, ties, loses."""
    keys = [[strength_of(packet, rules.name, rules.ace_low) for packet in packets] for packets in (first, second)]
    return [(mine > theirs) - (mine < theirs) for mine, theirs in zip(*keys, strict=True)]


def points(first: Packets, second: Packets, rules: Rules) -> tuple[int, int]:
    won = results(first, second, rules)
    return tuple(
        sum(weight for weight, result in zip(rules.weights, won, strict=True) if result == side) for side in (1, -1)
    )


def figures(packets: Packets, mix: Mix, rules: Rules) -> dict[str, Fraction]:
    """Return the six figures of an arrangement against a mix, and what the three objectives maximise."""
    total = sum(weight for weight, _ in mix)
    sums: Counter[str] = Counter()
    for weight, other in mix:
        mine, theirs = points(packets, other, rules)
        sums["points"] += weight * mine
        sums["opponent_points"] += weight * theirs
        sums["margin"] += weight * (mine - theirs)
        sums["win" if mine > theirs else "loss" if mine < theirs else "draw"] += weight
    names = ("points", "opponent_points", "margin", "win", "draw", "loss")
    return {name: Fraction(sums[name], total) for name in names}


def objective_value(six: dict[str, Fraction], objective: str) -> Fraction:
    return six["win"] + six["draw"] / 2 if objective == "win" else six[objective]


def place_chances(packets: Packets, mix: Mix, rules: Rules) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return for each place the chances that its packet wins, ties and loses."""
    total = sum(weight for weight, _ in mix)
    counts = [Counter() for _ in packets]
    for weight, other in mix:
        for count, result in zip(counts, results(packets, other, rules), strict=True):
            count[result] += weight
    return [tuple(Fraction(count[result], total) for result in (1, 0, -1)) for count in counts]


def cards_in(packets: Packets) -> set[str]:
    """Return the cards of five packets of five, which must all be different and of the pack."""
    cards = [card for packet in packets for card in packet.split()]
    assert [len(packet.split()) for packet in packets] == [5] * 5, packets
    assert len(set(cards)) == 25, packets
    assert set(cards) <= PACK, packets
    return set(cards)
