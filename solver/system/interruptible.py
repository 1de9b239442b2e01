"""Long work that Ctrl-C can stop: the work runs in a thread, the main thread waits and listens."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Result = TypeVar("Result")

INTERRUPT_GRACE = 2.0
"""Seconds that interrupted work gets to return the best it has."""
CERTIFICATE_GRACE = 60.0
"""The same for work that is worth nothing before its last step, a second or so at most on an idle machine."""
DEADLINE_GRACE = 4.0
"""Seconds by which work may overrun its deadline."""
_POLL = 0.1


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """How the work ended.

    Parameters
    ----------
    result
        What it returned, or None if it was left behind still running.
    interrupted
        Whether Ctrl-C stopped it.
    """

    result: Result | None
    interrupted: bool


def run_interruptible(
    work: Callable[[threading.Event], Result], deadline: float | None = None, *, grace: float = INTERRUPT_GRACE
) -> Outcome[Result]:
    """Run `work(interrupt)` in a daemon thread and wait for it, for Ctrl-C, or for the deadline.

    Python delivers Ctrl-C to the main thread, and only between two of its own instructions: native code there would
    swallow it. After Ctrl-C, and only then, `interrupt` is set, and the work has `grace` seconds to return the best it
    has; a second Ctrl-C ends the wait. Work keeps to its own time limit; what is not back `DEADLINE_GRACE` seconds
    after the deadline, a `time.monotonic` reading, is in some long step of native code. In both cases it is then left
    behind, running on.
    """
    interrupt = threading.Event()
    # Not `Thread.join`: interrupted by Ctrl-C, it takes the thread for ended (Python 3.11 and 3.12).
    done = threading.Event()
    results: list[Result] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work(interrupt))
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=target, daemon=True)
    interrupted = False
    try:
        thread.start()
        while not done.wait(_POLL) and (deadline is None or time.monotonic() < deadline + DEADLINE_GRACE):
            pass
    except KeyboardInterrupt:
        interrupted = True
        interrupt.set()
        done.wait(grace)
    if done.is_set():
        thread.join()
    if failures:
        raise failures[0]
    return Outcome(results[0] if results else None, interrupted)
