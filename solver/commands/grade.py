"""`quintet grade`: what an arrangement of the player's own is worth."""

import threading

import click

from solver.commands.arguments import read_text
from solver.commands.exit_codes import finish
from solver.commands.options import (
    objective_option,
    opponent_options,
    page_option,
    rules_options,
    seed_option,
    time_limit_option,
)
from solver.commands.output import Output, output_options
from solver.errors import LimitReached
from solver.game.rules import Rules


@click.command("grade", short_help="What is an arrangement of your own worth?")
@click.argument("arrangement", nargs=-1, required=True)
@objective_option
@opponent_options
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def command(
    arrangement: tuple[str, ...],
    objective: str,
    specs: tuple[str, ...],
    samples: int,
    time_limit: float | None,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Judge an arrangement of your own: what it is worth, what it gives away, and how to mend it.

    ARRANGEMENT is five packets, place 1 first, with | or / between them, or each as one argument; `-` reads it from
    standard input. The regret is the value of the best arrangement against the modelled opponent minus that of yours.

    \b
    Examples:
      quintet grade "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh"
      quintet grade 7d7c8h8c9s 9h9dTsTd8s AsAhAdKhKd AcKcQcJcTc JsJhJdQsQh \\
                    --objective win --opponent greedy-shuffled
    """
    from solver.game.arrangement import Arrangement

    mine = Arrangement.parse(read_text(arrangement, separator="\n"))

    from solver.opponents.specification import Opponent, parse_opponent, parse_spec

    for spec in specs:
        parse_spec(spec)
    deadline = None if time_limit is None else output.started + time_limit

    from solver.best_response import grading
    from solver.reports import html_report
    from solver.reports.solution_text import write_grade
    from solver.results.documents import grade_document
    from solver.system.interruptible import run_interruptible

    def work(interrupt: threading.Event) -> tuple[grading.Grade, Opponent] | None:
        try:
            opponent = parse_opponent(
                specs,
                mine.deal,
                rules,
                objective=objective,
                samples=samples,
                seed=seed,
                deadline=deadline,
                interrupt=interrupt,
            )
        except LimitReached:
            return None
        return grading.grade(mine, opponent.mix, objective, rules), opponent

    outcome = run_interruptible(work, deadline)
    graded, opponent = outcome.result or (
        grading.grade(mine, None, objective, rules, interrupted=outcome.interrupted),
        None,
    )
    output.write(
        grade_document(graded, specs, opponent, seed),
        lambda style: write_grade(style, graded, specs, opponent),
        lambda style: html_report.grade_page(style, graded, specs, opponent),
    )
    return finish(output, graded.status, outcome.interrupted)
