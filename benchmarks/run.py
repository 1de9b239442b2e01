"""Run the studies and write raw results, tables and plots.

    python -m benchmarks.run                     every study, full size
    python -m benchmarks.run --quick             every study in five minutes together
    python -m benchmarks.run partitions quantal  these studies

Each study runs in a process of its own, one thread to every library, and asserts the answers it times: a wrong one ends
that study, is written down as its end, and makes the exit code 1.
"""

import argparse
import importlib
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType

from threadpoolctl import threadpool_limits

from benchmarks.reporting.result_files import RESULTS, append, new_file
from benchmarks.reporting.summary import Record
from benchmarks.reporting.write_up import render

STUDIES = (
    "evaluator",
    "partitions",
    "best_response",
    "formulations",
    "equilibrium",
    "equilibrium_peers",
    "hard_deals",
    "objective_cost",
    "quantal",
    "command_line",
    "scaling",
)


def module_of(study: str) -> ModuleType:
    """Return the module of a study."""
    return importlib.import_module(f"benchmarks.studies.{study}")


def records_of(study: str, size: str) -> list[Record]:
    """Run a study in this process."""
    with threadpool_limits(1):
        records: list[Record] = module_of(study).run(size)
    return records


def run_studies(studies: list[str], size: str, label: str, folder: Path = RESULTS) -> bool:
    """Run studies one after the other; return whether all ended well."""
    path = new_file(label, size, folder)
    print(f"results: {path}", file=sys.stderr)
    well = True
    for study in studies:
        start = time.monotonic()
        records: list[Record] = []
        end: dict[str, object] = {}
        try:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
                records = process.submit(records_of, study, size).result()
        except Exception as error:
            end["error"] = f"{type(error).__name__}: {error}"
            well = False
        end["seconds"] = round(time.monotonic() - start, 1)
        append(path, study, records, end)
        print(f"{study}: {end.get('error', 'done')} after {end['seconds']:.0f} s", file=sys.stderr)
    print(render(path))
    return well


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Run the studies and write raw results, tables and plots.")
    parser.add_argument(
        "studies", nargs="*", metavar="STUDY", help=f"one or more of {', '.join(STUDIES)}; default: all"
    )
    parser.add_argument("--quick", action="store_true", help="smaller studies, five minutes in all")
    parser.add_argument("--label", help="part of the file name (default: full or quick)")
    options = parser.parse_args()
    unknown = [study for study in options.studies if study not in STUDIES]
    if unknown:
        parser.error(f"no study {unknown[0]!r}: expected one of {', '.join(STUDIES)}")
    size = "quick" if options.quick else "full"
    sys.exit(0 if run_studies(options.studies or list(STUDIES), size, options.label or size) else 1)


if __name__ == "__main__":
    main()
