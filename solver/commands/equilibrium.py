"""`quintet equilibrium`: the mix that nobody can beat."""

import threading
from typing import TYPE_CHECKING

import click

from solver.commands.exit_codes import finish
from solver.commands.option_values import zero_sum_objective
from solver.commands.options import (
    ConvergenceOptions,
    DealOptions,
    LimitOptions,
    convergence_options,
    deal_options,
    drawn_seed_option,
    limit_options,
    page_option,
    rules_options,
)
from solver.commands.output import Output, output_options
from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES

if TYPE_CHECKING:
    from solver.reports.html_page import PageStyle
    from solver.results.equilibria import EquilibriumResult


@click.command("equilibrium")
@deal_options
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    metavar="[margin|win]",
    default="margin",
    show_default=True,
    callback=zero_sum_objective,
    help="margin: own minus the other's expected points. win: chance to win the match, a draw half.",
)
@convergence_options
@click.option("--resume", metavar="FILE", help="Go on from the mix of a saved equilibrium of the same deal.")
@limit_options
@drawn_seed_option
@rules_options
@page_option
@output_options
def command(
    dealt: DealOptions,
    objective: str,
    convergence: ConvergenceOptions,
    resume: str | None,
    limits: LimitOptions,
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
    deal = dealt.read()

    from solver.reports.equilibrium_text import equilibrium_progress, write_equilibrium
    from solver.results.equilibria import read_equilibrium
    from solver.results.tasks import EquilibriumTask
    from solver.system.interruptible import CERTIFICATE_GRACE, run_interruptible
    from solver.system.limits import Limits

    start = None if resume is None else read_equilibrium(resume, deal, rules, objective)
    task = EquilibriumTask(objective, rules, convergence.tolerance, convergence.max_iterations, limits.time_limit, seed)
    with equilibrium_progress(hidden=output.quiet) as callback:

        def work(interrupt: threading.Event) -> "EquilibriumResult":
            return task.answer(deal, Limits(limits.deadline, interrupt), start, callback)

        outcome = run_interruptible(work, grace=CERTIFICATE_GRACE)
    result = outcome.result
    if result is None:
        raise KeyboardInterrupt

    def page(style: "PageStyle") -> str:
        from solver.reports.html_report import equilibrium_page

        return equilibrium_page(style, result)

    output.write(task.document(result), lambda style: write_equilibrium(style, result), page)
    return finish(output, result.equilibrium.status, outcome.interrupted)
