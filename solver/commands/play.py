"""`quintet play`: a session at the terminal."""

import sys

import click

from solver.commands.exit_codes import BAD_INPUT, fail
from solver.commands.options import (
    OpponentOptions,
    language_option,
    notation_option,
    objective_option,
    opponent_options,
    rules_options,
)
from solver.game.rules import Rules


@click.command("play")
@click.option("--deals", type=click.IntRange(1), metavar="N", help="Stop after N deals; otherwise when you say quit.")
@objective_option
@opponent_options
@click.option(
    "--seed", type=click.IntRange(0), help="Seed of the session; one is drawn and reported if it is left out."
)
@click.option("--log", "log_path", metavar="FILE", help="Add every finished deal to FILE, as JSON lines.")
@rules_options
@notation_option
@language_option
@click.option("--quiet", is_flag=True, help="Write the deals and the results only.")
def command(
    deals: int | None,
    objective: str,
    opponent: OpponentOptions,
    seed: int | None,
    log_path: str | None,
    rules: Rules,
    notation: str | None,
    language: str,
    quiet: bool,
) -> None:
    """Play against a modelled opponent, deal after deal.

    You are shown 25 cards and lay your five packets; the opponent has laid its own before. The referee's table, the
    score so far, and what your arrangement gave away against the model follow. The answers may come from a script on
    standard input. The deals of a seed are those of `quintet deal` with that seed.

    \b
    Examples:
      quintet play
      quintet play --deals 3 --opponent greedy-shuffled --log session.jsonl
      quintet play --deals 10 --seed 1 --quiet < answers.txt
    """
    import secrets

    from solver.play.loop import play_session
    from solver.play.session import SessionSettings
    from solver.play.session_log import open_log
    from solver.reports.console import Style
    from solver.system.files import require_writable

    if log_path is not None:
        require_writable(log_path)
    drawn = secrets.randbits(32) if seed is None else seed
    settings = SessionSettings(opponent.specs, objective, rules, opponent.samples, drawn, deals)
    if seed is None:
        click.echo(f"quintet: playing with --seed {drawn}", err=True)
    with open_log(log_path) as record:
        play_session(settings, Style(notation, language, quiet), complain, record)


def complain(message: str) -> None:
    """Say in one line what was wrong with what the user typed."""
    sys.stdout.flush()
    fail(f"quintet: {message}", BAD_INPUT)
