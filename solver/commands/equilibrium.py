"""`quintet equilibrium`: the mix that nobody can beat."""

import click

from solver.commands.arguments import read_deal
from solver.commands.exit_codes import finish
from solver.commands.options import (
    cards_argument,
    max_iterations_option,
    page_option,
    rules_options,
    seed_option,
    time_limit_option,
    tolerance_option,
    zero_sum_objective,
)
from solver.commands.output import Output, output_options
from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES


@click.command("equilibrium", short_help="The mix of arrangements that nobody can beat.")
@cards_argument
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    metavar="[margin|win]",
    default="margin",
    show_default=True,
    callback=zero_sum_objective,
    help="margin: own minus the other's expected points. win: chance to win the match, a draw half.",
)
@tolerance_option
@max_iterations_option
@click.option("--resume", metavar="FILE", help="Go on from the mix of a saved equilibrium of the same deal.")
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def command(
    cards: tuple[str, ...],
    removed: bool,
    objective: str,
    tolerance: float | None,
    max_iterations: int | None,
    resume: str | None,
    time_limit: float | None,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Find an equilibrium mix of a deal and prove how far from exact it is.

    Whoever plays the mix cannot be beaten on average: no arrangement gains more than the exploitability against it.
    One arrangement is drawn from the mix with --seed.

    \b
    Examples:
      quintet equilibrium --removed 7s 7h 8d 9c Th Qd Ks
      quintet equilibrium --removed 7s7h8d9cThQdKs --output mix.json
      quintet equilibrium --removed 7s7h8d9cThQdKs --objective win --html mix.html
    """
    from solver.reports import html_report
    from solver.reports.equilibrium_text import equilibrium_progress, write_equilibrium
    from solver.results.documents import read_equilibrium
    from solver.results.tasks import EquilibriumTask
    from solver.system.interruptible import CERTIFICATE_GRACE, run_interruptible

    deal = read_deal(cards, removed)
    start = None if resume is None else read_equilibrium(resume, deal, rules, objective)
    task = EquilibriumTask(objective, rules, tolerance, max_iterations, time_limit, seed)
    deadline = None if time_limit is None else output.started + time_limit
    with equilibrium_progress(hidden=output.quiet) as callback:
        outcome = run_interruptible(
            lambda interrupt: task.answer(deal, deadline, interrupt, start, callback), grace=CERTIFICATE_GRACE
        )
    found = outcome.result
    if found is None:
        raise KeyboardInterrupt
    output.write(
        task.document(found),
        lambda style: write_equilibrium(style, found, seed),
        lambda style: html_report.equilibrium_page(style, found, seed),
    )
    return finish(output, found.status, outcome.interrupted)
