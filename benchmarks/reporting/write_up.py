"""Tables and plots of a result file, made from its raw lines alone.

python -m benchmarks.reporting.write_up benchmarks/results/DATE-LABEL.jsonl
"""

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.reporting.result_files import Run, read
from benchmarks.reporting.targets import targets_table


def render(path: Path) -> str:
    """Write the tables (.md) and plots (a folder of PNGs) beside a result file and return the tables."""
    run = read(path)
    text = "\n".join(
        [_head(run), *(_study(run, study) for study in run.studies), targets_table(dict.fromkeys(run.records, run))]
    )
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    return text


def _head(run: Run) -> str:
    machine, versions = run.head["machine"], run.head["versions"]
    minutes = sum(end["seconds"] for end in run.studies.values()) / 60
    present = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    absent = [name for name, version in versions.items() if version is None]
    lines = [
        f"# Results {run.name}",
        "",
        f"- {run.head['size']} run begun {run.head['date']}, {minutes:.0f} minutes",
        f"- {machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, {machine['system']}; "
        f"load at the start {machine['load']:.2f}",
        f"- commit {run.head['commit']}{', with changes' if run.head['modified'] else ''}",
        f"- {present}",
        f"- absent: {', '.join(absent) or 'none'}",
        "",
        "Unsolved items count as slower than every solved one in median, p90 and worst.",
        "",
    ]
    return "\n".join(lines)


def _study(run: Run, study: str) -> str:
    module = importlib.import_module(f"benchmarks.studies.{study}")
    end = run.studies[study]
    parts = [f"## {module.TITLE}", "", module.LESSON, ""]
    if "error" in end:
        return "\n".join([*parts, f"Ended by an error: {end['error']}", ""])
    records = run.records[study]
    parts += [table.markdown() for table in module.tables(records)]
    if find_spec("matplotlib") is None:
        return "\n".join([*parts, "No plots: matplotlib is absent.", ""])
    from benchmarks.reporting.plots import draw

    folder = run.path.with_suffix("")
    folder.mkdir(exist_ok=True)
    for figure in module.figures(records):
        draw(figure, folder)
        parts += [f"![{figure.title}]({folder.name}/{figure.name}.png)", ""]
    return "\n".join(parts)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(render(Path(name)))
