"""Documents of evaluated hands."""

from collections.abc import Sequence

from solver.game.rules import Rules
from solver.results.packets import Hand, hands_of
from solver.results.shared_fields import header
from solver.system.json_document import Document


def ranked_hands(hands: Sequence[Sequence[int]], rules: Rules) -> list[Hand]:
    """Return hands strongest first, those of equal strength in the order given."""
    return sorted(hands_of(hands, rules), key=lambda hand: -hand.strength)


def hand_document(hands: Sequence[Hand], rules: Rules) -> Document:
    """Return the document of evaluated hands, in the order given."""
    return {**header("hand", None, rules, None, None), "hands": [hand.fields() for hand in hands]}
