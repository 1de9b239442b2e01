"""`quintet hand`: which five-card hand is stronger."""

from typing import TYPE_CHECKING

import click

from solver.commands.arguments import read_text
from solver.commands.options import rules_options
from solver.commands.output import Output, output_options
from solver.errors import NotationError
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.reports.console import Style


@click.command("hand")
@click.argument("hands", nargs=-1, required=True)
@rules_options
@output_options
def command(hands: tuple[str, ...], rules: Rules, output: Output) -> None:
    """Evaluate five-card hands, strongest first.

    Each argument is one hand of five cards of the 52-card pack.

    \b
    Example:
      quintet hand "As Kh Qd Jc Ts" "8s 8h 8d 8c Ks" 10♥9♥8♥7♥6♥
    """
    from solver.game.notation import distinct_cards
    from solver.results.hands import hand_document, ranked_hands

    parsed = []
    for number, given in enumerate(hands, 1):
        cards = distinct_cards(read_text([given]))
        if len(cards) != 5:
            hint = "; put quotes around the five cards of a hand" if len(hands) > 1 and len(cards) == 1 else ""
            raise NotationError(f"hand {number}, {given!r}: expected 5 cards, not {len(cards)}{hint}")
        parsed.append(cards)
    ranked = ranked_hands(parsed, rules)

    def text(style: "Style") -> None:
        from solver.reports.tables import write_hands

        write_hands(style, ranked)

    output.write(hand_document(ranked, rules), text)
