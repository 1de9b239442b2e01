"""Running a command as a user does, with wall time, CPU time and peak memory."""

import json
import subprocess
import sys
from dataclasses import dataclass

from benchmarks.reporting.machine import ROOT

# A process inherits the peak memory of the one that started it. So what starts the command is this small one.
_STARTER = """
import json, os, sys, time
start = time.monotonic()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
seconds = time.monotonic() - start
figures = [os.waitstatus_to_exitcode(status), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
print(json.dumps(figures), file=sys.stderr)
"""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that has run: exit code, standard output, seconds by the clock and of the CPU, peak memory in MiB."""

    code: int
    output: str
    seconds: float
    cpu_seconds: float
    peak_mib: float


def run_quintet(*arguments: str) -> Finished:
    """Run the command line of this checkout.

    Raises
    ------
    AssertionError
        If it fails.
    """
    command = [sys.executable, str(ROOT / "cli.py"), *arguments]
    answer = subprocess.run(
        [sys.executable, "-S", "-E", "-c", _STARTER, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    *notes, figures = answer.stderr.splitlines()
    code, seconds, cpu_seconds, peak = json.loads(figures)
    if code != 0:
        raise AssertionError(f"quintet {' '.join(arguments)}: exit code {code}: {' '.join(notes)}")
    # Linux counts in kibibytes, macOS in bytes.
    return Finished(code, answer.stdout, seconds, cpu_seconds, peak / (2**20 if sys.platform == "darwin" else 2**10))
