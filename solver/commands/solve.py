"""`quintet solve`: the best arrangement against a modelled opponent."""

import threading
from typing import TYPE_CHECKING

import click

from solver.commands.exit_codes import finish
from solver.commands.options import (
    DealOptions,
    LimitOptions,
    OpponentOptions,
    ResponseOptions,
    deal_options,
    limit_options,
    objective_option,
    opponent_options,
    page_option,
    response_options,
    rules_options,
    seed_option,
)
from solver.commands.output import Output, output_options
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.reports.console import Style
    from solver.reports.html_page import PageStyle
    from solver.results.best_responses import SolveResult


@click.command("solve")
@deal_options
@objective_option
@opponent_options
@response_options
@limit_options
@seed_option
@rules_options
@page_option
@output_options
def command(
    dealt: DealOptions,
    objective: str,
    opponent: OpponentOptions,
    search: ResponseOptions,
    limits: LimitOptions,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Find the best arrangement of a deal against a modelled opponent.

    CARDS are the 25 cards in play, or with --removed the 7 laid aside; `-` reads them from standard input.

    \b
    Examples:
      quintet solve --removed 7s 7h 8d 9c Th Qd Ks
      quintet solve --removed 7s7h8d9cThQdKs --objective win --opponent greedy
      quintet solve --removed 7s7h8d9cThQdKs --lock "5=As Ah Ad Ac 8h" --top 5
      quintet solve --removed 7s7h8d9cThQdKs --engine both --html best.html
    """
    deal = dealt.read()

    from solver.best_response.problem import require_locks
    from solver.results.tasks import SolveTask
    from solver.system.interruptible import run_interruptible
    from solver.system.limits import Limits

    require_locks(deal, search.locked)
    task = SolveTask(
        opponent.specs,
        opponent.samples,
        objective,
        rules,
        search.engine,
        search.top,
        search.locked,
        limits.time_limit,
        seed,
    )

    def work(interrupt: threading.Event) -> "SolveResult | None":
        return task.answer(deal, Limits(limits.deadline, interrupt), output.log())

    outcome = run_interruptible(work, limits.deadline)
    result = outcome.result or task.fallback(deal, interrupted=outcome.interrupted)

    def text(style: "Style") -> None:
        from solver.reports.solution_text import write_solution

        write_solution(style, result)

    def page(style: "PageStyle") -> str:
        from solver.reports.html_report import solution_page

        return solution_page(style, result)

    output.write(task.document(result), text, page)
    return finish(output, result.response.status, outcome.interrupted, strict=search.engine == "both")
