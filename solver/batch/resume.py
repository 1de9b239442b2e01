"""What an earlier run has written: which deals it has done, and whether it is this run that it began."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solver.batch.deal_sources import Item, Source
from solver.batch.record import ERROR_SCHEMA, Record, RecordMaker
from solver.errors import BatchError
from solver.results.compact_equilibria import HEADER_SCHEMA, RECORD_SCHEMA
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
    lines
        Whole lines: these and the header, where there is one.
    end
        Bytes of the file that are whole records.
    """

    done: int = 0
    failed: int = 0
    lines: int = 0
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
    done = failed = 0
    last: WrittenRecord | None = None
    records = read_records(path)
    if maker.header is not None:
        last = next(records, None)
        if last is not None:
            _require_same_header(f"{path}, line {last.number}", last.document, maker.header)
    for last, item in _with_items(records, source):
        where = f"{path}, line {last.number}"
        if item is None:
            raise BatchError(f"{where}: the input has only {done + failed} deals")
        if last.document.get("schema") == HEADER_SCHEMA:
            raise BatchError(f"{where}: was written with --compact")
        line = last.document.get("line")
        if line != item.line:
            raise BatchError(f"{where}: was written for line {line!r:.60} of the input, not {item.line}")
        if is_failed(last):
            failed += 1
        else:
            _require_same_settings(where, last.document, settings)
            _require_same_deal(where, last.document, item)
            done += 1
    return Written() if last is None else Written(done, failed, last.number, last.end)


def retried(path: str, source: Source, maker: RecordMaker) -> Iterator[Record | Item]:
    """Yield the good records of an output file, and in place of its error records what is to be done again."""
    records = read_records(path)
    if maker.header is not None:
        next(records, None)
    for record, item in _with_items(records, source):
        if item is None:
            raise BatchError(f"{path}, line {record.number}: the input has changed while it was read")
        yield item if is_failed(record) else Record(record.line, failed=False)


def is_failed(record: WrittenRecord) -> bool:
    """Return whether a record says that its deal has no answer."""
    return bool(record.document.get("schema") == ERROR_SCHEMA)


def _with_items(records: Iterator[WrittenRecord], source: Source) -> Iterator[tuple[WrittenRecord, Item | None]]:
    return zip(records, itertools.chain(source, itertools.repeat(None)), strict=False)


def _require_same_header(where: str, document: Document, header: Document) -> None:
    if document.get("schema") != header["schema"]:
        raise BatchError(f"{where}: was written without --compact")
    _require_same_settings(where, document, header)


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
    if item.deal is None:
        raise BatchError(f"{where}: was written for a good deal, but line {item.line} of the input: {item.error}")
    wanted = deal_fields(item.deal)
    if document.get("schema") == RECORD_SCHEMA:
        removed = document.get("removed")
        if removed != wanted["removed"]:
            raise BatchError(f"{where}: was written for {removed!r:.100} laid aside, not {wanted['removed']!r}")
    elif document.get("deal") != wanted:
        written = document.get("deal")
        cards = written.get("cards") if isinstance(written, dict) else written
        raise BatchError(f"{where}: was written for the deal {cards!r:.100}, not {wanted['cards']!r}")
    multiplicity = document.get("multiplicity")
    if multiplicity != item.multiplicity:
        raise BatchError(f"{where}: was written with multiplicity {multiplicity!r:.40}, not {item.multiplicity}")
