"""Work in a thread, stopped by Ctrl-C or left behind after its deadline. Graces are set short; nothing is timed."""

import os
import signal
import threading
import time

import pytest

from solver.errors import LimitReached
from solver.system import interruptible
from solver.system.interruptible import Outcome, run_interruptible

LONG = 60
"""Seconds that no test waits for."""


@pytest.fixture(autouse=True)
def sigint_as_at_a_terminal():
    """A run in the background of a shell inherits SIGINT ignored, and a test runner may set a handler of its own."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def test_work_that_ends_by_itself_gives_its_result():
    assert run_interruptible(lambda interrupt: 42) == Outcome(42, False)


def test_work_sees_no_interrupt_unless_there_is_one():
    assert run_interruptible(lambda interrupt: interrupt.is_set()).result is False
    assert run_interruptible(lambda interrupt: interrupt.is_set(), time.monotonic()).result is False


@pytest.mark.parametrize("error", [ValueError("wrong"), LimitReached("late"), KeyboardInterrupt(), MemoryError()])
def test_an_error_in_the_work_is_the_callers(error):
    def work(interrupt):
        raise error

    with pytest.raises(type(error)) as raised:
        run_interruptible(work)
    assert raised.value is error


def test_work_that_listens_returns_what_it_has_after_ctrl_c():
    def work(interrupt):
        press_ctrl_c()
        asked = interrupt.wait(LONG)
        time.sleep(0.3)  # long enough to be missed by one who does not wait
        return "half" if asked else "never asked to stop"

    assert run_interruptible(work) == Outcome("half", True)


def test_work_that_does_not_listen_is_left_behind_after_ctrl_c():
    end = threading.Event()

    def work(interrupt):
        press_ctrl_c()
        end.wait(LONG)
        return "too late"

    assert run_interruptible(work, grace=0.05) == Outcome(None, True)
    end.set()


def test_work_that_overruns_its_deadline_is_left_behind_without_an_interrupt(monkeypatch):
    monkeypatch.setattr(interruptible, "DEADLINE_GRACE", 0.05)
    end, interrupts = threading.Event(), []

    def work(interrupt):
        interrupts.append(interrupt)
        end.wait(LONG)
        return "too late"

    assert run_interruptible(work, time.monotonic()) == Outcome(None, False)
    assert not interrupts[0].is_set()
    end.set()


def test_work_may_overrun_its_deadline_a_little():
    def work(interrupt):
        time.sleep(0.3)
        return "just in time"

    assert run_interruptible(work, time.monotonic()) == Outcome("just in time", False)


def test_a_second_ctrl_c_does_not_wait():
    end = threading.Event()

    def work(interrupt):
        press_ctrl_c()
        interrupt.wait(LONG)
        press_ctrl_c()
        end.wait(LONG)

    with pytest.raises(KeyboardInterrupt):
        run_interruptible(work)
    end.set()
