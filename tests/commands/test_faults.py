"""Surroundings that are not as they should be: little memory, a plain locale, no home, a Python without assertions.

The answer is the usual one, or there is none: then one line says why, and the exit code is one of the table.
"""

import ast
import sys
from pathlib import Path

import pytest

from tests.commands.test_bad_input import BAD
from tests.support.command import Run, answered, in_one_process, limited, quintet, rejected
from tests.support.d1 import D1, ROWS
from tests.support.extreme_deals import EXTREME_DEALS
from tests.test_layers import project_sources

FEW = EXTREME_DEALS[1].deal
MANY = EXTREME_DEALS[4].deal
SOLVES = (["solve"], ["solve", "--objective", "win", "--engine", "enumerate"])
EQUILIBRIA = (["equilibrium", "--seed", "0"], ["equilibrium", "--seed", "0", "--objective", "win"])


# Memory.


@pytest.mark.parametrize(
    ("command", "deal"),
    [
        *((command, D1) for command in SOLVES),
        *((command, FEW) for command in EQUILIBRIA),
        *(pytest.param(command, MANY, marks=pytest.mark.slow) for command in SOLVES + EQUILIBRIA),
    ],
)
def test_two_gibibytes_of_address_space_are_enough(command, deal):
    run = quintet(*command, deal.text(), "--json", program=limited("RLIMIT_AS", 2 * 2**30))
    assert (run.code, run.err) == (0, "")
    assert run.document["status"] in ("optimal", "converged")


# What the commands need is loaded already, and the limit leaves room for little more.
NO_ROOM = (
    sys.executable,
    "-c",
    """
import os, resource
from solver.commands import main as cli
import solver.equilibrium.solve, solver.results.tasks
import solver.reports.equilibrium_text, solver.reports.html_report
with open("/proc/self/statm") as file:
    held = int(file.read().split()[0]) * os.sysconf("SC_PAGESIZE")
resource.setrlimit(resource.RLIMIT_AS, (held + 2**26,) * 2)
cli.main()
""",
)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads from /proc how much is held")
def test_without_memory_there_is_one_line_and_no_answer():
    run = quintet("equilibrium", MANY.text(), "--objective", "win", program=NO_ROOM)
    assert run == Run(1, "", "quintet: out of memory\n")


# Locales and folders.


def test_a_plain_locale_changes_no_byte_of_a_file(tmp_path):
    written = set()
    for variables in ({}, {"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        page, output = tmp_path / "сдача ♠.html", tmp_path / "сдача ♠.json"
        options = ("--seed", "0", "--html", page, "--output", output, "--lang", "ru", "--notation", "symbols")
        run = quintet("equilibrium", FEW.text(), *options, variables=variables)
        assert (run.code, run.err) == (0, "")
        assert "?" not in run.out
        written.add((page.read_bytes(), output.read_bytes()))
    assert len(written) == 1


def test_a_plain_locale_reads_symbols_unless_it_is_told_not_to():
    symbols, plain = "A♠ K♠ Q♠ J♠ 10♠", {"LC_ALL": "C"}
    assert answered("hand", symbols, variables=plain)["hands"][0]["name"] == "royal flush"
    assert "card 1, 'A" in rejected("hand", symbols, variables=plain | {"PYTHONUTF8": "0"})


def test_no_home_is_needed(tmp_path):
    # Below a file there can be no folder, whoever asks for it.
    (tmp_path / "file").write_text("")
    names = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    nowhere = dict.fromkeys(names, str(tmp_path / "file" / "folder"))
    commands = [
        ["solve", FEW.text(), "--opponent", "greedy", "--output", tmp_path / "saved.json", "--json"],
        ["equilibrium", FEW.text(), "--seed", "0"],
        ["batch", "--random", "2", "--opponent", "greedy"],
        ["play", "--seed", "1", "--opponent", "greedy"],
    ]
    run = in_one_process(*commands, variables=nowhere)
    assert run.err == "quintet: 2 done, 0 failed\n"
    assert in_one_process(*commands) == run


# Python without assertions.


def assertions(source):
    """Return the lines of checks that Python leaves out when it is run with -O."""
    nodes = ast.walk(ast.parse(source))
    return [node.lineno for node in nodes if isinstance(node, ast.Assert) or getattr(node, "id", "") == "__debug__"]


def test_no_check_is_an_assertion():
    assert {module: lines for module, source in project_sources().items() if (lines := assertions(source))} == {}
    assert assertions("x = 1\nassert x\nif __debug__:\n    check(x)") == [2, 3]


def test_without_assertions_everything_is_answered_and_refused_as_with_them(tmp_path):
    saved = tmp_path / "saved.json"
    commands = [
        ["score", ROWS["A"], ROWS["B"]],
        ["grade", ROWS["A"], "--opponent", "greedy", "--json"],
        ["solve", FEW.text(), "--engine", "both", "--top", "3", "--json"],
        ["equilibrium", FEW.text(), "--seed", "0", "--output", saved],
        ["verify", saved],
        *(arguments for arguments, _ in BAD.values()),
    ]
    runs = [in_one_process(*commands, options=options) for options in ([], ["-O"])]
    assert runs[0] == runs[1]
    codes = [line for line in runs[0].out.splitlines() if line.isdigit()]
    assert codes == ["0"] * 5 + ["2"] * len(BAD)
