"""How large modules and functions may be, and what modules may be called."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST_MODULE, LONGEST_FUNCTION = 300, 60
"""Lines; those of its docstring make no function long."""
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
ENTRY_POINTS = {"main"}


def sources():
    """Return the text of every module of the program and of the benchmarks by its path."""
    paths = [path for folder in ("solver", "benchmarks") for path in sorted((ROOT / folder).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def length(function):
    """Return the lines of a function without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    return lines - (first.end_lineno - first.lineno + 1 if ast.get_docstring(function) is not None else 0)


def complaints(path, source):
    """Return what is too long or has the wrong name in a module, one line each."""
    tree = ast.parse(source)
    lines = len(source.splitlines())
    found = [f"{path}: {lines} lines"] if lines > LONGEST_MODULE else []
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and length(node) > LONGEST_FUNCTION:
            found.append(f"{path}: {node.name} has {length(node)} lines")
    name = Path(path).stem
    for node in tree.body:
        if isinstance(node, FUNCTIONS) and node.name == name and name not in ENTRY_POINTS:
            found.append(f"{path}: is called like its function {name}")
    return found


def test_modules_and_functions_are_short_and_have_names_of_their_own():
    found = [line for path, source in sources().items() for line in complaints(path, source)]
    assert found == []


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("\n" * 301, "deal.py: 301 lines"),
        ("class C:\n    def f(self):\n" + "        pass\n" * 60, "deal.py: f has 61 lines"),
        ("async def g():\n" + "    pass\n" * 60, "deal.py: g has 61 lines"),
        ("def deal():\n    pass", "deal.py: is called like its function deal"),
    ],
)
def test_a_module_of_another_shape_is_found(source, complaint):
    assert complaints("deal.py", source) == [complaint]


def test_a_module_at_the_limits_passes():
    assert complaints("deal.py", "def f():\n" + "    pass\n" * 59 + "\n" * 240) == []
    assert complaints("deal.py", "class Deal:\n    def deal(self):\n        pass") == []
