"""Hands and packets as every form of output shows them: JSON, text and pages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.game.arrangement import Arrangement
from solver.game.evaluator import CATEGORIES, categories_of, evaluate_hands
from solver.game.notation import format_cards
from solver.game.rules import Rules
from solver.language.hand_names import category_name, hand_name
from solver.strategies.payoffs import place_counts
from solver.strategies.strength_mix import StrengthMix
from solver.system.json_document import Document


@dataclass(frozen=True, slots=True)
class Hand:
    """Five cards and what they are under the rules.

    Parameters
    ----------
    cards
        Card ids, highest rank first.
    category
        Index into `evaluator.CATEGORIES`.
    strength
        As `evaluate_hands` gives it; larger is stronger.
    """

    cards: tuple[int, ...]
    category: int
    strength: int

    def name(self, language: str = "en") -> str:
        """Return what a player calls the hand."""
        return hand_name(self.cards, self.category, language)

    def category_name(self, language: str = "en") -> str:
        """Return the name of the category."""
        return category_name(self.category, language)

    def fields(self) -> Document:
        """Return the hand as JSON documents have it."""
        return {
            "cards": format_cards(self.cards),
            "category": CATEGORIES[self.category],
            "name": self.name(),
            "strength": self.strength,
        }


@dataclass(frozen=True, slots=True)
class Packet(Hand):
    """A hand in its place, and how it fares there.

    Parameters
    ----------
    weight
        What winning the place earns, in points.
    win, tie, loss
        Probabilities against the opponent, each None where there is none.
    """

    weight: int
    win: float | None
    tie: float | None
    loss: float | None

    def fields(self) -> Document:
        """Return the packet as JSON documents have it."""
        # `super()` without arguments does not work where a dataclass has slots.
        hand = Hand.fields(self)
        return {
            "weight": self.weight,
            **{name: hand[name] for name in ("cards", "category", "name")},
            "win": self.win,
            "tie": self.tie,
            "loss": self.loss,
        }


def hands_of(hands: Sequence[Sequence[int]], rules: Rules) -> tuple[Hand, ...]:
    """Return what five-card hands are under the rules."""
    strengths = evaluate_hands(np.array(hands), rules)
    return tuple(
        Hand(tuple(sorted(cards, reverse=True)), int(category), int(strength))
        for cards, category, strength in zip(hands, categories_of(strengths, rules), strengths, strict=True)
    )


def packets_of(arrangement: Arrangement, rules: Rules, mix: StrengthMix | None) -> tuple[Packet, ...]:
    """Return what each packet is and, against a mix, its chances of winning, tying and losing its place."""
    packets = []
    for place, hand in enumerate(hands_of(arrangement.packets, rules)):
        win = tie = loss = None
        if mix is not None:
            below, above = (int(count) for count in place_counts(mix.places[place], hand.strength))
            win, tie, loss = below / mix.total, (mix.total - below - above) / mix.total, above / mix.total
        packets.append(Packet(hand.cards, hand.category, hand.strength, rules.weights[place], win, tie, loss))
    return tuple(packets)


def packet_fields(packets: Sequence[Packet]) -> list[Document]:
    """Return the packets as JSON documents have them."""
    return [packet.fields() for packet in packets]
