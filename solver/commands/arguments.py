"""Cards, arrangements and locks as they stand in the arguments."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.errors import DealError, NotationError, QuintetError

if TYPE_CHECKING:
    from solver.game.deal import Deal


def read_deal(cards: Sequence[str], removed: bool) -> "Deal":
    """Return the deal of the CARDS arguments; a single `-` reads standard input.

    Seven cards are those laid aside, 25 those in play; a deal may also come as `quintet deal --json` writes it.
    """
    from solver.batch.deal_sources import parse_json_deal
    from solver.game.cards import DEAL_SIZE
    from solver.game.deal import REMOVED_SIZE, Deal
    from solver.game.notation import parse_cards

    text = read_text(cards)
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return parse_json_deal(text.strip("\ufeff \t\r\n"))
    count = len(parse_cards(text))
    if removed and count == DEAL_SIZE:
        raise DealError(f"{DEAL_SIZE} cards: expected the {REMOVED_SIZE} laid aside, or no --removed for those in play")
    if removed or count == REMOVED_SIZE:
        return Deal.from_removed(text)
    return Deal.parse(text)


def read_text(arguments: Sequence[str], separator: str = " ") -> str:
    """Return the arguments joined, or standard input for a single `-`."""
    from solver.system.files import LONGEST_LINE

    if list(arguments) != ["-"]:
        return separator.join(arguments)
    try:
        content = sys.stdin.buffer.read(LONGEST_LINE + 1)
    except OSError as error:
        raise NotationError(f"standard input: {error.strerror}") from None
    if len(content) > LONGEST_LINE:
        raise NotationError(f"standard input is longer than {LONGEST_LINE} bytes: expected cards")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"standard input is not UTF-8 text (byte {error.start + 1})") from None


def read_locks(locks: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Return the locked packets by place (0-based) of options such as `5=As Ks Qs Js Ts`."""
    from solver.game.cards import PLACES
    from solver.game.notation import parse_cards

    locked: dict[int, tuple[int, ...]] = {}
    for text in locks:
        place, sign, cards = text.partition("=")
        if not sign or place.strip() not in [str(number) for number in range(1, PLACES + 1)]:
            raise QuintetError(f"--lock {text!r}: expected PLACE=CARDS with a place from 1 to {PLACES}")
        index = int(place) - 1
        if index in locked:
            raise QuintetError(f"--lock {text!r}: place {index + 1} is locked twice")
        locked[index] = parse_cards(cards)
    return locked
