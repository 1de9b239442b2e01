"""How text results look: cards in colour, columns that fit, and plain lines where nobody watches."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from rich.text import Text

from solver.game.arrangement import Arrangement
from solver.game.cards import suit_of
from solver.game.notation import format_card
from solver.language.translations import phrase

NARROWEST = 80
"""Columns that every table fits; on a narrower terminal the lines wrap, and no card is cut off."""
PLAIN_WIDTH = 100
"""Columns of a table that goes to a file or a pipe."""

# Four colours that stay apart on light and on dark backgrounds, by suit id: clubs, diamonds, hearts, spades.
_SUIT_STYLES = ("green", "bright_blue", "bright_red", "default")


class _PipedConsole(Console):
    """A console that leaves a closed pipe to the command line, where rich would end the program by itself."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console() -> Console:
    """Return a console on standard output: escape codes on a terminal only, colours unless NO_COLOR is set."""
    terminal = sys.stdout.isatty()
    console = _PipedConsole(
        file=sys.stdout,
        force_terminal=terminal,
        no_color=None if "NO_COLOR" in os.environ else not terminal,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.width = max(console.width, NARROWEST) if terminal else PLAIN_WIDTH
    return console


@dataclass(frozen=True)
class Style:
    """How results are written.

    Parameters
    ----------
    notation
        ``letters``, ``symbols``, ``russian``, or None: symbols on a terminal, letters elsewhere.
    preferred_language
        ``en`` or ``ru``.
    quiet
        Whether only the answer itself is written.
    """

    notation: str | None = None
    preferred_language: str = "en"
    quiet: bool = False
    console: Console = field(default_factory=_console)

    @property
    def cards(self) -> str:
        """The notation for cards, letters where the output cannot hold the symbols or the Russian letters."""
        notation = self.notation or ("symbols" if self.console.is_terminal else "letters")
        return notation if self._holds({"symbols": "♠", "russian": "Т"}.get(notation, "")) else "letters"

    @property
    def language(self) -> str:
        """The language, English where the output cannot hold Russian letters."""
        return self.preferred_language if self.preferred_language != "ru" or self._holds("я") else "en"

    def _holds(self, sample: str) -> bool:
        try:
            sample.encode(self.console.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def phrase(self, text: str, **values: object) -> str:
        """Return one of the program's phrases in the language in force."""
        return phrase(text, self.language, **values)

    def card(self, card: int) -> Text:
        """Return one card in the colour of its suit."""
        return Text(format_card(card, self.cards), style=_SUIT_STYLES[suit_of(card)])

    def coloured(self, cards: Sequence[int], sep: str = " ") -> Text:
        """Return cards with the suits in four colours."""
        return Text(sep).join(self.card(card) for card in cards)

    def packets(self, arrangement: Arrangement) -> Text:
        """Return an arrangement on one line in its canonical form, which is wider than a terminal."""
        return Text(" | ").join(self.coloured(packet) for packet in arrangement.packets)

    def compact(self, arrangement: Arrangement) -> Text:
        """Return an arrangement on one line of 62 columns, or a few more; it reads back as well."""
        return Text(" | ").join(self.coloured(packet, "") for packet in arrangement.packets)

    def table(self, *headings: str, right: Sequence[str] = (), wrapped: Sequence[str] = ()) -> Table:
        """Return an empty table with these columns; those of `wrapped` may take several lines."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            table.add_column(
                self.phrase(heading),
                justify="right" if heading in right else "left",
                no_wrap=heading not in wrapped,
            )
        return table

    def show(self, table: Table) -> None:
        """Write a table; off a terminal without spaces at the ends of its lines."""
        if self.console.is_terminal:
            self.console.print(table)
            return
        with self.console.capture() as captured:
            self.console.print(table)
        for line in captured.get().splitlines():
            self.line(line.rstrip())

    def line(self, text: Text | str = "") -> None:
        """Write one line; a long arrangement is never broken."""
        self.console.print(text, soft_wrap=True, highlight=False, markup=False)

    def write(self, text: str) -> None:
        """Write text as it is, at once."""
        self.console.file.write(text)
        self.console.file.flush()

    def sentence(self, text: Text | str) -> None:
        """Write a sentence, at a terminal over as many lines as it takes."""
        self.console.print(text, soft_wrap=not self.console.is_terminal, highlight=False, markup=False)
