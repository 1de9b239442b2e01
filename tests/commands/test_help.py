"""Help and version: quick, complete, and without the libraries that only solving needs."""

import json
import re
import subprocess
import sys

import pytest

import solver
from solver.commands import late_command
from solver.commands import main as cli
from tests.support.command import ROOT, quintet

COMMANDS = sorted(cli.commands.commands)
HEAVY = {"numpy", "ortools", "highspy", "rich", "threadpoolctl"}


def test_help_names_every_command_and_example():
    run = quintet("--help")
    assert (run.code, run.err) == (0, "")
    for command in COMMANDS:
        assert f"\n  {command} " in run.out
    assert "\n    quintet solve --removed 7s 7h 8d 9c Th Qd Ks\n" in run.out
    assert quintet("-h") == run


def test_every_command_is_listed_and_loads():
    paths = (ROOT / "solver" / "commands").glob("*.py")
    modules = {path.stem for path in paths if "\ndef command(" in path.read_text(encoding="utf-8")}
    assert modules == {*late_command.COMMANDS}
    assert [late_command.load(name).name for name in late_command.COMMANDS] == [*late_command.COMMANDS]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    run = quintet(command, "--help")
    assert (run.code, run.err) == (0, "")
    assert f"Usage: quintet {command} " in run.out
    assert re.search(rf"\n    (\S.* )?quintet {command}\b", run.out)
    assert "\\b" not in run.out


def test_the_version_is_that_of_the_package():
    run = quintet("--version")
    assert (run.code, run.out, run.err) == (0, f"quintet, version {solver.__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], [], ["solve", "--help"], ["verify"], ["deal", "-5"]])
def test_help_and_usage_errors_load_nothing_heavy(arguments):
    code = (
        "import json, sys\nfrom solver.commands import main as cli\n"
        f"try:\n    cli.run({arguments!r})\nfinally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert "click" in loaded
    assert loaded & HEAVY == set()
