"""Saved results, whatever file they are in: one document, or records of a batch, compact or compressed or neither."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from solver.errors import FileError
from solver.results.compact_equilibria import HEADER_SCHEMA, RECORD_SCHEMA, full_document
from solver.system.files import open_binary, read_documents
from solver.system.json_document import Document
from solver.system.record_file import is_compressed, lines_of


@dataclass(frozen=True, slots=True)
class SavedRecord:
    """A result as it stands in a file.

    Parameters
    ----------
    line
        Its line, or None where the file holds nothing but this one document.
    written
        What stands there, or None where the file ends in the midst of it.
    header
        The header of a file of compact records.
    """

    line: int | None
    written: Document | None
    header: Document | None = None

    def document(self) -> Document | None:
        """Return the result as its command writes it, also where it is written in short.

        Raises
        ------
        ResultError
            If a compact record is none, or has no header.
        """
        if self.written is None or self.written.get("schema") != RECORD_SCHEMA:
            return self.written
        return full_document(self.header or {}, self.written)


def saved_records(path: str) -> Iterator[SavedRecord]:
    """Yield the results of a file one by one; memory does not grow with the number of records.

    Every file that `quintet batch` writes can be read so; the header of compact records is no result.

    Raises
    ------
    FileError
        If the file cannot be read, or a line of it is no JSON object. A last line that is cut off is a record without
        content.
    """
    with open_binary(path) as file:
        lines = lines_of(file, path)
        line, _ = next(lines, (b"", 0))
        first = _object(line)
        if first is None and is_compressed(path):
            raise FileError(f"{path}: holds no whole block of records")
        if first is None:
            # No file of records: its first line would be one.
            yield from (SavedRecord(None, document) for document in read_documents(file, path, line))
            return
        header = first if first.get("schema") == HEADER_SCHEMA else None
        later = _later_documents(file, path, lines)
        second = next(later, None)
        if header is None:
            is_alone = second is None and "line" not in first
            yield SavedRecord(None if is_alone else 1, first)
        for number, document in chain([second] if second else [], later):
            yield SavedRecord(number, document, header)


def _later_documents(
    file: BinaryIO, path: str, lines: Iterator[tuple[bytes, int]]
) -> Iterator[tuple[int, Document | None]]:
    """Yield what the lines from the second on say, with their numbers; None where the file ends in the midst of one."""
    number, end = 1, 0
    for number, (line, end) in enumerate(lines, 2):  # noqa: B007
        document = _object(line) if line.strip() else None
        if document is not None:
            yield number, document
        elif line.startswith(b"{") and not line.endswith(b"\n"):
            yield number, None
        elif line.strip():
            raise FileError(f"{path}, line {number}: not a JSON document")
    if end and is_compressed(path) and end < os.fstat(file.fileno()).st_size:
        yield number + 1, None


def _object(line: bytes) -> Document | None:
    try:
        document = json.loads(line.decode("utf-8-sig"))
    except (RecursionError, ValueError):
        return None
    return document if isinstance(document, dict) else None
