"""Long work that Ctrl-C can stop: the work runs in a thread, the main thread waits and listens."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

Result = TypeVar("Result")

INTERRUPT_GRACE = 1.5
"""Seconds that interrupted work gets to return the best it has."""
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


def run_interruptible(work: Callable[[threading.Event], Result], deadline: float | None = None) -> Outcome[Result]:
    """Run `work(interrupt)` in a daemon thread and wait for it, for Ctrl-C, or for the deadline.

    Python delivers Ctrl-C to the main thread, and only between two of its own instructions: native code there would
    swallow it. After Ctrl-C, and only then, `interrupt` is set, and the work has `INTERRUPT_GRACE` seconds to return
    the best it has. Work keeps to its own time limit; what is not back `DEADLINE_GRACE` seconds after the deadline, a
    `time.monotonic` reading, is in some long step of native code. In both cases it is then left behind, running on.
    """
    interrupt = threading.Event()
    results: list[Result] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work(interrupt))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=target, daemon=True)
    interrupted = False
    try:
        thread.start()
        while thread.is_alive() and (deadline is None or time.monotonic() < deadline + DEADLINE_GRACE):
            thread.join(_POLL)
    except KeyboardInterrupt:
        interrupted = True
        interrupt.set()
        thread.join(INTERRUPT_GRACE)
    if failures:
        raise failures[0]
    return Outcome(results[0] if results else None, interrupted)


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM end the block as Ctrl-C does; for the main thread."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
