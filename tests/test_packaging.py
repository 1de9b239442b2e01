"""What is installed: one package, with all its parts, started without any other module."""

import os
import sys
import tomllib
from pathlib import Path

import pytest

from solver import __version__
from solver.commands.main import main
from tests.support.command import quintet

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
AS_INSTALLED = (sys.executable, "-c", "from solver.commands.main import main; main()")


def test_every_package_is_installed_and_nothing_beside_them():
    on_disk = [".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "solver").rglob("__init__.py")]
    assert sorted(SETUPTOOLS["packages"]) == sorted(on_disk)
    assert {name.partition(".")[0] for name in SETUPTOOLS["packages"]} == {"solver"}
    # Without this list no module of the top level is installed: that of packages turns the search for modules off.
    assert "py-modules" not in SETUPTOOLS


def test_files_that_are_no_modules_are_installed():
    data = {(package, name) for package, names in SETUPTOOLS["package-data"].items() for name in names}
    on_disk = {
        (".".join(path.parent.relative_to(ROOT).parts), path.name)
        for path in (ROOT / "solver").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert data == on_disk


def test_the_command_starts_within_the_package():
    module, _, name = PROJECT["project"]["scripts"]["quintet"].partition(":")
    assert (module, name) == (main.__module__, main.__name__)


@pytest.mark.parametrize("other", ["cli.py", "commands.py", "cli/__init__.py"])
def test_a_module_of_another_distribution_does_not_stand_in_the_way(tmp_path, other):
    path = tmp_path / other
    path.parent.mkdir(exist_ok=True)
    path.write_text("raise SystemExit('another program')\n", encoding="utf-8")
    run = quintet(
        "--version", program=AS_INSTALLED, cwd=tmp_path, variables={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    )
    assert (run.code, run.out) == (0, f"quintet, version {__version__}\n")
