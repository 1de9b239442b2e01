"""`quintet mix`: a mix that a person can play."""

import threading
from typing import TYPE_CHECKING

import click

from solver.commands.exit_codes import finish
from solver.commands.option_values import exact_amount, known_specs, zero_sum_objective
from solver.commands.options import (
    DealOptions,
    LimitOptions,
    deal_options,
    drawn_seed_option,
    limit_options,
    rules_options,
)
from solver.commands.output import Output, output_options
from solver.game.rules import Rules
from solver.strategies.objectives import OBJECTIVES

if TYPE_CHECKING:
    from fractions import Fraction

    from solver.game.deal import Deal
    from solver.mixes.result import Mix
    from solver.results.mixes import MixResult


@click.command("mix")
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
@click.option(
    "--opponent",
    "specs",
    metavar="[W:]SPEC",
    multiple=True,
    callback=known_specs,
    help="Gain as much as can be against this model, as in `solve`; without it, be the least exploitable.",
)
@click.option(
    "--risk",
    type=exact_amount,
    metavar="R",
    help="Nobody may gain more than this against the mix, in points or probability; needs --opponent.",
)
@click.option("--at-most", type=click.IntRange(1), metavar="K", help="Play at most K arrangements.")
@click.option("--splits", type=click.IntRange(1), metavar="P", help="Split the cards in at most P ways.")
@click.option(
    "--shares",
    type=click.IntRange(2, 1000),
    metavar="N",
    help="Every chance is a multiple of 1/N: 6 for a die, 36 for two dice told apart.",
)
@click.option("--curve", is_flag=True, help="What risk is worth against the model; without one, K = 1 to 12.")
@limit_options
@drawn_seed_option
@rules_options
@output_options
def command(
    dealt: DealOptions,
    objective: str,
    specs: tuple[str, ...],
    risk: "Fraction | None",
    at_most: int | None,
    splits: int | None,
    shares: int | None,
    curve: bool,
    limits: LimitOptions,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Find a mix of arrangements that a person can play: few of them, or drawn with dice, or best against a model.

    Nobody gains more against the mix than the exploitability that is printed, whatever he lays.

    \b
    Examples:
      quintet mix --removed 7s 7h 8d 9c Th Qd Ks --shares 6
      quintet mix --removed 7s7h8d9cThQdKs --at-most 4
      quintet mix --removed 7s7h8d9cThQdKs --opponent quantal:1 --risk 0.5
    """
    if risk is not None and not specs:
        raise click.UsageError("--risk without --opponent: name a model to gain from, such as --opponent quantal:1")
    if curve and (risk, at_most, splits, shares) != (None,) * 4:
        raise click.UsageError(
            "--curve goes through the limits itself: leave out --risk, --at-most, --splits, --shares"
        )
    deal = dealt.read()
    if curve:
        return write_curve_of(deal, specs, objective, rules, limits, output)

    from solver.mixes.question import MixLimits
    from solver.reports.mix_text import write_mix
    from solver.results.mixes import answer_mix
    from solver.system.interruptible import CERTIFICATE_GRACE, run_interruptible
    from solver.system.limits import Limits

    asked = MixLimits(at_most, splits, shares, risk)

    def work(interrupt: threading.Event) -> "MixResult":
        return answer_mix(deal, specs, asked, objective, rules, seed, Limits(limits.deadline, interrupt))

    outcome = run_interruptible(work, grace=CERTIFICATE_GRACE)
    result = outcome.result
    if result is None:
        raise KeyboardInterrupt
    mix = result.mix
    document = {**result.document(), "time_limit": limits.time_limit}
    output.write(document, lambda style: write_mix(style, result))
    status = mix.status.value
    if status in ("infeasible", "none found"):
        needed = float(mix.exploitability)
        output.note(f"{status}: within the limits no mix keeps that risk; the one given needs --risk {needed:.9g}")
    if status in ("feasible", "infeasible", "none found") and not outcome.interrupted:
        return 0
    return finish(output, status, outcome.interrupted)


def write_curve_of(
    deal: "Deal", specs: tuple[str, ...], objective: str, rules: Rules, limits: LimitOptions, output: Output
) -> int:
    """Find and write a curve, and return the exit code."""
    from solver.reports.mix_text import write_curve
    from solver.results.mixes import answer_curve, curve_document
    from solver.system.interruptible import CERTIFICATE_GRACE, run_interruptible
    from solver.system.limits import Limits

    def work(interrupt: threading.Event) -> "tuple[Mix, ...]":
        return answer_curve(deal, specs, objective, rules, Limits(limits.deadline, interrupt))

    outcome = run_interruptible(work, grace=CERTIFICATE_GRACE)
    points = outcome.result
    if points is None:
        raise KeyboardInterrupt
    output.write(curve_document(points, specs), lambda style: write_curve(style, points))
    return finish(output, "optimal", outcome.interrupted)
