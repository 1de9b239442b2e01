"""Looking at processes from outside."""

import contextlib
import os
import time
from pathlib import Path

PATIENCE = 60.0
"""Seconds after which something that should happen at once counts as never happening."""


def alive(pid):
    """Return whether a process runs; one that has ended and waits to be noticed does not."""
    return _state(pid) not in ("", "Z", "X")


def children(pid):
    """Return the processes that a process has started and that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _state(entry.name, 1) == str(pid) and alive(entry.name):
            found.append(int(entry.name))
    return sorted(found)


def _state(pid, field=0):
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[field]


def wait_until(condition, patience=PATIENCE):
    """Wait for a condition, much longer than it should take, and return what it returned."""
    end = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)
    return value


def kill(pid, number):
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
