"""Results as text for people: tables that fit a terminal, clean lines where they are piped."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from solver.arrangement import Arrangement, Score
from solver.cards import suit_of
from solver.deal import Deal
from solver.evaluator import CATEGORIES
from solver.hand_names import category_name, describe_hand
from solver.notation import format_card, format_cards, parse_cards
from solver.phrases import phrase
from solver.results import Document, draw, packet_fields
from solver.rules import Rules

if TYPE_CHECKING:
    # What needs no solver, such as `hand` and `deal`, shall not wait for one to load.
    from solver.best_response import BestResponse
    from solver.double_oracle import Equilibrium, Progress
    from solver.opponents import Opponent
    from solver.verification import Check

PLAIN_WIDTH = 100
"""Columns of a table that goes to a file or a pipe."""

# Four colours that stay apart on light and on dark backgrounds, by suit id: clubs, diamonds, hearts, spades.
_SUIT_STYLES = ("green", "blue", "red", "default")


@dataclass(frozen=True)
class Style:
    """How results are written.

    Parameters
    ----------
    notation
        ``letters``, ``symbols``, ``russian``, or None: symbols on a terminal, letters elsewhere.
    language
        ``en`` or ``ru``.
    quiet
        Whether only the answer itself is written.
    """

    notation: str | None = None
    language: str = "en"
    quiet: bool = False
    console: Console = field(default_factory=lambda: _console())

    @property
    def cards(self) -> str:
        """The notation for cards, letters where the output cannot hold the symbols or the Russian letters."""
        notation = self.notation or ("symbols" if self.console.is_terminal else "letters")
        sample = {"symbols": "♠", "russian": "Т"}.get(notation, "")
        try:
            sample.encode(self.console.encoding)
        except UnicodeEncodeError:
            return "letters"
        return notation

    def phrase(self, text: str, **values: object) -> str:
        """Return one of the program's phrases in the language in force."""
        return phrase(text, self.language, **values)

    def coloured(self, cards: Sequence[int]) -> Text:
        """Return cards with the suits in four colours."""
        text = Text()
        for index, card in enumerate(cards):
            text.append(" " if index else "")
            text.append(format_card(card, self.cards), style=_SUIT_STYLES[suit_of(card)])
        return text

    def packets(self, arrangement: Arrangement) -> Text:
        """Return an arrangement on one line that reads back."""
        return Text(" | ").join(self.coloured(packet) for packet in arrangement.packets)

    def table(self, *headings: str, right: Sequence[str] = ()) -> Table:
        """Return an empty table with these columns."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            table.add_column(
                self.phrase(heading),
                justify="right" if heading in right else "left",
                no_wrap=heading not in ("Hand", "Detail"),
            )
        return table

    def line(self, text: Text | str = "") -> None:
        """Write one line; a long arrangement is never broken."""
        self.console.print(text, soft_wrap=True, highlight=False, markup=False)


class _PipedConsole(Console):
    """A console that leaves a closed pipe to the command line, where rich would end the program by itself."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console() -> Console:
    terminal = sys.stdout.isatty()
    return _PipedConsole(
        file=sys.stdout,
        width=None if terminal else PLAIN_WIDTH,
        force_terminal=terminal,
        no_color=None if "NO_COLOR" in os.environ else not terminal,
        highlight=False,
        emoji=False,
    )


def percent(probability: float | None) -> str:
    """Return a probability in per cent with one digit, `–` for none."""
    return "–" if probability is None else f"{100 * probability:.1f}%"


def figure(value: Fraction) -> str:
    """Return a figure for people: four digits after the point and, unless it is whole, the exact fraction if short."""
    if value.denominator == 1:
        return str(value)
    exact = str(value)
    return f"{float(value):.4f} ({exact})" if len(exact) <= 15 else f"{float(value):.6f}"


def write_solution(style: Style, response: "BestResponse", specs: Sequence[str], opponent: "Opponent | None") -> None:
    """Write a best response: the packets with their chances, the six figures, and what is proven."""
    if style.quiet:
        style.line(style.packets(response.arrangement))
        return
    opponents = ", ".join(specs)
    if response.value is None:
        style.line(
            style.phrase("Greedy arrangement; the opponent {opponent} was not ready in time", opponent=opponents)
        )
    else:
        goal = style.phrase(response.objective)
        style.line(
            style.phrase("Best arrangement against {opponent}, by {objective}", opponent=opponents, objective=goal)
        )
    style.line()
    mix = None if opponent is None else opponent.mix
    write_packets(style, response.arrangement, response.rules, packet_fields(response.arrangement, response.rules, mix))
    style.line()
    style.line(Text(style.phrase("Arrangement") + ": ") + style.packets(response.arrangement))
    if response.value is None or response.bound_exact is None:
        return
    write_value(style, response.value, sampled=opponent is not None and opponent.sampled)
    proof = (
        "Proven optimal: no arrangement has more than {bound}"
        if response.status == "optimal"
        else "Not proven: the best possible is at most {bound}"
    )
    style.line(style.phrase(proof, bound=figure(response.bound_exact)))
    if response.alternatives:
        style.line()
        table = style.table("Rank", "Value", "Arrangement", right=("Rank", "Value"))
        for number, alternative in enumerate(response.alternatives, 1):
            table.add_row(
                str(number),
                f"{float(alternative.value.of(response.objective)):.4f}",
                style.packets(alternative.arrangement),
            )
        style.console.print(table, soft_wrap=True)


