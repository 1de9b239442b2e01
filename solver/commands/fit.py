"""`quintet fit`: a model of a player from recorded deals."""

import os
import sys
from typing import TYPE_CHECKING

import click

from solver.commands.options import rules_options
from solver.commands.output import Output, output_options
from solver.errors import FileError
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.reports.console import Style


@click.command("fit")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--side",
    type=click.Choice(["player", "opponent"]),
    default="player",
    show_default=True,
    help="Whose arrangements of a log are learnt from.",
)
@rules_options
@output_options
def command(files: tuple[str, ...], side: str, rules: Rules, output: Output) -> None:
    """Learn what a player does from deals that he played.

    FILE is a log of `quintet play`, or JSON lines with `cards` or `removed` and `arrangement`. The result is a mixture
    of models and of ways to split with a habit of order; `--opponent fitted:FILE` plays what `--output FILE` wrote.

    \b
    Examples:
      quintet play --deals 10 --log session.jsonl
      quintet fit session.jsonl --output me.json
      quintet solve --removed 7s 7h 8d 9c Th Qd Ks --opponent fitted:me.json
    """
    from solver.results.fits import FitResult
    from solver.results.recorded_deals import read_recorded_deals

    for path in files:
        if output.output_path is not None and os.path.realpath(path) == os.path.realpath(output.output_path):
            raise FileError(f"--output {output.output_path}: would replace the deals that are read from it")
    recorded = read_recorded_deals(files, side, rules)
    if recorded.cut_off:
        output.note("a last line is cut off, and left out")
    count = len(recorded.arrangements)
    shown = sys.stderr.isatty() and not output.quiet

    def progress(done: int) -> None:
        if shown:
            click.echo(f"\r{done} of {count} deals" + ("\n" if done == count else ""), nl=False, err=True)

    result = FitResult.of(recorded, rules, progress)

    def text(style: "Style") -> None:
        from solver.reports.fit_text import write_fit

        write_fit(style, result)

    output.write(result.document(), text)
