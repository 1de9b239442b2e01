"""Running the command line inside the test process: quick, where no terminal, signal or pipe matters."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import cli
from tests.command import Run, strict_json


def run_here(*arguments, stdin=""):
    """Run the command with UTF-8 streams that are no terminals, and return how it ended."""
    streams = [io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")]
    streams += [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    given, out, err = streams
    with patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        code = cli.run([str(argument) for argument in arguments])
    return Run(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def answer_here(*arguments, stdin=""):
    """Run the command with --json and return its document; it must succeed without a word."""
    run = run_here(*arguments, "--json", stdin=stdin)
    assert (run.code, run.err) == (0, ""), run
    return strict_json(run.out)
