"""The house of the project: which package may import which, and which library is used only where.

A module imports modules of its own package, without circles, and of packages above its own in the table. Other
libraries than NumPy only where the table says so. What counts is every import statement: inside functions and under
TYPE_CHECKING as well.
"""

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PACKAGES = (
    "errors",
    "system",
    "game",
    "strategies",
    "language",
    "dominance",
    "best_response",
    "equilibrium",
    "opponents",
    "mixes",
    "results",
    "verification",
    "reports",
    "batch",
    "play",
    "commands",
)
"""Low to high."""

WITHOUT_NUMPY = ("errors", "system", "language", "verification", "commands")

LIBRARIES = {
    "batch.dask_pool": "distributed threadpoolctl",
    "batch.progress": "rich",
    "best_response.cp_sat.exact_cover_model": "ortools",
    "best_response.cp_sat.packing_model": "ortools",
    "best_response.cp_sat.search": "ortools",
    "best_response.cp_sat.threshold_objective": "ortools",
    "equilibrium.solve": "threadpoolctl",
    "dominance.sign_tables": "threadpoolctl",
    "equilibrium.highs_model": "highspy",
    "equilibrium.matrix_game": "highspy",
    "equilibrium.quantal_response": "threadpoolctl",
    "mixes.dual_program": "highspy",
    "mixes.program": "highspy",
    "mixes.solve": "threadpoolctl",
    "play.session_text": "rich",
    "reports.console": "rich",
    "reports.equilibrium_text": "rich",
    "reports.tables": "rich",
}
"""The modules that may use an outside library besides NumPy; every module of `commands` may use click."""

MOST_ARROWS = 80
"""Ordered pairs of packages with an import between them."""

SHARED_BY_ENGINES = {
    "best_response.engine_answer",
    "best_response.problem",
    "errors",
    "game.arrays",
    "game.cards",
    "game.deal",
    "game.evaluator",
    "game.notation",
    "game.rules",
    "strategies.objectives",
    "strategies.payoffs",
    "strategies.strength_mix",
    "system.limits",
}
"""The question, the form of an answer, and what both are put in. Engines have nothing else in common."""


def project_sources():
    """Return the text of every module by its name; the package itself only lists what the library exports."""
    package = ROOT / "solver"
    sources = {}
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package).with_suffix("").parts)
        if name != "__init__":
            sources[name] = path.read_text(encoding="utf-8")
    return sources


def package_of(module):
    return module.partition(".")[0]


@cache
def imports_of(source, modules):
    """Return the modules of this project and the libraries that a module imports, and what it does that is forbidden.

    Names of the package other than modules and the version are forbidden: they are loaded through the package, from
    anywhere.
    """
    used, libraries, forbidden = set(), set(), []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                forbidden.append("imports relatively")
                continue
            home = node.module.removeprefix("solver.")
            is_module = home in modules and f"{home}.__init__" not in modules
            names = [node.module] if is_module else [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Name | ast.Attribute):
            called = node.id if isinstance(node, ast.Name) else node.attr
            if called in ("import_module", "__import__"):
                forbidden.append("imports by name")
        for name in names:
            top, _, rest = name.partition(".")
            if top == "solver":
                if rest in modules:
                    used.add(rest)
                elif rest != "__version__":
                    forbidden.append(f"imports {name}, which is no module")
            elif top not in sys.stdlib_module_names:
                libraries.add(top)
    return used, libraries, forbidden


def analysed(sources):
    modules = frozenset(sources)
    return {module: imports_of(source, modules) for module, source in sources.items()}


def arrows(sources):
    """Return the ordered pairs of packages of which the first imports the second; `errors` is a file, not a package."""
    return {
        (package_of(module), package_of(other))
        for module, (used, _, _) in analysed(sources).items()
        for other in used
        if package_of(module) != package_of(other) != "errors"
    }


def complaints(sources):
    """Return what breaks the rules of the house, in one line each."""
    found = [f"{package} has no row in the table" for package in {*map(package_of, sources)} - {*PACKAGES}]
    found += [f"{package} is in the table and nowhere else" for package in {*PACKAGES} - {*map(package_of, sources)}]
    found += [f"{module} is in the table of libraries and nowhere else" for module in LIBRARIES.keys() - sources.keys()]
    inside = {}
    for module, (used, libraries, forbidden) in analysed(sources).items():
        package = package_of(module)
        found += [f"{module} {what}" for what in forbidden]
        inside[module] = [other for other in used if package_of(other) == package]
        if package not in PACKAGES:
            continue
        found += [
            f"{module} imports {other} of a higher package"
            for other in used
            if package_of(other) in PACKAGES and PACKAGES.index(package_of(other)) > PACKAGES.index(package)
        ]
        allowed = set(LIBRARIES.get(module, "").split())
        allowed |= set() if package in WITHOUT_NUMPY else {"numpy"}
        allowed |= {"click"} if package == "commands" else set()
        found += [f"{module} imports {library}" for library in libraries - allowed]
        found += [f"{module} does not need {library}" for library in allowed - libraries - {"numpy", "click"}]
    try:
        TopologicalSorter(inside).prepare()
    except CycleError as error:
        found.append(f"a circle: {' -> '.join(error.args[1])}")
    return sorted(found)


