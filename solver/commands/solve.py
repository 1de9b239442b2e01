"""`quintet solve`: the best arrangement against a modelled opponent."""

import click

from solver.commands.arguments import read_deal, read_locks
from solver.commands.exit_codes import finish
from solver.commands.options import (
    cards_argument,
    engine_option,
    lock_option,
    objective_option,
    opponent_options,
    page_option,
    rules_options,
    seed_option,
    time_limit_option,
    top_option,
)
from solver.commands.output import Output, output_options
from solver.game.rules import Rules


@click.command("solve", short_help="The best arrangement against a modelled opponent.")
@cards_argument
@objective_option
@opponent_options
@engine_option
@top_option
@lock_option
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def command(
    cards: tuple[str, ...],
    removed: bool,
    objective: str,
    specs: tuple[str, ...],
    samples: int,
    engine: str,
    top: int | None,
    locks: tuple[str, ...],
    time_limit: float | None,
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
    from solver.best_response.problem import require_locks

    deal = read_deal(cards, removed)
    locked = read_locks(locks)
    require_locks(deal, locked)

    from solver.opponents.specification import parse_spec

    for spec in specs:
        parse_spec(spec)
    deadline = None if time_limit is None else output.started + time_limit

    from solver.reports import html_report
    from solver.reports.solution_text import write_solution
    from solver.results.tasks import SolveTask
    from solver.system.interruptible import run_interruptible

    task = SolveTask(specs, samples, objective, rules, engine, top or 0, locked, time_limit, seed)
    outcome = run_interruptible(lambda interrupt: task.answer(deal, deadline, interrupt, output.log()), deadline)
    response, opponent = outcome.result or task.fallback(deal, interrupted=outcome.interrupted)
    output.write(
        task.document(response, opponent),
        lambda style: write_solution(style, response, specs, opponent),
        lambda style: html_report.solution_page(style, response, specs, opponent),
    )
    return finish(output, response.status, outcome.interrupted, strict=engine == "both")
