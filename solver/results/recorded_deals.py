"""Deals as somebody played them, read from logs of sessions or from lines with a deal and an arrangement."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.errors import FileError, QuintetError
from solver.game.arrangement import Arrangement, require_deal
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.results.record_reading import saved_records
from solver.system.json_document import Document

SIDES = {"player": "arrangement", "opponent": "opponent_arrangement"}
"""The field of a log that holds what each side laid."""


@dataclass(frozen=True, slots=True)
class RecordedDeals:
    """What was laid, deal by deal.

    Parameters
    ----------
    arrangements
        One a deal that counts.
    assisted
        Number of deals left out because the player was helped.
    cut_off
        Number of files that end in the midst of a line; that line is left out.
    source
        SHA-256 of the deals and arrangements in canonical text, one a line.
    """

    arrangements: tuple[Arrangement, ...]
    assisted: int
    cut_off: int
    source: str


def read_recorded_deals(paths: Sequence[str], side: str, rules: Rules) -> RecordedDeals:
    """Read the deals of some files.

    Parameters
    ----------
    paths
        Files of JSON lines.
    side
        ``player`` or ``opponent``.
    rules
        The rule set they have to be played under; a line that names none is taken for one of them.

    Raises
    ------
    FileError
        If a file cannot be read, a line is no deal with an arrangement, or was played under other rules; the message
        names the line. If no deal is left.
    """
    arrangements, assisted, cut_off = list[Arrangement](), 0, 0
    for path in paths:
        for where, record in _records(path):
            if record is None:
                cut_off += 1
            elif _was_assisted(record, where):
                assisted += 1
            else:
                arrangements.append(_arrangement(record, where, side, rules))
    if not arrangements:
        left_out = f" ({assisted} left out, where the player was helped)" if assisted else ""
        raise FileError(f"{', '.join(paths)}: expected at least one recorded deal{left_out}")
    text = "".join(f"{each.deal.text()} {each.text()}\n" for each in arrangements)
    return RecordedDeals(tuple(arrangements), assisted, cut_off, hashlib.sha256(text.encode()).hexdigest())


def _records(path: str) -> Iterator[tuple[str, Document | None]]:
    try:
        for record in saved_records(path):
            yield f"{path}, line {record.line}" if record.line else path, record.document()
    except FileError as error:
        if "not a JSON document" in str(error) and _is_empty(path):
            raise FileError(f"{path}: is empty: expected at least one recorded deal") from None
        raise


def _is_empty(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return not file.read(1)
    except OSError:
        return False


def _was_assisted(record: Document, where: str) -> bool:
    helps = record.get("assisted", [])
    if not isinstance(helps, list):
        raise FileError(f"{where}: expected `assisted` to be a list of helps")
    return bool(helps)


def _arrangement(record: Document, where: str, side: str, rules: Rules) -> Arrangement:
    _require_rules(record.get("rules"), where, rules)
    field = SIDES[side]
    laid = record.get(field)
    try:
        deal = _deal(record)
        if isinstance(laid, str):
            arrangement = Arrangement.parse(laid)
        elif isinstance(laid, list) and all(isinstance(packet, str) for packet in laid):
            arrangement = Arrangement.of_texts(laid)
        else:
            raise FileError(f"expected `{field}` with five packets")
        require_deal(arrangement, deal)
    except QuintetError as error:
        raise FileError(f"{where}: {error}") from None
    return arrangement


def _deal(record: Document) -> Deal:
    fields = record.get("deal", record)
    if isinstance(fields, dict) and isinstance(fields.get("cards"), str):
        return Deal.parse(fields["cards"])
    if isinstance(fields, dict) and isinstance(fields.get("removed"), str):
        return Deal.from_removed(fields["removed"])
    raise FileError("expected a deal: `cards`, the 25 in play, or `removed`, the 7 laid aside")


def _require_rules(fields: Any, where: str, rules: Rules) -> None:
    wanted = {"name": rules.name, "ace_low": rules.ace_low, "weights": list(rules.weights)}
    if fields is not None and fields != wanted:
        raise FileError(f"{where}: played under the rules {_short(fields)}, expected {_short(wanted)}")


def _short(fields: Any) -> str:
    return json.dumps(fields)[:100]
