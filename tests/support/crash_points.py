"""Ends a batch at every system call that touches the disk, one after the other, and sees that it goes on.

A process of its own, because it forks: `python -m tests.support.crash_points FOLDER` prints the number of deaths.
"""

import itertools
import os
import sys
from pathlib import Path

from solver.system import record_file
from solver.system.record_file import read_records
from tests.support.batch_doubles import DEALS, Question, run_batch

ENTRIES = [*DEALS[:2], "bad", DEALS[2]]
DISK = ("open", "write", "fsync", "ftruncate", "fchmod", "replace", "unlink", "close")
DEATH = 9


def main(folder):
    record_file.BLOCK = 2
    print(sum(deaths_of(folder, name) for name in ("out.jsonl", "out.jsonl.gz")))


def deaths_of(folder, name):
    """Try all points of death of runs on a file of this name, and return their number."""
    undisturbed = folder / f"undisturbed-{name}"
    run_batch(undisturbed, ENTRIES, Question())
    whole = undisturbed.read_bytes()
    path = folder / "run" / name
    path.parent.mkdir(exist_ok=True)
    refusing = folder / f"refusing-{name}"
    run_batch(refusing, ENTRIES, Question(refused={DEALS[1]}))
    torn = whole[: len(whole) // 2]
    deaths = 0
    # A fresh run, one that begins with a torn record, and one with error records that are tried again.
    for before in (None, torn, refusing.read_bytes() + whole[:5]):
        for last in itertools.count(1):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)
            kept = records(path)
            died = dies(path, last)
            if not died:
                break
            deaths += 1
            require(records(path)[: len(kept)] == kept or path.read_bytes() == whole, f"call {last} lost a record")
            run_batch(path, ENTRIES, Question(), resume=True)
            require(path.read_bytes() == whole, f"call {last}: the resumed run is another")
            require(os.listdir(path.parent) == [name], f"call {last} left {os.listdir(path.parent)}")
    path.unlink()
    return deaths


def records(path):
    """Return the whole records of a file."""
    return [record.line for record in read_records(str(path))] if path.exists() else []


def dies(path, last):
    """Run the batch in a child that ends at its call number `last`; return whether it came to that."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == DEATH
    calls = itertools.count(1)
    for name in DISK:
        setattr(os, name, mortal(getattr(os, name), name, calls, last))
    run_batch(path, ENTRIES, Question(), resume=True)
    os._exit(0)


def mortal(call, name, calls, last):
    def wrapper(*arguments, **options):
        if next(calls) == last:
            if name == "write":
                descriptor, content = arguments
                call(descriptor, bytes(content[: len(content) // 2]))
            os._exit(DEATH)
        return call(*arguments, **options)

    return wrapper


def require(condition, message):
    if not condition:
        sys.exit(message)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
