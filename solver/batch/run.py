"""Batch runs: many deals, one record each, written so that nothing is lost or done twice, SIGKILL included.

The order of events makes a run safe. A record is on the disk before the next one is written; error records are done
again into a new file that takes the place of the old one whole; and an output file is read from start to end, beside
the input, before a resumed run changes anything in it.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice

from solver.batch.deal_sources import Item, Source
from solver.batch.ordering import Pool, ordered_records
from solver.batch.record import Record, RecordMaker
from solver.batch.resume import Written, read_written, retried
from solver.errors import BatchError, StoppedError
from solver.system.file_lock import locked
from solver.system.files import naming
from solver.system.json_document import to_json
from solver.system.record_file import Blocks, RecordFile, replacement

KEPT = "the records written so far are whole, and --resume goes on"


@dataclass(slots=True)
class BatchCounts:
    """How many deals have a result and how many an error record, so far."""

    done: int = 0
    failed: int = 0

    def add(self, record: Record) -> None:
        """Count a record."""
        if record.failed:
            self.failed += 1
        else:
            self.done += 1


@dataclass(frozen=True, slots=True)
class Batch:
    """A question about many deals, and who works on it.

    Parameters
    ----------
    source
        The deals.
    maker
        The question.
    open_pool
        Starts who does the work; not called before the output has been found fit to be written to.
    watch
        Called with the counts after every record.
    """

    source: Source
    maker: RecordMaker
    open_pool: Callable[[], AbstractContextManager[Pool]]
    watch: Callable[[BatchCounts], None]

    def write_to(self, write: Callable[[str], object], counts: BatchCounts) -> None:
        """Hand over the record of every deal, in input order."""
        with self.open_pool() as pool:
            if self.maker.header is not None:
                write(to_json(self.maker.header, indent=None))
            for record in self._counted(ordered_records(self._entries(self.source), pool), counts):
                write(record.line)

    def write_file(self, path: str, counts: BatchCounts, *, resume: bool = False) -> None:
        """Write the record of every deal to a file, in input order.

        Parameters
        ----------
        path
            The file, or a device or a pipe, which is just written to. No other run can write to the file meanwhile.
        counts
            Of the records, those of an earlier run included.
        resume
            Go on with the file if it exists.

        Raises
        ------
        BatchError
            If the file exists and `resume` is false, or if another run than this one began it.
        StoppedError
            If the file is locked by another run, or the run could not go on; then all that is written stands.
        """
        if os.path.exists(path) and not os.path.isfile(path):
            with naming(path), open(path, "w", encoding="ascii", buffering=1) as stream:
                self.write_to(lambda line: stream.write(line + "\n"), counts)
            return
        path = os.path.realpath(path)
        with locked(path):
            written = Written()
            if os.path.exists(path):
                if not resume:
                    raise BatchError(f"{path}: exists already; --resume goes on with it")
                if self.source.count() is None:
                    raise BatchError("--resume reads the deals more than once: expected a regular file of deals")
                written = read_written(path, self.source, self.maker)
            try:
                with self.open_pool() as pool:
                    self._continue(path, written, pool, counts)
            except StoppedError as error:
                raise StoppedError(f"{error}; {KEPT}") from None

    def _continue(self, path: str, written: Written, pool: Pool, counts: BatchCounts) -> None:
        end = written.end
        if written.failed:
            end = self._retry(path, pool, counts)
        else:
            counts.done = written.done
        entries = islice(self._entries(self.source), written.done + written.failed, None)
        with RecordFile(path, end, written.lines) as file:
            if self.maker.header is not None and not written.lines:
                file.append(to_json(self.maker.header, indent=None))
            for record in self._counted(ordered_records(entries, pool), counts):
                file.append(record.line)

    def _retry(self, path: str, pool: Pool, counts: BatchCounts) -> int:
        """Do the deals of error records again, and return the size of the new file."""
        entries = self._entries(retried(path, self.source, self.maker))
        blocks = Blocks(path)
        with replacement(path) as file:
            if self.maker.header is not None:
                file.write(blocks.add(to_json(self.maker.header, indent=None)))
            for record in self._counted(ordered_records(entries, pool), counts):
                file.write(blocks.add(record.line))
            file.write(blocks.rest())
            return file.tell()

    def _entries(self, items: Iterable[Item | Record]) -> Iterator[Item | Record]:
        """Make the error records of bad deals here and now; no worker needs to see them."""
        for item in items:
            yield self.maker(item) if isinstance(item, Item) and item.deal is None else item

    def _counted(self, records: Iterable[Record], counts: BatchCounts) -> Iterator[Record]:
        for record in records:
            yield record
            counts.add(record)
            self.watch(counts)
