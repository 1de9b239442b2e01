"""`quintet batch`: many deals, one record each."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from solver.commands.arguments import read_locks
from solver.commands.exit_codes import DONE, FAILED, INTERRUPTED, fail
from solver.commands.options import (
    at_least_zero,
    engine_option,
    lock_option,
    max_iterations_option,
    opponent_options,
    rules_options,
    seed_option,
    tolerance_option,
    top_option,
    zero_sum_objective,
)
from solver.language.translations import LANGUAGES
from solver.strategies.objectives import OBJECTIVES

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from solver.batch.deal_sources import Source
    from solver.batch.ordering import Pool
    from solver.batch.record import RecordMaker, Task


@click.command("batch", short_help="Solve many deals, one JSON record each.")
@click.argument("path", metavar="[FILE]", required=False)
@click.option(
    "--task",
    "task_name",
    type=click.Choice(["solve", "equilibrium"]),
    default="solve",
    show_default=True,
    help="What is asked about every deal.",
)
@click.option("--random", "number", type=click.IntRange(1), metavar="N", help="N deals of --seed instead of a file.")
@click.option("--instances", metavar="NAME", help="A set of benchmarks/deals of a checkout instead of a file.")
@click.option("--removed", is_flag=True, help="Lines of text are the 7 cards laid aside, not the 25 in play.")
@click.option(
    "--objective", type=click.Choice(OBJECTIVES), help="As in the command; points for solve, margin for equilibrium."
)
@opponent_options
@engine_option
@top_option
@lock_option
@tolerance_option
@max_iterations_option
@click.option("--time-limit", type=at_least_zero, metavar="SECONDS", help="Time for each deal.")
@seed_option
@rules_options
@click.option("--output", metavar="FILE", help="Write the records to a new FILE, not to standard output.")
@click.option("--resume", is_flag=True, help="Go on with the output of an interrupted run; error records first.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes; by default one a usable processor.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of the scheduler at ADDRESS.")
@click.option("--timings", is_flag=True, help="Add wall time, processor and memory to every record.")
@click.option("--summary", is_flag=True, help="Sum up FILE, the output of a batch, and run nothing.")
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON; records always are.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the summary.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(
    context: click.Context, /, path: str | None, summary: bool, as_json: bool, lang: str, **options: Any
) -> int:
    """Solve many deals, one JSON record each, in the order of the input.

    FILE has one deal a line, as text or as JSON: {"id": ..., "cards": "..."} or {"id": ..., "removed": "..."}. A bad
    deal gets an error record. A run that was cut off, however hard, goes on with --resume.

    \b
    Examples:
      quintet deal --count 100 --seed 1 --json > deals.jsonl
      quintet batch deals.jsonl --output solved.jsonl
      quintet batch deals.jsonl --output solved.jsonl --resume
      quintet batch --random 100 --task equilibrium --output mixes.jsonl
      quintet batch solved.jsonl --summary
    """
    if summary:
        require_only(context, "--summary", ("path", "summary", "as_json", "lang"))
        if path is None:
            raise click.UsageError("--summary needs FILE, the output of a batch", context)
        return write_summary(path, as_json, lang)
    return run_batch(context, path, **options)


def require_only(context: click.Context, name: str, allowed: Sequence[str]) -> None:
    """Refuse options that mean nothing beside another."""
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in allowed:
            raise click.UsageError(f"{parameter.opts[0]} does not go with {name}", context)


def write_summary(path: str, as_json: bool, lang: str) -> int:
    """Write what the output of a batch says as a whole."""
    from solver.batch.summary import summary_document
    from solver.batch.summary_text import write_summary as write_text
    from solver.reports.console import Style
    from solver.system.json_document import to_json

    document = summary_document(path)
    if as_json:
        click.echo(to_json(document))
    else:
        write_text(Style(None, lang), document)
    return DONE


def run_batch(context: click.Context, path: str | None, *, output: str | None, resume: bool, **options: Any) -> int:
    """Run a batch, and say how many deals have a result."""
    from solver.batch.progress import batch_progress
    from solver.batch.record import RecordMaker
    from solver.batch.run import KEPT, Batch, BatchCounts
    from solver.system.files import require_writable

    if resume and output is None:
        raise click.UsageError("--resume needs --output FILE", context)
    source = batch_source(context, path, options["number"], options["instances"], options["removed"], options["seed"])
    maker = RecordMaker(batch_task(context, options), options["timings"])
    if output is not None:
        require_writable(output)
    counts = BatchCounts()
    hidden = options["quiet"] or (output is None and sys.stdout.isatty())
    try:
        with batch_progress(source.count(), hidden=hidden) as watch:
            run = Batch(source, maker, batch_pool(context, maker, options["workers"], options["dask"]), watch)
            if output is None:
                run.write_to(click.echo, counts)
            else:
                run.write_file(output, counts, resume=resume)
    except KeyboardInterrupt:
        kept = "" if output is None else f"; {KEPT}"
        return fail(f"quintet: interrupted{kept}", INTERRUPTED)
    click.echo(f"quintet: {counts.done} done, {counts.failed} failed", err=True)
    return FAILED if counts.failed else DONE


def batch_source(
    context: click.Context, path: str | None, number: int | None, instances: str | None, removed: bool, seed: int
) -> "Source":
    """Return where the deals come from: exactly one of FILE, `--random` and `--instances`."""
    from solver.batch.deal_sources import DealFile, RandomDeals, instance_file

    if (path is not None) + (number is not None) + (instances is not None) != 1:
        raise click.UsageError("expected one of FILE, --random N and --instances NAME", context)
    if number is not None:
        return RandomDeals(number, seed)
    if instances is not None:
        return instance_file(instances)
    if path is None or path == "-":
        raise click.UsageError("a batch reads its deals from a file, not from standard input", context)
    return DealFile(path, removed)


def batch_task(context: click.Context, options: dict[str, Any]) -> "Task":
    """Return the question of `--task`, refusing options of the other one."""
    from solver.opponents.specification import parse_spec
    from solver.results.tasks import EquilibriumTask, SolveTask

    solve_only = ("specs", "samples", "engine", "top", "locks")
    equilibrium_only = ("tolerance", "max_iterations")
    shared = {name: options[name] for name in ("rules", "time_limit", "seed")}
    objective = options["objective"]
    refuse = solve_only if options["task_name"] == "equilibrium" else equilibrium_only
    allowed = [parameter.name or "" for parameter in context.command.params if parameter.name not in refuse]
    require_only(context, f"--task {options['task_name']}", allowed)
    if options["task_name"] == "equilibrium":
        objective = zero_sum_objective(context, context.command.params[0], objective or "margin")
        return EquilibriumTask(objective, **{name: options[name] for name in equilibrium_only}, **shared)
    for spec in options["specs"]:
        parse_spec(spec)
    return SolveTask(
        objective=objective or "points",
        specs=options["specs"],
        samples=options["samples"],
        engine=options["engine"],
        top=options["top"] or 0,
        locked=read_locks(options["locks"]),
        **shared,
    )


def batch_pool(
    context: click.Context, maker: "RecordMaker", workers: int | None, dask: str | None
) -> "Callable[[], AbstractContextManager[Pool]]":
    """Return what starts the processes that do the work."""
    from solver.batch.dask_pool import DaskPool
    from solver.batch.record import error_record
    from solver.batch.worker_pool import WorkerPool
    from solver.system.cpu_count import available_cpus

    if dask is None:
        return lambda: WorkerPool(maker, workers or available_cpus(), error_record)
    if workers is not None:
        raise click.UsageError("--workers does not go with --dask", context)
    return lambda: DaskPool(dask, maker, error_record)
