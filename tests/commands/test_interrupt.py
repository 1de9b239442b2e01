"""Ctrl-C through a process group, as a terminal sends it, and SIGTERM: one line, exit 130, the best answer so far.

Nothing is timed: a run is interrupted once it has used so much processor time that it must be at work, and the result
shows that it was not finished.
"""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.support.command import Run, quintet, started, strict_json
from tests.support.d1 import D1
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.scoring import cards_in

MESSAGE = b"quintet: interrupted; the best answer so far is given\n"
DEAL = EXTREME_DEALS[5].deal  # 1,531 undominated partitions
# Some ten thousand rows make a model that takes CP-SAT many seconds.
LONG_SOLVE = ("solve", D1.text(), "--objective", "win", "--opponent", "quantal:1", "--engine", "cpsat")
# No mix is known to be exactly in equilibrium before floating point has nothing more to give.
LONG_EQUILIBRIUM = ("equilibrium", DEAL.text(), "--objective", "win", "--tolerance", "0")
HANGING = 60
"""Seconds after which an interrupted run counts as hanging; on an idle machine it needs two at most."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads processor times from /proc")


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(*arguments, after, times=1, number=signal.SIGINT):
    """Run the command, press Ctrl-C after so many seconds of processor time, and return code, output and errors."""
    with started(*arguments) as process:
        while process.poll() is None and processor_seconds(process) < after:
            time.sleep(0.05)
        assert process.poll() is None, "ended before it could be interrupted"
        for _ in range(times):
            os.killpg(process.pid, number)
            time.sleep(0.2)
        out, err = process.communicate(timeout=HANGING)
    return process.returncode, out, err


@pytest.fixture(scope="module")
def interrupted_solve(tmp_path_factory):
    saved = tmp_path_factory.mktemp("interrupted") / "solution.json"
    return saved, *interrupted(*LONG_SOLVE, "--json", "--output", saved, after=2)


def test_a_long_solve_gives_the_best_so_far(interrupted_solve):
    # Report B59.
    saved, code, out, err = interrupted_solve
    assert (code, err) == (130, MESSAGE)
    document = strict_json(out)
    assert strict_json(saved.read_text()) == document
    assert document["status"] == "interrupted"
    assert cards_in(document["arrangement"]) == set(D1.text().split())
    assert 0 < document["objective_value"] < document["bound"]


def test_a_long_verification_is_interrupted(interrupted_solve):
    code, out, err = interrupted("verify", interrupted_solve[0], "--time-limit", "600", after=2)
    assert (code, out, err) == (130, b"", b"quintet: interrupted\n")


def test_a_second_ctrl_c_ends_it_at_once():
    code, _, err = interrupted(*LONG_SOLVE, after=2, times=2)
    assert code == 130
    # Whether the first one was in time for an answer depends on where it met the solver.
    assert set(err.splitlines(keepends=True)) <= {MESSAGE, b"quintet: interrupted\n"}
    assert err


def test_a_solve_whose_opponent_is_not_ready_gives_the_greedy_arrangement():
    code, out, err = interrupted(
        "solve", DEAL.text(), "--objective", "win", "--opponent", "equilibrium", "--json", after=2
    )
    assert (code, err) == (130, MESSAGE)
    document = strict_json(out)
    assert document["status"] == "interrupted"
    assert document["value"] is None
    assert cards_in(document["arrangement"]) == set(DEAL.text().split())


def test_a_long_equilibrium_gives_the_best_so_far():
    code, out, err = interrupted(*LONG_EQUILIBRIUM, "--json", after=3)
    assert (code, err) == (130, MESSAGE)
    document = strict_json(out)
    assert document["status"] == "interrupted"
    assert document["exploitability"] > 0
    assert document["iterations"] > 0


def test_an_interrupted_equilibrium_says_so_in_its_text():
    code, out, err = interrupted(*LONG_EQUILIBRIUM, after=2)
    assert (code, err) == (130, MESSAGE)
    assert b"interrupted" in out
    assert b"converged" not in out


def test_loading_a_library_is_interrupted():
    # A class body is a place from which Python and extension modules let out another error.
    press_ctrl_c = """
import functools, os, signal
from solver.commands import main as cli
signal.signal(signal.SIGINT, signal.default_int_handler)
functools.cached_property.__set_name__ = lambda *_: os.kill(os.getpid(), signal.SIGINT)
cli.main()
"""
    run = quintet("equilibrium", DEAL.text(), program=(sys.executable, "-c", press_ctrl_c))
    assert run == Run(130, "", "quintet: interrupted\n")


def test_who_is_asked_to_end_gives_the_best_so_far():
    code, out, err = interrupted(*LONG_EQUILIBRIUM, "--json", after=2, number=signal.SIGTERM)
    assert (code, err) == (130, MESSAGE)
    assert strict_json(out)["status"] == "interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_dealing_is_interrupted_between_two_deals(number):
    with started("deal", "--count", "100000000", "--seed", "1", "--json") as process:
        first = process.stdout.readline()
        os.killpg(process.pid, number)
        rest, err = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert err == b"quintet: interrupted\n"
    assert strict_json(first)["id"] == 1
    for line in rest.splitlines()[:-1]:
        strict_json(line)
