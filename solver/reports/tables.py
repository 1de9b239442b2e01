"""Parts of text results that several commands share, and the results that need no solver."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from solver.game.arrangement import Arrangement, Score
from solver.game.deal import Deal
from solver.game.notation import format_cards
from solver.language.numbers import percent
from solver.reports.console import Style
from solver.results.packets import Hand, Packet

if TYPE_CHECKING:
    # What needs no solver, such as `hand` and `deal`, shall not wait for one to load.
    from solver.verification.checks import Check


def write_packets(style: Style, packets: Sequence[Packet]) -> None:
    """Write the table of packets, place by place, with their chances where there is an opponent."""
    chances = ("Win", "Tie", "Lose") if packets[0].win is not None else ()
    table = style.table("Place", "Pts", "Packet", "Hand", *chances, right=("Pts", *chances), wrapped=("Hand",))
    for place, packet in enumerate(packets, 1):
        table.add_row(
            str(place),
            str(packet.weight),
            style.coloured(packet.cards),
            packet.name(style.language),
            *(percent(chance) for chance in (packet.win, packet.tie, packet.loss) if chances),
        )
    style.show(table)


def write_arrangement(style: Style, label: str, arrangement: Arrangement) -> None:
    """Write a labelled arrangement on one line that reads back."""
    style.line(Text(style.phrase(label) + ": ") + style.compact(arrangement))


def write_score(style: Style, first: Arrangement, second: Arrangement, score: Score) -> None:
    """Write the referee's table and the result."""
    if not style.quiet:
        write_comparison(style, first, second, score, ("First", "Second"))
        style.line()
    first_points, second_points = score.points
    totals = "First {first}, second {second}, tied places {tied}"
    style.line(style.phrase(totals, first=first_points, second=second_points, tied=score.tied))
    verdict = "The match is drawn"
    if not score.draw:
        verdict = f"The {'first' if first_points > second_points else 'second'} player wins the match"
    style.line(style.phrase(verdict))


def write_comparison(
    style: Style, first: Arrangement, second: Arrangement, score: Score, players: tuple[str, str]
) -> None:
    """Write two arrangements side by side, the winner of each place and the points that it earns."""
    table = style.table("Place", "Pts", *players, "Winner", right=("Pts",))
    for place, (weight, winner) in enumerate(zip(score.weights, score.winners, strict=True)):
        table.add_row(
            str(place + 1),
            str(weight),
            style.coloured(first.packets[place]),
            style.coloured(second.packets[place]),
            style.phrase(("tie", *players)[winner]).lower(),
        )
    style.show(table)


def write_hands(style: Style, hands: Sequence[Hand]) -> None:
    """Write evaluated hands, strongest first; hands that tie share a number."""
    table = style.table(
        "No.", "Packet", "Category", "Hand", "Strength", right=("No.", "Strength"), wrapped=("Category", "Hand")
    )
    strengths = [hand.strength for hand in hands]
    for hand in hands:
        number = strengths.index(hand.strength) + 1
        tied = strengths.count(hand.strength) > 1
        table.add_row(
            f"{number}=" if tied else str(number),
            style.coloured(hand.cards),
            hand.category_name(style.language),
            hand.name(style.language),
            str(hand.strength),
        )
    style.show(table)


def write_deal(style: Style, deal: Deal) -> None:
    """Write the cards in play on one line."""
    style.line(format_cards(deal.cards, style.cards))


def write_checks(style: Style, checks: Sequence["Check"], verdict: str) -> None:
    """Write what a verification found, claim by claim; of a batch, record by record and each claim that fails."""
    if not style.quiet:
        table = style.table("Claim", "Holds", "Detail", wrapped=("Detail",))
        for line, group in groupby(checks, key=lambda check: check.line):
            found = list(group)
            failed = [check for check in found if not check.holds]
            if line is not None and len(found) > 1 and not failed:
                detail = style.phrase("{count} claims", count=len(found))
                table.add_row(f"line {line}", style.phrase("yes"), detail)
                continue
            for check in found if line is None or not failed else failed:
                table.add_row(check.name, style.phrase(check.answer), check.detail)
        style.show(table)
        style.line()
    style.line(style.phrase(verdict))
