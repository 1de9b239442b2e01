"""How many processors this process may use: its affinity, cut by the quota of its control group."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def available_cpus(root: Path = Path("/")) -> int:
    """Return the number of processors that this process may keep busy, at least 1.

    A container with a quota of 1.5 processors gets 2: the second is worth starting, if only for half of the time.

    Parameters
    ----------
    root
        Where ``proc/self/cgroup`` and ``sys/fs/cgroup`` are found.
    """
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min([cpus, *_quotas(root)])))


def _quotas(root: Path) -> Iterator[float]:
    """Yield the processors that the control group of this process and each group around it may use."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        # Version 2 has one tree without named controllers; beside version 1 it lies in a folder of its own. In a
        # container the tree may begin at the group itself, whose path, seen from outside, then leads nowhere.
        for mount in [controllers, "cpu"] if controllers else ["", "unified"]:
            path = PurePosixPath(group.lstrip("/"))
            for folder in (path, *path.parents):
                yield from _quota_of(root / "sys/fs/cgroup" / mount / folder)


def _quota_of(folder: Path) -> Iterator[float]:
    """Yield the quota over the period of one group, in either version; nothing where there is no limit."""
    both = _text(folder / "cpu.max") or " ".join(
        _text(folder / name) for name in ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    )
    match both.split():
        case [quota, period] if quota.isdigit() and period.isdigit() and int(period) > 0:
            yield int(quota) / int(period)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""
