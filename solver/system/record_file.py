"""A file of records, each on the disk before the next one is written: what survives a SIGKILL or a loss of power.

In a file whose name ends in ``.gz``, a block of records is a gzip member, and a block is what is written at once.
"""

import contextlib
import io
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from solver.errors import BatchError, StoppedError
from solver.system.files import LARGEST_INPUT, open_binary
from solver.system.gzip_members import MAGIC, compressed, members
from solver.system.json_document import Document

NOTHING = b"\0\r\n\t "
"""Bytes that a line without content is made of; a file system may leave zeros where writing was cut off."""
BLOCK = 64
"""Lines of a compressed block."""


@dataclass(frozen=True, slots=True)
class WrittenRecord:
    """A whole line of an output file.

    Parameters
    ----------
    number
        Of the line, from 1.
    line
        Its text, without the line end.
    document
        What it says.
    end
        Bytes of the file up to and including its line end, or its block where the file is compressed.
    """

    number: int
    line: str
    document: Document
    end: int


def read_records(path: str) -> Iterator[WrittenRecord]:
    """Yield the whole records of an output file, one by one; of a compressed one, those of its whole blocks.

    What a crash can leave at the end is passed over: a line that is cut off or was never written, also with blank lines
    after it. The line end is the last thing that is written of a record: without it, a record is not whole.

    Raises
    ------
    FileError
        If the file cannot be read.
    BatchError
        If any other line is no JSON object or is longer than `LARGEST_INPUT`, with its number.
    """
    with open_binary(path) as file:
        broken = 0
        for number, (line, end) in enumerate(lines_of(file, path), 1):
            if len(line) > LARGEST_INPUT:
                raise BatchError(f"{path}, line {number}: is longer than {LARGEST_INPUT} bytes")
            rest = line.strip(NOTHING)
            if broken and rest:
                raise BatchError(f"{path}, line {broken}: is broken, and not the last one")
            try:
                document = _parsed(line)
            except (RecursionError, ValueError):
                # Nested too deeply, or a number of too many digits: nothing that is written here, cut off or not.
                raise BatchError(f"{path}, line {number}: is no record of a batch") from None
            if document is not None:
                yield WrittenRecord(number, rest.decode("utf-8"), document, end)
            elif rest and not rest.startswith(b"{"):
                # Not the beginning of a record: the file is something else, and must not be cut.
                raise BatchError(f"{path}, line {number}: is no record of a batch")
            else:
                broken = broken or number


def lines_of(file: BinaryIO, path: str) -> Iterator[tuple[bytes, int]]:
    """Yield the lines of an open output file, of a compressed one those of its whole blocks.

    Yields
    ------
    tuple
        The line with its end, or the beginning of one of more than `LARGEST_INPUT` bytes; and the bytes of the file up
        to its end, or to that of its block.
    """
    start = file.read(len(MAGIC))
    if start and MAGIC.startswith(start):
        file.seek(0)
        for content, end in members(file, path):
            for line in io.BytesIO(content):
                yield line, end
        return
    end = 0
    line = start if start.endswith(b"\n") else start + file.readline(LARGEST_INPUT + 1)
    while line:
        end += len(line)
        yield line, end
        line = file.readline(LARGEST_INPUT + 1)


def _parsed(line: bytes) -> Document | None:
    if not line.endswith(b"\n"):
        return None
    try:
        document = json.loads(line.decode("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    return document if isinstance(document, dict) else None


class Blocks:
    """Gathers lines into what is written at once: single lines, or compressed blocks of `BLOCK` lines.

    Parameters
    ----------
    path
        Of the file; its name says whether it is compressed.
    lines
        Lines that are in it: blocks begin at the same lines of a file however often its run was ended.
    """

    def __init__(self, path: str, lines: int = 0) -> None:
        self._compressed = is_compressed(path)
        self._lines = lines
        self._gathered: list[bytes] = []

    def add(self, line: str) -> bytes:
        """Take a line without its end, and return what is to be written now."""
        self._gathered.append(line.encode("utf-8") + b"\n")
        self._lines += 1
        return b"" if self._compressed and self._lines % BLOCK else self.rest()

    def rest(self) -> bytes:
        """Return what is to be written if no other line follows."""
        content = b"".join(self._gathered)
        self._gathered = []
        return compressed(content) if self._compressed and content else content


def is_compressed(path: str) -> bool:
    """Return whether the name of a file asks for compression."""
    return path.endswith(".gz")


class RecordFile:
    """An output file that grows record by record; what could not be written whole is taken back.

    Parameters
    ----------
    path
        The file; it is made if it does not exist.
    end
        Bytes of it that are whole records; the rest is cut off.
    lines
        Whole lines of it.
    """

    def __init__(self, path: str, end: int, lines: int = 0) -> None:
        self._path = path
        self._end = end
        self._blocks = Blocks(path, lines)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.ftruncate(self._descriptor, end)
        os.fsync(self._descriptor)
        _sync_folder(path)

    def __enter__(self) -> "RecordFile":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._write(self._blocks.rest())
        finally:
            os.close(self._descriptor)

    def append(self, line: str) -> None:
        """Write a record and its line end, and return when they are on the disk; a compressed block waits until full.

        Raises
        ------
        StoppedError
            If they cannot be written; the file then ends with the record or block before.
        """
        self._write(self._blocks.add(line))

    def _write(self, content: bytes) -> None:
        if not content:
            return
        left = memoryview(content)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
            os.fsync(self._descriptor)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
            raise StoppedError(f"{self._path}: {error.strerror}") from None
        self._end += len(content)


@contextlib.contextmanager
def replacement(path: str) -> Iterator[BinaryIO]:
    """Open a file beside `path` that takes its place, whole and synced, when the block ends without an error.

    The name of the temporary file is always the same: the lock of `path` must be held, and what a crash leaves is
    overwritten by the next run.

    Raises
    ------
    StoppedError
        If it cannot be written; `path` is then as before.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.resumed")
    try:
        with open(temporary, "wb") as file:
            os.fchmod(file.fileno(), stat.S_IMODE(os.stat(path).st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        _sync_folder(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise StoppedError(f"{path}: {error.strerror}") from None
        raise


def _sync_folder(path: str) -> None:
    """Make sure that the name of a new file is on the disk as well."""
    descriptor = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
