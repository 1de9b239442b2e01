"""`quintet deal`: random deals."""

import click

from solver.game.notation import NOTATIONS


@click.command("deal")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Number of deals.")
@click.option("--seed", type=click.IntRange(0), help="Seed; one is drawn and reported if it is left out.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines that `quintet batch` reads.")
@click.option("--notation", type=click.Choice(NOTATIONS), help="How cards are written in text.")
@click.option("--quiet", is_flag=True, help="Do not report the seed.")
def command(count: int, seed: int | None, as_json: bool, notation: str | None, quiet: bool) -> None:
    """Deal 25 cards at random, one deal a line.

    \b
    Examples:
      quintet deal
      quintet deal --count 100 --seed 1 --json > deals.jsonl
    """
    import secrets

    from solver.game.deal import random_deals
    from solver.reports.console import Style
    from solver.reports.tables import write_deal
    from solver.results.deals import deal_document
    from solver.system.json_document import to_json

    drawn = secrets.randbits(32) if seed is None else seed
    style = Style(notation)
    for number, dealt in enumerate(random_deals(drawn, count), 1):
        if as_json:
            click.echo(to_json(deal_document(number, dealt, drawn), indent=None))
        else:
            write_deal(style, dealt)
    if seed is None and not quiet:
        click.echo(f"quintet: dealt with --seed {drawn}", err=True)
