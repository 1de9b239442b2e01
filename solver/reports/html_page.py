"""The pieces of a result page: elements that escape what they hold, card faces, bars, and the page around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from solver import __version__
from solver.game.arrangement import Arrangement
from solver.game.cards import suit_of
from solver.game.notation import format_card
from solver.language.numbers import percent
from solver.language.translations import phrase
from solver.results.packets import Packet

_SUITS = ("clubs", "diamonds", "hearts", "spades")
_AS_TEXT = "\N{VARIATION SELECTOR-15}"
"""Keeps phones from drawing a suit as a coloured picture."""


class Markup(str):
    """Text that is HTML already; any other text is escaped where it becomes part of an element."""

    __slots__ = ()


def element(name: str, *content: str, **attributes: str) -> Markup:
    """Return an HTML element; `class_` and `data_sort` stand for the attributes ``class`` and ``data-sort``."""
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{given}>{together(*content)}</{name}>")


def together(*content: str) -> Markup:
    """Return several pieces as one."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part) for part in content))


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How a page is written.

    Parameters
    ----------
    notation
        ``letters``, ``symbols`` or ``russian``; it decides the letters of ranks on card faces as well.
    language
        ``en`` or ``ru``.
    """

    notation: str = "letters"
    language: str = "en"

    def phrase(self, text: str, **values: object) -> str:
        """Return one of the program's phrases in the language of the page."""
        return phrase(text, self.language, **values)

    def card(self, card: int) -> Markup:
        """Return a card face."""
        rank, _ = self._rank_and_symbol(card)
        suit = _SUITS[suit_of(card)]
        sign = Markup(f'<svg viewBox="0 0 32 32" aria-hidden="true"><use href="#{suit}"/></svg>')
        return element("span", element("b", rank), sign, class_=f"card {suit}", role="img", aria_label=self._name(card))

    def hand(self, cards: Sequence[int]) -> Markup:
        """Return cards as text in the colours of their suits."""
        spans = [element("span", self._name(card), class_=_SUITS[suit_of(card)]) for card in cards]
        return Markup(" ".join(spans))

    def _rank_and_symbol(self, card: int) -> tuple[str, str]:
        rank = format_card(card, "russian" if self.notation == "russian" else "symbols")[:-1]
        return rank, format_card(card, "symbols")[-1] + _AS_TEXT

    def _name(self, card: int) -> str:
        return "".join(self._rank_and_symbol(card))


def chance_bar(style: PageStyle, chances: Sequence[tuple[str, float]]) -> Markup:
    """Return a bar of a win, a tie and a loss, in that order, with the figures below it.

    Parameters
    ----------
    chances
        A word for each of the three, and its probability.
    """
    kinds = ("win", "tie", "loss")
    words = [f"{style.phrase(word)} {percent(chance)}" for word, chance in chances]
    parts = [
        Markup(f'<i class="{kind}" style="width:{100 * chance:.4f}%"></i>')
        for kind, (_, chance) in zip(kinds, chances, strict=True)
    ]
    legend = [element("span", word, class_=kind) for kind, word in zip(kinds, words, strict=True)]
    return together(
        element("div", *parts, class_="bar", role="img", aria_label=", ".join(words)),
        element("div", *legend, class_="legend", aria_hidden="true"),
    )


def packet_list(style: PageStyle, packets: Sequence[Packet], arrangement: Arrangement) -> Markup:
    """Return the packets as card faces, place by place, with their chances where there is an opponent."""
    items = []
    for place, packet in enumerate(packets, 1):
        chances = []
        if packet.win is not None and packet.tie is not None and packet.loss is not None:
            chances = [("Win", packet.win), ("Tie", packet.tie), ("Lose", packet.loss)]
        heading = style.phrase("Place {place}, worth {weight}", place=place, weight=packet.weight)
        items.append(
            element(
                "li",
                element("h3", heading),
                element("div", *map(style.card, packet.cards), class_="cards"),
                element(
                    "div",
                    element("p", packet.name(style.language), class_="name"),
                    *([chance_bar(style, chances)] if chances else []),
                    class_="chances",
                ),
            )
        )
    return together(
        element("ol", *items, class_="packets"),
        element("p", element("code", arrangement.text(style.notation)), class_="copy"),
    )


def page(style: PageStyle, title: str, *content: str) -> str:
    """Return a whole page that needs nothing else: no file, no network, no script but its own."""
    folder = files("solver.reports")
    sheet, script = (folder.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return f"""<!DOCTYPE html>
<html lang="{style.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'">
<title>{escape(title)} · Quintet</title>
<style>
{sheet}</style>
</head>
<body>
<svg width="0" height="0" style="position:absolute" aria-hidden="true">{_SUIT_SHAPES}</svg>
<main>
{element("h1", title)}
{together(*content)}
</main>
{element("footer", f"quintet {__version__}")}
<script>
{script}</script>
</body>
</html>
"""


# Drawn here and not taken from a font, so that they look alike everywhere.
_SHAPES = {
    "spades": "M16 1C10 9 2 13 2 20a6.5 6.5 0 0 0 12 3c0 3-1 5-4 8h12c-3-3-4-5-4-8a6.5 6.5 0 0 0 12-3C30 13 22 9 16 1Z",
    "hearts": "M16 30C6 21 1 16 1 10a7.5 7.5 0 0 1 15-2.5A7.5 7.5 0 0 1 31 10c0 6-5 11-15 20Z",
    "diamonds": "M16 1 28 16 16 31 4 16Z",
    "clubs": "M16 1a7 7 0 0 0-6 10.6A7 7 0 1 0 14 23c0 3-1 5-4 8h12c-3-3-4-5-4-8a7 7 0 1 0 4-11.4A7 7 0 0 0 16 1Z",
}
_SUIT_SHAPES = "".join(
    f'<symbol id="{suit}" viewBox="0 0 32 32"><path d="{path}"/></symbol>' for suit, path in _SHAPES.items()
)
