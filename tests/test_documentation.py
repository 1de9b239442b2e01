"""What the documents name is there: files, folders, modules, and places to jump to."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        ROOT / "benchmarks/README.md",
        ROOT / "benchmarks/deals/README.md",
    ]
)
FOLDERS = ("solver", "tests", "benchmarks", "docs", ".ci")


def words(text):
    """Return what stands in backquotes and on lines of code, word by word."""
    code = "\n".join(re.findall(r"```.*?\n(.*?)```", text, re.DOTALL))
    rest = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [*code.split(), *(word for quoted in re.findall(r"`([^`]+)`", rest) for word in quoted.split())]


def anchors(text):
    """Return the places of a document that a link can name: its headings in lower case, with hyphens."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_modules_and_links_lead_somewhere(document):
    text = document.read_text(encoding="utf-8")
    for word in words(text):
        path = word.partition("::")[0].rstrip(",;:")
        if path.startswith(tuple(f"{folder}/" for folder in FOLDERS)) and not re.search(r"[*{<]|[A-Z]{3}", path):
            assert (ROOT / path).exists(), path
        if re.fullmatch(r"(benchmarks|tests|solver)(\.\w+)+", word):
            module = ROOT / word.replace(".", "/")
            assert module.with_suffix(".py").exists() or module.is_dir(), word
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        file = document.parent / path if path else document
        assert file.exists(), target
        assert not anchor or anchor in anchors(file.read_text(encoding="utf-8")), target


def test_a_path_is_found_in_quotes_and_in_code():
    assert words("see `solver/game/deal.py` and\n```sh\npython -m tests.x\n```") == [
        "python",
        "-m",
        "tests.x",
        "solver/game/deal.py",
    ]
