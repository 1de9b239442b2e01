"""Cards as text, in and out.

A card is a rank and a suit, in Latin letters, with suit symbols, or in the letters of Russian packs, upper
or lower case. The script of a letter decides what it means: the Latin T is the ten, the Cyrillic Т (туз) is
the ace.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from solver.errors import DealError, NotationError
from solver.game.cards import FULL_PACK, PLACES, card_id, rank_of, suit_of

NOTATIONS = ("letters", "symbols", "russian")

# Ranks from two to ace, suits in the order of the ids: clubs, diamonds, hearts, spades.
_RANKS_OUT: dict[str, tuple[str, ...]] = {
    "letters": tuple("23456789TJQKA"),
    "symbols": tuple("23456789TJQKA"),
    "russian": (*"23456789", "10", *"ВДКТ"),
}
_SUITS_OUT = {"letters": "cdhs", "symbols": "♣♦♥♠", "russian": "тбчп"}
_SUIT_ALPHABETS = (*_SUITS_OUT.values(), "♧♢♡♤")


def _both_cases(meaning: dict[str, int]) -> dict[str, int]:
    return {spelling: value for text, value in meaning.items() for spelling in (text.lower(), text.upper())}


_RANK_OF = _both_cases({text: rank for ranks in _RANKS_OUT.values() for rank, text in enumerate(ranks)})
_SUIT_OF = _both_cases({text: suit for suits in _SUIT_ALPHABETS for suit, text in enumerate(suits)})

_CARD = re.compile(f"({'|'.join(_RANK_OF)})([{''.join(_SUIT_OF)}])")
_GAP = re.compile(r"[\s,;]*")
_TOKEN = re.compile(r"[^\s,;|/]*")
_PACKET_MARK = re.compile(r"[|/]")
# Variation selectors, zero-width and directional marks, the byte order mark: nothing that a reader could see.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)

_LATIN_RANKS, _LATIN_SUITS = "2-9, T or 10, J, Q, K, A", "s, h, d, c or ♠ ♥ ♦ ♣"
_RUSSIAN_RANKS, _RUSSIAN_SUITS = "2-10, В, Д, К, Т", "п, ч, б, т or ♠ ♥ ♦ ♣"
# What passes for one of ours to the eye; characters that Unicode itself calls compatible need no entry.
_LOOK_ALIKES = dict(zip("АаЈјԚԛСсЅѕНһԁΑΚΤB❤", "AaJjQqCcSsHhdAKTВ♥", strict=True))
_SCRIPTS = {"LATIN": "Latin ", "CYRILLIC": "Cyrillic ", "DIGIT": "digit "}
_QUOTED = 20


def shown(text: str) -> str:
    """Return user text in quotes for a one-line message, escaped, and cut after 20 characters."""
    return repr(text) if len(text) <= _QUOTED else repr(text[:_QUOTED] + "…")


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the card ids of a text in the order given, repeats included.

    Parameters
    ----------
    text
        Any cards of the 52-card pack, with white space, commas, semicolons or nothing between them.

    Raises
    ------
    NotationError
        At the first thing that is no card, with its place among the cards.
    """
    return tuple(_card(match) for match in _scan(text))


def distinct_cards(text: str) -> tuple[int, ...]:
    """Return the card ids of a text as `parse_cards` does, refusing a card that comes twice.

    Raises
    ------
    NotationError
        At the first thing that is no card.
    DealError
        At the first repeated card, with both places.
    """
    found: dict[int, tuple[int, str]] = {}
    for place, match in enumerate(_scan(text), start=1):
        card, rank = _card(match), match[1]
        if card in found:
            earlier, other_rank = found[card]
            reminder = "" if text.isascii() else _ten_or_ace({rank, other_rank})
            raise DealError(f"{format_card(card)} given twice, places {earlier} and {place}{reminder}")
        found[card] = place, rank
    return tuple(found)


def parse_packets(text: str, first: int = 1) -> list[tuple[int, ...]]:
    """Return the packets of a text, place 1 first, each as card ids in the order given.

    Packets are separated by ``|``, ``/`` or a line end; where the first two alone make five packets, line
    ends inside them are ordinary separators. Empty pieces do not count. The number of packets and what they
    hold are for `Arrangement` to judge. Messages count the packets from `first`, unless there are five.

    Raises
    ------
    NotationError
        At the first thing that is no card, with its packet and place, and for a text without cards.
    """
    pieces = _filled(_PACKET_MARK.split(_checked_text(text)))
    if len(pieces) != PLACES:
        pieces = _filled(line for piece in pieces for line in piece.splitlines())
    if not pieces:
        raise NotationError("no cards given: expected packets of cards with | between them")
    return [
        tuple(_card(match) for match in _scan(piece, f"packet {number}, "))
        for number, piece in enumerate(pieces, start=1 if len(pieces) == PLACES else first)
    ]


