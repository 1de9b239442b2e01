"""The log of a session: a JSON line a deal, on the disk before the result is shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from solver.system.file_lock import locked
from solver.system.json_document import Document, to_json
from solver.system.record_file import RecordFile, read_records


@contextmanager
def open_log(path: str | None) -> Iterator[Callable[[Document], None]]:
    """Yield what appends a document to the log; without a path it does nothing.

    Deals of earlier sessions stay; a last line that a crash cut off goes.

    Raises
    ------
    BatchError
        If the file holds something else than records.
    StoppedError
        If another session is writing to it, or the disk takes no more.
    """
    if path is None:
        yield lambda document: None
        return
    with locked(path):
        written = read_records(path) if Path(path).exists() else iter(())
        end = max((record.end for record in written), default=0)
        with RecordFile(path, end) as file:
            yield lambda document: file.append(to_json(document, indent=None))