def reachable(module, sources):
    """Return all modules that a module imports, directly or not."""
    found = analysed(sources)
    seen, waiting = set(), [module]
    while waiting:
        for other in found[waiting.pop()][0] - seen:
            seen.add(other)
            waiting.append(other)
    return seen


def test_every_module_keeps_to_its_place_and_libraries():
    assert complaints(project_sources()) == []


def test_the_house_has_few_arrows():
    assert len(arrows(project_sources())) <= MOST_ARROWS


def test_an_arrow_is_a_pair_of_packages():
    sources = {
        "errors": "",
        "game.cards": "import solver.errors",
        "play.loop": "from solver.game import cards\nfrom solver.game.deal import Deal",
        "game.deal": "from solver.game import cards",
    }
    assert arrows(sources) == {("play", "game")}


@pytest.mark.parametrize(
    ("module", "line", "complaint"),
    [
        ("game.deal", "from solver.play.loop import play_session", "game.deal imports play.loop of a higher package"),
        ("game.cards", "def late():\n    import solver.play.loop", "game.cards imports play.loop of a higher package"),
        (
            "game.deal",
            "if TYPE_CHECKING:\n    import solver.results.packets",
            "game.deal imports results.packets of a higher package",
        ),
        (
            "best_response.solve",
            "from solver.opponents import models as guests",
            "best_response.solve imports opponents.models of a higher package",
        ),
        ("play.loop", "from solver.commands import deal", "play.loop imports commands.deal of a higher package"),
        ("game.deal", "from . import evaluator", "game.deal imports relatively"),
        ("game.deal", "from solver import Deal", "game.deal imports solver.Deal, which is no module"),
        ("game.deal", "import solver", "game.deal imports solver, which is no module"),
        ("game.deal", "from solver.utils import chunks", "game.deal imports solver.utils.chunks, which is no module"),
        ("game.deal", "import importlib\nimportlib.import_module('solver.play.loop')", "game.deal imports by name"),
        ("game.deal", "__import__('ortools')", "game.deal imports by name"),
        (
            "best_response.enumeration",
            "def f():\n    from ortools.sat.python import cp_model",
            "best_response.enumeration imports ortools",
        ),
        ("system.files", "import numpy.typing", "system.files imports numpy"),
        ("equilibrium.double_oracle", "import highspy", "equilibrium.double_oracle imports highspy"),
        ("play.loop", "import click", "play.loop imports click"),
        ("commands.main", "import rich", "commands.main imports rich"),
    ],
)
def test_an_import_that_breaks_the_rules_is_found(module, line, complaint):
    sources = project_sources()
    sources[module] += f"\n\n{line}\n"
    assert complaint in complaints(sources)


def test_the_tables_and_the_modules_are_the_same():
    sources = project_sources()
    sources["utils"] = ""
    sources["equilibrium.matrix_game"] = "import solver.game.cards"
    sources = {name: source for name, source in sources.items() if package_of(name) != "play"}
    found = complaints(sources)
    assert "utils has no row in the table" in found
    assert "play is in the table and nowhere else" in found
    assert "play.session_text is in the table of libraries and nowhere else" in found
    assert "equilibrium.matrix_game does not need highspy" in found


def test_a_circle_within_a_package_is_found():
    sources = project_sources()
    sources["game.cards"] += "\nfrom solver.game.deal import Deal\n"
    assert any(line.startswith("a circle: ") for line in complaints(sources))


@pytest.mark.parametrize("model", ["packing_model", "exact_cover_model"])
@pytest.mark.parametrize("other", ["enumeration", "dynamic_program"])
def test_engines_share_nothing_but_the_question(model, other):
    sources = project_sources()
    other = f"best_response.{other}"
    shared = reachable(f"best_response.cp_sat.{model}", sources) & ({other} | reachable(other, sources))
    assert shared <= SHARED_BY_ENGINES


def test_the_program_without_dominance_does_not_know_it():
    sources = project_sources()
    assert reachable("best_response.dynamic_program", sources) <= SHARED_BY_ENGINES


@pytest.mark.parametrize("package", ["", *(package for package in PACKAGES if package != "errors")])
def test_a_package_loads_nothing_by_itself(package):
    tree = ast.parse((ROOT / "solver" / package / "__init__.py").read_text(encoding="utf-8"))
    at_once = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in at_once for alias in node.names}
    assert names == (set() if package else {"importlib", "TYPE_CHECKING", "Any"})


def test_the_program_of_the_checkout_only_starts_the_command():
    tree = ast.parse((ROOT / "cli.py").read_text(encoding="utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert imported == ["solver.commands.main"]
