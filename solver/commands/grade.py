"""`quintet grade`: what an arrangement of the player's own is worth."""

import threading
from typing import TYPE_CHECKING

import click

from solver.commands.arguments import read_text
from solver.commands.exit_codes import finish
from solver.commands.options import (
    LimitOptions,
    OpponentOptions,
    limit_options,
    objective_option,
    opponent_options,
    page_option,
    rules_options,
    seed_option,
)
from solver.commands.output import Output, output_options
from solver.errors import LimitReached
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.game.arrangement import Arrangement
    from solver.opponents.specification import Opponent
    from solver.reports.console import Style
    from solver.reports.html_page import PageStyle
    from solver.system.limits import Limits


@click.command("grade")
@click.argument("arrangement", nargs=-1, required=True)
@objective_option
@opponent_options
@limit_options
@seed_option
@rules_options
@page_option
@output_options
def command(
    arrangement: tuple[str, ...],
    objective: str,
    opponent: OpponentOptions,
    limits: LimitOptions,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Evaluate an arrangement of your own: what it is worth, what it gives away, and how to mend it.

    ARRANGEMENT is five packets, place 1 first, with | or / between them, or each as one argument; `-` reads it from
    standard input. The regret is the value of the best arrangement against the modelled opponent minus that of yours.

    \b
    Examples:
      quintet grade "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh"
      quintet grade 7d7c8h8c9s 9h9dTsTd8s AsAhAdKhKd AcKcQcJcTc JsJhJdQsQh \\
                    --objective win --opponent greedy-shuffled
    """
    from solver.best_response.grading import grade
    from solver.game.arrangement import Arrangement
    from solver.results.grades import GradeResult
    from solver.system.interruptible import run_interruptible
    from solver.system.limits import Limits

    mine = Arrangement.parse(read_text(arrangement, separator="\n"))

    def work(interrupt: threading.Event) -> GradeResult | None:
        model = ready_opponent(opponent, mine, objective, rules, seed, Limits(limits.deadline, interrupt))
        if model is None:
            return None
        return GradeResult.of(grade(mine, model.mix, objective, rules), opponent.specs, model)

    outcome = run_interruptible(work, limits.deadline)
    result = outcome.result or GradeResult.of(
        grade(mine, None, objective, rules, interrupted=outcome.interrupted), opponent.specs, None
    )

    def text(style: "Style") -> None:
        from solver.reports.solution_text import write_grade

        write_grade(style, result)

    def page(style: "PageStyle") -> str:
        from solver.reports.html_report import grade_page

        return grade_page(style, result)

    output.write(result.document(seed), text, page)
    return finish(output, result.grade.status, outcome.interrupted)


def ready_opponent(
    options: OpponentOptions,
    arrangement: "Arrangement",
    objective: str,
    rules: Rules,
    seed: int,
    limits: "Limits",
) -> "Opponent | None":
    """Return the opponent of the deal, or None if it was not ready in time."""
    from solver.opponents.specification import parse_opponent

    try:
        return parse_opponent(
            options.specs,
            arrangement.deal,
            rules,
            objective=objective,
            samples=options.samples,
            seed=seed,
            limits=limits,
        )
    except LimitReached:
        return None
