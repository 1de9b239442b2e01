"""Options that only `quintet batch` has."""

from dataclasses import dataclass

import click

from solver.commands.options import option_group
from solver.language.translations import LANGUAGES


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Where the deals come from."""

    path: str | None
    number: int | None
    instances: str | None
    every: bool
    sample: int | None
    removed: bool


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where the records go, and who makes them."""

    output: str | None
    resume: bool
    workers: int | None
    dask: str | None
    timings: bool
    compact: bool


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """Whether an output is to be summed up, and how."""

    summary: bool
    as_json: bool
    language: str


source_options = option_group(
    "origin",
    SourceOptions,
    click.argument("path", metavar="[FILE]", required=False),
    click.option(
        "--random", "number", type=click.IntRange(1), metavar="N", help="N deals of --seed instead of a file."
    ),
    click.option("--all", "every", is_flag=True, help="The 156,248 deals that differ by more than the names of suits."),
    click.option(
        "--sample", type=click.IntRange(1, 156_248), metavar="N", help="N of the deals of --all, drawn by --seed."
    ),
    click.option("--instances", metavar="NAME", help="A set of benchmarks/deals of a checkout instead of a file."),
    click.option("--removed", is_flag=True, help="Lines of text are the 7 cards laid aside, not the 25 in play."),
)
run_options = option_group(
    "run",
    RunOptions,
    click.option("--output", metavar="FILE", help="Write the records to a new FILE, not to standard output."),
    click.option("--resume", is_flag=True, help="Go on with the output of an interrupted run; error records first."),
    click.option(
        "--workers", type=click.IntRange(1), metavar="N", help="Processes; by default one a usable processor."
    ),
    click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of the scheduler at ADDRESS."),
    click.option("--timings", is_flag=True, help="Add wall time, processor and memory to every record."),
    click.option("--compact", is_flag=True, help="Numbers for the arrangements of equilibria: a quarter of the bytes."),
)
summary_options = option_group(
    "report",
    SummaryOptions,
    click.option("--summary", is_flag=True, help="Sum up FILE, the output of a batch, and run nothing."),
    click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON; records always are."),
    click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", help="Language of the summary."),
)
