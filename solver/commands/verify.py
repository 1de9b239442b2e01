"""`quintet verify`: saved results checked again."""

import threading

import click

from solver.commands.exit_codes import DONE, FAILED
from solver.commands.option_values import at_least_zero
from solver.commands.output import Output, output_options


@click.command("verify")
@click.argument("path", metavar="FILE")
@click.option(
    "--time-limit", type=at_least_zero, default=60.0, show_default=True, metavar="SECONDS", help="Time for proofs."
)
@output_options
def command(path: str, time_limit: float, output: Output) -> int:
    """Re-check a saved result of solve, equilibrium or batch from scratch.

    Every claimed figure is recomputed in exact integers, with engines other than the one that made the result. Exit
    code 1 if a claim does not hold or cannot be proven in time.

    \b
    Examples:
      quintet equilibrium --removed 7s7h8d9cThQdKs --output mix.json
      quintet verify mix.json
    """
    from solver.reports.tables import write_checks
    from solver.system.interruptible import run_interruptible
    from solver.verification.checks import Check
    from solver.verification.verify import checks_document, verdict, verify_file

    def work(interrupt: threading.Event) -> list[Check]:
        return verify_file(path, time_limit=time_limit, interrupt=interrupt)

    outcome = run_interruptible(work)
    if outcome.result is None or outcome.interrupted:
        raise KeyboardInterrupt
    checks = outcome.result
    output.write(checks_document(path, checks), lambda style: write_checks(style, checks, verdict(checks)))
    return DONE if all(check.holds for check in checks) else FAILED