def write_packets(style: Style, arrangement: Arrangement, rules: Rules, fields: Sequence[Document]) -> None:
    """Write the table of packets, place by place."""
    table = style.table("Place", "Worth", "Packet", "Hand", "Win", "Tie", "Lose", right=("Worth", "Win", "Tie", "Lose"))
    for place, (packet, field_) in enumerate(zip(arrangement.packets, fields, strict=True), 1):
        table.add_row(
            str(place),
            str(field_["weight"]),
            style.coloured(packet),
            describe_hand(packet, rules, style.language),
            percent(field_["win"]),
            percent(field_["tie"]),
            percent(field_["loss"]),
        )
    style.console.print(table)


def write_value(style: Style, value: Any, *, sampled: bool) -> None:
    """Write the six figures of an arrangement."""
    style.line(
        style.phrase(
            "Expected points {points}, opponent {opponent_points}, margin {margin}",
            points=figure(value.points),
            opponent_points=figure(value.opponent_points),
            margin=figure(value.margin),
        )
    )
    line = "Match won {win}, drawn {draw}, lost {loss}"
    if sampled:
        line += " (against a sample of the opponent's arrangements)"
    style.line(
        style.phrase(
            line, win=percent(float(value.win)), draw=percent(float(value.draw)), loss=percent(float(value.loss))
        )
    )


def write_score(style: Style, first: Arrangement, second: Arrangement, score: Score) -> None:
    """Write the referee's table and the result."""
    result = "First {first}, second {second}, tied places {tied}"
    totals = style.phrase(result, first=score.points[0], second=score.points[1], tied=score.tied)
    if not style.quiet:
        table = style.table("Place", "Worth", "First", "Second", "Winner", right=("Worth",))
        for place, (weight, winner) in enumerate(zip(score.weights, score.winners, strict=True)):
            table.add_row(
                str(place + 1),
                str(weight),
                style.coloured(first.packets[place]),
                style.coloured(second.packets[place]),
                style.phrase(("tie", "first", "second")[winner]),
            )
        style.console.print(table)
        style.line()
    style.line(totals)
    first_points, second_points = score.points
    verdict = "The match is drawn"
    if not score.draw:
        verdict = f"The {'first' if first_points > second_points else 'second'} player wins the match"
    style.line(style.phrase(verdict))


def write_hands(style: Style, hands: Sequence[Document], rules: Rules) -> None:
    """Write judged hands, strongest first; hands that tie share a number."""
    table = style.table("Rank", "Packet", "Category", "Hand", "Strength", right=("Rank", "Strength"))
    number = 0
    for index, hand in enumerate(hands):
        tied = index > 0 and hand["strength"] == hands[index - 1]["strength"]
        number = number if tied else index + 1
        cards = parse_cards(hand["cards"])
        category = category_name(CATEGORIES.index(hand["category"]), style.language)
        table.add_row(
            f"{number}=" if tied else str(number),
            style.coloured(cards),
            category,
            describe_hand(cards, rules, style.language),
            str(hand["strength"]),
        )
    style.console.print(table)


def write_deal(style: Style, deal: Deal) -> None:
    """Write the cards in play on one line."""
    style.line(format_cards(deal.cards, style.cards))


@contextmanager
def equilibrium_progress(*, hidden: bool) -> Iterator["Callable[[Progress], None] | None"]:
    """Show the rounds of a double oracle on a terminal; yields its callback, or None where nothing is shown."""
    console = Console(file=sys.stderr, highlight=False)
    if hidden or not console.is_terminal:
        yield None
        return
    with console.status("finding the undominated partitions") as status:
        yield lambda progress: status.update(
            f"round {progress.iteration}: exploitability {progress.exploitability:.2e}, "
            f"{progress.restricted_size} arrangements in the restricted game"
        )


def write_equilibrium(style: Style, equilibrium: "Equilibrium", seed: int) -> None:
    """Write an equilibrium: the drawn arrangement, the proof, and the mix with the likeliest arrangements first."""
    mix = equilibrium.strategies
    play = draw(mix, seed)
    if style.quiet:
        style.line(style.packets(play))
        return
    style.line(
        style.phrase(
            "Equilibrium by {objective}: {count} arrangements out of {partitions} undominated partitions",
            objective=style.phrase(equilibrium.objective),
            count=len(mix.arrangements),
            partitions=equilibrium.undominated_partitions,
        )
    )
    style.line()
    table = style.table("Chance", "Arrangement", right=("Chance",))
    for index in sorted(range(len(mix.weights)), key=lambda index: -mix.weights[index]):
        table.add_row(percent(mix.probabilities[index]), style.packets(mix.arrangements[index]))
    style.console.print(table, soft_wrap=True)
    style.line()
    unit = "points" if equilibrium.objective == "margin" else "of a match"
    style.line(
        style.phrase(
            "Proven: no arrangement gains more than {gain} {unit} against this mix ({status}, {iterations} rounds)",
            gain=f"{equilibrium.exploitability:.3g}",
            unit=style.phrase(unit),
            status=style.phrase(equilibrium.status),
            iterations=equilibrium.iterations,
        )
    )
    style.line(Text(style.phrase("Drawn with seed {seed}", seed=seed) + ": ") + style.packets(play))


def write_checks(style: Style, checks: Sequence["Check"], verdict: str) -> None:
    """Write what a verification found, claim by claim."""
    if not style.quiet:
        table = style.table("Claim", "Holds", "Detail")
        for check in checks:
            table.add_row(check.name, style.phrase("yes" if check.holds else "NO"), check.detail)
        style.console.print(table)
        style.line()
    style.line(style.phrase(verdict))
