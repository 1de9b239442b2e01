"""Whether the tests of the exact core notice a careless change: each one of `mutants.py` is made in a copy."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.command import LONGEST, ROOT, environment
from tests.support.mutants import MUTANTS

NOTICED = ("assert ", "AssertionError", "Failed: DID NOT RAISE", "solver.errors.")
"""How a failure begins where a test has noticed something, or a check of the program: no name or comma is missing."""


def mutated(mutant):
    return (ROOT / mutant.file).read_text(encoding="utf-8").replace(mutant.old, mutant.new)


def outcome(folder, tests, mutant=None):
    """Run tests in a copy of the checkout up to the first failure; return the code, that failure, and the output."""
    for name in ("solver", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("cli.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    if mutant:
        (folder / mutant.file).write_text(mutated(mutant), encoding="utf-8")
    # Not by the command `pytest`: -m puts the copy before the installed checkout.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "--junitxml=report.xml", tests],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    return done.returncode, ElementTree.parse(folder / "report.xml").find(".//failure"), done.stdout


def is_notice(failure):
    message = failure.get("message")
    # Hypothesis puts failures of several kinds into a group.
    of_a_group = message.startswith("ExceptionGroup: Hypothesis") and "| AssertionError: " in failure.text
    return message.startswith(NOTICED) or of_a_group


def test_every_mutant_is_one_change_of_valid_source_and_has_its_tests():
    assert len(set(MUTANTS)) == len(MUTANTS)
    for mutant in MUTANTS:
        source = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert source.count(mutant.old) == 1, mutant
        assert ast.dump(ast.parse(mutated(mutant))) != ast.dump(ast.parse(source)), mutant
        path, _, name = mutant.tests.partition("::")
        assert f"{name}(" in (ROOT / path).read_text(encoding="utf-8"), mutant


@pytest.mark.slow
@pytest.mark.parametrize("tests", sorted({mutant.tests for mutant in MUTANTS}))
def test_the_unchanged_copy_passes(tmp_path, tests):
    code, _, shown = outcome(tmp_path, tests)
    assert code == 0, shown


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: Path(mutant.file).stem)
def test_a_mutant_is_noticed(tmp_path, mutant):
    code, failure, shown = outcome(tmp_path, mutant.tests, mutant)
    assert code == 1, f"{mutant}\n{shown}"
    assert is_notice(failure), f"{mutant}\n{shown}"
