"""Running the command line inside the test process: quick, where no terminal, signal or pipe matters."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from solver.commands import main as cli
from tests.support.command import Run, strict_json


def run_here(*arguments, stdin="", encoding="utf-8"):
    """Run the command with streams that are no terminals, and return how it ended."""
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    with patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        code = cli.run([str(argument) for argument in arguments])
    return Run(code, *(stream.buffer.getvalue().decode(encoding) for stream in (out, err)))


def answer_here(*arguments, stdin=""):
    """Run the command with --json and return its document; it must succeed without a word."""
    run = run_here(*arguments, "--json", stdin=stdin)
    assert (run.code, run.err) == (0, ""), run
    return strict_json(run.out)