def format_card(card: int, notation: str = "letters") -> str:
    """Return a card id as text: ``Th`` (``letters``), ``T♥`` (``symbols``) or ``10ч`` (``russian``).

    Raises
    ------
    NotationError
        For an unknown notation or a number that is no card id.
    """
    if notation not in NOTATIONS:
        raise NotationError(f"unknown notation {shown(notation)}: expected one of {', '.join(NOTATIONS)}")
    if card not in FULL_PACK:
        raise NotationError(f"{card} is not a card id: expected a whole number from 0 to {FULL_PACK[-1]}")
    return _RANKS_OUT[notation][rank_of(card)] + _SUITS_OUT[notation][suit_of(card)]


def format_cards(cards: Iterable[int], notation: str = "letters", sep: str = " ") -> str:
    """Return card ids as text in the order given; with any of our separators it parses back."""
    return sep.join(format_card(card, notation) for card in cards)


def _checked_text(text: str) -> str:
    if not isinstance(text, str):
        raise NotationError(f"cards must be given as text, not as {type(text).__name__}")
    return _INVISIBLE.sub("", text)


def _filled(pieces: Iterable[str]) -> list[str]:
    return [piece for piece in pieces if not _GAP.fullmatch(piece)]


def _scan(text: str, where: str = "") -> Iterator[re.Match[str]]:
    """Yield the cards of a text as matches of `_CARD`, one pass from left to right."""
    text = _checked_text(text)
    position, number = 0, 0
    while (position := _end(_GAP, text, position)) < len(text):
        number += 1
        match = _CARD.match(text, position)
        if match is None:
            token = text[position : _end(_TOKEN, text, position)] or text[position]
            raise NotationError(f"{where}card {number}, {shown(token)}: {_complaint(token)}")
        yield match
        position = match.end()


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _card(match: re.Match[str]) -> int:
    return card_id(_RANK_OF[match[1]], _SUIT_OF[match[2]])


def _complaint(token: str) -> str:
    """Say what is wrong with a token that does not start with a card."""
    russian = any("CYRILLIC" in unicodedata.name(char, "") for char in token[:_QUOTED])
    rank = next((text for text in _RANK_OF if token.startswith(text)), "")
    if rank:
        return _wrong(token[len(rank) : len(rank) + 1], "suit", _SUIT_OF, _RUSSIAN_SUITS if russian else _LATIN_SUITS)
    if token[0] in _SUIT_OF and token[1:3].startswith(tuple(_RANK_OF)):
        return f"{token[0]!r} is a suit, and the rank comes first"
    if token[0] in "|/":
        return f"{token[0]!r} stands between packets, and only cards are expected here"
    return _wrong(token[0], "rank", _RANK_OF, _RUSSIAN_RANKS if russian else _LATIN_RANKS)


def _wrong(char: str, part: str, known: dict[str, int], expected: str) -> str:
    if not char:
        return f"the {part} is missing ({expected})"
    meant = _LOOK_ALIKES.get(char) or unicodedata.normalize("NFKC", char)
    if meant != char and meant in known:
        if len(meant) == 1:  # a ten in a circle is one character for two
            meant = f"{_SCRIPTS.get(unicodedata.name(meant).split()[0], '')}{meant} ({_code(meant)})"
        return f"{char} ({_code(char)}) is not a {part}; did you mean the {meant}?"
    return f"{_named(char)} is not a {part} ({expected})"


def _named(char: str) -> str:
    if char.isascii() or not char.isprintable():
        return repr(char)
    return f"{char} ({_code(char)})"


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"


def _ten_or_ace(ranks: set[str]) -> str:
    """Return a reminder where one card was spelled two ways and one of them is a letter of two meanings."""
    if len({rank.upper() for rank in ranks}) == 2 and ranks & set("TtТт"):
        return "; the Latin T (U+0054) is the ten, the Cyrillic Т (U+0422) the ace"
    return ""
