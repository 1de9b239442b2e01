"""The oldest libraries that are tried are the oldest ones that are allowed."""

import tomllib

from tests.support.command import ROOT


def test_the_pins_of_the_oldest_set_are_the_lower_bounds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = dict(requirement.split(">=") for requirement in project["dependencies"])
    lines = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pins.keys() == bounds.keys()
    for name, bound in bounds.items():
        assert f"{pins[name]}.".startswith(f"{bound}."), name
