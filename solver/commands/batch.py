"""`quintet batch`: many deals, one record each."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from solver.commands.batch_options import (
    RunOptions,
    SourceOptions,
    SummaryOptions,
    run_options,
    source_options,
    summary_options,
)
from solver.commands.exit_codes import DONE, FAILED, INTERRUPTED, fail
from solver.commands.option_values import at_least_zero, zero_sum_objective
from solver.commands.options import (
    ConvergenceOptions,
    OpponentOptions,
    ResponseOptions,
    convergence_options,
    opponent_options,
    response_options,
    rules_options,
    seed_option,
)
from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from solver.batch.deal_sources import Source
    from solver.batch.ordering import Pool
    from solver.batch.record import RecordMaker

SOLVE_ONLY = ("specs", "samples", "engine", "top", "locked")
EQUILIBRIUM_ONLY = ("tolerance", "max_iterations", "compact")


@click.command("batch")
@click.option(
    "--task",
    "task_name",
    type=click.Choice(["solve", "equilibrium"]),
    default="solve",
    show_default=True,
    help="What is asked about every deal.",
)
@source_options
@click.option(
    "--objective", type=click.Choice(OBJECTIVES), help="As in the command; points for solve, margin for equilibrium."
)
@opponent_options
@response_options
@convergence_options
@click.option("--time-limit", type=at_least_zero, metavar="SECONDS", help="Time for each deal.")
@seed_option
@rules_options
@run_options
@summary_options
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def command(
    context: click.Context,
    /,
    task_name: str,
    origin: SourceOptions,
    objective: str | None,
    opponent: OpponentOptions,
    search: ResponseOptions,
    convergence: ConvergenceOptions,
    time_limit: float | None,
    seed: int,
    rules: Rules,
    run: RunOptions,
    report: SummaryOptions,
    quiet: bool,
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
      quintet batch --all --task equilibrium --compact --output whole.jsonl.gz
      quintet batch solved.jsonl --summary
    """
    if report.summary:
        require_only(context, "--summary", ("path", "summary", "as_json", "language"))
        if origin.path is None:
            raise click.UsageError("--summary needs FILE, the output of a batch", context)
        return write_summary(origin.path, report)
    if run.resume and run.output is None:
        raise click.UsageError("--resume needs --output FILE", context)

    source = batch_source(context, origin, seed)
    refuse = SOLVE_ONLY if task_name == "equilibrium" else EQUILIBRIUM_ONLY
    allowed = [parameter.name or "" for parameter in context.command.params if parameter.name not in refuse]
    require_only(context, f"--task {task_name}", allowed)
    if task_name == "equilibrium":
        goal = zero_sum_objective(context, context.command.params[0], objective or "margin")
        maker = equilibrium_maker(goal, rules, convergence, time_limit, seed, run)
    else:
        maker = solve_maker(objective or "points", rules, opponent, search, time_limit, seed, run)
    return run_batch(context, source, maker, run, quiet=quiet)


def solve_maker(
    objective: str,
    rules: Rules,
    opponent: OpponentOptions,
    search: ResponseOptions,
    time_limit: float | None,
    seed: int,
    run: RunOptions,
) -> "RecordMaker":
    """Return what makes the records of `--task solve`."""
    from solver.batch.record import RecordMaker
    from solver.results.tasks import SolveTask

    task = SolveTask(
        opponent.specs,
        opponent.samples,
        objective,
        rules,
        search.engine,
        search.top,
        search.locked,
        time_limit,
        seed,
    )
    return RecordMaker(task, run.timings)


def equilibrium_maker(
    objective: str,
    rules: Rules,
    convergence: ConvergenceOptions,
    time_limit: float | None,
    seed: int,
    run: RunOptions,
) -> "RecordMaker":
    """Return what makes the records of `--task equilibrium`."""
    from solver.batch.record import RecordMaker
    from solver.results.tasks import CompactEquilibriumTask, EquilibriumTask

    task = EquilibriumTask(objective, rules, convergence.tolerance, convergence.max_iterations, time_limit, seed)
    if run.compact:
        return RecordMaker(CompactEquilibriumTask(task), run.timings, task.compact_header)
    return RecordMaker(task, run.timings)


def require_only(context: click.Context, name: str, allowed: Sequence[str]) -> None:
    """Refuse options that mean nothing beside another."""
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in allowed:
            raise click.UsageError(f"{parameter.opts[0]} does not go with {name}", context)


def write_summary(path: str, report: SummaryOptions) -> int:
    """Write what the output of a batch says as a whole."""
    from solver.batch.summary import summary_document
    from solver.batch.summary_text import write_summary as write_text
    from solver.reports.console import Style
    from solver.system.json_document import to_json

    document = summary_document(path)
    if report.as_json:
        click.echo(to_json(document))
    else:
        write_text(Style(None, report.language), document)
    return DONE


def batch_source(context: click.Context, origin: SourceOptions, seed: int) -> "Source":
    """Return where the deals come from: exactly one of FILE and the options that name deals."""
    from solver.batch.canonical_deals import AllDeals, SampledDeals
    from solver.batch.deal_sources import DealFile, RandomDeals, instance_file

    given = (origin.path, origin.number, origin.sample, origin.instances, origin.every or None)
    if sum(each is not None for each in given) != 1:
        raise click.UsageError("expected one of FILE, --random N, --all, --sample N and --instances NAME", context)
    if origin.number is not None:
        return RandomDeals(origin.number, seed)
    if origin.every:
        return AllDeals(seed)
    if origin.sample is not None:
        return SampledDeals(origin.sample, seed)
    if origin.instances is not None:
        return instance_file(origin.instances)
    if origin.path is None or origin.path == "-":
        raise click.UsageError("a batch reads its deals from a file, not from standard input", context)
    return DealFile(origin.path, origin.removed)


def run_batch(context: click.Context, source: "Source", maker: "RecordMaker", run: RunOptions, *, quiet: bool) -> int:
    """Run a batch, and say how many deals have a result."""
    from solver.batch.progress import batch_progress
    from solver.batch.run import KEPT, Batch, BatchCounts
    from solver.system.files import require_writable

    if run.output is not None:
        require_writable(run.output)
    counts = BatchCounts()
    hidden = quiet or (run.output is None and sys.stdout.isatty())
    try:
        with batch_progress(source.count(), hidden=hidden) as watch:
            batch = Batch(source, maker, batch_pool(context, maker, run), watch)
            if run.output is None:
                batch.write_to(click.echo, counts)
            else:
                batch.write_file(run.output, counts, resume=run.resume)
    except KeyboardInterrupt:
        kept = "" if run.output is None else f"; {KEPT}"
        return fail(f"quintet: interrupted{kept}", INTERRUPTED)
    click.echo(f"quintet: {counts.done} done, {counts.failed} failed", err=True)
    return FAILED if counts.failed else DONE


def batch_pool(
    context: click.Context, maker: "RecordMaker", run: RunOptions
) -> "Callable[[], AbstractContextManager[Pool]]":
    """Return what starts the processes that do the work."""
    from solver.batch.dask_pool import DaskPool
    from solver.batch.record import error_record
    from solver.batch.worker_pool import WorkerPool
    from solver.system.cpu_count import available_cpus

    address = run.dask
    if address is None:
        return lambda: WorkerPool(maker, run.workers or available_cpus(), error_record)
    if run.workers is not None:
        raise click.UsageError("--workers does not go with --dask", context)
    return lambda: DaskPool(address, maker, error_record)
