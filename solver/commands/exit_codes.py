"""How a command ends: exit codes, and the line on standard error that goes with them."""

import contextlib
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    # The list of commands shall not wait for what only a command needs.
    from solver.commands.output import Output

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def finish(output: "Output", status: str, interrupted: bool, *, strict: bool = False) -> int:
    """Say on standard error how unfinished work ended, and return the exit code."""
    proven = status in ("optimal", "converged")
    if interrupted:
        output.note(
            "interrupted; the answer was proven by then" if proven else "interrupted; the best answer so far is given"
        )
        return INTERRUPTED
    if proven:
        return DONE
    if status in ("iteration limit", "time limit"):
        output.note(f"{status} reached; the best mix so far is given, not converged")
    elif status == "stalled":
        output.note("stalled: floating point has no more to give; the best mix so far is given, not converged")
    else:
        output.note("time limit reached; the best answer so far is given, not proven")
    return FAILED if strict else DONE


def fail(message: str, code: int) -> int:
    """Write a message to standard error and return the exit code."""
    if code == BAD_INPUT:
        # What the user typed may hold line ends and escape codes; the message stays one harmless line.
        message = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in message)
    with contextlib.suppress(OSError):  # where standard error takes nothing, the exit code still tells
        click.echo(message, err=True)
    return code
