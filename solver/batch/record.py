"""From one deal of a batch to its line of output."""

import time
from dataclasses import dataclass
from typing import Protocol

from solver.batch.deal_sources import Item
from solver.errors import InternalError, LimitReached, QuintetError
from solver.game.deal import Deal
from solver.system.environment import timings
from solver.system.json_document import Document, to_json

ERROR_SCHEMA = "quintet.error/1"


class Task(Protocol):
    """What is asked about every deal; plain data that other processes can be sent."""

    @property
    def settings(self) -> Document:
        """What decides an answer besides the deal."""
        ...

    def document_of(self, deal: Deal) -> Document:
        """Return the document of one deal."""
        ...


@dataclass(frozen=True, slots=True)
class Record:
    """One line of output.

    Parameters
    ----------
    line
        A JSON object on one line, without the line end.
    failed
        Whether it is an error record.
    """

    line: str
    failed: bool


@dataclass(frozen=True, slots=True)
class RecordMaker:
    """The work of a batch on one deal.

    Parameters
    ----------
    task
        The question.
    timed
        Whether records say what they took.
    header
        What the output begins with where its records are compact, else None.
    """

    task: Task
    timed: bool = False
    header: Document | None = None

    def __call__(self, item: Item) -> Record:
        """Return the record of an item; whatever goes wrong with it makes an error record and nothing else."""
        if item.deal is None:
            return error_record(item, item.error or "no deal")
        started = time.monotonic()
        try:
            document = self.task.document_of(item.deal)
        except (QuintetError, LimitReached) as error:
            return error_record(item, str(error))
        except InternalError as error:
            return error_record(item, f"internal error: {error}")
        except MemoryError:
            return error_record(item, "out of memory")
        except Exception as error:
            # A fault of the program on one deal must not cost the answers to all the others.
            return error_record(item, f"internal error: {type(error).__name__}: {error}")
        if self.timed:
            document = {**document, "timings": timings(time.monotonic() - started)}
        named = {"schema": document["schema"], "id": item.id, "line": item.line}
        if item.multiplicity is not None:
            named["multiplicity"] = item.multiplicity
        return Record(to_json({**named, **document}, indent=None), failed=False)


def error_record(item: Item, reason: str) -> Record:
    """Return the record of an item that has no answer."""
    document = {"schema": ERROR_SCHEMA, "id": item.id, "line": item.line, "error": reason}
    return Record(to_json(document, indent=None), failed=True)
