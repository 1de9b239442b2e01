"""Ends a batch at every system call that touches the disk, one after the other, and sees that it goes on.

A process of its own, because it forks: `python -m tests.support.crash_points FOLDER` prints the number of deaths.
"""

import itertools
import os
import sys
from pathlib import Path

from tests.support.batch_doubles import DEALS, Question, run_batch

ENTRIES = [*DEALS[:2], "bad", DEALS[2]]
DISK = ("open", "write", "fsync", "ftruncate", "fchmod", "replace", "unlink", "close")
DEATH = 9


def main(folder):
    undisturbed = folder / "undisturbed"
    run_batch(undisturbed, ENTRIES, Question())
    whole = undisturbed.read_bytes()
    path = folder / "run" / "out.jsonl"
    path.parent.mkdir()
    refusing = folder / "refusing"
    run_batch(refusing, ENTRIES, Question(refused={DEALS[1]}))
    torn = whole[: whole.index(b"\n") + 20]
    deaths = 0
    # A fresh run, one that begins with a torn line, and one with error records that are tried again.
    for before in (None, torn, refusing.read_bytes() + b'{"sch'):
        for last in itertools.count(1):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)
            died = dies(path, last)
            if not died:
                break
            deaths += 1
            content = path.read_bytes() if path.exists() else b""
            require(content.startswith(records(before or b"")) or content == whole, f"call {last} lost a record")
            run_batch(path, ENTRIES, Question(), resume=True)
            require(path.read_bytes() == whole, f"call {last}: the resumed run is another")
            require(os.listdir(path.parent) == ["out.jsonl"], f"call {last} left {os.listdir(path.parent)}")
    print(deaths)


def records(content):
    """Return the whole records of a file."""
    return content[: content.rindex(b"\n") + 1] if b"\n" in content else b""


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
