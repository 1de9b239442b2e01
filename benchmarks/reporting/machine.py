"""What a result depends on besides the code: machine, versions, commit."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = (
    "numpy",
    "ortools",
    "highspy",
    "click",
    "threadpoolctl",
    "eval7",
    "treys",
    "phevaluator",
    "open_spiel",
    "cvxpy",
    "ecos",
    "nashpy",
    "scipy",
    "pygambit",
)


def describe_machine() -> dict[str, Any]:
    """Return processor, usable cores, memory, system and load at this moment."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load": os.getloadavg()[0],
    }


def versions() -> dict[str, str | None]:
    """Return the versions of Python, of what the program uses and of the peers; None for what is absent."""
    return {"python": platform.python_version(), **{name: _version(name) for name in PACKAGES}}


def commit() -> dict[str, Any]:
    """Return the commit of the checkout and whether tracked files differ from it."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "modified": bool(_git("status", "--porcelain", "--untracked-files=no")),
    }


def _git(*arguments: str) -> str | None:
    try:
        answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
