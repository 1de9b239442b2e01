"""`quintet score`: the referee."""

from typing import TYPE_CHECKING

import click

from solver.commands.arguments import read_text
from solver.commands.options import rules_options
from solver.commands.output import Output, output_options
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.reports.console import Style


@click.command("score")
@click.argument("first")
@click.argument("second")
@rules_options
@output_options
def command(first: str, second: str, rules: Rules, output: Output) -> None:
    """Referee two arrangements of the same deal.

    FIRST and SECOND are five packets each, place 1 first, with | or / between the packets.

    \b
    Example:
      quintet score "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh" \\
                    "JsJh8s8cAc/QsQcTs9s7d/TcTd9h8h7c/JdJcQhKd9d/AsAhAdKhKc"
    """
    from solver.game import arrangement
    from solver.results.referee import score_document

    mine, theirs = (arrangement.Arrangement.parse(read_text([text])) for text in (first, second))
    result = arrangement.score(mine, theirs, rules)

    def text(style: "Style") -> None:
        from solver.reports.tables import write_score

        write_score(style, mine, theirs, result)

    output.write(score_document(mine, theirs, result, rules), text)
