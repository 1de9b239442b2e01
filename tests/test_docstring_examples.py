"""The examples in docstrings give what they show."""

import doctest
import importlib

import pytest

MODULES = (
    "dominance.orders",
    "dominance.partitions",
    "equilibrium.matrix_game",
    "game.deal",
    "game.evaluator",
    "strategies.rounding",
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    found = doctest.testmod(importlib.import_module(f"solver.{name}"))
    assert found.attempted > 0
    assert found.failed == 0
