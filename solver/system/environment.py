"""What a result depends on besides its question: versions, processor, memory."""

import importlib.metadata
import platform
import resource
import sys
from pathlib import Path

from solver import __version__
from solver.system.json_document import Document


def versions() -> Document:
    """Return the versions that a result depends on."""
    libraries = {name: importlib.metadata.version(name) for name in ("numpy", "ortools", "highspy")}
    return {"quintet": __version__, "python": platform.python_version(), **libraries}


def timings(seconds: float) -> Document:
    """Return wall time in seconds, processor model and peak memory of this process in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The unit is a kibibyte on Linux, a byte on macOS.
    scale = 2**20 if sys.platform == "darwin" else 2**10
    return {"seconds": round(seconds, 6), "cpu": _cpu_model(), "peak_memory_mib": round(peak / scale, 1)}


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
