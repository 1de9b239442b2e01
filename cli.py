"""The command line: the commands together, and how errors end.

Nothing heavy is imported before a command runs, so that `--help` is quick.
"""

import os
import signal
import sys
import threading
from collections.abc import Sequence

import click
from click.shell_completion import shell_complete

from solver import __version__
from solver.commands import batch, deal, equilibrium, grade, hand, play, score, solve, verify
from solver.commands.outcome import BAD_INPUT, DONE, FAILED, INTERRUPTED, fail
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
    if context.invoked_subcommand is not None:
        return None
    click.echo(context.get_help(), err=True)
    return BAD_INPUT


for module in (batch, deal, equilibrium, grade, hand, play, score, solve, verify):
    commands.add_command(module.command)


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
        # Nobody reads on; what is still buffered must not raise again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        return fail(f"quintet: {error.filename or 'output'}: {error.strerror or error}", FAILED)
    except MemoryError:
        return fail("quintet: out of memory", FAILED)


def _prepare_streams() -> None:
    """Let a closed stream be an empty one, and what an output cannot encode a replacement sign, not an error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def main() -> None:
    """Run the command line and exit."""
    code = run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late to stop anything
    if threading.active_count() > 1:
        # Work was left behind in native code; an ordinary exit could crash under it.
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
