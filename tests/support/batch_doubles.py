"""Stand-ins for a batch's slow parts: a question that is answered at once, and a pool in this process."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count

from solver.batch.deal_sources import Item
from solver.batch.record import RecordMaker
from solver.batch.run import Batch, BatchCounts
from solver.errors import QuintetError
from solver.game.deal import Deal, random_deals
from solver.results.shared_fields import deal_fields

DEALS = list(random_deals(3, 6))


@dataclass
class Question:
    """Answers with the cards; deals of `refused` make error records."""

    setting: int = 1
    refused: set[Deal] = field(default_factory=set)
    asked: list[Deal] = field(default_factory=list)

    @property
    def settings(self):
        return {"schema": "quintet.solve/1", "seed": self.setting}

    def document_of(self, deal):
        self.asked.append(deal)
        if deal in self.refused:
            raise QuintetError("refused")
        return {"schema": "quintet.solve/1", "deal": deal_fields(deal), "seed": self.setting, "status": "optimal"}


class BackwardPool:
    """Takes some jobs and answers them in the wrong order."""

    def __init__(self, maker, room=3, window=4):
        self.maker, self.room, self.window = maker, room, window
        self.jobs = {}
        self.most_held = 0

    def has_room(self):
        return len(self.jobs) < self.room

    def submit(self, ticket, job):
        assert self.has_room()
        self.jobs[ticket] = job

    def finished(self, *, wait):
        if not wait:
            return []
        ticket = max(self.jobs)
        return [(ticket, self.maker(self.jobs.pop(ticket)))]


@dataclass
class Items:
    """A list of deals and of what is wrong with the others, as a source."""

    entries: list[Deal | str]

    def __iter__(self):
        for number, entry in zip(count(1), self.entries, strict=False):
            if isinstance(entry, str):
                yield Item(number, number, None, entry)
            else:
                yield Item(number, number, entry)

    def count(self):
        return len(self.entries)


def run_batch(path, entries, question, *, resume=False, timed=False, header=None):
    """Write a file and return the counts."""
    source = entries if hasattr(entries, "count") and not isinstance(entries, list) else Items(entries)
    maker = RecordMaker(question, timed, header)
    counts = BatchCounts()
    batch = Batch(source, maker, lambda: nullcontext(BackwardPool(maker)), lambda counts: None)
    batch.write_file(str(path), counts, resume=resume)
    return counts
