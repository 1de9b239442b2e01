"""The command line: the commands together, and how errors end.

Nothing heavy is imported before a command runs, so that `--help` is quick.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from solver import __version__
from solver.commands.exit_codes import BAD_INPUT, DONE, FAILED, INTERRUPTED, fail
from solver.commands.late_command import COMMANDS, LateCommand
from solver.errors import InternalError, QuintetError, StoppedError

COMPLETION = "_QUINTET_COMPLETE"
"""Environment variable by which a shell asks for the completion of a command line."""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="quintet")
@click.pass_context
def commands(context: click.Context) -> int | None:
    """Solve the two-player card game Quintet, exactly.

    Both players hold the same 25 cards and lay them out as five poker packets, worth 3, 4, 5, 6 and 7 points.
    Quintet finds the best arrangement against a modelled opponent, and the equilibrium of any deal.

    \b
    Examples:
      quintet deal
      quintet solve --removed 7s 7h 8d 9c Th Qd Ks
      quintet equilibrium --removed 7s 7h 8d 9c Th Qd Ks --objective win
      quintet grade "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh"
      quintet play
    """
    context.obj = time.monotonic()  # the beginning, for time limits: to read options may load much already
    if context.invoked_subcommand is not None:
        return None
    click.echo(context.get_help(), err=True)
    return BAD_INPUT


for name in COMMANDS:
    commands.add_command(LateCommand(name))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; errors become one line on standard error."""
    _prepare_streams()
    try:
        # Not `commands.main`, which prints a blank line at Ctrl-C and takes a closed pipe for a failure.
        if asked := os.environ.get(COMPLETION):
            return shell_complete(commands, {}, "quintet", COMPLETION, asked)
        with commands.make_context("quintet", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = commands.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        name = where.command_path if where else "quintet"
        return fail(f"{name}: {' '.join(error.format_message().split())}", BAD_INPUT)
    except QuintetError as error:
        return fail(f"quintet: {error}", BAD_INPUT)
    except StoppedError as error:
        return fail(f"quintet: {error}", FAILED)
    except InternalError as error:
        return fail(f"quintet: internal error: {error}", FAILED)
    except (KeyboardInterrupt, click.Abort):
        return fail("quintet: interrupted", INTERRUPTED)
    except BrokenPipeError:
        return DONE  # nobody reads on
    except OSError as error:
        return fail(f"quintet: {error.filename or 'output'}: {error.strerror or error}", FAILED)
    except MemoryError:
        return fail("quintet: out of memory", FAILED)
    except Exception as error:
        # Ctrl-C while a library is loaded comes out as an error of that library.
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        return fail("quintet: interrupted", INTERRUPTED)


def _prepare_streams() -> None:
    """Let a closed stream be an empty one, and what an output cannot encode a replacement sign, not an error.

    A result that is written to a closed standard output is lost, and the error is the one that the system would give.
    """
    for name, mode, access in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            stream = open(os.open(os.devnull, access), mode, encoding="utf-8")  # noqa: SIM115 (open to the end)
            setattr(sys, name, stream)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _drop_unwritten() -> None:
    """Forget what a stream did not take: at its end Python would try again, and change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def main() -> None:
    """Run the command line and exit."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to be asked to end is to be interrupted
    code = run()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # too late to stop anything
    _drop_unwritten()
    if threading.active_count() > 1:
        # Work was left behind in native code; an ordinary exit could crash under it.
        os._exit(code)
    sys.exit(code)
