"""Records in the order of the deals, from a pool of workers that answers in any order."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from solver.batch.deal_sources import Item
from solver.batch.record import Record


class Pool(Protocol):
    """Who does the work."""

    @property
    def window(self) -> int:
        """Most items that may be begun or wait for an earlier one."""
        ...

    def has_room(self) -> bool:
        """Return whether another item can be taken now."""
        ...

    def submit(self, ticket: int, job: Item) -> None:
        """Take an item, where there is room."""
        ...

    def finished(self, *, wait: bool) -> list[tuple[int, Record]]:
        """Return tickets and records that are new, after waiting for at least one if asked to."""
        ...


def ordered_records(entries: Iterable[Item | Record], pool: Pool) -> Iterator[Record]:
    """Yield the record of every entry, in their order; an entry that is a record already needs no work.

    At most `pool.window` entries are held at once, so that memory does not grow with their number: a slow deal holds up
    the others only when that many have overtaken it. The pool is given new work before a record is handed out.
    """
    coming = iter(entries)
    waiting: dict[int, Record] = {}
    taken = given = 0
    exhausted = False
    while True:
        while not exhausted and taken - given < pool.window and pool.has_room():
            entry = next(coming, None)
            if entry is None:
                exhausted = True
            elif isinstance(entry, Record):
                waiting[taken] = entry
                taken += 1
            else:
                pool.submit(taken, entry)
                taken += 1
        if given in waiting:
            yield waiting.pop(given)
            given += 1
            waiting.update(pool.finished(wait=False))
        elif given < taken:
            waiting.update(pool.finished(wait=True))
        else:
            return
