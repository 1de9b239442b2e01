"""The deals of a batch, one by one: from a file, from a seed, or from a set that comes with the project."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from solver.errors import BatchError, QuintetError
from solver.game.deal import Deal, random_deals
from solver.system.files import LONGEST_LINE, open_binary

INSTANCES = Path(__file__).parents[2] / "benchmarks" / "deals"


@dataclass(frozen=True, slots=True)
class Item:
    """One deal of the input, or what is wrong with it.

    Parameters
    ----------
    line
        Number of its line, from 1; of the deal, where there are no lines.
    id
        What the user calls it; the number of its line if it has no name.
    deal
        The deal, or None.
    error
        One line that says why there is no deal.
    multiplicity
        How many deals it stands for, where it stands for those that differ by the names of the suits.
    """

    line: int
    id: int | str
    deal: Deal | None
    error: str | None = None
    multiplicity: int | None = None


class Source(Protocol):
    """Where the deals come from."""

    def __iter__(self) -> Iterator[Item]:
        """Read the deals one by one; the memory this takes does not grow with their number."""
        ...

    def count(self) -> int | None:
        """Return the number of deals, or None if reading them once would use them up."""
        ...


@dataclass(frozen=True, slots=True)
class RandomDeals:
    """The deals that `quintet deal --seed` deals.

    Parameters
    ----------
    number
        How many.
    seed
        Their seed; fewer deals of a seed are the first ones of more.
    """

    number: int
    seed: int

    def __iter__(self) -> Iterator[Item]:
        """Deal them."""
        for number, deal in enumerate(random_deals(self.seed, self.number), 1):
            yield Item(number, number, deal)

    def count(self) -> int:
        """Return the number of deals."""
        return self.number


@dataclass(frozen=True, slots=True)
class DealFile:
    """A file with one deal a line, as text or as a JSON object; blank lines do not count.

    Parameters
    ----------
    path
        UTF-8 text; a pipe can be read only once.
    removed
        Whether lines of text name the seven cards that are laid aside, not the 25 in play.

    Raises
    ------
    FileError
        If it cannot be read.
    """

    path: str
    removed: bool = False

    def __post_init__(self) -> None:
        if self._is_regular or os.path.isdir(self.path) or not os.path.exists(self.path):
            # To open a pipe and leave it would be an end for whoever writes to it.
            open_binary(self.path).close()

    def __iter__(self) -> Iterator[Item]:
        """Read the deals."""
        with open_binary(self.path) as file:
            number = 0
            while line := _read_line(file):
                number += 1
                if not _is_blank(line):
                    yield self._item(number, line)

    def count(self) -> int | None:
        """Return the number of lines that are not blank, or None for a pipe."""
        if not self._is_regular:
            return None
        with open_binary(self.path) as file:
            return sum(not _is_blank(line) for line in iter(lambda: _read_line(file), b""))

    @property
    def _is_regular(self) -> bool:
        return os.path.isfile(self.path)

    def _item(self, number: int, line: bytes) -> Item:
        identity: int | str = number
        try:
            text = _decoded(line)
            if not text.startswith("{"):
                return Item(number, number, Deal.from_removed(text) if self.removed else Deal.parse(text))
            fields = _json_object(text)
            identity = _identity(fields, number)
            return Item(number, identity, _deal(fields))
        except QuintetError as error:
            return Item(number, identity, None, str(error))


def instance_file(name: str) -> DealFile:
    """Return a set of deals of `benchmarks/deals`.

    Raises
    ------
    BatchError
        Outside a checkout of the project, or if there is no such set.
    """
    if not INSTANCES.is_dir():
        raise BatchError(f"--instances {name}: there is no {INSTANCES}; the sets come with a checkout of the project")
    sets = {path.stem: path for path in sorted(INSTANCES.iterdir()) if path.suffix in (".jsonl", ".txt")}
    if name not in sets:
        raise BatchError(f"--instances {name}: no such set, expected one of {', '.join(sets) or '(none)'}")
    return DealFile(str(sets[name]))


def _read_line(file: BinaryIO) -> bytes:
    """Return the next line, its end included, or the beginning of one that is too long; nothing at the end."""
    line = file.readline(LONGEST_LINE + 1)
    rest = line
    while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
        rest = file.readline(LONGEST_LINE + 1)
    return line


def _is_blank(line: bytes) -> bool:
    return not line.removeprefix(b"\xef\xbb\xbf").strip()


def _decoded(line: bytes) -> str:
    if len(line) > LONGEST_LINE:
        raise BatchError(f"longer than {LONGEST_LINE} bytes: expected one deal")
    try:
        return line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise BatchError(f"not UTF-8 text (byte {error.start + 1} of the line)") from None


def parse_json_deal(text: str) -> Deal:
    """Return the deal of a JSON object, as `quintet deal --json` writes it.

    Raises
    ------
    QuintetError
        If it is no JSON object with a deal.
    """
    return _deal(_json_object(text))


def _json_object(text: str) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise BatchError(f"not a JSON object ({error})") from None
    return fields


def _identity(fields: dict[str, Any], number: int) -> int | str:
    identity = fields.get("id")
    if identity is None:
        return number
    if isinstance(identity, bool) or not isinstance(identity, int | str):
        raise BatchError(f"id {identity!r:.40}: expected text or a whole number")
    return identity


def _deal(fields: dict[str, Any]) -> Deal:
    """Return the deal of a JSON object with `cards`, with `removed`, or with both, as `quintet deal` writes it."""
    given = {name: fields[name] for name in ("cards", "removed") if fields.get(name) is not None}
    if not given:
        raise BatchError("expected `cards` or `removed` in the JSON object")
    for name, text in given.items():
        if not isinstance(text, str):
            raise BatchError(f"`{name}` is {text!r:.40}: expected cards as text")
    deals = [Deal.parse(text) if name == "cards" else Deal.from_removed(text) for name, text in given.items()]
    if deals[0] != deals[-1]:
        raise BatchError("`cards` and `removed` do not make up the pack")
    return deals[0]
