"""What an earlier run has written: which deals it has done, and whether it is this run that it began."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.batch.deal_sources import Item, Source
from solver.batch.record import ERROR_SCHEMA, Record, RecordMaker
from solver.errors import BatchError
from solver.results.shared_fields import deal_fields
from solver.system.json_document import Document
from solver.system.record_file import WrittenRecord, read_records


@dataclass(frozen=True, slots=True)
class Written:
    """What is in an output file.

    Parameters
    ----------
    done, failed
        Whole records with a result, and error records.
    end
        Bytes of the file that are whole records.
    """

    done: int = 0
    failed: int = 0
    end: int = 0


def read_written(path: str, source: Source, maker: RecordMaker) -> Written:
    """Read an output file beside the input, record by record, and return what is in it.

    Raises
    ------
    BatchError
        At the first record that another run wrote, with other settings or from other deals, naming the difference; or
        at a line that is broken.
    """
    settings = {**maker.task.settings, "timings": maker.timed}
    written = Written()
    for record, item in _pairs(path, source):
        where = f"{path}, line {record.number}"
        if item is None:
            raise BatchError(f"{where}: the input has only {record.number - 1} deals")
        line = record.document.get("line")
        if line != item.line:
            raise BatchError(f"{where}: was written for line {line!r:.60} of the input, not {item.line}")
        if is_failed(record):
            written = Written(written.done, written.failed + 1, record.end)
        else:
            _require_same_settings(where, record.document, settings)
            _require_same_deal(where, record.document, item)
            written = Written(written.done + 1, written.failed, record.end)
    return written


def retried(path: str, source: Source) -> Iterator[Record | Item]:
    """Yield the good records of an output file, and in place of its error records what is to be done again."""
    for record, item in _pairs(path, source):
        if item is None:
            raise BatchError(f"{path}, line {record.number}: the input has changed while it was read")
        yield item if is_failed(record) else Record(record.line, failed=False)


def is_failed(record: WrittenRecord) -> bool:
    """Return whether a record says that its deal has no answer."""
    return bool(record.document.get("schema") == ERROR_SCHEMA)


def _pairs(path: str, source: Source) -> Iterator[tuple[WrittenRecord, Item | None]]:
    items = itertools.chain(source, itertools.repeat(None))
    return zip(read_records(path), items, strict=False)


def _require_same_settings(where: str, document: Document, settings: Document) -> None:
    for name, wanted in settings.items():
        written = _setting(document, name)
        if isinstance(wanted, dict) and isinstance(written, dict):
            _require_same_settings(f"{where}, {name}", written, wanted)
        elif written != wanted and not (name == "samples" and written is None):
            # Samples that were not drawn are not written, and did not matter.
            raise BatchError(f"{where}: was written with {name} {written!r:.100}, and this run has {wanted!r:.100}")


def _setting(document: Document, name: str) -> Any:
    return "timings" in document if name == "timings" else document.get(name)


def _require_same_deal(where: str, document: Document, item: Item) -> None:
    if document.get("id") != item.id:
        raise BatchError(f"{where}: was written for id {document.get('id')!r:.60}, not {item.id!r:.60}")
    written = document.get("deal")
    if item.deal is None:
        raise BatchError(f"{where}: was written for a good deal, but line {item.line} of the input: {item.error}")
    wanted = deal_fields(item.deal)
    if written != wanted:
        cards = written.get("cards") if isinstance(written, dict) else written
        raise BatchError(f"{where}: was written for the deal {cards!r:.100}, not {wanted['cards']!r}")
