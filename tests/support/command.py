"""Running the program as a user does: as a command, in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.strategies.mixed_strategy import MixedStrategy

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, str(ROOT / "cli.py"))
DROP_RIGHTS = """
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""
"""Code by which a process of root becomes one of nobody, after it has imported what it needs."""

_AS_ORDINARY_USER = f"""
import importlib, os, pkgutil, sys
import solver
for module in pkgutil.walk_packages(solver.__path__, "solver."):
    importlib.import_module(module.name)
from solver.commands import main as cli
{DROP_RIGHTS}
cli.main()
"""
PROGRAM_OF_ORDINARY_USER = (sys.executable, "-c", _AS_ORDINARY_USER)
"""The program where file permissions count; root may read and write everything."""

_ONE_BY_ONE = """
import json, sys
from solver.commands import main as cli
for arguments in json.loads(sys.argv[1]):
    print(cli.run(arguments), flush=True)
"""

LONGEST = 400
"""Seconds after which a run counts as hung; nothing here measures time."""


@dataclass(frozen=True)
class Run:
    """How a run ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return strict_json(self.out)


def strict_json(text: str) -> Any:
    """Parse JSON as the standard has it: no NaN, no Infinity, no name twice."""
    return json.loads(text, parse_constant=_refuse, object_pairs_hook=_distinct)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"a name comes twice among {names}")
    return dict(pairs)


def environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of this process without those that change how output looks and when it is written."""
    dropped = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONUNBUFFERED", "PYTHONHASHSEED")
    return {name: value for name, value in os.environ.items() if name not in dropped} | dict(changes or {})


def quintet(
    *arguments: str | Path,
    stdin: str | bytes = b"",
    cwd: Path = ROOT,
    variables: Mapping[str, str] | None = None,
    program: tuple[str, ...] = PROGRAM,
    encoding: str = "utf-8",
) -> Run:
    """Run the command to its end and decode what it wrote, strictly."""
    done = subprocess.run(
        [*program, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(variables),
        timeout=LONGEST,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


def in_one_process(
    *commands: Sequence[str | Path], options: Sequence[str] = (), variables: Mapping[str, str] | None = None
) -> Run:
    """Run commands one after the other in one process, each followed by its exit code; starting up is paid for once."""
    program = (sys.executable, *options, "-c", _ONE_BY_ONE)
    run = quintet(json.dumps([list(map(str, command)) for command in commands]), program=program, variables=variables)
    assert run.code == 0, run
    return run


def limited(resource: str, size: int) -> tuple[str, ...]:
    """Return the program with a limit of `setrlimit`, such as RLIMIT_FSIZE in bytes."""
    # The data of coverage would not fit either: the program is not measured.
    code = (
        "import os, resource, sys\n"
        "os.environ.pop('COVERAGE_PROCESS_CONFIG', None)\n"
        f"resource.setrlimit(resource.{resource}, ({size}, {size}))\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    return (sys.executable, "-c", code, *PROGRAM)


def answered(*arguments: str | Path, **options: Any) -> Any:
    """Run the command with --json and return its document; it must succeed without a word."""
    run = quintet(*arguments, "--json", **options)
    assert (run.code, run.err) == (0, ""), run
    return run.document


def rejected(*arguments: str | Path, **options: Any) -> str:
    """Run the command, which must refuse: exit 2, nothing on standard output, one line, which is returned."""
    run = quintet(*arguments, **options)
    assert (run.code, run.out) == (2, ""), run
    assert run.err.endswith("\n"), run
    line = run.err.removesuffix("\n")
    assert line.startswith("quintet"), run
    assert line.isprintable(), run
    return line


@contextmanager
def started(*arguments: str | Path, program: tuple[str, ...] = PROGRAM) -> Iterator[subprocess.Popen[bytes]]:
    """Start the command as a terminal does, in a process group of its own, and see it ended."""
    process = subprocess.Popen(
        [*program, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def write_mix(path: Path, mix: MixedStrategy) -> Path:
    """Write a mix as a file that `--opponent file:PATH` reads."""
    records = [
        {"arrangement": arrangement.packet_texts(), "weight": weight}
        for arrangement, weight in zip(mix.arrangements, mix.weights, strict=True)
    ]
    path.write_text(json.dumps({"strategies": records}), encoding="utf-8")
    return path
