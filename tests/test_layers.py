"""The house of the project: which module may import which, and which library only where.

A module imports modules of lower layers, never a sibling, and of other libraries only those on its line. A new module
is a new line. What counts is every import statement: inside functions and under TYPE_CHECKING as well.
"""

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HOUSE = {
    # Module: layer, libraries.
    "cards": (0, ""),
    "errors": (0, ""),
    "apportionment": (1, "numpy"),
    "cp_sat": (1, "ortools"),
    "cpu_count": (1, ""),
    "file_lock": (1, ""),
    "files": (1, ""),
    "interruptible": (1, ""),
    "notation": (1, ""),
    "number_text": (1, ""),
    "objectives": (1, ""),
    "phrases": (1, ""),
    "rules": (1, ""),
    "worker": (1, ""),
    "deal": (2, "numpy"),
    "evaluator": (2, "numpy"),
    "worker_pool": (2, ""),
    "arrangement": (3, "numpy"),
    "batch_input": (3, ""),
    "hand_names": (3, ""),
    "hand_table": (3, "numpy"),
    "pareto": (3, "numpy"),
    "rank_packets": (3, "numpy"),
    "strength_mix": (3, "numpy"),
    "arrangement_entry": (4, ""),
    "greedy": (4, "numpy"),
    "match": (4, ""),
    "mixed_strategy": (4, "numpy"),
    "payoffs": (4, "numpy"),
    "rank_splits": (4, "numpy"),
    "style": (4, "rich"),
    "partitions": (5, "numpy"),
    "response_problem": (5, "numpy"),
    "cores": (6, "numpy"),
    "enumeration": (6, "numpy"),
    "interior_point": (6, "numpy"),
    "level_model": (6, "numpy ortools"),
    "matrix_game": (6, "highspy numpy"),
    "model_answer": (6, "numpy"),
    "place_dp": (6, "numpy"),
    "arrangement_table": (7, "numpy"),
    "completion": (7, "numpy"),
    "cp_model": (8, "numpy ortools"),
    "exact_cover_model": (8, "numpy ortools"),
    "pricing": (8, "numpy"),
    "best_response": (9, "numpy"),
    "certificate": (9, ""),
    "quantal_response": (9, "numpy threadpoolctl"),
    "double_oracle": (10, "numpy threadpoolctl"),
    "grading": (10, "numpy"),
    "opponent_models": (11, "numpy"),
    "opponents": (12, "numpy"),
    "results": (13, "numpy"),
    "sentences": (13, ""),
    "batch_output": (14, ""),
    "batch_record": (14, ""),
    "claims": (14, ""),
    "dask_pool": (14, "distributed threadpoolctl"),
    "html_page": (14, ""),
    "tasks": (14, ""),
    "batch_resume": (15, ""),
    "html_report": (15, "numpy"),
    "match_log": (15, ""),
    "ordered_records": (15, ""),
    "report": (15, "rich"),
    "verification": (15, ""),
    "batch": (16, ""),
    "batch_summary": (16, "numpy"),
    "equilibrium_report": (16, "rich"),
    "solution_report": (16, ""),
    "batch_report": (17, "rich"),
    "match_report": (17, "rich"),
    "play": (18, "numpy"),
    "commands.options": (19, "click"),
    "commands.reading": (19, ""),
    "commands.output": (20, "click"),
    "commands.outcome": (21, "click"),
    "commands.batch": (22, "click"),
    "commands.deal": (22, "click"),
    "commands.equilibrium": (22, "click"),
    "commands.grade": (22, "click"),
    "commands.hand": (22, "click"),
    "commands.play": (22, "click"),
    "commands.score": (22, "click"),
    "commands.solve": (22, "click"),
    "commands.verify": (22, "click"),
    "cli": (23, "click"),
}

PACKAGES = ("solver", "solver.commands")

SHARED_BY_ENGINES = {
    "cards",
    "deal",
    "errors",
    "evaluator",
    "notation",
    "objectives",
    "payoffs",
    "response_problem",
    "rules",
    "strength_mix",
}
"""The question and what it is put in: cards, rules, the evaluator. Engines have nothing else in common."""


def project_sources():
    """Return the text of every module by its name; the package itself only lists what the library exports."""
    package = ROOT / "solver"
    sources = {"cli": (ROOT / "cli.py").read_text(encoding="utf-8")}
    for path in sorted(package.rglob("*.py")):
        if path.name != "__init__.py":
            name = ".".join(path.relative_to(package).with_suffix("").parts)
            sources[name] = path.read_text(encoding="utf-8")
    return sources


@cache
def imports_of(source):
    """Return the modules of this project and the libraries that a module imports, and what it does that is forbidden.

    Names of the package other than modules and the version are forbidden: they are loaded through the package, from
    anywhere.
    """
    modules, libraries, forbidden = set(), set(), []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = ".".join(filter(None, ["solver" if node.level else "", node.module or ""]))
            names = [f"{home}.{alias.name}" for alias in node.names] if home in PACKAGES else [home]
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in ("import_module", "__import__"):
                forbidden.append("imports by name")
        for name in names:
            top, _, rest = name.partition(".")
            if top in ("solver", "cli"):
                depth = 2 if rest.startswith("commands.") else 1
                module = ".".join(rest.split(".")[:depth]) if top == "solver" else "cli"
                if module in HOUSE:
                    modules.add(module)
                elif module != "__version__":
                    forbidden.append(f"imports {name}, which is no module")
            elif top not in sys.stdlib_module_names:
                libraries.add(top)
    return modules, libraries, forbidden


def complaints(sources):
    """Return what breaks the rules of the house, in one line each."""
    found = [f"{module} has no line in the table" for module in sources.keys() - HOUSE.keys()]
    found += [f"{module} is in the table and nowhere else" for module in HOUSE.keys() - sources.keys()]
    for module in sources.keys() & HOUSE.keys():
        layer, allowed = HOUSE[module]
        modules, libraries, forbidden = imports_of(sources[module])
        found += [f"{module} {what}" for what in forbidden]
        for other in modules:
            if HOUSE[other][0] >= layer:
                found.append(f"{module} (layer {layer}) imports {other} (layer {HOUSE[other][0]})")
        found += [f"{module} imports {library}" for library in libraries - set(allowed.split())]
        found += [f"{module} does not need {library}" for library in set(allowed.split()) - libraries]
    return sorted(found)


def reachable(module, sources):
    """Return all modules that a module imports, directly or not."""
    seen, waiting = set(), [module]
    while waiting:
        for other in imports_of(sources[waiting.pop()])[0] - seen:
            seen.add(other)
            waiting.append(other)
    return seen


def test_every_module_keeps_to_its_layer_and_libraries():
    assert complaints(project_sources()) == []


@pytest.mark.parametrize(
    ("module", "line", "complaint"),
    [
        ("cards", "from solver.notation import parse_cards", "cards (layer 0) imports notation (layer 1)"),
        ("cards", "def late():\n    from solver.play import play", "cards (layer 0) imports play (layer 18)"),
        ("deal", "if TYPE_CHECKING:\n    import solver.results", "deal (layer 2) imports results (layer 13)"),
        ("deal", "from solver import opponents as guests", "deal (layer 2) imports opponents (layer 12)"),
        ("deal", "from . import opponents", "deal (layer 2) imports opponents (layer 12)"),
        ("deal", "from .opponents import parse_opponent", "deal (layer 2) imports opponents (layer 12)"),
        ("deal", "from solver.evaluator import CATEGORIES", "deal (layer 2) imports evaluator (layer 2)"),
        ("results", "from cli import main", "results (layer 13) imports cli (layer 23)"),
        ("deal", "from solver import Deal", "deal imports solver.Deal, which is no module"),
        ("deal", "import solver", "deal imports solver, which is no module"),
        ("deal", "from solver.utils import chunks", "deal imports solver.utils, which is no module"),
        ("deal", "import importlib\nimportlib.import_module('solver.play')", "deal imports by name"),
        ("deal", "__import__('ortools')", "deal imports by name"),
        ("enumeration", "def f():\n    from ortools.sat.python import cp_model", "enumeration imports ortools"),
        ("rules", "import numpy.typing", "rules imports numpy"),
        ("double_oracle", "import highspy", "double_oracle imports highspy"),
        ("play", "import click", "play imports click"),
        ("cli", "import rich", "cli imports rich"),
        ("play", "from solver.commands import deal", "play (layer 18) imports commands.deal (layer 22)"),
        (
            "commands.deal",
            "from solver.commands.play import command",
            "commands.deal (layer 22) imports commands.play (layer 22)",
        ),
    ],
)
def test_an_import_that_breaks_the_rules_is_found(module, line, complaint):
    sources = project_sources()
    sources[module] += f"\n\n{line}\n"
    assert complaint in complaints(sources)


def test_the_table_and_the_modules_are_the_same():
    sources = project_sources()
    sources["utils"] = ""
    sources["deal"] = "import solver.cards"
    del sources["rules"]
    found = complaints(sources)
    assert "utils has no line in the table" in found
    assert "rules is in the table and nowhere else" in found
    assert "deal does not need numpy" in found


@pytest.mark.parametrize("model", ["cp_model", "exact_cover_model"])
@pytest.mark.parametrize("other", ["enumeration", "place_dp"])
def test_engines_share_nothing_but_the_question(model, other):
    sources = project_sources()
    assert reachable(model, sources) & ({other} | reachable(other, sources)) <= SHARED_BY_ENGINES


def test_the_programme_without_dominance_does_not_know_it():
    sources = project_sources()
    assert reachable("place_dp", sources) <= SHARED_BY_ENGINES


def test_the_package_loads_nothing_by_itself():
    tree = ast.parse((ROOT / "solver" / "__init__.py").read_text(encoding="utf-8"))
    at_once = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {alias.name for node in at_once for alias in node.names} == {"importlib", "TYPE_CHECKING", "Any"}
